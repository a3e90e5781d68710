// What this browser remembers of Clue: whether notes fill themselves, those that were made by hand, and the cards that are
// picked for the next suggestion.
import { create } from "zustand";
import type { TableState } from "../../api/client";
import { persisted } from "../../store/persisted";
import type { Kind } from "./cards";

export type Mark = "" | "yes" | "no" | "maybe";
/** Marks by card and place: "7 2" is card 7 with player 2, "7 file" in the file. */
export type Marks = Readonly<Record<string, Mark>>;
type Book = { auto: boolean; tables: { id: string; marks: Marks }[] };
export type Picks = { accuse: boolean } & Partial<Record<Kind, number>>;

const MAX_TABLES = 50;
const NOTHING: Marks = {};
const NO_PICKS: Picks = { accuse: false };

const [useBook, save] = persisted<Book>("parlor.clue.notes", (kept) => ({
  auto: true,
  tables: [],
  ...(kept as Partial<Book> | null),
}));
const usePicksByTable = create<Record<string, Picks>>(() => ({}));

export const useAuto = () => useBook(({ auto }) => auto);
export const setAuto = (auto: boolean) => save({ ...useBook.getState(), auto });

/** Of a table, or of the one that it continues. */
const marksIn = ({ tables }: Book, { id, branch_of }: TableState): Marks =>
  (tables.find((one) => one.id === id) ?? tables.find((one) => one.id === branch_of?.table))?.marks ?? NOTHING;

export const useMarks = (state: TableState) => useBook((book) => marksIn(book, state));

export function setMark(state: TableState, place: string, mark: Mark): void {
  const book = useBook.getState();
  const marks = { ...marksIn(book, state), [place]: mark };
  const others = book.tables.filter(({ id }) => id !== state.id);
  save({ ...book, tables: [{ id: state.id, marks }, ...others].slice(0, MAX_TABLES) });
}

export const picksAt = (id: string): Picks => usePicksByTable.getState()[id] ?? NO_PICKS;
export const usePicks = (id: string) => usePicksByTable((picks) => picks[id] ?? NO_PICKS);

/** Pick a card of a kind; picked again, it is put back. */
export function pick(id: string, kind: Kind, card: number): void {
  const { [kind]: was, ...rest } = picksAt(id);
  setPicks(id, was === card ? rest : { ...rest, [kind]: card });
}

export const setPicks = (id: string, next: Picks = NO_PICKS): void => usePicksByTable.setState({ [id]: next });
