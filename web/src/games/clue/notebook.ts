// What this browser remembers of Clue: whether notes fill themselves, those that were made by hand, and the cards that are
// picked for the next suggestion.
import { useSyncExternalStore } from "react";
import type { TableState } from "../../api/client";
import type { Kind } from "./cards";

export type Mark = "" | "yes" | "no" | "maybe";
/** Marks by card and place: "7 2" is card 7 with player 2, "7 file" in the file. */
export type Marks = Readonly<Record<string, Mark>>;
type Book = { auto: boolean; tables: { id: string; marks: Marks }[] };
export type Picks = { accuse: boolean } & Partial<Record<Kind, number>>;

const KEY = "parlor.clue.notes";
const MAX_TABLES = 50;
const NOTHING: Marks = {};
const NO_PICKS: Picks = { accuse: false };

let book: Book = read();
let picks: ReadonlyMap<string, Picks> = new Map();
const watchers = new Set<() => void>();

function read(): Book {
  try {
    return { auto: true, tables: [], ...(JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<Book> | null) };
  } catch {
    return { auto: true, tables: [] };
  }
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

function keep(next: Book): void {
  book = next;
  try {
    localStorage.setItem(KEY, JSON.stringify(book));
  } catch {
    // a browser without storage: they are there until the page is closed
  }
  tell();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

window.addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  book = read();
  tell();
});

export const useAuto = () => useSyncExternalStore(watch, () => book.auto);
export const setAuto = (auto: boolean) => keep({ ...book, auto });

/** Of a table, or of the one that it continues. */
const marksAt = ({ id, branch_of }: TableState): Marks =>
  (book.tables.find((one) => one.id === id) ?? book.tables.find((one) => one.id === branch_of?.table))?.marks ??
  NOTHING;

export const useMarks = (state: TableState) => useSyncExternalStore(watch, () => marksAt(state));

export function setMark(state: TableState, place: string, mark: Mark): void {
  const marks = { ...marksAt(state), [place]: mark };
  keep({
    ...book,
    tables: [{ id: state.id, marks }, ...book.tables.filter(({ id }) => id !== state.id)].slice(0, MAX_TABLES),
  });
}

export const picksAt = (id: string): Picks => picks.get(id) ?? NO_PICKS;
export const usePicks = (id: string) => useSyncExternalStore(watch, () => picksAt(id));

/** Pick a card of a kind; picked again, it is put back. */
export function pick(id: string, kind: Kind, card: number): void {
  const { [kind]: was, ...rest } = picksAt(id);
  setPicks(id, was === card ? rest : { ...rest, [kind]: card });
}

export function setPicks(id: string, next: Picks = NO_PICKS): void {
  picks = new Map(picks).set(id, next);
  tell();
}
