// The felt on which small games lie: whose turn it is, the players' places, the middle, what can be done.
import type { ReactNode } from "react";
import type { TableState } from "../api/client";
import { Moves, type Play } from "../parts/moves";
import { first, nearSide, playerName } from "../words";

export const nameOf = (state: TableState, player: number) =>
  state.names[player] ?? playerName(player);

export function TurnLine({ state }: { state: TableState }) {
  const thinker = state.player === null ? "The agent" : nameOf(state, state.player);
  const words = { you: "Your turn", agent: `${thinker} thinks …`, person: `${thinker} thinks …`, chance: "Cards are being dealt", waiting: "Waiting for players", over: "The game is over" };
  return (
    <p aria-live="polite" className={`w-fit rounded-full px-3 py-1 text-sm font-semibold ${state.turn === "you" ? "bg-[#ffd66b] text-[#3a2c00]" : "bg-black/25"}`}>
      {words[state.turn]}
    </p>
  );
}

/**
 * The places around the table, the person's last; `place` draws what lies before each. What is drawn need not be `told` in
 * words too, but is for who cannot see it.
 */
export function TableTop({ state, play, middle, place, choose, told = false }: { state: TableState; play: Play; middle?: ReactNode; place?: (player: number) => ReactNode; choose?: ReactNode; told?: boolean }) {
  const others = Array.from({ length: state.players }, (_, p) => p).filter((p) => p !== nearSide(state));
  return (
    <div className="space-y-4">
      <div className="felt flex flex-col gap-4 p-4 sm:p-6">
        <div className="flex flex-wrap justify-center gap-6">
          {others.map((p) => (
            <Place key={p} state={state} player={p}>
              {place?.(p)}
            </Place>
          ))}
        </div>
        <div className="flex min-h-16 flex-col items-center justify-center gap-3 border-y border-white/15 py-4 text-center">
          {middle}
          <TurnLine state={state} />
        </div>
        <div className="flex justify-center">
          <Place state={state} player={nearSide(state)}>
            {place?.(nearSide(state))}
          </Place>
        </div>
        <p className={told ? "text-center text-sm opacity-80" : "sr-only"}>{first(state.picture)}</p>
      </div>
      {state.legal.length > 0 && (choose ?? <Moves legal={state.legal} play={play} title="Your move" wide />)}
    </div>
  );
}

function Place({ state, player, children }: { state: TableState; player: number; children: ReactNode }) {
  const active = state.player === player;
  return (
    <section aria-label={nameOf(state, player)} className="flex flex-col items-center gap-2">
      {player === nearSide(state) && children}
      <span className={`rounded-full px-3 py-0.5 text-sm ${active ? "bg-white/90 font-semibold text-black" : "bg-black/20"}`}>{nameOf(state, player)}</span>
      {player !== nearSide(state) && children}
    </section>
  );
}

export function PlayingCard({ text, hidden = false, small = false }: { text?: string | undefined; hidden?: boolean; small?: boolean }) {
  const size = small ? "[--card:2.75rem]" : "[--card:4.5rem]";
  if (hidden || !text) return <span role="img" aria-label="a hidden card" className={`card card-back ${size}`} />;
  const red = text.endsWith("♥") || text.endsWith("♦");
  return (
    <span className={`card ${size} justify-center font-serif font-bold ${small ? "text-lg" : "text-3xl"} ${red ? "text-[#b3261e]!" : ""}`}>
      <span>{text}</span>
    </span>
  );
}

/** What the others and oneself have said so far, as a row of bubbles. */
export function Spoken({ state }: { state: TableState }) {
  const spoken = state.history.filter((event) => event.by !== "chance");
  if (spoken.length === 0) return null;
  return (
    <ol aria-label="Moves so far" className="flex flex-wrap justify-center gap-1.5">
      {spoken.map((event) => (
        <li key={event.ply} className={`arrive rounded-full px-2.5 py-0.5 text-sm ${event.by === "you" ? "bg-white/85 text-black" : "bg-black/35"}`}>
          {state.players > 2 && event.by !== "you" && event.actor !== null && <span className="mr-1 opacity-75">{nameOf(state, event.actor)}:</span>}
          {event.text}
        </li>
      ))}
    </ol>
  );
}
