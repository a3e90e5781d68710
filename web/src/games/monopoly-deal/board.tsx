// Monopoly Deal: both sides with their sets and banks, the piles, one's hand, and the demand that is being answered.
import { useEffect, useRef, useState } from "react";
import type { LegalMove, Shapes, TableState } from "../../api/client";
import { byArrows, Moves, type Play } from "../../parts/moves";
import { first, nearSide, plural } from "../../words";
import type { BoardProps } from "../drawing";
import { type Deck, Face, type MonopolyDealView, hue } from "./cards";
import { nameOf, TurnLine } from "../table-top";

type MyCards = Shapes["MyCards"];
type TheirCards = Shapes["TheirCards"];
type Cards = Record<string, number>;
type Place = NonNullable<LegalMove["place"]>;

const total = (cards: Cards) => Object.values(cards).reduce((sum, n) => sum + n, 0);
const worth = (cards: Cards, deck: Deck) => Object.entries(cards).reduce((sum, [name, n]) => sum + n * (deck.values[name] ?? 0), 0);

export function MonopolyDealBoard({ state, play }: BoardProps) {
  const view = state.view;
  if (view.kind !== "monopoly-deal") return null;
  const near = nearSide(state);
  const other = 1 - near;
  const shown = state.sides[other];
  const theirs = shown?.kind === "monopoly-deal" ? shown.me.hand : undefined; // told when the game is open
  const movesAt = (place: Place) => state.legal.filter((move) => move.place === place);
  const asked = view.turn.response !== null && state.turn === "you";
  return (
    <div className="space-y-3">
      <div className="felt space-y-3 p-3 sm:p-5">
        <Side name={nameOf(state, other)} side={view.opponent} view={view} active={state.player === other} held={view.opponent.held}>
          {theirs ? <Hand cards={theirs} view={view} label="Its hand, now open" small /> : <Backs count={view.opponent.held} />}
        </Side>
        <Middle state={state} view={view} play={play} />
        <Side
          name={nameOf(state, near)}
          side={view.me}
          view={view}
          active={state.player === near}
          held={total(view.me.hand)}
          bank={movesAt("bank")}
          property={movesAt("property")}
          play={play}
          mine
        />
        <Hand cards={view.me.hand} view={view} moves={movesAt("hand")} play={play} label="Your hand" />
      </div>
      {state.legal.length > 0 && !asked && <Moves legal={state.legal} play={play} title="What you can do" wide />}
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- the middle

function Middle({ state, view, play }: { state: TableState; view: MonopolyDealView; play: Play }) {
  const { turn, piles } = view;
  const mine = turn.actor === state.seat;
  return (
    <div className="flex flex-wrap items-stretch gap-3 border-y border-white/15 py-3">
      <div className="flex gap-2">
        <Pile label="Deck" count={piles.deck} />
        <Discard cards={piles.discard} view={view} />
      </div>
      <div className="min-w-56 grow basis-64">
        {turn.response && state.turn !== "over" ? (
          <Demand state={state} view={view} response={turn.response} play={play} />
        ) : (
          <div className="flex h-full flex-col justify-center gap-2">
            <div className="flex flex-wrap items-center gap-2">
              <TurnLine state={state} />
              {state.turn !== "over" && (
                <span className="text-sm opacity-90">
                  turn {turn.streak_idx + 1} of {view.turns_in_streak} {mine ? "of yours" : "of its"}
                </span>
              )}
            </div>
            <Lately state={state} />
          </div>
        )}
      </div>
    </div>
  );
}

/** What the agent has done since the person moved. */
function Lately({ state }: { state: TableState }) {
  const last = state.history.findLastIndex((event) => event.by === "you");
  const done = state.history.slice(last + 1).filter((event) => event.by === "agent" || event.by === "person");
  if (done.length === 0) return null;
  return (
    <p className="text-sm" data-testid="lately">
      <span className="opacity-75">Since your move: </span>
      {done.map((event) => (
        <span key={event.ply} className="arrive mr-1 inline-block rounded bg-black/30 px-2 py-0.5">
          {event.text}
        </span>
      ))}
    </p>
  );
}

function Demand({ state, view, response, play }: { state: TableState; view: MonopolyDealView; response: NonNullable<MonopolyDealView["turn"]["response"]>; play: Play }) {
  const box = useRef<HTMLDivElement>(null);
  const yours = state.turn === "you";
  useEffect(() => {
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (yours) box.current?.scrollIntoView({ block: "nearest", behavior: calm ? "instant" : "smooth" });
  }, [yours]);
  const charged = view.turn.actor !== state.seat;
  const rest = Math.max(0, response.owed - response.paid);
  const it = nameOf(state, 1 - nearSide(state));
  return (
    <div
      ref={box}
      role="region"
      aria-label={charged ? "You must answer" : "The agent must answer"}
      aria-live="assertive"
      data-testid="demand"
      className={`arrive scroll-m-16 rounded-xl border-4 p-3 shadow-lg ${charged ? "border-[#ff9d4d] bg-warn-bg text-ink" : "border-[#ffd66b]/70 bg-panel text-ink"}`}
    >
      <p className="text-xs font-bold tracking-widest text-warn uppercase">{charged ? "You must answer" : `${it} must answer`}</p>
      <p className="font-serif text-xl">
        {charged ? `${it}: ` : "You: "}
        {response.action}
      </p>
      {response.demand === "payment" ? (
        <div className="mt-2">
          <div className="flex flex-wrap gap-x-5 text-sm">
            <span>
              owed <b className="font-serif text-2xl">${response.owed}</b>
            </span>
            <span>
              paid <b className="font-serif text-2xl">${response.paid}</b>
            </span>
            <span>
              still to pay <b className="font-serif text-2xl text-warn">${rest}</b>
            </span>
          </div>
          <div role="img" aria-label={`paid $${response.paid} of $${response.owed}`} className="mt-1 h-2.5 overflow-hidden rounded-full bg-black/15">
            <div className="h-full rounded-full bg-bar transition-[width]" style={{ width: `${Math.min(100, (100 * response.paid) / Math.max(1, response.owed))}%` }} />
          </div>
        </div>
      ) : (
        <p className="mt-1 text-sm">
          {charged ? "It wants your property " : "You want the property "}
          <b style={{ color: hue(response.wanted ?? "") }}>{response.wanted}</b>.
        </p>
      )}
      {response.responses.length > 0 && <p className="mt-1 text-sm text-soft">So far: {response.responses.join(", ")}.</p>}
      {yours && state.legal.length > 0 && (
        <div className="mt-3">
          <Moves legal={state.legal} play={play} title="How do you answer?" wide />
        </div>
      )}
      {!yours && <p className="mt-1 text-sm text-soft">It is deciding how to answer …</p>}
    </div>
  );
}

function Pile({ label, count }: { label: string; count: number }) {
  return (
    <div className="text-center text-xs">
      <span role="img" aria-label={`${label}: ${plural(count, "card")}`} className="card card-back grid place-items-center [--card:3.25rem]">
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
        aria-label={`Discarded: ${plural(count, "card")}`}
        onClick={() => setOpen(!open)}
        className={count ? "card grid place-items-center [--card:3.25rem]" : "grid aspect-[5/7] w-13 place-items-center rounded-lg border border-dashed border-white/40"}
      >
        <span className="font-bold">{count}</span>
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

function Side({
  name,
  side,
  view,
  active,
  held,
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
  bank?: LegalMove[];
  property?: LegalMove[];
  play?: Play;
  mine?: boolean;
  children?: React.ReactNode;
}) {
  const colours = Object.keys(view.set_sizes).filter((colour) => (view.config.deck[colour] ?? 0) > 0);
  return (
    <section aria-label={mine ? `Your side, ${name}` : `The other side, ${name}`} className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <span className={`rounded-full px-3 py-0.5 ${active ? "bg-white/90 font-semibold text-black" : "bg-black/25"}`}>{name}</span>
        <span>
          {held} {held === 1 ? "card" : "cards"} in hand
        </span>
        <span>
          sets <b>{side.complete.length}</b> of {view.sets_to_win}{" "}
          <span aria-hidden className="tracking-tight text-[#ffd66b]">
            {"★".repeat(Math.min(side.complete.length, view.sets_to_win))}
            <span className="opacity-50">{"☆".repeat(Math.max(0, view.sets_to_win - side.complete.length))}</span>
          </span>
        </span>
        <span>
          bank <b>${worth(side.cash, view)}</b>
        </span>
        {children && <span className="ml-auto">{children}</span>}
      </div>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-2 [--card:3.9rem] sm:[--card:5rem]">
        <div className="flex gap-2" role="group" aria-label="Properties">
          {colours.map((colour) => (
            <Set key={colour} colour={colour} owned={side.property[colour] ?? 0} done={side.complete.includes(colour)} view={view} moves={property.filter((m) => m.card === colour)} play={play} />
          ))}
        </div>
        <div className="flex flex-wrap gap-2" role="group" aria-label="Bank">
          {total(side.cash) === 0 ? (
            <span className="grid aspect-[5/7] w-(--card) place-items-center rounded-lg border border-dashed border-white/35 text-center text-xs opacity-80">bank is empty</span>
          ) : (
            Object.entries(side.cash).map(([card, count]) => <Card key={card} name={card} count={count} deck={view} moves={bank.filter((m) => m.card === card)} play={play} />)
          )}
        </div>
      </div>
    </section>
  );
}

function Set({ colour, owned, done, view, moves, play }: { colour: string; owned: number; done: boolean; view: MonopolyDealView; moves: LegalMove[]; play: Play }) {
  const size = view.set_sizes[colour] ?? 0;
  const rent = view.rents[colour]?.[Math.min(owned, size) - 1];
  return (
    <div className="flex flex-col items-center gap-1">
      {owned === 0 ? (
        <span className="grid aspect-[5/7] w-(--card) place-items-center rounded-lg border-2 border-dashed text-xs" style={{ borderColor: `color-mix(in srgb, ${hue(colour)} 70%, white)` }}>
          {colour}
        </span>
      ) : (
        <Card name={colour} count={owned} deck={view} moves={moves} play={play} owned={Math.min(owned, size)} done={done} />
      )}
      <span className={`rounded-full px-2 text-xs ${done ? "bg-[#ffd66b] font-bold text-[#3a2c00]" : "bg-black/25"}`}>
        {Math.min(owned, size)}/{size}
        {done ? " complete" : rent ? `, $${rent}` : ""}
      </span>
    </div>
  );
}

function Backs({ count }: { count: number }) {
  return (
    <span role="img" aria-label={plural(count, "hidden card")} className="flex">
      {Array.from({ length: Math.min(count, 12) }, (_, i) => (
        <span key={i} className="card card-back -ml-4 border-2! first:ml-0 [--card:1.9rem]" />
      ))}
    </span>
  );
}

function Hand({ cards, view, moves = [], play, label, small = false }: { cards: Cards; view: MonopolyDealView; moves?: LegalMove[]; play?: Play; label: string; small?: boolean }) {
  return (
    <div role="group" aria-label={label} onKeyDown={byArrows} className={small ? "[--card:3rem]" : "[--card:4.4rem] sm:[--card:6rem]"}>
      {!small && <p className="mb-2 text-sm opacity-85">{label}</p>}
      <div className={`flex flex-wrap ${small ? "gap-1.5" : "gap-3"}`}>
        {Object.entries(cards).map(([name, count]) => (
          <Card key={name} name={name} count={count} deck={view} moves={moves.filter((m) => m.card === name)} play={play} />
        ))}
        {total(cards) === 0 && <span className="text-sm opacity-75">no cards</span>}
      </div>
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- a card

function Card({ name, count, deck, moves, play, owned = 0, done = false }: { name: string; count: number; deck: Deck; moves: LegalMove[]; play: Play; owned?: number; done?: boolean }) {
  const [open, setOpen] = useState(false);
  const only = moves.length === 1 ? moves[0] : undefined;
  const many = count > 1 ? ` ×${count}` : "";
  const look = `card text-[calc(var(--card)*0.17)] ${done ? "ring-3 ring-[#ffd66b]" : ""}`;
  const under = Math.min(count - 1, 3);
  const face = <Face name={name} deck={deck} owned={owned} />;
  return (
    <span className="arrive relative inline-block" style={{ paddingBottom: `${under * 4}px`, paddingRight: `${under * 4}px` }}>
      {Array.from({ length: under }, (_, i) => (
        <span key={i} aria-hidden className="card absolute!" style={{ top: `${(under - i) * 4}px`, left: `${(under - i) * 4}px` }} />
      ))}
      {moves.length > 0 && play ? (
        <button
          type="button"
          className={`${look} playable`}
          aria-label={only ? `${name}${many}: ${only.text}. ${only.explanation}` : `${name}${many}: choose`}
          title={only ? `${first(only.text)}. ${only.explanation}` : undefined}
          aria-expanded={only ? undefined : open}
          onClick={() => (only ? play(only.id) : setOpen(!open))}
        >
          {face}
        </button>
      ) : (
        <span role="img" aria-label={`${name}${many}`} className={look}>
          {face}
        </span>
      )}
      {count > 1 && (
        <span aria-hidden className="pointer-events-none absolute -top-1.5 -right-1 rounded-full bg-[#26211a] px-1.5 text-xs font-bold text-white ring-2 ring-white/80">
          ×{count}
        </span>
      )}
      {open && play && moves.length > 1 && (
        <span className="absolute bottom-full left-0 z-10 mb-1 flex w-48 flex-col gap-1 rounded-lg border border-line bg-panel p-2 text-ink shadow-xl">
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
              {first(move.text)}
            </button>
          ))}
        </span>
      )}
    </span>
  );
}
