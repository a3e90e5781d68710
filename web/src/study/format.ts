import type { Shapes } from "../api/client";
import { formatNumber } from "../format/numbers";
import type { StudyState } from "./use-study";

export const formatMoney = (amount: number, currency: string) =>
  Intl.NumberFormat("en", { style: "currency", currency }).format(amount);

/** "1 point", "6.5 points". */
export const formatPoints = (points: number) => `${formatNumber(points)} ${points === 1 ? "point" : "points"}`;

/** How a game ended, where it was not by its rules. */
export const STATUSES: Record<Shapes["EpisodeScore"]["status"], string> = {
  ended: "",
  "timed-out": "The time was up before the game was over, so it brings no points.",
  absent: "The other player was not there, so this game was not played. It brings no points.",
};

/** What the window is called at a stage. */
export const TITLES: Record<StudyState["stage"], string> = {
  consent: "Welcome",
  tutorial: "How it works",
  test: "A short test",
  waiting: "Waiting",
  episode: "Game",
  score: "Your score",
  bonus: "Your bonus",
  orientation: "Six decisions",
  questionnaire: "Some questions",
  done: "Thank you",
  failed: "Thank you",
  declined: "Goodbye",
  unmatched: "Thank you",
  stopped: "Thank you",
};
