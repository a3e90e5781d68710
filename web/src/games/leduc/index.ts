import { lazy } from "react";
import type { Drawing } from "../drawing";
import { PokerChoose, pokerKey } from "../poker/choose";
import { OneCardBoard, oneCardVerdict, showdown } from "../poker/one-card";

export const leduc: Drawing = {
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
    goal: "Win chips: a pair with the board card beats everything, else the higher card wins.",
    steps: [
      `Everybody puts in one chip and gets one card; the deck has two suits of ${players === 2 ? "J, Q, K" : "T, J, Q, K"}.`,
      "In turn, check or bet; once somebody has bet, fold, call or raise: by 2 chips at first, by " +
        "4 after the board card. Each round has at most two bets and raises.",
      "After the first round a card is turned up on the board, then there is a second round. Players who have not folded show their cards.",
    ],
  }),
  tour: [
    { at: "you", text: "This is your card, and what you have put into the pot." },
    {
      at: "middle",
      text: "After the first round of bets a card is turned up here. If it pairs yours, you beat every hand without a pair.",
    },
    { at: "others", text: "The opponent has a card too. How it bets is all you learn about it." },
    { at: "moves", text: "Bets are 2 chips now and 4 once the board card lies there. Fold to lose no more." },
  ],
};
