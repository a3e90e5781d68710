// Kuhn and Leduc: a card each, perhaps one on the board, and what was said. The cards are read from the deals as told.
import type { TableState } from "../api/client";
import type { BoardProps } from "./board";
import { PlayingCard, Spoken, TableTop } from "./table-top";

function dealt(state: TableState): { hands: Map<number, string>; board: string | undefined } {
  const hands = new Map<number, string>();
  let board: string | undefined;
  for (const event of state.history) {
    if (event.by !== "chance" || event.secret) continue;
    const hand = /^(\S+) to player (\d+)$/.exec(event.text);
    if (hand?.[1]) hands.set(Number(hand[2]), hand[1]);
    board = /^board (\S+)$/.exec(event.text)?.[1] ?? board;
  }
  return { hands, board };
}

export function PokerBoard({ state, play }: BoardProps) {
  const { hands, board } = dealt(state);
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const out = Array.isArray(fields.out) ? fields.out : [];
  const chips = Array.isArray(fields.chips) ? fields.chips : [];
  return (
    <TableTop
      state={state}
      play={play}
      place={(player) => (
        <span className="flex items-center gap-3">
          <PlayingCard text={hands.get(player)} />
          {Number(out[player] ?? 0) > 0 && <span className="rounded-full bg-black/35 px-2 text-sm">folded</span>}
          {chips[player] !== undefined && <Chips count={Number(chips[player])} />}
        </span>
      )}
      middle={
        <>
          {board && <PlayingCard text={board} />}
          <Spoken state={state} />
        </>
      }
    />
  );
}

function Chips({ count }: { count: number }) {
  return (
    <span className="flex items-center gap-1.5 text-sm">
      <span aria-hidden className="inline-block size-5 rounded-full border-4 border-dashed border-white bg-[#b5322f] shadow" />
      {count} {count === 1 ? "chip" : "chips"} in
    </span>
  );
}
