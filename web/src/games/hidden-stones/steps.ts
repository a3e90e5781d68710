// What games of hidden stones have in common, in words.
import type { TableState } from "../../api/client";
import { parseGameName } from "../../format/names";

/** An option in the name of the game, if it is not the default. */
export const optionOf = (state: TableState, name: string) =>
  parseGameName(state.game).options.find(([option]) => option === name)?.[1];

export function triesSteps(state: TableState): string[] {
  const abrupt = optionOf(state, "version") === "abrupt";
  return [
    "Only your own stones are on the board that you see. In turn, name a cell where you want to put one.",
    abrupt
      ? "If the other's stone is there, you see it from now on, and your turn is over."
      : "If the other's stone is there, you see it from now on and try again; the other does not learn of it.",
  ];
}
