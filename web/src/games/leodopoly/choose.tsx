// What can be done in Leodopoly: roll, put up a property, buy, bid, offer, accept.
import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { Button, Key } from "../../parts/basic";
import { MoveGroup, type Play, keyOf, useKeys } from "../../parts/moves";
import { AmountButton, AmountFields, amountsOf, useAmount } from "../../parts/range";
import { first } from "../../words";
import type { BoardProps } from "../drawing";
import { nameOf } from "../table-top";
import { type LeodopolyView, leodopolyOf, money, setColour, spaceOf } from "./estate";

const KEYS: Record<string, string> = { roll: "r", raise: "r", buy: "b", decline: "a", pass: "x", refuse: "k" };
const AMOUNTS = ["offer", "limit"];
const FEW = 4; // moves, that are all shown at once

export function LeodopolyChoose({ state, play }: BoardProps) {
  const view = leodopolyOf(state);
  if (!view) return null;
  const amounts = state.legal.filter(({ verb }) => AMOUNTS.includes(verb));
  return (
    <MoveGroup label="Your move" className="flex flex-col justify-center">
      {state.legal.length === 0 ? (
        <Waiting state={state} view={view} />
      ) : amounts.length > 0 ? (
        <Amount key={state.ply} state={state} view={view} moves={amounts} play={play} />
      ) : (
        <Verbs key={state.ply} state={state} view={view} play={play} />
      )}
    </MoveGroup>
  );
}

function Waiting({ state, view }: { state: TableState; view: LeodopolyView }) {
  const who = nameOf(state, state.player ?? view.actor);
  const what = { bidding: "is bidding …", offering: "may make an offer …", answering: "has to answer the offers …", buying: "may buy …", selling: "may sell or roll …" }[view.phase] ?? "…";
  return (
    <p className="text-center text-sm text-soft">
      {state.seat === null && "You are watching. "}
      {who} {what}
    </p>
  );
}

// ------------------------------------------------------------------------------------------------- an amount of money

