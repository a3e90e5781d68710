// The notepad: every card, and with whom it may be. It fills itself with what can be deduced, or is kept by hand. In one's
// turn the names of the cards are what a suggestion is made of.
import { type KeyboardEvent, type ReactNode, useCallback, useState } from "react";
import { type Shapes, type TableState, api, ask, bearer } from "../../api/client";
import { useApiQuery } from "../../queries/use-api-query";
import { useKeys } from "../../moves/keys";
import { useToken } from "../../store/seats";
import { initials } from "../../format/names";
import { nearSeat } from "../../format/table";
import type { BoardProps } from "../drawing";
import { nameOf } from "../table-top";
import {
  type ClueView,
  type Deck,
  KINDS,
  KIND_TITLES,
  Picture,
  cardsOf,
  clueOf,
  deckOf,
  kindOf,
  shortName,
} from "./cards";
import { type Mark, type Picks, pick, picksAt, setAuto, setMark, useAuto, useMarks, usePicks } from "./notebook";

export type ClueNotes = Shapes["ClueNotes"];
const FILE = "file";
const NEXT: Record<Mark, Mark> = { "": "yes", yes: "no", no: "maybe", maybe: "" };
const SIGNS: Record<Mark, string> = { "": "", yes: "✓", no: "✗", maybe: "?" };
const SAID: Record<Mark, string> = { "": "nothing noted", yes: "yes", no: "no", maybe: "maybe" };

/** What can be deduced at a position from what a seat has seen; nothing while cards are dealt, or if it is not ours. */
export function useNotes(id: string, ply: number, seat: number | null, wanted: boolean): ClueNotes | undefined {
  const token = useToken(id);
  const { data } = useApiQuery(wanted && seat !== null ? `notes ${id} ${ply} ${seat}` : "", () =>
    ask(
      api.GET("/api/tables/{table}/notes/{ply}", {
        params: { path: { table: id, ply }, query: { seat } },
        headers: bearer(token),
      }),
    ),
  );
  return wanted && data?.player === seat ? data : undefined;
}

