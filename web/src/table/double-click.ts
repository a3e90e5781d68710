// One decision, one input: the second click of a double click and the repeats of a held key play nothing.
import { useCallback, useEffect, useRef, useState } from "react";

const DOUBLE_CLICK = 500; // milliseconds, the usual longest time between its two clicks

/** `arm` is called when a move is made; if it was made by a pointer, the table is `guarded` from clicks for a moment. */
export function useDoubleClickGuard(): { guarded: boolean; arm: () => void } {
  const [guarded, setGuarded] = useState(false);
  const pointed = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const press = () => (pointed.current = true);
    const key = (event: KeyboardEvent) => {
      pointed.current = false;
      if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
    };
    window.addEventListener("pointerdown", press, true);
    window.addEventListener("keydown", key, true);
    return () => {
      window.removeEventListener("pointerdown", press, true);
      window.removeEventListener("keydown", key, true);
      clearTimeout(timer.current);
    };
  }, []);
  const arm = useCallback(() => {
    if (!pointed.current) return;
    setGuarded(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setGuarded(false), DOUBLE_CLICK);
  }, []);
  return { guarded, arm };
}
