// The running score of short games that are played several times in a row.
import { persisted } from "./persisted";

/** `sums`: what each player got, from oneself on in the order of play; of the games of the series that is being played. */
export type Tally = { games: number; sums: number[]; counted: string[] };

const NONE: Tally = { games: 0, sums: [], counted: [] };
const MAX_COUNTED = 600; // tables that are remembered, so that none counts twice

const [useTallies, save] = persisted("parlor.tallies", (kept) => (kept ?? {}) as Record<string, Tally>);

export const useTally = (name: string) => useTallies((tallies) => tallies[name] ?? NONE);

/** Add a game to its series, which begins anew after `length` games; the same table once only. */
export function addToTally(name: string, table: string, payoffs: number[], length: number): void {
  const tallies = useTallies.getState();
  const old = tallies[name] ?? NONE;
  if (old.counted.includes(table)) return;
  const { games, sums } = old.games < length && old.sums ? old : NONE;
  const counted = [table, ...old.counted].slice(0, MAX_COUNTED);
  save({
    ...tallies,
    [name]: { games: games + 1, sums: payoffs.map((payoff, i) => payoff + (sums[i] ?? 0)), counted },
  });
}

/** Begin the series anew; games that were counted are not counted again. */
export function forgetTally(name: string): void {
  const tallies = useTallies.getState();
  save({ ...tallies, [name]: { ...NONE, counted: tallies[name]?.counted ?? [] } });
}
