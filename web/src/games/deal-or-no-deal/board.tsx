// The table of a negotiation: the other and oneself with what the items are worth to each, and between them what was said.
import type { ReactNode } from "react";
import type { TableState } from "../../api/client";
import { ParetoFrontier } from "../frontier";
import { nearSeat } from "../../format/table";
import { plural } from "../../format/numbers";
import type { BoardProps } from "../drawing";
import { TurnLine, nameOf } from "../table-top";
import { type Deal, dealOf, listed, otherOf, proposerOf, rest, shareOf, spoken, worth } from "./deal";
import { Pieces, Tile } from "./item";

export function DealBoard({ state }: BoardProps) {
  const deal = dealOf(state);
  const over = state.turn === "over";
  return (
    <div className="felt flex h-full flex-col gap-2 p-2 sm:p-3">
      <div data-tour="others">
        <Place state={state} deal={deal} player={otherOf(state)} />
      </div>
      <div
        data-tour="middle"
        className={`flex min-h-0 grow flex-col gap-2 border-y border-white/15 py-2 ${over ? "overflow-y-auto sm:flex-row" : ""}`}
      >
        <Talk state={state} deal={deal} />
        {over && state.open && (
          <section
            aria-label="What was possible"
            className="shrink-0 rounded-xl bg-panel p-3 sm:w-[min(28rem,55%)] sm:overflow-y-auto"
          >
            <ParetoFrontier state={state} />
          </section>
        )}
      </div>
      <div data-tour="you">
        <Place state={state} deal={deal} player={nearSeat(state)} />
      </div>
    </div>
  );
}

const PLAYER = "min-w-14 shrink justify-self-start truncate sm:max-w-full rounded-full px-3 py-0.5 text-center text-sm";

/** A player, and what each item is worth to them, where that is known. */
function Place({ state, deal, player }: { state: TableState; deal: Deal; player: number }) {
  const mine = player === nearSeat(state);
  const values = deal.values[player];
  return (
    <section
      aria-label={nameOf(state, player)}
      data-side={mine ? "own" : "other"}
      className="flex items-center justify-between gap-2 sm:grid sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]"
    >
      <span className={`${PLAYER} ${state.player === player ? "bg-white/90 font-semibold text-black" : "bg-black/25"}`}>
        {nameOf(state, player)}
      </span>
      <ul
        aria-label={`What an item is worth to ${mine && state.seat !== null ? "you" : nameOf(state, player)}`}
        className="flex shrink-0 gap-1.5 sm:gap-3"
      >
        {deal.items.map((item, type) => (
          <li
            key={item}
            className="flex items-center gap-1.5 rounded-lg bg-black/25 px-1.5 py-1 text-sm whitespace-nowrap sm:px-2.5"
          >
            <Tile item={item} className="size-7" />
            <span className="leading-tight">
              <b className="text-base">{values?.[type] ?? "?"}</b>
              <span className="sr-only">{values ? "" : " (hidden)"}</span>
              <span className="text-xs opacity-90 max-sm:sr-only"> a {item}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

// ------------------------------------------------------------------------------------------------- what was said

/** Everything that was said, the newest below, where the list begins for who scrolls; and how many turns are left. */
function Talk({ state, deal }: { state: TableState; deal: Deal }) {
  const left = deal.turns - deal.offers.length;
  const over = state.turn === "over";
  return (
    <div className={`flex min-w-0 grow flex-col gap-1.5 ${over ? "min-h-40" : "min-h-0"}`}>
      <div
        role="group"
        aria-label="What was said"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached without a mouse
        tabIndex={0}
        className="flex min-h-0 grow flex-col-reverse overflow-y-auto px-0.5"
      >
        <ol className="my-auto flex flex-col gap-1.5">
          {deal.pool.length > 0 && (
            <Said>
              On the table: <b>{listedPool(deal)}</b>. Who gets what?
            </Said>
          )}
          {deal.offers.map((kept, offer) => (
            <Offer key={String(offer)} state={state} deal={deal} offer={offer} kept={kept} />
          ))}
          {deal.agreed && (
            <Bubble state={state} by={proposerOf(deal.offers.length)} loud>
              Agreed!
            </Bubble>
          )}
          {over && !deal.agreed && (
            <Said>
              {deal.ended
                ? "The negotiation was ended by chance: no deal."
                : left === 0
                  ? "No turn is left: no deal."
                  : "No deal."}
            </Said>
          )}
        </ol>
      </div>
      <div className="flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1">
        <TurnLine state={state} />
        {!over && <Turns made={deal.offers.length} turns={deal.turns} />}
      </div>
    </div>
  );
}

const listedPool = (deal: Deal) => listed({ ...deal, pool: [] }, deal.pool);

/** Said by nobody. */
const Said = ({ children }: { children: ReactNode }) => (
  <li className="arrive self-center rounded-full bg-black/25 px-3 py-0.5 text-center text-xs sm:text-sm">{children}</li>
);

const BUBBLE = "arrive max-w-[94%] rounded-2xl px-3 py-1.5 text-sm leading-snug text-[#26211a] shadow sm:max-w-[80%]";

function Bubble({
  state,
  by,
  loud = false,
  children,
}: {
  state: TableState;
  by: number;
  loud?: boolean;
  children: ReactNode;
}) {
  const mine = by === nearSeat(state);
  const look = mine ? "self-end rounded-br-none bg-[#dcefe2]" : "self-start rounded-bl-none bg-[#fffdf7]";
  return (
    <li className={`${BUBBLE} ${look} ${loud ? "font-semibold" : ""}`}>
      <span className="sr-only">{nameOf(state, by)}: </span>
      {children}
    </li>
  );
}

/** A proposal in words and pictures, and what it would bring whoever's values are known. */
function Offer({ state, deal, offer, kept }: { state: TableState; deal: Deal; offer: number; kept: number[] }) {
  const by = proposerOf(offer);
  const players = [nearSeat(state), otherOf(state)];
  const known = players.flatMap((player) => {
    const points = worth(deal, shareOf(deal, offer, player), player, offer);
    return points === undefined ? [] : [`${points} to ${player === state.seat ? "you" : nameOf(state, player)}`];
  });
  return (
    <Bubble state={state} by={by}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
        <span className="sr-only">{spoken(deal, kept)}</span>
        <Part words="I keep" counts={kept} items={deal.items} />
        <Part words="you get" counts={rest(deal, kept)} items={deal.items} />
      </span>
      {known.length > 0 && <span className="block text-xs text-[#4d473c]">worth {known.join(", ")}</span>}
    </Bubble>
  );
}

const Part = ({ words, counts, items }: { words: string; counts: number[]; items: string[] }) => (
  <span aria-hidden className="flex items-center gap-1.5">
    {words} {counts.some((count) => count > 0) ? <Pieces items={items} counts={counts} /> : <b>nothing</b>}
  </span>
);

/** A dot for each turn. */
function Turns({ made, turns }: { made: number; turns: number }) {
  const left = turns - made;
  return (
    <span className="flex items-center gap-2 text-xs">
      <span aria-hidden className="hidden gap-1 sm:flex">
        {Array.from({ length: turns }, (_, turn) => (
          <span key={turn} className={`size-2 rounded-full ring-1 ring-current ${turn < made ? "bg-current" : ""}`} />
        ))}
      </span>
      <span className={left <= 2 ? "rounded-full bg-[#ffd66b] px-2 font-semibold text-[#3a2c00]" : ""}>
        {left === 1 ? "the last turn: agree, or there is no deal" : `${plural(left, "turn")} left`}
      </span>
    </span>
  );
}
