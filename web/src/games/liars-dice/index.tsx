// Liar's dice: the dice one sees, the bids, and every bid in a grid of quantity and face, those that are too low dimmed.
import { lazy } from "react";
import { keyOf } from "../../moves/keys";
import { MoveGroup } from "../../moves/move-group";
import type { TableState } from "../../api/client";
import { type BoardProps, type Drawing, displayOf, faceDown } from "../drawing";
import { nameOf, Spoken, TableTop } from "../table-top";

export const liarsDice: Drawing = {
  Board: LiarsDiceBoard,
  Choose: Bids,
  verdict,
  reveal: faceDown("All dice are shown"),
  series: { games: 5, unit: "round" },
  room: (state) => (diceOf(state) > 2 ? "h-92" : "h-64"),
  keyFor: ({ verb }, index) => (verb === "liar" ? "l" : keyOf(index)),
  Strategy: lazy(() => import("./grid").then(({ Grid }) => ({ default: Grid }))),
  howTo: () => ({
    goal: "Bid on the dice of everybody, seeing only yours, without being caught in a false bid.",
    steps: [
      "A bid says how many dice at least, of all on the table, show a face. The highest face is wild: it counts as any other.",
      "Each bid must be higher than the one before: more dice, or as many of a higher face.",
      "Instead of bidding, call the other a liar. All dice are shown: if the bid holds the bidder wins, else the caller.",
    ],
  }),
  tour: [
    { at: "you", text: "Your dice. Nobody else sees them; the highest face is wild and counts as any other." },
    { at: "others", text: "The opponent's dice are hidden. Bids are about all dice on the table, theirs and yours." },
    {
      at: "moves",
      text: "Bid how many dice show a face: 2 × 5 means at least two fives. Each bid must be higher than the last.",
    },
    {
      at: "middle",
      text: "The bids so far. When you doubt the last one, call the other a liar: then all dice are shown.",
    },
  ],
};

/** "The bid was three fours: there are two, so the call was right." */
function verdict(state: TableState) {
  if (!state.result || state.result.outcome === "resigned") return undefined;
  const bid = state.history.findLast(({ move }) => move?.verb === "bid");
  const caller = state.history.findLast(({ move }) => move?.verb === "liar")?.actor ?? null;
  if (!bid?.move || caller === null) return undefined;
  const { count, face } = bid.move.details;
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const wild = String(Array.isArray(fields.dice) ? fields.dice.length : 6);
  const all = state.seats.flatMap(({ seat }) => displayOf(state, seat).dice ?? []);
  const there = all.filter((die) => die === String(face) || die === wild).length;
  const name = nameOf(state, caller);
  const found = there < Number(count) ? "the bid was a lie" : "the bid was true";
  const counted = `${there} ${there === 1 ? "die counts" : "dice count"}${String(face) === wild ? "" : ` (${wild} is wild)`}`;
  return { text: `${name} called “${bid.text}” a lie: ${counted}, so ${found}.` };
}

function LiarsDiceBoard({ state }: BoardProps) {
  const hidden = displayOf(state, state.seat).dice?.map(() => "") ?? [];
  return (
    <TableTop
      state={state}
      place={(player) => (
        <span className="flex gap-2">
          {(displayOf(state, player).dice ?? hidden).map((face, index) => (
            <Die key={`${index}`} face={face} />
          ))}
        </span>
      )}
      middle={<Spoken state={state} />}
    />
  );
}

const diceOf = (state: BoardProps["state"]) => displayOf(state, state.seat).dice?.length || 1;

const PIPS: Record<string, number[]> = {
  1: [4],
  2: [0, 8],
  3: [0, 4, 8],
  4: [0, 2, 6, 8],
  5: [0, 2, 4, 6, 8],
  6: [0, 2, 3, 5, 6, 8],
};

const DIE = "grid-cols-3 grid-rows-3 rounded-md border border-black/20 bg-[#fffdf7] text-[#26211a] shadow";

