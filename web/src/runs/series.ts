// The curves of a run, of what it measured.
import type { MeasureInfo, MetricsRow } from "../api/client";
import type { Curve } from "./curves";

/** Whether payoffs are more than a win or a loss, so that the payoff says more than the rate. */
export const aboutPoints = (rows: MetricsRow[]) =>
  rows.some((row) => Object.values(row.wins).some((by) => Object.values(by).some((told) => told.payoff)));

/** What it won against each opponent, with intervals. */
export function winCurves(rows: MetricsRow[], start: string, scale: number): Curve[] {
  const points = aboutPoints(rows);
  const told = (value: number | null | undefined) => (value == null ? null : points ? value * scale : value);
  return [...new Set(rows.flatMap((row) => Object.keys(row.wins)))].map((against) => ({
    name: `against ${against}`,
    points: rows.map((row) => {
      const result = row.wins[against]?.[start];
      const measured = points ? result?.payoff : result && { value: result.rate, low: result.low, high: result.high };
      return { x: row.at, y: told(measured?.value), low: told(measured?.low), high: told(measured?.high) };
    }),
  }));
}

/** What rounding leaves of nothing is nothing. */
const nearZero = (y: number | null) => (y !== null && Math.abs(y) < 1e-12 ? 0 : y);

/** A column of numbers: a curve for each of its lines. */
export const measureCurves = (
  rows: MetricsRow[],
  { name, title, lines }: MeasureInfo,
  words: Record<string, string>,
): Curve[] =>
  lines.map((line) => ({
    name: line.called ? (words[line.called] ?? line.called) : title,
    points: rows.map((row) => ({ x: row.at, y: nearZero(row.values[name]?.[line.name] ?? null) })),
  }));
