// What this browser stores: seats with their tokens, and preferences.
import { useSyncExternalStore } from "react";
import type { TableState } from "./api/client";
import { ending, opponents } from "./words";

export type Seat = {
  id: string;
  token: string;
  game: string;
  agent: string;
  created: string;
  ply: number;
  outcome: string; // "" while it goes on
  ending?: string; // the same in words
  branch: boolean;
};
export type Tally = { games: number; sum: number; counted: string[] };
export type Theme = "system" | "light" | "dark";
export type Taste = { name: string; theme: Theme; seconds: number; paused: boolean; mind: TableState["mind"] };

const SEATS = "parlor.seats";
const TASTE = "parlor.taste";
const TALLIES = "parlor.tallies";
const MOST = 60;
const PLAIN: Taste = { name: "", theme: "system", seconds: 1, paused: false, mind: "always" };

const NONE: Tally = { games: 0, sum: 0, counted: [] };

const watchers = new Set<() => void>();
let seats: Seat[] = read(SEATS, []);
let tallies: Record<string, Tally> = read(TALLIES, {});
let taste: Taste = { ...PLAIN, ...read<Partial<Taste>>(TASTE, {}) };

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
  if (event.key === SEATS) seats = read(SEATS, []);
  if (event.key === TALLIES) tallies = read(TALLIES, {});
  if (event.key === TASTE) taste = { ...PLAIN, ...read<Partial<Taste>>(TASTE, {}) };
  for (const watcher of watchers) watcher();
});

export const useSeats = () => useSyncExternalStore(watch, () => seats);
export const useTaste = () => useSyncExternalStore(watch, () => taste);
export const useTally = (name: string) => useSyncExternalStore(watch, () => tallies[name] ?? NONE);
export const seatAt = (id: string) => seats.find((seat) => seat.id === id);

export function setTaste(change: Partial<Taste>): void {
  taste = { ...taste, ...change };
  keep(TASTE, taste);
  showTheme();
}

export function showTheme(): void {
  if (taste.theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = taste.theme;
}

/** Store a seat, or an update of it. */
export function keepSeat(state: TableState, token: string): void {
  const seat: Seat = {
    id: state.id,
    token,
    game: state.game,
    agent: opponents(state),
    created: state.created,
    ply: state.ply,
    outcome: state.result?.outcome ?? "",
    ending: state.result ? ending(state.result, state.seat) : "",
    branch: state.branch_of !== null,
  };
  const old = seats.find((one) => one.id === seat.id);
  if (old && old.ply === seat.ply && old.outcome === seat.outcome) return;
  seats = (old ? seats.map((one) => (one.id === seat.id ? seat : one)) : [seat, ...seats]).slice(0, MOST);
  keep(SEATS, seats);
}

export function forgetSeat(id: string): void {
  seats = seats.filter((seat) => seat.id !== id);
  keep(SEATS, seats);
}

/** Add a game to a running total; the same table once only. */
export function count(name: string, table: string, sum: number): void {
  const old = tallies[name] ?? NONE;
  if (old.counted.includes(table)) return;
  tallies = { ...tallies, [name]: { games: old.games + 1, sum: old.sum + sum, counted: [table, ...old.counted].slice(0, 10 * MOST) } };
  keep(TALLIES, tallies);
}

/** Restart the total; games that were counted are not counted again. */
export function forgetTally(name: string): void {
  tallies = { ...tallies, [name]: { ...NONE, counted: tallies[name]?.counted ?? [] } };
  keep(TALLIES, tallies);
}
