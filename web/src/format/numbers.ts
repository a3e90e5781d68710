// Numbers and words as a person reads them.

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "1 checkpoint", "2 checkpoints". */
export const plural = (n: number, what: string) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

export function formatPercent(x: number): string {
  if (x > 0 && x < 0.0005) return "<0.1 %";
  return `${(100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0)} %`;
}

export const formatSigned = (x: number) => (x > 0 ? "+" : x < 0 ? "−" : "") + formatNumber(Math.abs(x));

/** A number at the precision a person can use. */
export function formatNumber(x: number): string {
  const size = Math.abs(x);
  if (size !== 0 && size < 0.001) return x.toExponential(1);
  if (size >= 10_000) return Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(x);
  return String(Number(x.toPrecision(size >= 1 ? 4 : 3)));
}

/** A clock's seconds for a decision. */
export const formatTimeLimit = (seconds: number | null) =>
  seconds === null
    ? "none"
    : seconds < 60
      ? `${seconds} seconds`
      : seconds < 3600
        ? `${seconds / 60} minute${seconds === 60 ? "" : "s"}`
        : "an hour";
