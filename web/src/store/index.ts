// What this browser stores: seats with their tokens, a bin of those that were put away, results, and preferences.
import { useSyncExternalStore } from "react";
import type { TableState } from "../api/client";
import { type Opponent, type Result, opponentsAt, resultOf } from "./results";
import { resultText } from "../format/table";

export type Seat = {
  id: string;
  token: string;
  game: string;
  opponents: Opponent[];
  created: string;
  ply: number;
  turn: TableState["turn"] | ""; // when last seen; empty: not known
  outcome: string; // "" while it goes on
  ending: string; // the same in words
  branch: boolean;
  replaces: string; // the table at which a move was taken back; empty: none
};
export type Tally = { games: number; sum: number; counted: string[] };
export type Theme = "system" | "light" | "dark";
export type Preferences = {
  name: string;
  theme: Theme;
  seconds: number;
  paused: boolean;
  mind: TableState["mind"];
  muted: boolean;
  guided: string[];
};

const SEATS = "parlor.seats";
const BIN = "parlor.bin";
const RESULTS = "parlor.results";
const PREFERENCES = "parlor.taste";
const TALLIES = "parlor.tallies";
const MAX_FINISHED = 200; // seats at finished tables; of running ones none is ever dropped
const MAX_BINNED = 50;
const MAX_RESULTS = 10_000;
const DEFAULT_PREFERENCES: Preferences = {
  name: "",
  theme: "system",
  seconds: 1,
  paused: false,
  mind: "always",
  muted: false,
  guided: [],
};
const NONE: Tally = { games: 0, sum: 0, counted: [] };

const watchers = new Set<() => void>();
let seats: Seat[] = read<OldSeat[]>(SEATS, []).map(migratedSeat);
let bin: Seat[] = read<OldSeat[]>(BIN, []).map(migratedSeat);
let results: Result[] = read<Result[] | null>(RESULTS, null) ?? seats.filter(isOver).map(resultOfSeat);
let tallies: Record<string, Tally> = read(TALLIES, {});
let preferences: Preferences = { ...DEFAULT_PREFERENCES, ...read<Partial<Preferences>>(PREFERENCES, {}) };

// ------------------------------------------------------------------------------------------------- old formats

/** As it was stored before tables had more than one agent. */
type OldSeat = Omit<Partial<Seat>, "id" | "token"> & { id: string; token: string; agent?: string };

function migratedSeat({ agent, ...old }: OldSeat): Seat {
  return {
    game: "",
    opponents: agent ? [{ name: agent, agent: null }] : [],
    created: "",
    ply: 0,
    turn: "",
    outcome: "",
    ending: "",
    branch: false,
    replaces: "",
    ...old,
  };
}

/** What an old seat at a finished table says about its result. */
function resultOfSeat(seat: Seat): Result {
  const outcome = seat.outcome as Result["outcome"];
  return {
    id: seat.id,
    game: seat.game,
    opponents: seat.opponents,
    outcome,
    payoff: null,
    ended: seat.created,
    kind: "",
    aside: seat.branch ? "it continues another game" : "",
  };
}

function isOver(seat: Seat): boolean {
  return seat.outcome !== "";
}

// ------------------------------------------------------------------------------------------------- reading and writing

function read<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser without storage: the page works until it is closed
  }
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

window.addEventListener("storage", (event) => {
  if (event.key === SEATS) seats = read<OldSeat[]>(SEATS, []).map(migratedSeat);
  if (event.key === BIN) bin = read<OldSeat[]>(BIN, []).map(migratedSeat);
  if (event.key === RESULTS) results = read<Result[]>(RESULTS, []);
  if (event.key === TALLIES) tallies = read(TALLIES, {});
  if (event.key === PREFERENCES)
    preferences = { ...DEFAULT_PREFERENCES, ...read<Partial<Preferences>>(PREFERENCES, {}) };
  for (const watcher of watchers) watcher();
});

export const useSeats = () => useSyncExternalStore(watch, () => seats);
export const useBin = () => useSyncExternalStore(watch, () => bin);
export const useResults = () => useSyncExternalStore(watch, () => results);
export const usePreferences = () => useSyncExternalStore(watch, () => preferences);
export const useTally = (name: string) => useSyncExternalStore(watch, () => tallies[name] ?? NONE);
/** The token of one's seat at a table; empty without one. */
export const useToken = (id: string) => useSyncExternalStore(watch, () => seatAt(id)?.token ?? "");
/** The table at which the game of this one goes on, after a move was taken back. */
export const useReplacement = (id: string) =>
  useSyncExternalStore(watch, () => seats.find((seat) => seat.replaces === id)?.id);
export const seatAt = (id: string) => seats.find((seat) => seat.id === id) ?? bin.find((seat) => seat.id === id);

export function setPreferences(change: Partial<Preferences>): void {
  preferences = { ...preferences, ...change };
  keep(PREFERENCES, preferences);
  applyTheme();
}

