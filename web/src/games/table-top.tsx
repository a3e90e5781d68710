// The felt on which small games lie: the players' places, and between them the middle and whose turn it is.
import type { ReactNode } from "react";
import type { TableState } from "../api/client";
import { capitalized } from "../format/numbers";
import { nearSeat } from "../format/table";
import { playerName } from "../format/names";
import { Face } from "../ui/face";

/** As the reader calls them: "You", "Anna". */
export const nameOf = (state: TableState, player: number) => state.names[player] ?? playerName(player);

const TURN = "w-fit max-w-full truncate rounded-full px-3 py-1 text-sm font-semibold";

export function TurnLine({ state }: { state: TableState }) {
  const thinker = state.player !== null ? nameOf(state, state.player) : "The agent";
  const words = {
    you: "Your turn",
    agent: `${thinker} thinks …`,
    person: `${thinker} thinks …`,
    chance: "Cards are being dealt",
    waiting: "Waiting for players",
    over: "The game is over",
  };
  return (
    <p className={`${TURN} ${state.turn === "you" ? "bg-[#ffd66b] text-[#3a2c00]" : "bg-black/30"}`}>
      {words[state.turn]}
    </p>
  );
}

/** Everybody but the reader, in the order of play from the reader on. */
export function others(state: TableState): number[] {
  return Array.from({ length: state.players - 1 }, (_, i) => (nearSeat(state) + 1 + i) % state.players);
}

const SMALL_CARDS = "[--card:min(4rem,11cqh,11cqw)]";
const LARGE_CARDS = "[--card:min(5.5rem,14cqh,16cqw)]";

const MIDDLE =
  "flex min-h-0 grow flex-col items-center justify-center gap-[min(0.75rem,1.5cqh)] " +
  "border-y border-white/15 py-1 text-center";

/**
 * The places around the table, the person's last; `place` draws what lies before each. What is drawn need not be `told` in
 * words too, but is for who cannot see it.
 */
export function TableTop({
  state,
  middle,
  place,
  told = false,
}: {
  state: TableState;
  middle?: ReactNode;
  place?: (player: number) => ReactNode;
  told?: boolean;
}) {
  const many = state.players > 3;
  return (
    <div className={`felt flex h-full flex-col justify-between gap-1 p-2 sm:p-4 ${many ? SMALL_CARDS : LARGE_CARDS}`}>
      <div data-tour="others" className="grid auto-cols-fr grid-flow-col justify-center gap-2">
        {others(state).map((p) => (
          <Place key={p} state={state} player={p}>
            {place?.(p)}
          </Place>
        ))}
      </div>
      <div data-tour="middle" className={MIDDLE}>
        {middle}
        <TurnLine state={state} />
      </div>
      <div data-tour="you" className="flex justify-center">
        <Place state={state} player={nearSeat(state)}>
          {place?.(nearSeat(state))}
        </Place>
      </div>
      <p className={told ? "text-center text-sm opacity-90" : "sr-only"}>{capitalized(state.picture)}</p>
    </div>
  );
}

const PLAYER = "flex max-w-full items-center gap-1.5 rounded-full px-3 py-0.5 text-sm";

function Place({ state, player, children }: { state: TableState; player: number; children: ReactNode }) {
  const active = state.player === player;
  const mine = player === nearSeat(state);
  const who = state.seats[player];
  return (
    <section
      aria-label={nameOf(state, player)}
      data-side={mine ? "own" : "other"}
      className="flex min-w-0 flex-col items-center gap-[min(0.5rem,1cqh)]"
    >
      {mine && children}
      <span
        className={`${PLAYER} ${active ? "bg-white/90 font-semibold text-black" : "bg-black/25"} ${who?.agent ? "pl-0.5!" : ""}`}
      >
        {who?.agent && <Face name={who.name} className="size-6" />}
        <span className="truncate">
          {nameOf(state, player)}
          {who?.left && " (left)"}
        </span>
      </span>
      {!mine && children}
    </section>
  );
}

/** `zone` and `from` say where it lies and where it came from, for the way it travels. */
export function PlayingCard({
  text,
  small = false,
  zone,
  from,
}: {
  text?: string | undefined;
  small?: boolean;
  zone?: string | undefined;
  from?: string | undefined;
}) {
  const size = small ? "w-[calc(var(--card)*0.62)]!" : "";
  const travels = { "data-zone": zone, "data-from": from };
  if (!text) return <span role="img" aria-label="a hidden card" {...travels} className={`card card-back ${size}`} />;
  const red = text.endsWith("♥") || text.endsWith("♦") ? "text-[#b3261e]!" : "";
  const letters = small ? "text-[calc(var(--card)*0.26)]" : "text-[calc(var(--card)*0.42)]";
  return (
    <span {...travels} className={`card ${size} justify-center font-serif font-bold ${letters} ${red}`}>
      <span>{text}</span>
    </span>
  );
}

/** A few chips with their number; the place is kept where there are none. */
export function Chips({
  count,
  zone,
  from,
  to,
  words = "",
}: {
  count: number;
  zone?: string;
  from?: string;
  to?: string;
  words?: string;
}) {
  return (
    <span
      data-zone={count ? zone : undefined}
      data-count={count}
      data-from={from}
      data-to={to}
      className={`flex h-7 items-center gap-1.5 rounded-full px-2 text-sm whitespace-nowrap ${count ? "bg-black/30" : "invisible"}`}
    >
      <span aria-hidden className="flex -space-x-2.5">
        {Array.from({ length: count > 50 ? 3 : count > 8 ? 2 : 1 }, (_, i) => (
          <span
            key={i}
            className="inline-block size-5 rounded-full border-4 border-dashed border-white bg-[#b5322f] shadow"
          />
        ))}
      </span>
      <b>{count}</b>
      {words && <span className="opacity-90">{words}</span>}
    </span>
  );
}

export function Pot({ chips, children }: { chips: number; children?: ReactNode }) {
  return (
    <span data-anchor="pot" className="rounded-full bg-black/30 px-3 py-1 text-sm">
      Pot <b data-testid="pot">{chips}</b>
      {children}
    </span>
  );
}

/** What the others and oneself have said lately, as a row of bubbles. */
export function Spoken({ state, most = 8 }: { state: TableState; most?: number }) {
  const spoken = state.history.filter((event) => event.by !== "chance");
  if (spoken.length === 0) return null;
  return (
    <ol
      aria-label="Moves so far"
      className="flex max-h-[12cqh] min-h-6 flex-wrap-reverse justify-center gap-1 overflow-hidden"
    >
      {spoken.length > most && <li className="text-sm">…</li>}
      {spoken.slice(-most).map((event) => (
        <li
          key={event.ply}
          className={`arrive rounded-full px-2.5 py-0.5 text-sm ${event.by === "you" ? "bg-white/85 text-black" : "bg-black/35"}`}
        >
          {state.players > 2 && event.by !== "you" && event.actor !== null && (
            <span className="mr-1 opacity-85">{nameOf(state, event.actor)}:</span>
          )}
          {event.text}
        </li>
      ))}
    </ol>
  );
}
