// Monopoly Deal: both sides with their sets and banks, the piles, one's hand, and the demand that is being answered.
import { useState } from "react";
import type { LegalMove, Shapes, TableState } from "../../api/client";
import { MoveList } from "../../moves/move-list";
import type { Play } from "../../moves/place";
import { useRoving } from "../../moves/roving";
import { capitalized, plural } from "../../format/numbers";
import { isNear, nearSeat } from "../../format/table";
import type { BoardProps } from "../drawing";
import { type Deck, Face, type MonopolyDealView, hue } from "./cards";
import { nameOf, TurnLine } from "../table-top";

type MyCards = Shapes["MyCards"];
type TheirCards = Shapes["TheirCards"];
type Cards = Record<string, number>;
type Place = NonNullable<LegalMove["place"]>;

const total = (cards: Cards) => Object.values(cards).reduce((sum, n) => sum + n, 0);
const worth = (cards: Cards, deck: Deck) =>
  Object.entries(cards).reduce((sum, [name, n]) => sum + n * (deck.values[name] ?? 0), 0);

export function MonopolyDealBoard({ state, play }: BoardProps) {
  const view = state.view;
  if (view.kind !== "monopoly-deal") return null;
  const near = nearSeat(state);
  const other = 1 - near;
  const shown = state.sides[other];
  const theirs = shown?.kind === "monopoly-deal" ? shown.me.hand : undefined; // told when the game is open
  const movesAt = (place: Place) => state.legal.filter((move) => move.place === place);
  return (
    <div className="felt flex h-full flex-col justify-between gap-1 p-2 [--card:min(4.4rem,11.5cqh,13.5cqw)] sm:p-3">
      <Side
        name={nameOf(state, other)}
        side={view.opponent}
        view={view}
        active={state.player === other}
        held={view.opponent.held}
        who={other}
      >
        {theirs ? <OpenHand cards={theirs} view={view} /> : <Backs count={view.opponent.held} />}
      </Side>
      <Middle state={state} view={view} />
      <Side
        name={nameOf(state, near)}
        side={view.me}
        view={view}
        active={state.player === near}
        held={view.me.held}
        who={near}
        bank={movesAt("bank")}
        property={movesAt("property")}
        play={play}
        mine
      />
      <Hand cards={view.me.hand} view={view} state={state} play={play} />
    </div>
  );
}

/** The moves as a list, of a demand too. */
export function MonopolyDealChoose({ state, play }: BoardProps) {
  const asked = state.view.kind === "monopoly-deal" && state.view.turn.response !== null && state.turn === "you";
  return <MoveList state={state} play={play} title={asked ? "How do you answer?" : "What you can do"} />;
}

// ------------------------------------------------------------------------------------------------- the middle

function Middle({ state, view }: { state: TableState; view: MonopolyDealView }) {
  const { turn, piles } = view;
  const mine = turn.actor === state.seat;
  return (
    <div data-tour="middle" className="relative flex items-center gap-3 border-y border-white/15 py-1">
      <div className="flex gap-2 [--card:min(3.25rem,9cqh)]">
        <Pile label="Deck" count={piles.deck} />
        <Discard cards={piles.discard} view={view} />
      </div>
      <div className="flex min-h-[5.15rem] min-w-0 grow flex-col justify-center gap-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <TurnLine state={state} />
          {state.turn !== "over" && (
            <span className="text-sm">
              {mine ? "your" : "its"} play {turn.streak_idx + 1} of {view.turns_in_streak}
            </span>
          )}
        </div>
        <Lately state={state} />
      </div>
      {turn.response && state.turn !== "over" && <Demand state={state} view={view} response={turn.response} />}
    </div>
  );
}

/** What the agent has done since the person moved. */
function Lately({ state }: { state: TableState }) {
  const last = state.history.findLastIndex((event) => isNear(state, event));
  const done = state.history
    .slice(last + 1)
    .filter((event) => event.by === "agent" || event.by === "person")
    .slice(-4);
  if (done.length === 0) return null;
  return (
    <p className="max-h-[2.9rem] overflow-hidden text-sm" data-testid="lately">
      <span className="hidden sm:inline">{state.seat === null ? "Lately" : "Since your move"}: </span>
      {done.map((event) => (
        <span key={event.ply} className="arrive mr-1 inline-block rounded bg-black/30 px-2 py-0.5">
          {event.text}
        </span>
      ))}
    </p>
  );
}

const DEMAND = "arrive absolute inset-x-0 top-1/2 z-10 -translate-y-1/2 rounded-xl border-4 px-3 py-1.5 shadow-lg";

