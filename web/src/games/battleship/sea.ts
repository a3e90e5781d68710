// What is known of both seas: the grid, ships, shots and what they hit.
import type { TableState } from "../../api/client";
import { displayOf } from "../drawing";

const MISS = 1;
const SUNK = 3;
export type Look = "water" | "ship" | "miss" | "hit" | "sunk";

const table = (value: unknown) => (Array.isArray(value) ? (value as number[][]) : []);

/** What everybody knows of a game: the grid, the ships there are, and all shots with their results. */
export function seaOf(state: TableState) {
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const { grid = [], sizes = [], shots = [] } = displayOf(state, state.seat);
  const [width = 1, height = 1] = grid.map(Number);
  const [at, results] = [table(fields.shot), table(fields.result)];
  const fired = (player: number) =>
    (at[player] ?? []).flatMap((cell, i) => (cell > 0 ? [{ cell: cell - 1, result: results[player]?.[i] ?? 0 }] : []));
  return { width, height, sizes: sizes.map(Number), most: Number(shots[0] ?? 0), fired };
}

/** How a cell looks, and on which sides its ship goes on. */
export type Cell = { look: Look; left: boolean; right: boolean; up: boolean; down: boolean };

/** How each cell of a player's sea looks to the reader. */
export function looksOf(state: TableState, owner: number): Cell[] {
  const { width, height, fired } = seaOf(state);
  const known = displayOf(state, owner).mine; // of the other only when the game is open
  const results = new Map(fired(1 - owner).map(({ cell, result }) => [cell, result]));
  const afloat = new Set(known?.filter((ship, cell) => ship !== "0" && !results.has(cell)));
  const look = (ship: string, result: number | undefined): Look => {
    if (result === undefined) return ship === "0" ? "water" : "ship";
    if (result === MISS) return "miss";
    return (known ? !afloat.has(ship) : result === SUNK) ? "sunk" : "hit";
  };
  return Array.from({ length: width * height }, (_, cell) => {
    const ship = known?.[cell] ?? "0";
    const joins = (other: number, inLine: boolean) => ship !== "0" && inLine && known?.[other] === ship;
    return {
      look: look(ship, results.get(cell)),
      left: joins(cell - 1, cell % width > 0),
      right: joins(cell + 1, cell % width < width - 1),
      up: joins(cell - width, true),
      down: joins(cell + width, true),
    };
  });
}

/** How many ships of a player are sunk: each by one shot at a cell that was not shot at before. */
export function sunkOf(state: TableState, owner: number): number {
  const seen = new Set<number>();
  return seaOf(state)
    .fired(1 - owner)
    .filter(({ cell, result }) => !seen.has(cell) && seen.add(cell) && result === SUNK).length;
}