export function applyTheme(): void {
  if (preferences.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = preferences.theme;
}

// ------------------------------------------------------------------------------------------------- seats

/** Store a seat, or an update of it, and its result. Who only watches has none. */
export function keepSeat(state: TableState, token: string): void {
  if (!token || state.seat === null) return;
  const seat: Seat = {
    id: state.id,
    token,
    game: state.game,
    opponents: opponentsAt(state),
    created: state.created,
    ply: state.ply,
    turn: state.turn,
    outcome: state.result?.outcome ?? "",
    ending: state.result ? resultText(state.result, state.seat) : "",
    branch: state.branch_of !== null,
    replaces: (state.undone > 0 && state.branch_of?.table) || "",
  };
  keepResult(resultOf(state, new Date().toISOString()));
  if (state.replaced_by && seatAt(state.replaced_by)) return; // that seat has taken its place
  storeSeat(seat);
  if (seat.replaces) dropSeat(seat.replaces);
}

function storeSeat(seat: Seat): void {
  const old = seats.find((one) => one.id === seat.id);
  if (old && JSON.stringify(old) === JSON.stringify(seat)) return;
  if (!old && bin.some((one) => one.id === seat.id))
    return keepBin(bin.map((one) => (one.id === seat.id ? seat : one)));
  keepSeats(old ? seats.map((one) => (one.id === seat.id ? seat : one)) : [seat, ...seats]);
}

function keepSeats(all: Seat[]): void {
  let finished = 0;
  seats = all.filter((seat) => !isOver(seat) || ++finished <= MAX_FINISHED);
  keep(SEATS, seats);
}

function keepBin(all: Seat[]): void {
  bin = all.slice(0, MAX_BINNED);
  keep(BIN, bin);
}

/** Put a seat away: its token stays in the bin. */
export function binSeat(id: string): void {
  const seat = seats.find((one) => one.id === id);
  if (!seat) return;
  keepBin([seat, ...bin.filter((one) => one.id !== id)]);
  keepSeats(seats.filter((one) => one.id !== id));
}

export function restoreSeat(id: string): void {
  const seat = bin.find((one) => one.id === id);
  if (!seat) return;
  keepSeats([seat, ...seats.filter((one) => one.id !== id)]);
  keepBin(bin.filter((one) => one.id !== id));
}

/** For good: the token is gone, or it has stopped working. */
export function dropSeat(id: string): void {
  if (bin.some((one) => one.id === id)) keepBin(bin.filter((one) => one.id !== id));
  if (seats.some((one) => one.id === id)) keepSeats(seats.filter((one) => one.id !== id));
}

export const emptyBin = (): void => keepBin([]);

// ------------------------------------------------------------------------------------------------- results

/** Once a game; an old result without its payoff is replaced, but keeps its time. */
function keepResult(result: Result | undefined): void {
  const old = results.find((one) => one.id === result?.id);
  if (!result || (old && old.payoff !== null)) return;
  results = [old ? { ...result, ended: old.ended } : result, ...results.filter((one) => one.id !== result.id)].slice(
    0,
    MAX_RESULTS,
  );
  keep(RESULTS, results);
}

/** Add a game to a running total; the same table once only. */
export function addToTally(name: string, table: string, sum: number): void {
  const old = tallies[name] ?? NONE;
  if (old.counted.includes(table)) return;
  tallies = {
    ...tallies,
    [name]: { games: old.games + 1, sum: old.sum + sum, counted: [table, ...old.counted].slice(0, 600) },
  };
  keep(TALLIES, tallies);
}

/** Restart the total; games that were counted are not counted again. */
export function forgetTally(name: string): void {
  tallies = { ...tallies, [name]: { ...NONE, counted: tallies[name]?.counted ?? [] } };
  keep(TALLIES, tallies);
}

// ------------------------------------------------------------------------------------------------- as a file

const FORMAT = "parlor record 1";
type Kept = { format: typeof FORMAT; seats: Seat[]; results: Result[] };

/** Everything that is one's own here; who has it has one's seats. */
export const exportRecord = (): string => JSON.stringify({ format: FORMAT, seats, results } satisfies Kept, null, 1);

const whole = (list: unknown): boolean =>
  Array.isArray(list) && list.every((one: { id?: unknown } | null) => typeof one?.id === "string");

/** Add what a file has and this browser lacks; how many seats and results that were. */
export function importRecord(text: string): { seats: number; results: number } {
  const wrong = new Error(
    "This file is not a record that was saved here: it must be one that “Save my record” has made.",
  );
  let file: Kept;
  try {
    file = JSON.parse(text) as Kept;
  } catch {
    throw wrong;
  }
  if (file?.format !== FORMAT || !whole(file.seats) || !whole(file.results)) throw wrong;
  const newSeats = (file.seats as OldSeat[])
    .filter((seat) => typeof seat.token === "string" && !seatAt(seat.id))
    .map(migratedSeat);
  const newResults = file.results.filter(
    (result) => Array.isArray(result.opponents) && !results.some((one) => one.id === result.id),
  );
  keepSeats([...seats, ...newSeats]);
  results = [...results, ...newResults].toSorted((a, b) => b.ended.localeCompare(a.ended)).slice(0, MAX_RESULTS);
  keep(RESULTS, results);
  return { seats: newSeats.length, results: newResults.length };
}