/** Over the middle of the board, as long as it is not answered. */
function Demand({
  state,
  view,
  response,
}: {
  state: TableState;
  view: MonopolyDealView;
  response: NonNullable<MonopolyDealView["turn"]["response"]>;
}) {
  const yours = state.turn === "you";
  const charged = view.turn.actor !== state.seat;
  const rest = Math.max(0, response.owed - response.paid);
  const it = nameOf(state, 1 - nearSeat(state));
  return (
    <div
      role="region"
      aria-label={charged ? "You must answer" : `${it} must answer`}
      data-testid="demand"
      className={`${DEMAND} ${charged ? "border-[#ff9d4d] bg-warn-bg" : "border-[#ffd66b] bg-panel"} text-ink`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="text-xs font-bold tracking-widest text-warn uppercase">
          {charged ? "You must answer" : `${it} must answer`}
        </p>
        {response.responses.length > 0 && <p className="truncate text-xs">So far: {response.responses.join(", ")}</p>}
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-serif text-lg">
          {charged ? `${it}: ` : "You: "}
          {response.action}
        </p>
        {response.demand === "payment" ? (
          <p className="flex gap-x-4 text-sm">
            <span>
              owed <b className="font-serif text-xl">${response.owed}</b>
            </span>
            <span>
              paid <b className="font-serif text-xl">${response.paid}</b>
            </span>
            <span>
              still to pay <b className="font-serif text-xl text-warn">${rest}</b>
            </span>
          </p>
        ) : (
          <p className="text-sm">
            {charged ? "It wants your property " : "You want the property "}
            <b className="rounded px-1 text-white" style={{ background: hue(response.wanted ?? "") }}>
              {response.wanted}
            </b>
            .
          </p>
        )}
      </div>
      {response.demand === "payment" && (
        <div
          role="img"
          aria-label={`paid $${response.paid} of $${response.owed}`}
          className="mt-1 h-2 overflow-hidden rounded-full bg-black/15"
        >
          <div
            className="h-full rounded-full bg-bar transition-[width]"
            style={{ width: `${Math.min(100, (100 * response.paid) / Math.max(1, response.owed))}%` }}
          />
        </div>
      )}
      <p className="text-xs">{yours ? "How do you answer? Choose below." : "It is deciding how to answer …"}</p>
    </div>
  );
}

function Pile({ label, count }: { label: string; count: number }) {
  return (
    <div className="text-center text-xs">
      <span
        role="img"
        aria-label={`${label}: ${plural(count, "card")}`}
        data-anchor="deck"
        className="card card-back grid place-items-center"
      >
        <span className="rounded bg-[#fffdf7] px-1.5 font-bold">{count}</span>
      </span>
      <span aria-hidden>{label}</span>
    </div>
  );
}

function Discard({ cards, view }: { cards: Cards; view: MonopolyDealView }) {
  const [open, setOpen] = useState(false);
  const count = total(cards);
  return (
    <div className="relative text-center text-xs">
      <button
        type="button"
        disabled={count === 0}
        aria-expanded={open}
        data-zone="discard"
        data-count={count}
        onClick={() => setOpen(!open)}
        className={
          count
            ? "card grid place-items-center"
            : "grid aspect-[5/7] w-(--card) place-items-center rounded-lg border border-dashed border-white/40"
        }
      >
        <span className="sr-only">Discarded: {plural(count, "card")}</span>
        <span aria-hidden className="font-bold">
          {count}
        </span>
      </button>
      <span aria-hidden>Discard</span>
      {open && (
        <div className="absolute left-0 z-10 mt-1 w-44 rounded-lg border border-line bg-panel p-2 text-left text-sm text-ink shadow-xl">
          {Object.entries(cards).map(([name, n]) => (
            <div key={name} className="flex justify-between">
              <span style={{ color: name in view.set_sizes ? hue(name) : undefined }}>{name}</span>
              <span>×{n}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- a side

const EMPTY =
  "grid aspect-[5/7] w-(--card) place-items-center rounded-lg border border-dashed " +
  "border-white/35 text-center text-xs";

function Side({
  name,
  side,
  view,
  active,
  held,
  who,
  bank = [],
  property = [],
  play,
  mine = false,
  children,
}: {
  name: string;
  side: MyCards | TheirCards;
  view: MonopolyDealView;
  active: boolean;
  held: number;
  who: number;
  bank?: LegalMove[];
  property?: LegalMove[];
  play?: Play;
  mine?: boolean;
  children?: React.ReactNode;
}) {
  const colours = Object.keys(view.set_sizes).filter((colour) => (view.config.deck[colour] ?? 0) > 0);
  const from = mine ? "hand" : "their hand";
  return (
    <section
      aria-label={mine ? `Your side, ${name}` : `The other side, ${name}`}
      data-side={mine ? "own" : "other"}
      data-tour={mine ? "you" : "others"}
      className="space-y-1"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm">
        <span
          className={`max-w-40 truncate rounded-full px-3 py-0.5 ${active ? "bg-white/90 font-semibold text-black" : "bg-black/25"}`}
        >
          {name}
        </span>
        <span>
          sets <b>{side.complete.length}</b> of {view.sets_to_win}{" "}
          <span aria-hidden className="hidden tracking-tight text-[#ffd66b] sm:inline">
            {"★".repeat(Math.min(side.complete.length, view.sets_to_win))}
            <span className="opacity-60">{"☆".repeat(Math.max(0, view.sets_to_win - side.complete.length))}</span>
          </span>
        </span>
        <span>
          bank <b>${worth(side.cash, view)}</b>
        </span>
        <span>
          {held} {held === 1 ? "card" : "cards"} <span className="hidden sm:inline">in hand</span>
        </span>
        {children && <span className="ml-auto">{children}</span>}
      </div>
      <div className="flex items-start justify-between gap-x-2 sm:justify-start sm:gap-x-8">
        <div className="flex gap-1.5 sm:gap-2" role="group" aria-label="Properties">
          {colours.map((colour) => (
            <Set
              key={colour}
              colour={colour}
              owned={side.property[colour] ?? 0}
              done={side.complete.includes(colour)}
              view={view}
              moves={property.filter((m) => m.card === colour)}
              play={play}
              zone={`property ${who}`}
              from={from}
            />
          ))}
        </div>
        <div className="flex gap-1.5 sm:gap-2" role="group" aria-label="Bank">
          {total(side.cash) === 0 ? (
            <span className={EMPTY}>bank is empty</span>
          ) : (
            <Bank cash={side.cash} view={view} moves={bank} play={play} zone={`bank ${who}`} from={from} />
          )}
        </div>
      </div>
    </section>
  );
}

/** Money first; many kinds lie closer together. */
function Bank({
  cash,
  view,
  moves,
  play,
  zone,
  from,
}: {
  cash: Cards;
  view: MonopolyDealView;
  moves: LegalMove[];
  play: Play;
  zone: string;
  from: string;
}) {
  return Object.entries(cash).map(([card, count]) => (
    <Card
      key={card}
      name={card}
      count={count}
      deck={view}
      moves={moves.filter((m) => m.card === card)}
      play={play}
      zone={zone}
      from={from}
    />
  ));
}

function Set({
  colour,
  owned,
  done,
  view,
  moves,
  play,
  zone,
  from,
}: {
  colour: string;
  owned: number;
  done: boolean;
  view: MonopolyDealView;
  moves: LegalMove[];
  play: Play;
  zone: string;
  from: string;
}) {
  const size = view.set_sizes[colour] ?? 0;
  const rent = view.rents[colour]?.[Math.min(owned, size) - 1];
  return (
    <div className="flex flex-col items-center gap-0.5">
      {owned === 0 ? (
        <span
          className="grid aspect-[5/7] w-(--card) place-items-center rounded-lg border-2 border-dashed text-xs"
          style={{ borderColor: `color-mix(in srgb, ${hue(colour)} 70%, white)` }}
        >
          {colour}
        </span>
      ) : (
        <Card
          name={colour}
          count={owned}
          deck={view}
          moves={moves}
          play={play}
          owned={Math.min(owned, size)}
          done={done}
          zone={zone}
          from={from}
        />
      )}
      <span
        className={`rounded-full px-1.5 text-xs whitespace-nowrap ${done ? "bg-[#ffd66b] font-bold text-[#3a2c00]" : "bg-black/30"}`}
      >
        {Math.min(owned, size)}/{size}
        {done ? " full" : rent ? `, $${rent}` : ""}
      </span>
    </div>
  );
}

function Backs({ count }: { count: number }) {
  return (
    <span data-anchor="their hand" role="img" aria-label={plural(count, "hidden card")} className="flex">
      {Array.from({ length: Math.min(count, 10) }, (_, i) => (
        <span key={i} className="card card-back -ml-3 border-2! first:ml-0 [--card:1.1rem] sm:[--card:1.35rem]" />
      ))}
    </span>
  );
}

/** The other's hand, told when the game is over. */
function OpenHand({ cards, view }: { cards: Cards; view: MonopolyDealView }) {
  return (
    <span
      role="group"
      aria-label="Its hand, now open"
      className="flex gap-1 [--card:1.5rem] [--stack:1px] sm:-mt-2 sm:-mb-8 sm:[--card:min(2.1rem,7cqh)]"
    >
      {Object.entries(cards).map(([name, count]) => (
        <Card key={name} name={name} count={count} deck={view} moves={[]} play={undefined} />
      ))}
    </span>
  );
}

const SETS =
  "flex min-h-[calc(var(--card)*1.6)] items-end gap-1 [--beside:10px] [--stack:2px] " +
  "sm:gap-3 sm:[--beside:21px] sm:[--stack:3px]";

function Hand({ cards, view, state, play }: { cards: Cards; view: MonopolyDealView; state: TableState; play: Play }) {
  const roving = useRoving<HTMLDivElement>();
  const kinds = Object.entries(cards);
  // all kinds fit side by side, each with the cards that lie under it and the gap beside it
  const size = {
    "--card": `min(5.2rem, 15cqh, calc((100cqw - 2rem) / ${Math.max(6, kinds.length)} - var(--beside)))`,
  } as Record<string, string>;
  return (
    <div
      role="group"
      aria-label="Your hand"
      data-tour="hand"
      data-hand
      data-anchor="hand"
      {...roving}
      className={SETS}
      style={size}
    >
      {kinds.map(([name, count]) => (
        <Card
          key={name}
          name={name}
          count={count}
          deck={view}
          moves={state.legal.filter((m) => m.place === "hand" && m.card === name)}
          play={play}
          zone={`hand ${state.seat}`}
          from="deck"
          blocked={state.blocked.find(({ card }) => card === name)?.reason}
        />
      ))}
      {kinds.length === 0 &&
        (state.seat === null ? <Backs count={view.me.held} /> : <span className="text-sm">no cards in your hand</span>)}
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- a card

type CardProps = {
  name: string;
  count: number;
  deck: Deck;
  moves: LegalMove[];
  play: Play;
  owned?: number;
  done?: boolean;
  zone?: string;
  from?: string;
  blocked?: string | undefined;
};

const beneath = (cards: number) => `calc(${cards} * var(--stack, 3px))`;

const MENU =
  "absolute bottom-full left-0 z-10 mb-1 flex w-48 flex-col gap-1 rounded-lg border " +
  "border-line bg-panel p-2 text-ink shadow-xl";

const COUNT =
  "pointer-events-none absolute -top-1.5 -right-1 rounded-full bg-[#26211a] px-1.5 " +
  "text-xs font-bold text-white ring-2 ring-white/80";

/** A card, or several of a kind; where it lies and where it came from are for the way it travels. */
function Card({ name, count, deck, moves, play, owned = 0, done = false, zone, from, blocked }: CardProps) {
  const [open, setOpen] = useState(false);
  const only = moves.length === 1 ? moves[0] : undefined;
  const many = count > 1 ? ` ×${count}` : "";
  const look = `card text-[calc(var(--card)*0.17)] ${done ? "ring-3 ring-[#ffd66b]" : ""}`;
  const under = Math.min(count - 1, 3);
  const face = <Face name={name} deck={deck} owned={owned} />;
  return (
    <span
      data-zone={zone && `${zone} ${name}`}
      data-kind={name}
      data-count={count}
      data-from={from}
      className="relative inline-block"
      style={{ paddingBottom: beneath(under), paddingRight: beneath(under) }}
    >
      {Array.from({ length: under }, (_, i) => (
        <span
          key={i}
          aria-hidden
          className="card absolute!"
          style={{ top: beneath(under - i), left: beneath(under - i) }}
        />
      ))}
      {moves.length > 0 && play ? (
        <button
          type="button"
          className={`${look} playable`}
          title={only ? `${capitalized(only.text)}. ${only.explanation}` : undefined}
          aria-expanded={only ? undefined : open}
          onClick={() => (only ? play(only.id) : setOpen(!open))}
        >
          <span className="sr-only">
            {only ? `${name}${many}: ${only.text}. ${only.explanation}` : `${name}${many}: choose`}
          </span>
          <span aria-hidden className="contents">
            {face}
          </span>
        </button>
      ) : (
        <span
          role="img"
          aria-label={`${name}${many}${blocked ? `: ${blocked}` : ""}`}
          title={blocked}
          className={`${look} ${blocked ? "brightness-75" : ""}`}
        >
          {face}
        </span>
      )}
      {count > 1 && (
        <span aria-hidden className={COUNT}>
          ×{count}
        </span>
      )}
      {open && play && moves.length > 1 && (
        <span className={MENU}>
          {moves.map((move) => (
            <button
              key={move.id}
              type="button"
              className="rounded px-2 py-2 text-left text-sm hover:bg-raised"
              onClick={() => {
                setOpen(false);
                play?.(move.id);
              }}
            >
              {capitalized(move.text)}
            </button>
          ))}
        </span>
      )}
    </span>
  );
}
