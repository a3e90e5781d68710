// Liar's dice: the dice one sees, the bids, and the bids that can follow as a grid of quantity and face.
import type { LegalMove } from "../api/client";
import { byArrows, keyOf, Moves, type Play } from "../parts/moves";
import { type BoardProps, displayed } from "./board";
import { inWords } from "./names";
import { Spoken, TableTop } from "./table-top";

export function LiarsDiceBoard({ state, play }: BoardProps) {
  const hidden = displayed(state, state.seat).dice?.map(() => "") ?? [];
  return (
    <TableTop
      state={state}
      play={play}
      place={(player) => (
        <span className="flex gap-2">
          {(displayed(state, player).dice ?? hidden).map((face, index) => (
            <Die key={`${index}`} face={face} />
          ))}
        </span>
      )}
      middle={<Spoken state={state} />}
      choose={<Bids game={state.game} legal={state.legal} play={play} />}
    />
  );
}

const PIPS: Record<string, number[]> = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

function Die({ face, small = false }: { face: string; small?: boolean }) {
  const pips = PIPS[face];
  return (
    <span role="img" aria-label={face || "a hidden die"} className={`grid ${small ? "size-7 p-1" : "size-14 p-2"} grid-cols-3 grid-rows-3 rounded-lg border border-black/20 bg-[#fffdf7] text-[#26211a] shadow`}>
      {pips ? (
        Array.from({ length: 9 }, (_, i) => <span key={i} className={`m-auto ${small ? "size-1" : "size-2.5"} rounded-full ${pips.includes(i) ? "bg-current" : ""}`} />)
      ) : (
        <span className="col-span-3 row-span-3 m-auto font-serif text-xl font-bold">{face || "?"}</span>
      )}
    </span>
  );
}

function Bids({ game, legal, play }: { game: string; legal: LegalMove[]; play: Play }) {
  const bids = legal.flatMap((move, index) => {
    const bid = /^(\d+)-(\d+)$/.exec(move.name);
    return bid ? [{ move, index, many: Number(bid[1]), face: bid[2] as string }] : [];
  });
  if (bids.length === 0) return <Moves legal={legal} play={play} title="Your move" wide />;
  const rows = [...new Set(bids.map((bid) => bid.many))];
  const others = legal.filter((move) => !bids.some((bid) => bid.move === move));
  return (
    <section data-moves aria-label="Your move" onKeyDown={byArrows}>
      <h3 className="mb-2 text-base">Your move: bid on how many dice there are in all</h3>
      <div className="space-y-2">
        {others.map((move) => (
          <button key={move.name} type="button" disabled={!play} onClick={() => play?.(move.name)} className="min-h-11 rounded-lg border-2 border-warn px-5 py-2 font-semibold text-warn hover:bg-warn-bg">
            Call: {move.name}! {keyOf(legal.indexOf(move)) && <kbd className="ml-1 font-mono text-xs opacity-70">{keyOf(legal.indexOf(move))}</kbd>}
          </button>
        ))}
        {rows.map((many) => (
          <div key={many} className="flex flex-wrap items-center gap-2">
            {bids
              .filter((bid) => bid.many === many)
              .map(({ move, face, index }) => (
                <button
                  key={move.name}
                  type="button"
                  disabled={!play}
                  aria-label={`Bid ${inWords(move.name, game)}`}
                  title={keyOf(index) ? `key ${keyOf(index)}` : undefined}
                  onClick={() => play?.(move.name)}
                  className="flex min-h-11 items-center gap-1.5 rounded-lg border border-line bg-panel px-3 py-1.5 font-mono hover:border-accent hover:bg-raised disabled:opacity-60"
                >
                  {many} × <Die face={face} small />
                </button>
              ))}
          </div>
        ))}
      </div>
    </section>
  );
}
