// Running totals of games that are played many times in a row.
import { persisted } from "./persisted";

export type Tally = { games: number; sum: number; counted: string[] };

const NONE: Tally = { games: 0, sum: 0, counted: [] };
const MAX_COUNTED = 600; // tables that are remembered, so that none counts twice

const [useTallies, save] = persisted("parlor.tallies", (kept) => (kept ?? {}) as Record<string, Tally>);

export const useTally = (name: string) => useTallies((tallies) => tallies[name] ?? NONE);

/** Add a game to a running total; the same table once only. */
export function addToTally(name: string, table: string, sum: number): void {
  const tallies = useTallies.getState();
  const old = tallies[name] ?? NONE;
  if (old.counted.includes(table)) return;
  const counted = [table, ...old.counted].slice(0, MAX_COUNTED);
  save({ ...tallies, [name]: { games: old.games + 1, sum: old.sum + sum, counted } });
}

/** Restart the total; games that were counted are not counted again. */
export function forgetTally(name: string): void {
  const tallies = useTallies.getState();
  save({ ...tallies, [name]: { ...NONE, counted: tallies[name]?.counted ?? [] } });
}
