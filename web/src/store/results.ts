// What a finished game came to, for the seat one had.
import type { TableState } from "../api/client";
import { countedNames } from "../format/table";

export type Opponent = { name: string; agent: string | null }; // agent: its id; null: a person, or not known

/** A finished game, for the seat one had. */
export type Result = {
  id: string;
  game: string;
  opponents: Opponent[];
  outcome: "won" | "lost" | "drawn" | "resigned";
  payoff: number | null; // null: not known, from an old record
  ended: string; // ISO
  kind: string; // of game, as in a table's result
  aside: string; // why it does not count; empty: it counts
};

/** Why a game does not count; empty if it does. */
function aside(state: TableState): string {
  const own = state.seats.find((seat) => seat.you);
  if (state.undone > 0) return "a move was taken back";
  if (state.imported) return "it came from a file";
  if (state.branch_of) return "it continues another game";
  if (state.seed_chosen) return "the deal was chosen";
  if (own?.kind === "agent" || own?.left) return "an agent played for you";
  return "";
}

export const opponentsAt = (state: TableState): Opponent[] =>
  state.seats.filter((seat) => !seat.you).map(({ name, agent }) => ({ name, agent: agent?.id ?? null }));

/** What is worth remembering of a table that is over; undefined while it runs, and for who only watched. */
export function resultOf(state: TableState, ended: string): Result | undefined {
  const { result, seat } = state;
  if (!result || seat === null || result.outcome === "ended" || state.replaced_by) return undefined;
  return {
    id: state.id,
    game: state.game,
    opponents: opponentsAt(state),
    outcome: result.outcome,
    payoff: result.payoffs[seat] ?? null,
    ended,
    kind: result.kind,
    aside: aside(state),
  };
}

/** Whom one played: "Random", "3 × Random, Anna". */
export const opponentsOf = ({ opponents }: Pick<Result, "opponents">): string =>
  countedNames(opponents.map(({ name }) => name)) || "nobody";