/** An offer, or the limit of a sealed auction. */
function Amount({ state, view, moves, play }: { state: TableState; view: LeodopolyView; moves: LegalMove[]; play: Play }) {
  const amounts = amountsOf(moves);
  const price = spaceOf(view, view.lot)?.cost ?? 0;
  const chosen = useAmount(amounts, price);
  const nothing = amounts?.id(0);
  const offering = view.phase === "offering";
  useKeys(
    useCallback(
      (key) => {
        if (!play) return false;
        if (key === "n" && nothing !== undefined) play(nothing);
        else if (key === "e") document.querySelector<HTMLInputElement>("[data-range] input[type=number]")?.focus();
        else return false;
        return true;
      },
      [play, nothing],
    ),
  );
  if (!amounts) return null;
  const what = offering ? "Offer" : "Bid up to";
  const usual = [
    { text: `½ price`, value: price / 2 },
    { text: `price ${money(view, price)}`, value: price },
    { text: "2× price", value: 2 * price },
    { text: "all", value: amounts.most },
  ];
  return (
    <div className="flex h-full flex-col justify-center gap-1.5">
      <p className="truncate text-center text-sm">
        {offering ? (
          <>
            {nameOf(state, view.actor)} would sell <b>{view.lot}</b>. What do you offer?
          </>
        ) : (
          <>
            <b>{view.lot}</b> is auctioned. <span className="max-sm:sr-only">Nobody sees your limit; you pay no more than you must to win.</span>
          </>
        )}
      </p>
      <div className="grid gap-1.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,20rem)] sm:items-center sm:gap-3">
        <AmountFields chosen={chosen} play={play} what={what} usual={usual} unit="pounds" />
        <div className="grid grid-cols-2 gap-2">
          <MoveButton disabled={!play || nothing === undefined} shortcut="n" onClick={() => nothing !== undefined && play?.(nothing)}>
            {offering ? "No offer" : "No bid"}
          </MoveButton>
          <AmountButton chosen={chosen} play={play} what={what} currency={view.currency} hint={price ? `${Math.round((100 * chosen.value) / price)} % of the price` : ""} />
        </div>
      </div>
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- everything else

/** A button: a move, or where there are many all moves of one verb; with its key, a letter of its own or a number. */
type Entry = { text: ReactNode; key: string; moves: [LegalMove, ...LegalMove[]] };

function entriesOf(state: TableState): Entry[] {
  const { legal } = state;
  const groups = new Map<string, [LegalMove, ...LegalMove[]]>();
  for (const move of legal) {
    const name = legal.length > FEW && move.card && move.to === null ? move.verb : String(move.id);
    const group = groups.get(name);
    if (group) group.push(move);
    else groups.set(name, [move]);
  }
  let numbers = 0;
  return [...groups.values()].map((moves) => ({ text: moves.length > 1 ? `${first(moves[0].verb)} …` : label(state, moves[0]), key: KEYS[moves[0].verb] ?? keyOf(numbers++), moves }));
}

/** A move in the words of its button; what it is about is said above. */
function label(state: TableState, { verb, to, text, amount, card }: LegalMove): string {
  const view = leodopolyOf(state);
  const sum = view && amount !== null ? money(view, amount) : "";
  const said: Record<string, string> = { refuse: "Keep it", accept: `Sell to ${nameOf(state, to ?? 0)} for ${sum}`, buy: `Buy it for ${sum}`, decline: "Let it be auctioned", raise: `Bid ${sum}`, pass: "Stop bidding", "put up": `Put up ${card}` };
  return said[verb] ?? first(text);
}

function Verbs({ state, view, play }: { state: TableState; view: LeodopolyView; play: Play }) {
  const [open, setOpen] = useState<LegalMove[]>([]);
  const entries = useMemo(() => (open.length ? [] : entriesOf(state)), [open, state]);
  const choose = useCallback(
    ({ moves }: Entry) => {
      if (moves.length > 1) setOpen(moves);
      else play?.(moves[0].id);
    },
    [play],
  );
  useKeys(
    useCallback(
      (key) => {
        if (!play) return false;
        const entry = entries.find((one) => one.key === key);
        const picked = open.find((_, index) => keyOf(index) === key);
        if (entry) choose(entry);
        else if (picked) play(picked.id);
        else if (key === "Escape" && open.length) setOpen([]);
        else return false;
        return true;
      },
      [play, entries, open, choose],
    ),
  );
  if (open.length) return <Which view={view} moves={open} play={play} back={() => setOpen([])} />;
  return (
    <div className="flex h-full flex-col justify-center gap-2">
      <p className="text-center text-sm">{question(state, view)}</p>
      <div className={`grid gap-1.5 sm:gap-2 ${entries.length > 4 ? "grid-cols-3 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none" : "grid-cols-2 sm:flex sm:justify-center"}`}>
        {entries.map((entry, index) => (
          <MoveButton key={entry.moves[0].id} disabled={!play} main={index === 0} shortcut={entry.key} onClick={() => choose(entry)}>
            {entry.text}
          </MoveButton>
        ))}
      </div>
    </div>
  );
}

/** Moves of one verb, by the properties that they are about. */
function Which({ view, moves, play, back }: { view: LeodopolyView; moves: LegalMove[]; play: Play; back: () => void }) {
  return (
    <div className="flex h-full flex-col justify-center gap-1.5">
      <p className="flex items-center justify-center gap-2 text-sm">
        <b>{first(moves[0]?.verb ?? "")} which property?</b>
        <Button look="quiet" className="min-h-7! py-0!" onClick={back}>
          Back
        </Button>
      </p>
      <div className="grid grid-cols-3 gap-1 sm:grid-cols-5">
        {moves.map((move, index) => (
          <button key={move.id} type="button" disabled={!play} aria-keyshortcuts={keyOf(index) || undefined} onClick={() => play?.(move.id)} className="flex min-h-7 items-stretch gap-1 overflow-hidden rounded-md border border-line bg-panel pr-1 text-left text-xs leading-tight hover:border-accent hover:bg-raised">
            <span aria-hidden className="w-2 shrink-0" style={{ background: setColour(spaceOf(view, move.card ?? "")?.group ?? 0) }} />
            <span className="min-w-0 grow self-center truncate">{move.card}</span>
            {keyOf(index) && (
              <span className="self-center max-sm:hidden">
                <Key>{keyOf(index)}</Key>
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}

function question(state: TableState, view: LeodopolyView): ReactNode {
  if (view.phase === "buying") return <>You are at <b>{view.lot}</b>, which nobody owns.</>;
  if (view.phase === "answering") return <>What do you do with <b>{view.lot}</b>?</>;
  if (view.phase === "bidding") return <>The bid for <b>{view.lot}</b> is {money(view, view.bid)}.</>;
  if (view.phase === "selling") return <>Your turn: sell something first, or roll.</>;
  return `${nameOf(state, view.actor)} …`;
}

function MoveButton({ children, shortcut, main = false, ...rest }: { children: ReactNode; shortcut: string; main?: boolean; disabled: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut || undefined}
      className={`flex min-h-12 min-w-0 items-center justify-center gap-2 rounded-lg border-2 px-2 sm:px-3 text-sm leading-tight font-semibold ${main ? "border-accent bg-accent text-accent-ink hover:brightness-110" : "border-accent bg-panel text-accent hover:bg-raised"}`}
      {...rest}
    >
      <span className="min-w-0">{children}</span>
      {shortcut && <kbd aria-hidden className="hidden rounded border border-current/40 px-1 font-mono text-xs font-normal sm:inline">{shortcut}</kbd>}
    </button>
  );
}
