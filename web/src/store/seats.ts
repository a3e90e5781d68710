// One's seats with their tokens, a bin of those that were put away, and the results of finished games.
import type { TableState } from "../api/client";
import { resultText } from "../format/table";
import { persisted } from "./persisted";
import { type Opponent, type Result, opponentsAt, resultOf } from "./results";

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

const MAX_FINISHED = 200; // seats at finished tables; of running ones none is ever dropped
const MAX_BINNED = 50;
const MAX_RESULTS = 10_000;

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

const isOver = (seat: Seat): boolean => seat.outcome !== "";

// ------------------------------------------------------------------------------------------------- stores

const seatsIn = (kept: unknown) => ((kept ?? []) as OldSeat[]).map(migratedSeat);

const [useSeats, saveSeats] = persisted("parlor.seats", seatsIn);
const [useBin, saveBin] = persisted("parlor.bin", seatsIn);
const [useResults, saveResults] = persisted(
  "parlor.results",
  (kept) => (kept as Result[] | null) ?? useSeats.getState().filter(isOver).map(resultOfSeat),
);

export { useBin, useResults, useSeats };

const withId = (list: Seat[], id: string) => list.find((seat) => seat.id === id);
const without = (list: Seat[], id: string) => list.filter((seat) => seat.id !== id);
const replaced = (list: Seat[], seat: Seat) => list.map((one) => (one.id === seat.id ? seat : one));

export const seatAt = (id: string) => withId(useSeats.getState(), id) ?? withId(useBin.getState(), id);
/** The token of one's seat at a table; empty without one. */
export function useToken(id: string): string {
  const seat = useSeats((seats) => withId(seats, id));
  const binned = useBin((bin) => withId(bin, id));
  return (seat ?? binned)?.token ?? "";
}
/** The table at which the game of this one goes on, after a move was taken back. */
export const useReplacement = (id: string) => useSeats((seats) => seats.find((seat) => seat.replaces === id)?.id);

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
  const [seats, bin] = [useSeats.getState(), useBin.getState()];
  const old = withId(seats, seat.id);
  if (old && JSON.stringify(old) === JSON.stringify(seat)) return;
  if (!old && withId(bin, seat.id)) return keepBin(replaced(bin, seat));
  keepSeats(old ? replaced(seats, seat) : [seat, ...seats]);
}

function keepSeats(all: Seat[]): void {
  let finished = 0;
  saveSeats(all.filter((seat) => !isOver(seat) || ++finished <= MAX_FINISHED));
}

const keepBin = (all: Seat[]): void => saveBin(all.slice(0, MAX_BINNED));

/** Put a seat away: its token stays in the bin. */
export function binSeat(id: string): void {
  const seats = useSeats.getState();
  const seat = withId(seats, id);
  if (!seat) return;
  keepBin([seat, ...without(useBin.getState(), id)]);
  keepSeats(without(seats, id));
}

export function restoreSeat(id: string): void {
  const bin = useBin.getState();
  const seat = withId(bin, id);
  if (!seat) return;
  keepSeats([seat, ...without(useSeats.getState(), id)]);
  keepBin(without(bin, id));
}

/** For good: the token is gone, or it has stopped working. */
export function dropSeat(id: string): void {
  const [seats, bin] = [useSeats.getState(), useBin.getState()];
  if (withId(bin, id)) keepBin(without(bin, id));
  if (withId(seats, id)) keepSeats(without(seats, id));
}

export const emptyBin = (): void => keepBin([]);

// ------------------------------------------------------------------------------------------------- results

/** Once a game; an old result without its payoff is replaced, but keeps its time. */
function keepResult(result: Result | undefined): void {
  const results = useResults.getState();
  const old = results.find((one) => one.id === result?.id);
  if (!result || (old && old.payoff !== null)) return;
  const latest = old ? { ...result, ended: old.ended } : result;
  saveResults([latest, ...results.filter((one) => one.id !== result.id)].slice(0, MAX_RESULTS));
}

// ------------------------------------------------------------------------------------------------- as a file

const FORMAT = "parlor record 1";
type Kept = { format: typeof FORMAT; seats: Seat[]; results: Result[] };

/** Everything that is one's own here; who has it has one's seats. */
export const exportRecord = (): string =>
  JSON.stringify(
    { format: FORMAT, seats: useSeats.getState(), results: useResults.getState() } satisfies Kept,
    null,
    1,
  );

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
  const [seats, results] = [useSeats.getState(), useResults.getState()];
  const newSeats = (file.seats as OldSeat[])
    .filter((seat) => typeof seat.token === "string" && !seatAt(seat.id))
    .map(migratedSeat);
  const newResults = file.results.filter(
    (result) => Array.isArray(result.opponents) && !results.some((one) => one.id === result.id),
  );
  keepSeats([...seats, ...newSeats]);
  const all = [...results, ...newResults].toSorted((a, b) => b.ended.localeCompare(a.ended));
  saveResults(all.slice(0, MAX_RESULTS));
  return { seats: newSeats.length, results: newResults.length };
}
