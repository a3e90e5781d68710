// Poker with one card each, perhaps one on the board, the chips everybody has put in, and the pot.
import type { TableState } from "../../api/client";
import { nearSeat, payoffText } from "../../format/table";
import { type BoardProps, type RevealStep, displayOf, faceDown } from "../drawing";
import { Chips, nameOf, others, PlayingCard, Pot, Spoken, TableTop } from "../table-top";

export function OneCardBoard({ state }: BoardProps) {
  const { board = [], chips = [], folded = [] } = displayOf(state, state.seat);
  return (
    <TableTop
      state={state}
      place={(player) => (
        <span className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
          <span className={folded[player] === "1" ? "opacity-50" : ""}>
            <PlayingCard text={displayOf(state, player).cards?.[0]} zone={`card ${player}`} from="pot" />
          </span>
          <span className="flex flex-col items-center gap-1">
            <Chips count={Number(chips[player] ?? 0)} zone={`chips ${player}`} words="in" />
            {folded[player] === "1" && <span className="rounded-full bg-black/35 px-2 text-sm">folded</span>}
          </span>
        </span>
      )}
      middle={
        <>
          <span className="flex items-center gap-3">
            {board[0] && <PlayingCard text={board[0]} zone="board" from="pot" />}
            <Pot chips={chips.reduce((sum, count) => sum + Number(count), 0)} />
          </span>
          <Spoken state={state} most={6} />
        </>
      }
    />
  );
}

/** Who has not folded. */
const stayed = (state: TableState): number[] => {
  const { folded = [] } = displayOf(state, state.seat);
  return [nearSeat(state), ...others(state)].filter((seat) => folded[seat] !== "1");
};

/** The others' cards are turned up, if more than one is left. */
export const showdown = (state: TableState): RevealStep[] =>
  stayed(state).length > 1 ? faceDown("The cards are shown")(state) : [];

/** "You hold K, Anna Q. You win 2 chips." */
export function oneCardVerdict(state: TableState) {
  if (!state.result || state.result.outcome === "resigned") return undefined;
  const left = stayed(state);
  const [last] = left;
  const [board] = displayOf(state, state.seat).board ?? [];
  const cards = left.map((player) => [nameOf(state, player), displayOf(state, player).cards?.[0]] as const);
  const rest = left.includes(state.seat ?? -1) ? "Everybody else has" : "You have";
  const hands = cards.map(([name, card]) => `${name} ${name === "You" ? "hold" : "holds"} ${card}`).join(", ");
  const shown = cards.every(([, card]) => card) ? `${hands}${board ? `; the board is ${board}` : ""}.` : "";
  const why = left.length === 1 && last !== undefined ? foldedText(state, last, rest) : shown;
  return { text: `${why} ${payoffText(state, "chip")}` };
}

const foldedText = (state: TableState, last: number, rest: string) =>
  state.players > 2 ? `${rest} folded.` : `${nameOf(state, 1 - last)} folded.`;
