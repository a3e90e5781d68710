// Blue and orange are told apart without colour vision too. What is in the middle is transparent: paper, or the dark panel.
export const HIGH = [42, 127, 184] as const;
export const LOW = [217, 119, 43] as const;
export const UNKNOWN = [128, 128, 128] as const;
export const LEGIBLE = 0.8; // the strongest colour behind numbers
export const colour = ([r, g, b]: readonly number[], alpha: number) => `rgb(${r} ${g} ${b} / ${alpha})`;

export type Range = { low: number; middle: number; high: number };

/** Around zero if some lose and some win, else around the middle. */
export function rangeOf(values: (number | null)[][]): Range {
  let low = Infinity;
  let high = -Infinity;
  for (const row of values)
    for (const x of row)
      if (x !== null) {
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
  if (low > high) return { low: 0, middle: 0, high: 0 };
  const most = Math.max(-low, high);
  return low < 0 && high > 0 ? { low: -most, middle: 0, high: most } : { low, middle: (low + high) / 2, high };
}

/** Decimals with which the largest number has two digits, or all it has before the point. */
export const digits = ({ low, high }: Range, scale: number) =>
  Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1e-9) * scale))));

export function cellColour(x: number, { low, middle, high }: Range, strongest: number): number[] {
  const half = (high - low) / 2;
  return [...(x >= middle ? HIGH : LOW), half > 0 ? (strongest * Math.abs(x - middle)) / half : 0];
}

export const playedColour = (shares: number[]) => {
  const most = Math.max(...shares, 1e-9);
  return (share: number | null) => [61, 143, 116, (share ?? 0) / most];
};
