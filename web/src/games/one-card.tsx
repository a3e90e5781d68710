// Poker with one card each, perhaps one on the board, and what was said.
import { type BoardProps, displayed } from "./drawing";
import { PlayingCard, Spoken, TableTop } from "./table-top";

export function OneCardBoard({ state, play }: BoardProps) {
  const board = displayed(state, state.seat).board?.[0];
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const out = Array.isArray(fields.out) ? fields.out : [];
  const chips = Array.isArray(fields.chips) ? fields.chips : [];
  return (
    <TableTop
      state={state}
      play={play}
      place={(player) => (
        <span className="flex items-center gap-3">
          <PlayingCard text={displayed(state, player).cards?.[0]} />
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
