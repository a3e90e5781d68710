// What a move has cost, by what the mind says of all that could be done.
import type { Mind } from "../api/client";
import { formatPercent } from "../format/numbers";

const Z = 2; // standard errors by which one move must be better than another

/** The better move and what it was worth more; no better one: the move was as good as any, as far as can be told. */
export type Cost = { better?: string; cost: number; kept: number };

/** Undefined where the moves were not valued. */
export function costOf({ actions, chosen }: Pick<Mind, "actions" | "chosen">): Cost | undefined {
  const valued = actions.flatMap(({ value, value_error: error, ...one }) =>
    value === null ? [] : [{ ...one, value, error: error ?? 0 }],
  );
  const made = valued.find(({ move }) => move.id === chosen?.id);
  if (!made || valued.length < 2) return undefined;
  const best = valued.reduce((one, other) => (other.value > one.value ? other : one));
  const gain = best.value - made.value;
  const sure = gain > 0 && gain >= Z * Math.hypot(best.error, made.error);
  return sure ? { better: best.move.text, cost: gain, kept: best.value } : { cost: 0, kept: made.value };
}

/** "−26 %: bank $3 kept 95 %", "−1.5 chips: fold was worth −1". */
export function costText({ better, cost, kept }: Cost, { scale, unit }: Pick<Mind, "scale" | "unit">): string {
  if (better === undefined) return "No better move was found";
  if (scale === "chance") return `−${formatPercent(cost / 2)}: ${better} kept ${formatPercent((1 + kept) / 2)}`;
  return `−${Number(cost.toPrecision(2))} ${unit}: ${better} was better`;
}