export function Notepad({ state, play }: BoardProps) {
  const view = clueOf(state);
  const auto = useAuto();
  const own = nearSeat(state);
  const [whose, setWhose] = useState(own);
  const mayAsk = state.seat !== null || state.open;
  const seat = state.open ? whose : state.seat;
  const notes = useNotes(state.id, state.ply, seat, auto && mayAsk && view?.dealt === true);
  if (!view) return null;
  const players = Array.from({ length: state.players }, (_, i) => ((state.open ? whose : own) + i) % state.players);
  const filled = auto && mayAsk;
  return (
    <section aria-label="Notepad" data-tour="notepad" className="panel flex h-full min-h-0 flex-col overflow-hidden">
      <div
        className={`items-baseline gap-2 border-b border-line px-2.5 py-1 sm:flex ${filled && state.open ? "flex" : "hidden"}`}
      >
        <h2 className="text-base">Notepad</h2>
        <span className="grow truncate text-xs text-soft" data-testid="deals">
          {filled && notes && deals(notes.deals)}
        </span>
        {filled && state.open && (
          <label className="text-xs text-soft">
            <span className="sr-only">Whose notes</span>
            <select
              className="max-w-28 rounded border border-line bg-panel px-1 py-0.5 text-ink"
              value={whose}
              onChange={(e) => setWhose(Number(e.target.value))}
            >
              {state.names.map((name, p) => (
                <option key={name} value={p}>
                  {p === state.seat ? "Yours" : `${name}'s`}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div data-moves className="min-h-0 grow">
        <Grid
          deck={view}
          columns={players.map((p) => ({ place: String(p), name: nameOf(state, p) }))}
          corner={mayAsk && <AutoSwitch auto={auto} />}
          cell={(card, column, place) =>
            filled ? (
              <Known chance={notes?.cards[card]?.[place === FILE ? state.players : Number(place)]} />
            ) : (
              <ByHand state={state} view={view} card={card} place={place} column={column} />
            )
          }
          tone={(card) => (filled ? toneOf(notes?.cards[card]?.[state.players]) : "")}
          name={(card) => <CardName state={state} view={view} card={card} play={play} />}
        />
      </div>
      <PickKeys state={state} view={view} play={play} />
    </section>
  );
}

const ROUGH = Intl.NumberFormat("en", { notation: "compact", compactDisplay: "long", maximumFractionDigits: 1 });

/** "31,246 deals are possible", "12.4 million". */
export function deals(count: string): string {
  const number = Number(count);
  if (number === 1) return "only one deal is possible";
  return `${number < 1e6 ? number.toLocaleString("en") : ROUGH.format(number)} deals are possible`;
}

export const toneOf = (inFile: number | undefined) =>
  inFile === 1 ? "bg-[#ffd66b]/30 font-bold" : inFile === 0 ? "text-soft" : "";

function AutoSwitch({ auto }: { auto: boolean }) {
  return (
    <label
      title="Notes fill themselves with what can be deduced; off, a click on a field notes ✓, ✗ or ?"
      className="flex w-fit items-center gap-1 rounded px-1 has-focus-visible:outline-3 has-focus-visible:outline-(--ring)"
    >
      <input
        type="checkbox"
        className="size-3.5"
        checked={auto}
        onChange={(event) => {
          setAuto(event.target.checked);
          event.target.blur(); // the keys of the table work again
        }}
      />
      <span className="text-xs">fill in</span>
    </label>
  );
}

// ------------------------------------------------------------------------------------------------- the grid

type Column = { place: string; name: string };

/** Cards by places; the file is the last. Of the buttons in it one is a tab stop, and the arrows go to the others. */
export function Grid({
  deck,
  columns,
  cell,
  tone,
  name,
  corner,
}: {
  deck: Deck;
  columns: Column[];
  cell: (card: number, column: string, place: string) => ReactNode;
  tone: (card: number) => string;
  name: (card: number) => ReactNode;
  corner?: ReactNode;
}) {
  const all = [...columns, { place: FILE, name: "the file" }];
  return (
    <div role="group" aria-label="Cards, and where they may be" className="h-full overflow-y-auto" onKeyDown={walk}>
      <table className="h-full w-full table-fixed border-collapse text-[0.8rem] leading-none">
        <colgroup>
          <col className={all.length > 5 ? "w-[7.4rem]" : "w-[8.6rem]"} />
          {all.map(({ place }) => (
            <col key={place} />
          ))}
        </colgroup>
        <thead>
          <tr className="h-6 bg-raised">
            <td className="px-1">{corner}</td>
            {all.map(({ place, name: called }) => (
              <th
                key={place}
                scope="col"
                title={called}
                className={`text-center font-semibold ${place === FILE ? "border-l-2 border-line font-serif" : ""}`}
              >
                <span aria-hidden>{place === FILE ? "File" : initials(called)}</span>
                <span className="sr-only">{called}</span>
              </th>
            ))}
          </tr>
        </thead>
        {KINDS.map((kind) => (
          <tbody key={kind} aria-label={KIND_TITLES[kind]} className="border-t-2 border-line">
            {cardsOf(deck, kind).map((card) => (
              <tr key={card} className={`border-t border-line/50 first:border-t-0 ${tone(card)}`}>
                <th scope="row" className={`p-0 text-left ${tone(card).includes("font-bold") ? "" : "font-medium"}`}>
                  {name(card)}
                </th>
                {all.map(({ place, name: called }) => (
                  <td
                    key={place}
                    className={`p-0 text-center ${place === FILE ? "border-l-2 border-line" : "border-l border-line/50"}`}
                  >
                    {cell(card, called, place)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

const STEPS: Record<string, [number, number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
};

/** To the next button in the direction of an arrow. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const at = (event.target as Element).closest("td, th") as HTMLTableCellElement | null;
  const rows = [...event.currentTarget.querySelectorAll("tbody tr")] as HTMLTableRowElement[];
  let row = rows.findIndex((one) => at !== null && one.contains(at));
  let column = at?.cellIndex ?? 0;
  if (!step || row < 0) return;
  event.preventDefault();
  for (;;) {
    row += step[0];
    column += step[1];
    const next = rows[row]?.cells[column];
    if (!next) return;
    const button = next.querySelector<HTMLButtonElement>("button:not(:disabled)");
    if (button) return button.focus();
  }
}

// ------------------------------------------------------------------------------------------------- its fields

/** ✓, ✗, or a probability in percent, the darker the likelier. */
export function Known({ chance }: { chance: number | undefined }) {
  if (chance === undefined) return null;
  if (chance === 1) return <Sign sign="✓" said="yes" className="font-bold text-good" />;
  if (chance === 0) return <Sign sign="✗" said="no" className="text-soft" />;
  const percent = chance < 0.01 ? "<1" : chance > 0.99 ? ">99" : String(Math.round(100 * chance));
  return (
    <span
      className="mx-auto block w-fit rounded px-1 py-0.5 tabular-nums"
      style={{ background: `color-mix(in srgb, var(--bar) ${Math.round(60 * chance)}%, transparent)` }}
    >
      {percent}
      <span className="sr-only"> %</span>
    </span>
  );
}

function Sign({ sign, said, className }: { sign: string; said: string; className: string }) {
  return (
    <span className={className}>
      <span aria-hidden>{sign}</span>
      <span className="sr-only">{said}</span>
    </span>
  );
}

const MARK = "block h-full min-h-[1.1rem] w-full hover:bg-raised focus-visible:-outline-offset-2";

/** A field that one fills oneself: each click changes it. One's own cards are noted from the beginning. */
function ByHand({
  state,
  view,
  card,
  place,
  column,
}: {
  state: TableState;
  view: ClueView;
  card: number;
  place: string;
  column: string;
}) {
  const marks = useMarks(state);
  const at = `${card} ${place}`;
  const own =
    state.seat !== null && view.dealt && place === String(state.seat) ? (view.hand.includes(card) ? "yes" : "no") : "";
  const mark = marks[at] ?? own;
  return (
    <button
      type="button"
      tabIndex={at === `0 ${state.seat ?? 0}` ? 0 : -1}
      aria-label={`${deckOf(view)[card]}, ${column}: ${SAID[mark]}`}
      onClick={() => setMark(state, at, NEXT[mark])}
      className={`${MARK} ${mark === "yes" ? "font-bold text-good" : mark === "no" ? "text-soft" : "text-warn"}`}
    >
      {SIGNS[mark]}
    </button>
  );
}

// ------------------------------------------------------------------------------------------------- picking cards

/** Whether cards can be picked now: for a suggestion, or for the accusation that one has begun. */
const canPick = ({ legal }: TableState, { accuse }: Picks) =>
  legal.some(({ verb }) => verb === "suggest" || (accuse && verb === "accuse"));

/** The kind whose cards have keys: the first that is not picked. */
function kindToPick(picks: Picks) {
  return KINDS.find((kind) => picks[kind] === undefined);
}

const ROW = "flex h-full min-h-[1.1rem] w-full items-center gap-1 px-1.5 text-left focus-visible:-outline-offset-2";

/** The name of a card; a button with which it is picked. */
function CardName({
  state,
  view,
  card,
  play,
}: {
  state: TableState;
  view: ClueView;
  card: number;
  play: BoardProps["play"];
}) {
  const picks = usePicks(state.id);
  const kind = kindOf(view, card);
  const ready = play !== undefined && canPick(state, picks);
  const first = cardsOf(view, kind)[0] ?? 0;
  const key = ready && kindToPick(picks) === kind ? String(card - first + 1) : undefined;
  const picked = ready && picks[kind] === card;
  const held = view.hand.includes(card);
  return (
    <button
      type="button"
      disabled={!ready}
      tabIndex={card === 0 ? 0 : -1}
      aria-pressed={picked}
      aria-keyshortcuts={key}
      title={held ? "You hold this card" : undefined}
      onClick={() => pick(state.id, kind, card)}
      className={`${ROW} ${picked ? (picks.accuse ? "bg-bad text-panel" : "bg-accent text-accent-ink") : ready ? "hover:bg-raised" : ""}`}
    >
      <Picture deck={view} card={card} className="size-3.5 shrink-0" />
      <span className={`truncate ${held ? "underline decoration-dotted underline-offset-2" : ""}`}>
        {shortName(view, card)}
      </span>
      {key && (
        <kbd aria-hidden className="ml-auto hidden font-mono text-[0.7rem] text-soft sm:inline">
          {key}
        </kbd>
      )}
    </button>
  );
}

/** By keys: a number picks a card of the kind that is next, Backspace puts the last one back. */
function PickKeys({ state, view, play }: { state: TableState; view: ClueView; play: BoardProps["play"] }) {
  useKeys(
    useCallback(
      (key) => {
        const picks = picksAt(state.id); // what is drawn may be behind
        if (!play || !canPick(state, picks)) return false;
        const next = kindToPick(picks);
        const card = next && key.length === 1 ? cardsOf(view, next)[Number(key) - 1] : undefined;
        const last = KINDS.findLast((kind) => picks[kind] !== undefined);
        if (next && card !== undefined) pick(state.id, next, card);
        else if (key === "Backspace" && last) pick(state.id, last, picks[last] ?? 0);
        else return false;
        return true;
      },
      [state, view, play],
    ),
  );
  return null;
}
