import { lazy } from "react";
import type { Drawing } from "../drawing";
import { PokerChoose, pokerKey } from "../poker/choose";
import { OneCardBoard, oneCardVerdict, showdown } from "../poker/one-card";

const DECKS = ["J, Q, K", "T, J, Q, K", "9, T, J, Q, K"];

export const kuhn: Drawing = {
  Board: OneCardBoard,
  Choose: PokerChoose,
  room: () => "h-13",
  keyFor: pokerKey,
  unit: "chip",
  verdict: oneCardVerdict,
  reveal: showdown,
  series: { games: 10, unit: "hand" },
  Strategy: lazy(() => import("./grid").then(({ Grid }) => ({ default: Grid }))),
  howTo: ({ players }) => ({
    goal: "Win chips: the highest card takes the pot, unless everybody else folds.",
    steps: [
      `Everybody puts in one chip and gets one card of ${DECKS[players - 2] ?? "the deck"}.`,
      "In turn, check or bet one chip. Once somebody has bet, the others call with a chip of their own or fold.",
      "If nobody bets, the cards are shown at once. So a bet may be a good card, or a bluff.",
    ],
  }),
  tour: [
    { at: "you", text: "This is your card, and the chip you have put in. Only you see the card; K is the highest." },
    { at: "others", text: "Here sits the opponent, with a card that you do not see." },
    { at: "middle", text: "The pot: whoever wins takes it. What has been said appears here too." },
    {
      at: "moves",
      text: "Bet with a good card, or bluff with a bad one. If nobody bets, the higher card wins the two chips.",
    },
  ],
};
