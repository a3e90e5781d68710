// What can be done now: a list with explanations, by mouse, number keys and arrows.
import { type KeyboardEvent, useEffect } from "react";
import type { LegalMove } from "../api/client";
import { first } from "../words";
import { Key } from "./basic";
import { AmountMove, amountsOf } from "./range";

export type Play = ((id: number) => void) | undefined;

/** Arrow keys go from button to button. */
export function byArrows(event: KeyboardEvent<HTMLElement>): void {
  if (typing(event.target)) return;
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(now + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}

const typing = (target: EventTarget | null) => target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);

/** Keys that work wherever the focus is, unless somebody is typing. */
export function useKeys(act: (key: string) => boolean): void {
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (act(event.key)) event.preventDefault();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [act]);
}

/** The key of the nth move: 1 … 9, then 0. */
export const keyOf = (index: number) => (index < 9 ? String(index + 1) : index === 9 ? "0" : "");

export function Moves({ legal, play, title, wide = false }: { legal: LegalMove[]; play: Play; title: string; wide?: boolean }) {
  return (
    <section data-moves aria-label={title} onKeyDown={byArrows}>
      <h3 className="mb-2 text-base">{title}</h3>
      <ul className={`grid gap-2 ${wide ? "grid-cols-[repeat(auto-fill,minmax(min(100%,14.5rem),1fr))]" : ""}`}>
        {legal.map((move, index) => {
          const amounts = move.range && amountsOf([move]);
          return amounts ? (
            <li key={move.id}>
              <AmountMove amounts={amounts} play={play} what={first(move.verb)} />
            </li>
          ) : (
          <li key={move.id}>
            <button
              type="button"
              disabled={!play}
              onClick={() => play?.(move.id)}
              className="flex h-full min-h-11 w-full items-start gap-2 rounded-lg border border-line bg-panel px-3 py-2 text-left text-ink hover:border-accent hover:bg-raised disabled:opacity-60"
            >
              {keyOf(index) && <Key>{keyOf(index)}</Key>}
              <span className="min-w-0 grow">
                <span className="font-medium">{first(move.text)}</span>
                {move.explanation && <span className="block text-xs text-soft">{move.explanation}</span>}
              </span>
              {move.pays !== null && move.pays !== undefined && move.pays > 0 && (
                <span className="rounded-md bg-warn-bg px-2 py-0.5 text-sm font-semibold whitespace-nowrap text-warn">pays ${move.pays}</span>
              )}
            </button>
          </li>
          );
        })}
      </ul>
    </section>
  );
}
