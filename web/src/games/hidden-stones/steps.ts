// What games of hidden stones have in common, in words.
import type { TableState } from "../../api/client";
import { parseGameName } from "../../format/names";
import { nameOf } from "../table-top";
import type { Verdict } from "../drawing";

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

/** "You have three in a row." */
export function stonesVerdict(state: TableState, what: string): Verdict | undefined {
  const payoffs = state.result?.payoffs ?? [];
  if (payoffs.length === 0 || state.result?.outcome === "resigned") return undefined;
  const winner = payoffs.findIndex((payoff) => payoff > 0);
  if (winner < 0) return { text: "The board is full." };
  const name = nameOf(state, winner);
  return { text: `${name} ${name === "You" ? "have" : "has"} ${what}.` };
}
