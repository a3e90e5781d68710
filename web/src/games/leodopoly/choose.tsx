// What can be done in Leodopoly: roll, put up a property, buy, bid, offer, accept.
import { type ReactNode, useCallback, useMemo, useState } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { Button, KeyHint } from "../../ui/basic";
import { MoveGroup } from "../../moves/move-group";
import { keyOf, useKeys } from "../../moves/keys";
import type { Play } from "../../moves/place";
import { AmountButton, AmountFields, amountsOf, useAmount } from "../../moves/amount";
import { capitalized } from "../../format/numbers";
import type { BoardProps } from "../drawing";
import { nameOf } from "../table-top";
import { type LeodopolyView, leodopolyOf, money, setColour, spaceOf } from "./estate";

const KEYS: Record<string, string> = {
  roll: "r",
  raise: "r",
  buy: "b",
  decline: "a",
  pass: "x",
  refuse: "k",
  withdraw: "w",
  build: "h",
  mortgage: "m",
  redeem: "d",
  trade: "t",
  "put up": "v",
  "sell house": "l",
  "leave jail": "j",
  "use card": "c",
};
/** What is asked if there are several moves of a kind. */
const WHICH: Record<string, string> = {
  "put up": "Put up which property?",
  build: "Build a house where?",
  "sell house": "Sell a house of which property?",
  mortgage: "Mortgage which property?",
  redeem: "Redeem which property?",
  trade: "Trade with whom?",
  get: "What do you want?",
  give: "What do you give for it?",
  cash: "And money?",
};
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
  const what =
    {
      bidding: "is bidding …",
      offering: "may make an offer …",
      answering: "has to answer the offers …",
      raising: "must raise money …",
      getting: "proposes a trade …",
      giving: "proposes a trade …",
      paying: "proposes a trade …",
      agreeing: "may accept the trade …",
      buying: "may buy …",
      selling: "may sell or roll …",
    }[view.phase] ?? "…";
  return (
    <p className="text-center text-sm text-soft">
      {state.seat === null && "You are watching. "}
      {who} {what}
    </p>
  );
}

// ------------------------------------------------------------------------------------------------- an amount of money

/** An offer, or the limit of a sealed auction. */
function Amount({
  state,
  view,
  moves,
  play,
}: {
  state: TableState;
  view: LeodopolyView;
  moves: LegalMove[];
  play: Play;
}) {
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
            <b>{view.lot}</b> is auctioned.{" "}
            <span className="max-sm:sr-only">Nobody sees your limit; you pay no more than you must to win.</span>
          </>
        )}
      </p>
      <div className="grid gap-1.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,20rem)] sm:items-center sm:gap-3">
        <AmountFields
          chosen={chosen}
          play={play}
          what={what}
          usual={usual}
          unit={view.currency === "$" ? "dollars" : "pounds"}
        />
        <div className="grid grid-cols-2 gap-2">
          <MoveButton
            disabled={!play || nothing === undefined}
            shortcut="n"
            onClick={() => nothing !== undefined && play?.(nothing)}
          >
            {offering ? "No offer" : "No bid"}
          </MoveButton>
          <AmountButton
            chosen={chosen}
            play={play}
            what={what}
            currency={view.currency}
            hint={price ? `${Math.round((100 * chosen.value) / price)} % of the price` : ""}
          />
        </div>
      </div>
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- everything else

/** A button: a move, or where there are many all moves of one verb; with its key, a letter of its own or a number. */
type Entry = { text: string; key: string; moves: [LegalMove, ...LegalMove[]]; opens: boolean };

function entriesOf(state: TableState): Entry[] {
  const { legal } = state;
  const groups = new Map<string, [LegalMove, ...LegalMove[]]>();
  for (const move of legal) {
    const name = legal.length > FEW && WHICH[move.verb] ? move.verb : String(move.id);
    const group = groups.get(name);
    if (group) group.push(move);
    else groups.set(name, [move]);
  }
  let numbers = 0;
  return [...groups.values()].map((moves) => {
    const [move] = moves;
    const opens = legal.length > FEW && move.verb in WHICH; // then there is not more than one of its letter
    const letter = opens || !(move.verb in WHICH) ? KEYS[move.verb] : undefined;
    return {
      text: opens ? `${capitalized(move.verb)} …` : label(state, move),
      key: letter ?? keyOf(numbers++),
      moves,
      opens,
    };
  });
}

