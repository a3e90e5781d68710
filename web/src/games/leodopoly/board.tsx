// The table of Leodopoly: the square board, in its middle what is going on, and beside it what everybody has.
import type { TableState } from "../../api/client";
import { capitalized, plural } from "../../format/numbers";
import { nearSeat } from "../../format/table";
import type { BoardProps } from "../drawing";
import { TurnLine, nameOf, others } from "../table-top";
import { type LeodopolyView, leodopolyOf, money, playerColour, setColour, spaceOf } from "./estate";
import { FEW, Square, Token } from "./spaces";

const BOARD =
  "flex h-full min-h-0 flex-col items-center gap-2 [--square:min(100cqw,100cqh-9.5rem)] sm:flex-row " +
  "sm:items-stretch sm:justify-center sm:[--square:min(100cqh,100cqw-13rem)]";

export function LeodopolyBoard({ state, play }: BoardProps) {
  const view = leodopolyOf(state);
  if (!view) return null;
  return (
    <div className={BOARD}>
      <Square state={state} view={view} play={play}>
        <Middle state={state} view={view} />
      </Square>
      <Players state={state} view={view} />
      <p className="sr-only">{state.picture}</p>
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- the middle

/** What is for sale, or what happened last. */
function Middle({ state, view }: { state: TableState; view: LeodopolyView }) {
  return (
    <div className="flex h-full flex-col items-center gap-[2cqh] px-[3cqw] py-[3cqh] text-center">
      <div className="flex w-full items-center justify-between gap-1 text-xs whitespace-nowrap sm:text-sm">
        <span>
          Round <b>{view.round}</b> of {view.rounds}
        </span>
        {view.stock && (
          <span className="text-[0.65rem] opacity-90 max-sm:hidden">
            bank: {plural(view.stock.houses, "house")}, {plural(view.stock.hotels, "hotel")}
          </span>
        )}
        <Dice state={state} view={view} />
      </div>
      <div className="flex min-h-0 w-full grow flex-col items-center justify-center gap-[2cqh]">
        {view.debt && <Owes state={state} view={view} debt={view.debt} />}
        {view.trade ? (
          <OnTheTable state={state} view={view} trade={view.trade} />
        ) : view.lot ? (
          <Lot state={state} view={view} />
        ) : (
          <Lately state={state} most={view.spaces.length > FEW ? 6 : 3} />
        )}
      </div>
      <div className={view.lot ? "max-sm:hidden" : ""}>
        <TurnLine state={state} />
      </div>
    </div>
  );
}

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** What was rolled last. */
function Dice({ state, view }: { state: TableState; view: LeodopolyView }) {
  const last = state.history.findLast(({ move }) => move?.verb === "die");
  const faces = view.dice.length ? view.dice : last?.move?.amount ? [last.move.amount] : [];
  return (
    <span
      role="img"
      aria-label={faces.length ? `Last roll: ${faces.join(" and ")}` : "Nothing has been rolled"}
      data-testid="die"
      className="flex gap-1"
      key={last?.ply}
    >
      {faces.map((face, n) => (
        <span
          key={n}
          className="arrive grid size-7 grid-cols-3 grid-rows-3 place-items-center rounded-md bg-[#fffdf7] p-1 shadow sm:size-9"
        >
          {Array.from({ length: 9 }, (_, i) => (
            <span
              key={i}
              className={`size-1 rounded-full sm:size-1.5 ${PIPS[face]?.includes(i) ? "bg-[#26211a]" : ""}`}
            />
          ))}
        </span>
      ))}
    </span>
  );
}

/** A debt that has to be paid first. */
function Owes({
  state,
  view,
  debt,
}: {
  state: TableState;
  view: LeodopolyView;
  debt: NonNullable<LeodopolyView["debt"]>;
}) {
  return (
    <p className="rounded-lg bg-[#7a2724] px-2 py-1 text-xs font-semibold text-white sm:text-sm">
      {nameOf(state, debt.by)} {debt.by === state.seat ? "owe" : "owes"}{" "}
      {debt.to < 0 ? "the bank" : inside(state, debt.to)} {money(view, debt.amount)}
    </p>
  );
}

/** As a name inside of a sentence. */
const inside = (state: TableState, player: number) => (player === state.seat ? "you" : nameOf(state, player));

/** A trade, as far as it has been proposed. */
function OnTheTable({
  state,
  view,
  trade,
}: {
  state: TableState;
  view: LeodopolyView;
  trade: NonNullable<LeodopolyView["trade"]>;
}) {
  const sides = [
    { who: trade.by, gets: [trade.get, trade.cash < 0 ? money(view, -trade.cash) : ""] },
    { who: trade.partner, gets: [trade.give, trade.cash > 0 ? money(view, trade.cash) : ""] },
  ];
  return (
    <section aria-label="A trade" className="arrive w-full max-w-72">
      <p className="text-xs font-semibold sm:text-sm">
        {nameOf(state, trade.by)} {trade.by === state.seat ? "propose" : "proposes"} a trade to{" "}
        {inside(state, trade.partner)}
      </p>
      <dl className="mt-1 grid grid-cols-2 gap-1.5 text-xs">
        {sides.map(({ who, gets }) => (
          <div key={who} className="rounded-lg bg-[#fffdf7] p-1 text-[#26211a]">
            <dt className="flex items-center justify-center gap-1 text-[#675c4d]">
              <Token player={who} name={nameOf(state, who)} className="size-4 border-0! text-[0.45rem]" />{" "}
              {who === state.seat ? "you get" : "gets"}
            </dt>
            <dd className="leading-tight font-semibold">
              {gets.filter(Boolean).join(" and ") || (view.phase === "agreeing" ? "nothing" : "…")}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The last sentences about what happened. */
function Lately({ state, most }: { state: TableState; most: number }) {
  const told = state.history.flatMap((event) => event.told.map((text) => ({ ply: event.ply, text }))).slice(-most);
  if (told.length === 0) return <p className="font-serif text-lg sm:text-2xl">Leodopoly</p>;
  return (
    <ol aria-label="What happened last" className="space-y-1 text-xs leading-tight sm:text-sm">
      {told.map(({ ply, text }, index) => (
        <li
          key={`${ply} ${text}`}
          className={`arrive ${index < told.length - 1 ? "opacity-85 max-sm:line-clamp-2" : "font-semibold"}`}
        >
          {capitalized(text)}.
        </li>
      ))}
    </ol>
  );
}

/** The deed that is for sale, with the bids or offers for it. */
function Lot({ state, view }: { state: TableState; view: LeodopolyView }) {
  const space = spaceOf(view, view.lot);
  if (!space) return null;
  const rent = space.set && space.kind === "street" ? space.rent / 2 : space.rent;
  return (
    <>
      <section
        aria-label={`For sale: ${space.name}`}
        className="arrive w-full max-w-52 overflow-hidden rounded-lg bg-[#fffdf7] text-[#26211a] shadow-md"
      >
        <p
          className="border-b font-serif border-black/20 px-1 py-0.5 text-sm leading-tight font-bold sm:py-1 sm:text-base"
          style={{ borderTop: `0.5rem solid ${setColour(space.group)}` }}
        >
          {space.name}
        </p>
        <dl className="flex justify-evenly gap-1 py-0.5 text-[0.7rem] leading-tight sm:py-1 sm:text-xs">
          <Figure name="price" text={money(view, space.cost)} />
          <Figure name="rent" text={money(view, rent)} />
          {space.kind === "street" && <Figure name="full set" text={money(view, 2 * rent)} />}
        </dl>
      </section>
      <Bids state={state} view={view} />
    </>
  );
}

const Figure = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt className="text-[#675c4d]">{name}</dt>
    <dd className="font-mono font-semibold">{text}</dd>
  </div>
);

const BIDDER = "flex items-center gap-1 rounded-full py-0.5 pr-1.5 pl-0.5";

/** Who bids or offers what, as far as everybody sees it. */
function Bids({ state, view }: { state: TableState; view: LeodopolyView }) {
  if (view.phase === "buying")
    return (
      <p className="text-xs sm:text-sm">
        {state.player === state.seat ? "Yours, if you want it" : `${nameOf(state, view.actor)} may buy it`}
      </p>
    );
  const order = Array.from({ length: state.players }, (_, i) => (view.actor + 1 + i) % state.players);
  const auction = view.phase === "bidding";
  const asked = order.filter((p) => auction || p !== view.actor);
  return (
    <section aria-label={auction ? "The auction" : "The offers"} className="w-full">
      <p className="text-xs font-semibold sm:text-sm">
        {auction
          ? view.sealed
            ? "Auction: sealed limits"
            : `Auction: the bid is ${money(view, view.bid)}`
          : `${nameOf(state, view.actor)} ${view.actor === state.seat ? "sell" : "sells"} it: offers`}
      </p>
      <ul className="mt-0.5 flex flex-wrap justify-center gap-1 text-[0.7rem] sm:text-xs">
        {asked.map((p) => (
          <li
            key={p}
            className={`${BIDDER} ${state.player === p ? "bg-white/90 font-semibold text-black" : "bg-black/30"}`}
          >
            <Token player={p} name={nameOf(state, p)} className="size-4 border-0! text-[0.45rem]" />
            <span className="sr-only">{nameOf(state, p)}: </span>
            {bidOf(state, view, p)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a player has said in the auction, or offered. */
function bidOf(state: TableState, view: LeodopolyView, player: number): string {
  if (view.phase === "bidding") {
    const asked = view.bidding.includes(player);
    if (!view.sealed) return asked ? (state.player === player ? "…" : "in") : "out";
    if (state.player === player) return "…";
    if (!asked) return "–";
    return player === state.seat ? money(view, view.limit) : "sealed";
  }
  const offer = view.offers.find(({ space, by }) => space === view.lot && by === player);
  return offer ? money(view, offer.amount) : state.player === player ? "…" : "–";
}

// ------------------------------------------------------------------------------------------------- what everybody has

function Players({ state, view }: { state: TableState; view: LeodopolyView }) {
  return (
    <div
      data-tour="others"
      className="flex min-h-0 w-full grow flex-col gap-1 overflow-hidden sm:w-52 sm:max-w-80 sm:gap-1.5"
    >
      {[nearSeat(state), ...others(state)].map((p) => (
        <Owner key={p} state={state} view={view} player={p} />
      ))}
    </div>
  );
}

const HEADING = "flex gap-x-1.5 text-sm leading-tight sm:flex-col sm:gap-1 items-center sm:items-stretch";

const OWNER = "panel flex min-h-0 flex-col gap-0.5 overflow-hidden border-l-8! px-2 py-1 sm:gap-1 sm:py-1.5";

function Owner({ state, view, player }: { state: TableState; view: LeodopolyView; player: number }) {
  const estate = view.players[player];
  const name = nameOf(state, player);
  const own = player === nearSeat(state);
  if (!estate) return null;
  const turn = view.actor === player && state.turn !== "over";
  const one = state.players > 3; // line on a phone
  return (
    <section
      aria-label={name}
      data-side={own ? "own" : "other"}
      data-tour={own ? "you" : undefined}
      className={`${OWNER} ${state.player === player ? "-outline-offset-2 outline-2 outline-accent" : ""}`}
      style={{ borderLeftColor: playerColour(player) }}
    >
      <div className={`${HEADING} ${one ? "" : "flex-wrap gap-y-0.5"}`}>
        <p className={`flex min-w-0 items-center gap-1.5 ${one ? "sm:w-full" : "w-full"}`}>
          <Token player={player} name={name} active={turn} className="size-5.5 text-[0.55rem]" />
          <b className="min-w-0 truncate">{name}</b>
          {turn && <Mark text="in turn" look="bg-[#ffd66b] text-[#3a2c00]" />}
          {estate.jailed > 0 && <Mark text="in jail" look="bg-[#3b3f46] text-white" />}
          {estate.pardons > 0 && (
            <Mark text={estate.pardons > 1 ? "2 jail cards" : "jail card"} look="border border-line text-soft" />
          )}
          {estate.bankrupt && <Mark text="bankrupt" look="bg-bad text-panel" />}
          {estate.won && <Mark text="won" look="bg-good text-panel" />}
          <b className={`ml-auto font-mono ${one ? "hidden sm:block" : ""}`}>{money(view, estate.money)}</b>
        </p>
        <Deeds view={view} deeds={estate.deeds} />
        <p className="text-xs whitespace-nowrap text-soft max-sm:ml-auto">
          rents {money(view, estate.rent)}
          {estate.score !== estate.money && (
            <span className={one ? "max-sm:hidden" : ""}> · in all {money(view, estate.score)}</span>
          )}
        </p>
        {one && <b className="font-mono sm:hidden">{money(view, estate.money)}</b>}
      </div>
    </section>
  );
}

const Mark = ({ text, look }: { text: string; look: string }) => (
  <span className={`rounded-full px-1.5 text-[0.65rem] font-semibold whitespace-nowrap ${look}`}>{text}</span>
);

const HOUSE =
  "grid h-full w-3.5 shrink-0 place-items-center rounded-sm border border-black/30 " +
  "text-[0.6rem] text-white [text-shadow:0_0_2px_#000]";

/** The deeds of a player, by sets, with their rents; a full set has a star. Where there is little room only their colours are seen. */
function Deeds({ view, deeds }: { view: LeodopolyView; deeds: string[] }) {
  if (deeds.length === 0) return <span className="text-xs text-soft max-sm:hidden">no property</span>;
  const spaces = deeds.flatMap((name) => spaceOf(view, name) ?? []).toSorted((a, b) => a.group - b.group);
  const few = view.spaces.length <= FEW;
  const seen = few ? "max-sm:sr-only" : "sr-only";
  return (
    <ul
      aria-label="Deeds"
      className={`flex min-h-0 flex-wrap text-xs leading-tight gap-0.5 overflow-hidden ${few ? "sm:w-full sm:flex-col" : ""}`}
    >
      {spaces.map(({ name, group, set, rent, mortgaged }) => (
        <li
          key={name}
          title={`${name}: ${mortgaged ? "mortgaged" : `rent ${money(view, rent)}`}${set ? ", full set" : ""}`}
          className="flex h-4 shrink-0 items-center gap-1.5 sm:h-4.5"
        >
          <span aria-hidden className={HOUSE} style={{ background: setColour(group) }}>
            {mortgaged ? "M" : set && "★"}
          </span>
          <span className={`min-w-0 truncate ${seen}`}>{name}</span>
          <span className={`ml-auto font-mono ${seen}`}>
            {set && <span className="sr-only">full set, </span>}
            {mortgaged ? "mortgaged" : money(view, rent)}
          </span>
        </li>
      ))}
    </ul>
  );
}