export function Die({ face, small = false }: { face: string; small?: boolean }) {
  const pips = PIPS[face];
  return (
    <span
      role="img"
      aria-label={face || "a hidden die"}
      className={`grid ${small ? "size-5 p-0.5" : "size-[min(3.5rem,10cqh)] p-[min(0.5rem,1.4cqh)]"} ${DIE}`}
    >
      {pips ? (
        Array.from({ length: 9 }, (_, i) => (
          <span
            key={i}
            className={`m-auto ${small ? "size-1" : "size-[min(0.6rem,1.8cqh)]"} rounded-full ${pips.includes(i) ? "bg-current" : ""}`}
          />
        ))
      ) : (
        <span
          className={`col-span-3 row-span-3 m-auto font-serif leading-none font-bold ${small ? "text-sm" : "text-xl"}`}
        >
          {face || "?"}
        </span>
      )}
    </span>
  );
}

const BID = "flex min-h-0 items-center justify-center gap-1 rounded-md border font-mono text-sm";
const ABLE = "border-line bg-panel hover:border-accent hover:bg-raised";

const CALL = "min-h-10 rounded-lg border-2 px-5 font-semibold";

function Bids({ state, play }: BoardProps) {
  const { legal, blocked } = state;
  const dice = diceOf(state);
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const faces = Array.isArray(fields.dice) ? fields.dice.length : 6;
  const liar = legal.find(({ verb }) => verb === "liar");
  const why = (verb: string) => blocked.find((one) => one.verb === verb)?.reason;
  const rows = state.players * dice;
  return (
    <MoveGroup label="Your move" className="flex flex-col gap-1.5">
      <button
        type="button"
        disabled={!play || !liar}
        aria-keyshortcuts={liar && "l"}
        onClick={() => liar && play?.(liar.id)}
        className={`${CALL} ${liar ? "border-warn bg-panel text-warn hover:bg-warn-bg" : "border-dashed border-line text-soft"}`}
      >
        Call: liar!{" "}
        {liar ? (
          <kbd aria-hidden className="ml-1 font-mono text-xs">
            l
          </kbd>
        ) : (
          <span className="text-xs font-normal">{why("liar")}</span>
        )}
      </button>
      <p className="text-center text-xs text-soft">
        {why("bid")
          ? `Or bid on how many dice there are in all: ${why("bid")}.`
          : "Bid on how many dice there are in all."}
      </p>
      <div
        className="grid min-h-0 grow gap-1"
        style={{
          gridTemplateColumns: `repeat(${faces}, minmax(0, 1fr))`,
          gridTemplateRows: `repeat(${rows}, minmax(0, 2.75rem))`,
        }}
      >
        {Array.from({ length: rows * faces }, (_, i) => {
          const [many, face] = [Math.floor(i / faces) + 1, (i % faces) + 1];
          const index = legal.findIndex(
            ({ verb, details }) => verb === "bid" && Number(details.count) === many && Number(details.face) === face,
          );
          const move = legal[index];
          const key = move ? keyOf(index) : "";
          return (
            <button
              key={i}
              type="button"
              disabled={!play || !move}
              aria-keyshortcuts={key || undefined}
              title={move ? (key ? `key ${key}` : undefined) : why("bid")}
              onClick={() => move && play?.(move.id)}
              className={`${BID} ${move ? ABLE : "border-dashed border-line text-soft"}`}
            >
              <span className="sr-only">{move ? `Bid ${move.text}` : `Bid ${many} × ${face}`}</span>
              <span aria-hidden className="flex items-center gap-1">
                {many}
                <span className="hidden text-xs sm:inline">×</span>
                <Die face={String(face)} small />
              </span>
              {key && rows <= 4 && (
                <kbd aria-hidden className="hidden text-xs text-soft sm:inline">
                  {key}
                </kbd>
              )}
            </button>
          );
        })}
      </div>
    </MoveGroup>
  );
}