/** A move in the words of its button; what it is about is said above. */
function label(state: TableState, { verb, to, text, amount, card }: LegalMove): string {
  const view = leodopolyOf(state);
  if (view?.phase === "agreeing") return verb === "accept" ? "Accept the trade" : "Refuse";
  const sum = view && amount !== null ? money(view, amount) : "";
  const said: Record<string, string> = {
    refuse: "Keep it",
    accept: `Sell to ${nameOf(state, to ?? 0)} for ${sum}`,
    buy: `Buy it for ${sum}`,
    decline: "Let it be auctioned",
    raise: `Bid ${sum}`,
    pass: "Stop bidding",
    "put up": `Put up ${card}`,
    withdraw: "Propose nothing",
    trade: `Trade with ${nameOf(state, to ?? 0)}`,
  };
  return said[verb] ?? capitalized(text);
}

const NOTHING: never[] = [];
const ASKED = ["get", "give", "cash"]; // what one must choose in any case

const ENTRIES = "grid gap-1.5 sm:gap-2";
const IN_THREES = "grid-cols-3 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none";
const IN_TWOS = "grid-cols-2 sm:flex sm:justify-center";

function Verbs({ state, view, play }: { state: TableState; view: LeodopolyView; play: Play }) {
  const all = useMemo(() => entriesOf(state), [state]);
  const only = all.find(
    ({ moves, opens }) => opens && all.length <= 2 && (ASKED.includes(moves[0].verb) || all.length === 1),
  );
  const [picked, setPicked] = useState<LegalMove[]>();
  const open = picked ?? only?.moves ?? NOTHING;
  const entries = open.length ? NOTHING : all;
  const rest = only && !picked ? all.find((entry) => entry !== only) : undefined;
  const choose = useCallback(
    ({ moves, opens }: Entry) => {
      if (opens) setPicked(moves);
      else play?.(moves[0].id);
    },
    [play],
  );
  useKeys(
    useCallback(
      (key) => {
        if (!play) return false;
        const entry = [...entries, ...(rest ? [rest] : [])].find((one) => one.key === key);
        const one = open.find((_, index) => keyOf(index) === key);
        if (entry) choose(entry);
        else if (one) play(one.id);
        else if (key === "Escape" && picked) setPicked(undefined);
        else return false;
        return true;
      },
      [play, entries, rest, open, picked, choose],
    ),
  );
  if (open.length) {
    return (
      <Which state={state} view={view} moves={open} play={play}>
        {picked && (
          <Button look="quiet" className="min-h-7! py-0!" onClick={() => setPicked(undefined)}>
            Back
          </Button>
        )}
        {rest && (
          <Button className="min-h-7! py-0!" disabled={!play} aria-keyshortcuts={rest.key} onClick={() => choose(rest)}>
            {rest.text} <KeyHint>{rest.key}</KeyHint>
          </Button>
        )}
      </Which>
    );
  }
  return (
    <div className="flex h-full flex-col justify-center gap-2">
      <p className="text-center text-sm">{question(state, view)}</p>
      <div className={`${ENTRIES} ${entries.length > 4 ? IN_THREES : IN_TWOS}`}>
        {entries.map((entry, index) => (
          <MoveButton
            key={entry.moves[0].id}
            disabled={!play}
            main={index === 0}
            low={entries.length > 6}
            shortcut={entry.key}
            onClick={() => choose(entry)}
          >
            {entry.text}
          </MoveButton>
        ))}
      </div>
    </div>
  );
}

const LOT =
  "flex min-h-7 items-stretch gap-1 overflow-hidden rounded-md border border-line bg-panel pr-1 " +
  "text-left text-xs leading-tight hover:border-accent hover:bg-raised";

