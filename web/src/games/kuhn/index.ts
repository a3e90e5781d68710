import { lazy } from "react";
import type { Drawing } from "../drawing";
import { OneCardBoard } from "../one-card";

const DECKS = ["J, Q, K", "T, J, Q, K", "9, T, J, Q, K"];

export const kuhn: Drawing = {
  Board: OneCardBoard,
  Strategy: lazy(() => import("./grid").then(({ Grid }) => ({ default: Grid }))),
  sign: { text: "K", hue: 10 },
  howTo: ({ players }) => ({
    goal: "Win chips: the highest card takes the pot, unless everybody else folds.",
    steps: [
      `Everybody puts in one chip and gets one card of ${DECKS[players - 2] ?? "the deck"}.`,
      "In turn, pass or bet one chip. Once somebody has bet, the others call with a chip of their own (bet) or fold (pass).",
      "If nobody bets, the cards are shown at once. So a bet may be a good card, or a bluff.",
    ],
  }),
};
