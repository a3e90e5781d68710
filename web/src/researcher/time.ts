// Times of the server, told by its own clock.

/** Seconds between two times. */
export const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

/** "45 s", "12 min", "3 h 05 min". */
export function formatDuration(total: number): string {
  const whole = Math.max(0, Math.round(total));
  if (whole < 100) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  return minutes < 100
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** Where somebody is, in words. */
export const STAGES: Record<string, string> = {
  consent: "Consent",
  tutorial: "Tutorial",
  test: "Test",
  waiting: "Waiting room",
  episode: "In a game",
  score: "Reads a score",
  bonus: "Reads the bonus",
  orientation: "Sliders",
  questionnaire: "Questionnaire",
  done: "Finished",
  failed: "Failed the test",
  declined: "Did not consent",
  unmatched: "Found no partner",
  stopped: "Sent home: stopped",
};
export const ENDS = ["done", "failed", "declined", "unmatched", "stopped"];
export const formatMoney = (amount: number, currency: string) =>
  `${currency} ${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
