// A guided first game: short steps, each beside the part of the table that it is about; skipped once, it stays away.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TableState } from "../api/client";
import { drawingOf } from "../games";
import { setPreferences, usePreferences } from "../store/preferences";
import { useSeats } from "../store/seats";
import { gameBase } from "../format/names";
import { Button } from "../ui/basic";

/** For who has not finished a game of it; `again` begins it anew. */
export function Tour({ state, again }: { state: TableState; again: number }) {
  const base = gameBase(state.game);
  const steps = drawingOf(state.game).tour ?? [];
  const { guided } = usePreferences();
  const played = useSeats().some((seat) => seat.outcome && gameBase(seat.game) === base);
  const [at, setAt] = useState(0);
  const done = useCallback(() => setPreferences({ guided: [...new Set([...guided, base])] }), [guided, base]);
  const step = steps[at];
  const on = step !== undefined && state.turn !== "over" && (again > 0 || (!guided.includes(base) && !played));
  useEffect(() => setAt(0), [again]);
  if (!on) return null;
  const last = at === steps.length - 1;
  const close = () => {
    done();
    setAt(steps.length);
  };
  return (
    <Mark
      key={at}
      at={step.at}
      text={step.text}
      count={`${at + 1} of ${steps.length}`}
      next={last ? close : () => setAt(at + 1)}
      button={last ? "Play" : "Next"}
      skip={last ? undefined : close}
    />
  );
}

const HINT =
  "arrive absolute z-30 w-[min(20rem,calc(100%-1rem))] rounded-xl border-2 " +
  "border-[#ffd66b] bg-panel p-3 text-sm text-ink shadow-2xl";

function Mark({
  at,
  text,
  count,
  next,
  button,
  skip,
}: {
  at: string;
  text: string;
  count: string;
  next: () => void;
  button: string;
  skip: (() => void) | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  useLayoutEffect(() => {
    const mark = box.current;
    const table = mark?.parentElement;
    const place = () => {
      const target = table?.querySelector(`[data-tour="${at}"]`);
      if (!mark || !table || !target) return;
      const [frame, around] = [table.getBoundingClientRect(), target.getBoundingClientRect()];
      const below = around.bottom - frame.top + 10;
      const above = around.top - frame.top - mark.offsetHeight - 10;
      const middle = around.left - frame.left + around.width / 2 - mark.offsetWidth / 2;
      // never over the moves, if it can be
      mark.style.top = `${above > 4 ? above : Math.min(below, frame.height - mark.offsetHeight - 4)}px`;
      mark.style.left = `${Math.min(frame.width - mark.offsetWidth - 8, Math.max(8, middle))}px`;
      target.classList.add("toured");
    };
    place();
    window.addEventListener("resize", place);
    return () => {
      window.removeEventListener("resize", place);
      for (const target of table?.querySelectorAll(".toured") ?? []) target.classList.remove("toured");
    };
  });
  return (
    <div
      ref={box}
      role="dialog"
      aria-label="Guide"
      data-testid="guide"
      tabIndex={-1}
      className={HINT}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        (skip ?? next)();
        event.stopPropagation();
      }}
    >
      <p>{text}</p>
      <div className="mt-2 flex items-center gap-2">
        <span className="grow text-xs text-soft">{count}</span>
        {skip && (
          <Button look="quiet" className="min-h-8" onClick={skip}>
            Skip
          </Button>
        )}
        <Button look="main" className="min-h-8" onClick={next}>
          {button}
        </Button>
      </div>
    </div>
  );
}
