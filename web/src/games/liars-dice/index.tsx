// Liar's dice: the dice one sees, the bids, and the bids that can follow as a grid of quantity and face.
import { lazy } from "react";
import type { LegalMove } from "../../api/client";
import { byArrows, keyOf, Moves, type Play } from "../../parts/moves";
import { type BoardProps, type Drawing, displayed } from "../drawing";
import { Spoken, TableTop } from "../table-top";

export const liarsDice: Drawing = {
  Board: LiarsDiceBoard,
  Strategy: lazy(() => import("./grid").then(({ Grid }) => ({ default: Grid }))),
  sign: { text: "⚄", hue: 210 },
  howTo: () => ({
    goal: "Bid on the dice of everybody, seeing only yours, without being caught in a false bid.",
    steps: [
      "A bid says how many dice at least, of all on the table, show a face. The highest face is wild: it counts as any other.",
      "Each bid must be higher than the one before: more dice, or as many of a higher face.",
      "Instead of bidding, call the other a liar. All dice are shown: if the bid holds the bidder wins, else the caller.",
    ],
  }),
};

function LiarsDiceBoard({ state, play }: BoardProps) {
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
      choose={<Bids legal={state.legal} play={play} />}
    />
  );
}

const PIPS: Record<string, number[]> = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function Die({ face, small = false }: { face: string; small?: boolean }) {
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

function Bids({ legal, play }: { legal: LegalMove[]; play: Play }) {
  const bids = legal.flatMap((move, index) => (move.verb === "bid" ? [{ move, index, many: Number(move.details.count), face: String(move.details.face) }] : []));
  if (bids.length === 0) return <Moves legal={legal} play={play} title="Your move" wide />;
  const rows = [...new Set(bids.map((bid) => bid.many))];
  const others = legal.filter((move) => !bids.some((bid) => bid.move === move));
  return (
    <section data-moves aria-label="Your move" onKeyDown={byArrows}>
      <h3 className="mb-2 text-base">Your move: bid on how many dice there are in all</h3>
      <div className="space-y-2">
        {others.map((move) => (
          <button key={move.id} type="button" disabled={!play} onClick={() => play?.(move.id)} className="min-h-11 rounded-lg border-2 border-warn px-5 py-2 font-semibold text-warn hover:bg-warn-bg">
            Call: {move.text}! {keyOf(legal.indexOf(move)) && <kbd className="ml-1 font-mono text-xs opacity-70">{keyOf(legal.indexOf(move))}</kbd>}
          </button>
        ))}
        {rows.map((many) => (
          <div key={many} className="flex flex-wrap items-center gap-2">
            {bids
              .filter((bid) => bid.many === many)
              .map(({ move, face, index }) => (
                <button
                  key={move.id}
                  type="button"
                  disabled={!play}
                  aria-label={`Bid ${move.text}`}
                  title={keyOf(index) ? `key ${keyOf(index)}` : undefined}
                  onClick={() => play?.(move.id)}
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
