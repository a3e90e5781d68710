// Statistics of one's finished games: shares, means and ratings, with intervals.
import type { Result } from "../store/results";

export type Estimate = { value: number; low: number; high: number };

const Z = 1.959963984540054;
const STUDENT = [Infinity, 12.7062, 4.3027, 3.1824, 2.7764, 2.5706];

/** The 97.5 % quantile of Student's distribution, as the arena computes it. */
function studentQuantile(freedom: number): number {
  return STUDENT[freedom] ?? Z + (Z ** 3 + Z) / 4 / freedom + (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96 / freedom ** 2;
}

/** A share of wins with Wilson's interval. */
export function wilson(wins: number, games: number): Estimate {
  if (games <= 0) return { value: NaN, low: 0, high: 1 };
  const p = wins / games;
  const spread = (Z * Z) / games;
  const middle = (p + spread / 2) / (1 + spread);
  const reach = Math.sqrt(p * (1 - p) * spread + (spread * spread) / 4) / (1 + spread);
  return { value: p, low: Math.min(Math.max(middle - reach, 0), p), high: Math.max(Math.min(middle + reach, 1), p) };
}

/** A mean with its interval; of fewer than two values, or values all the same, nothing is known about its error. */
export function mean(values: number[]): Estimate {
  const n = values.length;
  const value = values.reduce((a, b) => a + b, 0) / n;
  const variance = values.reduce((sum, x) => sum + (x - value) ** 2, 0) / (n - 1);
  if (n < 2 || (variance === 0 && n < 30)) return { value, low: -Infinity, high: Infinity };
  const reach = studentQuantile(n - 1) * Math.sqrt(variance / n);
  return { value, low: value - reach, high: value + reach };
}

const score = ({ outcome }: Result) => (outcome === "won" ? 1 : outcome === "drawn" ? 0.5 : 0);

export type Summary = {
  games: number;
  won: number;
  drawn: number;
  lost: number;
  share: Estimate;
  payoff: Estimate | null;
  total: number;
};

/** Games of one kind against the same opponents. */
export function summarize(results: Result[]): Summary {
  const payoffs = results.map(({ payoff }) => payoff).filter((payoff) => payoff !== null);
  const won = results.filter(({ outcome }) => outcome === "won").length;
  const drawn = results.filter(({ outcome }) => outcome === "drawn").length;
  return {
    games: results.length,
    won,
    drawn,
    lost: results.length - won - drawn,
    share: wilson(won + drawn / 2, results.length),
    payoff: payoffs.length ? mean(payoffs) : null,
    total: payoffs.reduce((a, b) => a + b, 0),
  };
}

/** Results by a name, in the order of the first of each. */
export function groupBy<T>(items: T[], name: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(name(item), [...(groups.get(name(item)) ?? []), item]);
  return [...groups];
}

const PAUSE = 30 * 60_000;

/** Games within half an hour of each other are a session; the latest session first, its games in order. */
export function sessions(results: Result[]): Result[][] {
  const found: Result[][] = [];
  for (const result of results.toSorted((a, b) => a.ended.localeCompare(b.ended))) {
    const last = found.at(-1);
    const before = last?.at(-1);
    if (last && before && Date.parse(result.ended) - Date.parse(before.ended) <= PAUSE) last.push(result);
    else found.push([result]);
  }
  return found.toReversed();
}

// Ratings, as `parlor/arena/ratings.py` computes them for agents.
const SCALE = 400 / Math.LN10; // points for each unit of the logarithm of the odds
const SESSION = 100;
const LOGISTIC = 1.702;
const MISFIT = 30; // points by which results between equals deviate from any scale

/** The difference of ratings that results against one opponent, or copies of it, speak for, and its standard error. */
function difference(results: Result[]): { value: number; error: number } {
  const n = results.length;
  const payoffs = results.map(({ payoff }) => payoff ?? 0);
  const average = payoffs.reduce((a, b) => a + b, 0) / n;
  const deviation = Math.sqrt(payoffs.reduce((sum, x) => sum + (x - average) ** 2, 0) / n);
  const inPoints =
    results.every(({ kind, payoff }) => kind === "zero-sum" && payoff !== null) &&
    payoffs.some((x) => ![-1, 0, 1].includes(x));
  if (inPoints && n > 1 && deviation > 0) {
    const unit = SCALE * LOGISTIC * Math.sqrt(SESSION);
    return { value: (unit * average) / deviation, error: unit * Math.max(1 / Math.sqrt(n), 1 / n) };
  }
  const players = (results[0]?.opponents.length ?? 1) + 1;
  const share = (results.reduce((sum, result) => sum + score(result), 0) + 1 / players) / (n + 1); // one drawn game is added
  const variance = share * (1 - share);
  return {
    value: SCALE * Math.log((share * (players - 1)) / (1 - share)),
    error: (SCALE * Math.max(Math.sqrt(variance / (n + 1)), 0.5 / (n + 1))) / variance,
  };
}

/** The agent at all other seats; empty if they are not one and the same. */
const sameAgent = ({ opponents: [first, ...more] }: Result) =>
  first?.agent && more.every(({ agent }) => agent === first.agent) ? first.agent : "";

/** One's rating at a game, from results against agents whose ratings are known; undefined without any. */
export function rating(
  results: Result[],
  known: ReadonlyMap<string, number>,
): (Estimate & { games: number }) | undefined {
  const rated = results.filter((result) => known.has(sameAgent(result)));
  if (rated.length === 0) return undefined;
  const found = groupBy(rated, sameAgent).map(([agent, those]) => {
    const { value, error } = difference(those);
    const misfit = MISFIT * Math.cosh(value / (2 * SCALE)); // results against the weak say less
    return { value: (known.get(agent) ?? 0) + value, weight: 1 / (error ** 2 + misfit ** 2) };
  });
  const weight = found.reduce((sum, one) => sum + one.weight, 0);
  const value = found.reduce((sum, one) => sum + one.weight * one.value, 0) / weight;
  const reach = Z / Math.sqrt(weight);
  return { value, low: value - reach, high: value + reach, games: rated.length };
}