/** Moves of one verb, by what they are about. */
function Which({
  state,
  view,
  moves,
  play,
  children,
}: {
  state: TableState;
  view: LeodopolyView;
  moves: LegalMove[];
  play: Play;
  children: ReactNode;
}) {
  const narrow = moves[0]?.verb === "cash";
  return (
    <div className="flex h-full min-h-0 flex-col justify-center gap-1">
      <p className="flex shrink-0 items-center justify-center gap-2 text-sm">
        <b>{WHICH[moves[0]?.verb ?? ""]}</b>
        {children}
      </p>
      <div
        className={`grid min-h-0 gap-1 overflow-y-auto ${narrow ? "grid-cols-5 sm:grid-cols-8" : "grid-cols-3 sm:grid-cols-5"}`}
      >
        {moves.map((move, index) => (
          <button
            key={move.id}
            type="button"
            disabled={!play}
            title={capitalized(move.text)}
            aria-keyshortcuts={keyOf(index) || undefined}
            onClick={() => play?.(move.id)}
            className={LOT}
          >
            <span
              aria-hidden
              className="w-2 shrink-0"
              style={{ background: setColour(spaceOf(view, move.card ?? "")?.group ?? 0) }}
            />
            <span className="min-w-0 grow self-center truncate">{aboutOf(state, view, move)}</span>
            {keyOf(index) && (
              <span className="self-center max-sm:hidden">
                <KeyHint>{keyOf(index)}</KeyHint>
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}

/** What a move is about, where it is said what it does. */
function aboutOf(state: TableState, view: LeodopolyView, { verb, card, to, amount, text }: LegalMove): string {
  if (verb === "cash") return amount ? `${amount > 0 ? "pay" : "get"} ${money(view, Math.abs(amount))}` : "none";
  if (verb === "trade" && to !== null) return nameOf(state, to);
  return card ? `${card}${amount === null ? "" : `, ${money(view, amount)}`}` : capitalized(text);
}

function question(state: TableState, view: LeodopolyView): ReactNode {
  if (view.phase === "buying")
    return (
      <>
        You are at <b>{view.lot}</b>, which nobody owns.
      </>
    );
  if (view.phase === "answering")
    return (
      <>
        What do you do with <b>{view.lot}</b>?
      </>
    );
  if (view.phase === "getting" || view.phase === "giving") return WHICH[state.legal[0]?.verb ?? ""];
  if (view.phase === "raising") return <>You owe {money(view, view.debt?.amount ?? 0)}: raise money.</>;
  if (view.phase === "agreeing") return <>{nameOf(state, view.actor)} proposes this trade.</>;
  if (view.phase === "bidding")
    return (
      <>
        The bid for <b>{view.lot}</b> is {money(view, view.bid)}.
      </>
    );
  if (view.phase === "selling")
    return view.players[view.actor]?.jailed ? <>You are in jail.</> : <>Your turn: sell something first, or roll.</>;
  return `${nameOf(state, view.actor)} …`;
}

const MAIN = "border-accent bg-accent text-accent-ink hover:brightness-110";
const OTHER = "border-accent bg-panel text-accent hover:bg-raised";
const BUTTON =
  "min-w-0 items-center justify-center gap-2 rounded-lg border-2 px-2 sm:px-3 text-sm leading-tight font-semibold";

function MoveButton({
  children,
  shortcut,
  main = false,
  low = false,
  ...rest
}: {
  children: ReactNode;
  shortcut: string;
  main?: boolean;
  low?: boolean;
  disabled: boolean;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut || undefined}
      className={`flex ${low ? "min-h-10 sm:min-h-12" : "min-h-12"} ${BUTTON} ${main ? MAIN : OTHER}`}
      {...rest}
    >
      <span className="min-w-0">{children}</span>
      {shortcut && (
        <kbd
          aria-hidden
          className="hidden rounded border border-current/40 px-1 font-mono text-xs font-normal sm:inline"
        >
          {shortcut}
        </kbd>
      )}
    </button>
  );
}
