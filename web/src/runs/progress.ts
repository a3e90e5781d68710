// What the page says about a training run.
import type { RunInfo } from "../api/client";
import { parseGameName } from "../format/names";
import { formatNumber } from "../format/numbers";

export const RUN_TONES = { finished: "good", running: "warn", stopped: "bad" } as const;

/** A run in words: the game and how it was learned. */
export const runTitle = ({ config }: RunInfo, gameTitle: (game: string) => string) =>
  `${gameTitle(parseGameName(config.game).whole)}, learned by ${config.algorithm}`;

/** How far a run has come: by its games or iterations, or by the clock. */
export const progress = ({ steps, reached, goal, minutes, goal_minutes }: RunInfo) => {
  const done = reached.toLocaleString("en");
  if (goal_minutes === null) {
    const all = goal ?? 0;
    return { share: reached / (goal ?? 1), text: `${done} of ${all.toLocaleString("en")} ${steps}` };
  }
  const spent = formatNumber(Math.min(minutes, goal_minutes));
  return {
    share: minutes / goal_minutes,
    text: `${done} ${steps}, ${spent} of ${formatNumber(goal_minutes)} minutes`,
  };
};
