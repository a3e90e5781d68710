// The time that is left, by the server's clock.
import { useEffect, useRef, useState } from "react";
import { formatClock, useSecondsUntil } from "./time";

const SAID = [10, 30, 60]; // seconds at which it is told to who cannot see it
const LAST_SECONDS = 30;

const CLOCK = "flex items-center gap-1.5 rounded-md px-2 py-1 font-mono text-lg leading-none font-semibold";

export function Clock({ deadline, speed }: { deadline: string; speed: number }) {
  const left = Math.max(0, useSecondsUntil(deadline, speed) ?? 0);
  return (
    <span className={`${CLOCK} ${left <= LAST_SECONDS ? "bg-warn-bg text-warn" : "bg-raised"}`}>
      <svg
        aria-hidden
        viewBox="0 0 24 24"
        className="size-4"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      >
        <circle cx="12" cy="13" r="8" />
        <path d="M12 9v4l2.5 2M9 2h6" />
      </svg>
      <span role="timer" aria-label="Time left" data-testid="clock">
        {formatClock(left)}
      </span>
      <Told left={left} />
    </span>
  );
}

/** What is said aloud, each once, when its moment has come. */
function Told({ left }: { left: number }) {
  const before = useRef(left);
  const [words, setWords] = useState("");
  useEffect(() => {
    const passed = SAID.find((mark) => before.current > mark && left <= mark);
    if (before.current > 0 && left === 0) setWords("The time is up.");
    else if (passed) setWords(`${passed} seconds left.`);
    before.current = left;
  }, [left]);
  return (
    <span role="status" aria-live="polite" className="sr-only">
      {words}
    </span>
  );
}
