import { lazy } from "react";
import type { Drawing } from "../drawing";
import { OneCardBoard } from "../one-card";

export const leduc: Drawing = {
  Board: OneCardBoard,
  Strategy: lazy(() => import("./grid").then(({ Grid }) => ({ default: Grid }))),
  sign: { text: "Q♥", hue: 350 },
  howTo: ({ players }) => ({
    goal: "Win chips: a pair with the board card beats everything, else the higher card wins.",
    steps: [
      `Everybody puts in one chip and gets one card; the deck has two suits of ${players === 2 ? "J, Q, K" : "T, J, Q, K"}.`,
      "In turn, fold, call or raise: by 2 chips at first, by 4 after the board card is dealt. Each round has at most two raises.",
      "After the first round a card is turned up on the board, then there is a second round. Players who have not folded show their cards.",
    ],
  }),
};
