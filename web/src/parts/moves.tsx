// What can be done now: a list with explanations, by mouse, keys and arrows.
import { type ReactNode, useEffect } from "react";
import type { LegalMove, TableState } from "../api/client";
import { drawingOf } from "../games";
import { first } from "../words";
import { Key } from "./basic";
import type { Play } from "./place";
import { AmountMove, amountsOf } from "./range";
import { typing, useRoving } from "./roving";

/** Keys that work wherever the focus is, unless somebody is typing. A key that is held down counts once, but for arrows. */
export function useKeys(act: (key: string) => boolean): void {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (event.repeat && !event.key.startsWith("Arrow")) return;
      if (document.querySelector("dialog[open]")) return;
      if (act(event.key)) event.preventDefault();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [act]);
}

/** The key of the nth move: 1 … 9, then 0. */
export const keyOf = (index: number) => (index < 9 ? String(index + 1) : index === 9 ? "0" : "");

/** The key of a legal move: the one the drawing gives it, else by its place in the list. */
export const moveKey = (game: string, move: LegalMove, index: number) =>
  drawingOf(game).keyFor?.(move, index) ?? keyOf(index);

/** The moves of a table, as one group. Without any it says `idle`. */
export function MoveGroup({
  label,
  children,
  className = "",
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  const roving = useRoving<HTMLElement>();
  return (
    <section data-moves data-tour="moves" aria-label={label} className={`h-full ${className}`} {...roving}>
      {children}
    </section>
  );
}

const MOVE =
  "flex h-full min-h-10 w-full items-center gap-2 rounded-lg border border-line " +
  "bg-panel px-2 py-1 text-left text-sm leading-tight text-ink hover:border-accent " +
  "hover:bg-raised disabled:hover:border-line disabled:hover:bg-panel";

export function Moves({ state, play, title = "Your move" }: { state: TableState; play: Play; title?: string }) {
  const { legal, game } = state;
  return (
    <MoveGroup label={title} className="overflow-y-auto">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(46%,12.5rem),1fr))] gap-1.5 sm:gap-2">
        {legal.map((move, index) => {
          const amounts = move.range && amountsOf([move]);
          const key = moveKey(game, move, index);
          return (
            <li key={move.id} className={amounts ? "col-span-full" : ""}>
              {amounts ? (
                <AmountMove amounts={amounts} play={play} what={first(move.verb)} />
              ) : (
                <button
                  type="button"
                  disabled={!play}
                  aria-keyshortcuts={key || undefined}
                  onClick={() => play?.(move.id)}
                  className={MOVE}
                >
                  {key && <Key>{key}</Key>}
                  <span className="min-w-0 grow">
                    <span className="font-medium">{first(move.text)}</span>
                    {move.explanation && <span className="hidden text-xs text-soft sm:block">{move.explanation}</span>}
                  </span>
                  {move.pays !== null && move.pays !== undefined && move.pays > 0 && (
                    <span className="rounded-md bg-warn-bg px-1.5 py-0.5 font-semibold whitespace-nowrap text-warn">
                      ${move.pays}
                    </span>
                  )}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </MoveGroup>
  );
}
