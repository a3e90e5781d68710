// An ending that has something to show is shown in steps; only then does the table say how it ended.
import { useEffect, useMemo, useState } from "react";
import type { TableState } from "../api/client";
import { drawingOf } from "../games";
import { prefersReducedMotion } from "./animate-moves";

const STEP_MS = 1100; // that one looks at a step

/** What is to be shown of a table now, a word about it while more is to come, and how to see the end at once. */
export type Reveal = { shown: TableState; text: string; skip: () => void };

/** Who was there when the game ended sees its steps; who comes later, or wants nothing to move, sees the end. */
export function useReveal(state: TableState): Reveal {
  const over = state.turn === "over";
  const [seen, setSeen] = useState(over || prefersReducedMotion() ? Infinity : 0);
  const steps = useMemo(() => {
    const told = over && state.open ? (drawingOf(state.game).reveal?.(state) ?? []) : [];
    return told.map((step, index) => ({ ...step, shown: unfinished(step.shown, (index + 1) / (told.length + 1)) }));
  }, [over, state]);
  const step = steps[seen];
  useEffect(() => {
    if (!step) return;
    const timer = setTimeout(() => setSeen((n) => n + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [step]);
  return { shown: step?.shown ?? state, text: step?.text ?? "", skip: () => setSeen(Infinity) };
}

/** A table of which more is to come: it does not say yet who has won, and no mind is open. */
const unfinished = (state: TableState, part: number): TableState => ({
  ...state,
  ply: state.ply - 1 + part, // each step is a moment of its own, for what travels
  player: null,
  open: false,
  result: null,
});
