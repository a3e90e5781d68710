// An axis of a plot.

const TICKS = 5;

/** A frame of round numbers around all values, and zero. */
export function roundAxis(values: number[]): { least: number; most: number; ticks: number[] } {
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  const rough = (most - least) / TICKS;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((one) => one * unit >= rough) ?? 10) * unit;
  const [from, to] = [Math.floor(least / step), Math.ceil(most / step)];
  return {
    least: from * step,
    most: to * step,
    ticks: Array.from({ length: to - from + 1 }, (_, k) => (from + k) * step),
  };
}
