// Goofspiel: the prize in the middle, points so far, and one's cards to bid.
import { byArrows, keyOf, Moves } from "../parts/moves";
import type { BoardProps } from "./board";
import { PlayingCard, Spoken, TableTop } from "./table-top";

export function GoofspielBoard({ state, play }: BoardProps) {
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const points = Array.isArray(fields.points) ? fields.points : [];
  const prize = Number(fields.prize ?? 0);
  const bids = state.legal.map((move) => /^bid (\d+)$/.exec(move.name)?.[1]);
  return (
    <TableTop
      told
      state={state}
      play={play}
      place={(player) => (
        <span className="text-sm">
          <b className="font-serif text-2xl">{String(points[player] ?? 0)}</b> points
        </span>
      )}
      middle={
        <>
          {prize > 0 && (
            <span className="flex flex-col items-center gap-1 text-sm">
              <span>the prize</span>
              <PlayingCard text={`${prize}♦`} />
            </span>
          )}
          <Spoken state={state} />
        </>
      }
      choose={
        bids.every(Boolean) ? (
          <section data-moves aria-label="Your move" onKeyDown={byArrows}>
            <h3 className="mb-2 text-base">Your bid</h3>
            <div className="flex flex-wrap gap-3">
              {state.legal.map((move, index) => (
                <button key={move.name} type="button" disabled={!play} aria-label={move.name} onClick={() => play?.(move.name)} className="card playable justify-center font-serif text-2xl font-bold [--card:3.75rem]">
                  {bids[index]}
                  <span aria-hidden className="absolute right-1 bottom-0.5 font-mono text-[0.65rem] font-normal opacity-50">
                    {keyOf(index)}
                  </span>
                </button>
              ))}
            </div>
          </section>
        ) : (
          <Moves legal={state.legal} play={play} title="Your move" wide />
        )
      }
    />
  );
}
