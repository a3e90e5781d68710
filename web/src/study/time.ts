// The server's time. The clock of a device may be wrong; the answer that came fastest says best by how much.
import { useEffect, useState } from "react";

const device = () => performance.timeOrigin + performance.now(); // it does not jump when somebody sets the clock
let ahead = Number.NEGATIVE_INFINITY; // milliseconds by which the server's clock is ahead of this device's

/** The server has just said what time it is. */
export function syncClock(now: string): void {
  ahead = Math.max(ahead, Date.parse(now) - device());
}

/** Milliseconds until a time of the server's clock; never less than there are, by more than an answer takes. */
export const millisecondsUntil = (time: string) => Date.parse(time) - device() - (Number.isFinite(ahead) ? ahead : 0);

/** Seconds of the study until a time, which pass faster in a rehearsal; negative after it. */
const secondsUntil = (time: string, speed: number) => (millisecondsUntil(time) / 1000) * speed;

/** Whole seconds until a time, counting down under one's eyes; undefined without one. */
export function useSecondsUntil(time: string | null | undefined, speed: number): number | undefined {
  const [left, setLeft] = useState(() => (time ? Math.ceil(secondsUntil(time, speed)) : 0));
  useEffect(() => {
    if (!time) return;
    const look = () => setLeft(Math.ceil(secondsUntil(time, speed)));
    look();
    const timer = setInterval(look, 100);
    return () => clearInterval(timer);
  }, [time, speed]);
  return time ? left : undefined;
}

/** "1:05". */
export const formatClock = (seconds: number) =>
  `${Math.floor(Math.max(0, seconds) / 60)}:${String(Math.max(0, seconds) % 60).padStart(2, "0")}`;

/** "about 2 minutes", for a time that nobody knows exactly. */
export function formatRoughly(seconds: number): string {
  if (seconds < 20) return "a few seconds";
  if (seconds < 50) return "less than a minute";
  const minutes = Math.round(seconds / 60);
  return minutes <= 1 ? "about a minute" : `about ${minutes} minutes`;
}
