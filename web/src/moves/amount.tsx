// An amount to choose: moves that differ only by it are a slider, a field and some usual amounts, not a list.
import { useId, useState } from "react";
import type { LegalMove } from "../api/client";
import type { Play } from "./place";

/** The moves that have an amount: which amounts there are, and the id of the move of each. */
export type Amounts = { least: number; most: number; step: number; id: (value: number) => number | undefined };

export function amountsOf(legal: LegalMove[]): Amounts | undefined {
  const parts = legal.flatMap(({ id, amount, range }) =>
    amount === null ? [] : [{ id, ...(range ?? { least: amount, most: amount, step: 1, id_step: 0 }) }],
  );
  if (parts.length === 0) return undefined;
  const within = (value: number) =>
    parts.find((part) => value >= part.least && value <= part.most && (value - part.least) % part.step === 0);
  const least = Math.min(...parts.map((part) => part.least));
  return {
    least,
    step:
      parts.reduce((step, part) => gcd(gcd(step, part.least - least), part.most > part.least ? part.step : 0), 0) || 1,
    most: Math.max(...parts.map((part) => part.most)),
    id: (value) => {
      const part = within(value);
      return part && part.id + ((value - part.least) / part.step) * part.id_step;
    },
  };
}

/** The greatest common divisor. */
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** The amount nearest to a value. */
export const nearestAmount = ({ least, most, step }: Amounts, value: number) =>
  Math.min(most, Math.max(least, least + step * Math.round((value - least) / step)));

const NONE: Amounts = { least: 0, most: 0, step: 1, id: () => undefined };

type Usual = { text: string; value: number };
export type AmountInput = {
  amounts: Amounts | undefined;
  value: number;
  shown: number;
  written: string;
  id: number | undefined;
  write: (text: string) => void;
};

/** An amount that is being chosen. */
export function useAmount(amounts: Amounts | undefined, start?: number): AmountInput {
  const within = (value: number) => nearestAmount(amounts ?? NONE, value);
  const least = amounts?.least ?? 0;
  const [written, write] = useState(String(within(start ?? least)));
  const value = Number(written);
  return {
    amounts,
    value,
    written,
    write,
    shown: within(Number.isFinite(value) ? value : least),
    id: written.trim() === "" ? undefined : amounts?.id(value),
  };
}

const AMOUNT =
  "min-h-8 grow rounded-md border border-line bg-raised px-1 text-sm whitespace-nowrap " +
  "hover:border-accent aria-pressed:border-accent aria-pressed:font-semibold";

/** A slider, a field and some usual amounts; `what` says what is done with it: "Raise to". */
export function AmountFields({
  chosen,
  play,
  what,
  usual = [],
  unit = "chips",
}: {
  chosen: AmountInput;
  play: Play;
  what: string;
  usual?: Usual[];
  unit?: string;
}) {
  const { amounts, shown, written, write, id } = chosen;
  const field = useId();
  if (!amounts) return null;
  const { least, most, step } = amounts;
  const within = (value: number) => String(nearestAmount(amounts, value));
  return (
    <form
      data-range
      aria-label={what}
      className="space-y-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== undefined) play?.(id);
      }}
    >
      {usual.length > 0 && (
        <div className="flex gap-1.5">
          {usual.map((one) => (
            <button
              key={one.text}
              type="button"
              disabled={!play}
              aria-pressed={String(shown) === within(one.value)}
              onClick={() => write(within(one.value))}
              className={AMOUNT}
            >
              {one.text}
            </button>
          ))}
        </div>
      )}
      <div className="flex items-center gap-2">
        <input
          type="range"
          aria-label={`${what}, by a slider`}
          className="h-9 min-w-24 grow"
          min={least}
          max={most}
          step={step}
          disabled={!play}
          value={shown}
          onChange={(e) => write(e.target.value)}
        />
        <label htmlFor={field} className="sr-only">
          {what}, in {unit}
        </label>
        <input
          id={field}
          type="number"
          inputMode="numeric"
          className="field min-h-9! w-24 text-right font-mono"
          min={least}
          max={most}
          step={step}
          disabled={!play}
          value={written}
          onChange={(e) => write(e.target.value)}
          onFocus={(e) => e.target.select()}
        />
      </div>
    </form>
  );
}

const BET =
  "flex min-h-12 w-full flex-col items-center justify-center rounded-lg bg-accent px-2 leading-tight " +
  "font-semibold whitespace-nowrap text-accent-ink hover:brightness-110";

/** `what` is done with the amount, before which a currency may stand. */
export function AmountButton({
  chosen,
  play,
  what,
  hint,
  shortcut,
  currency = "",
}: {
  chosen: AmountInput;
  play: Play;
  what: string;
  hint?: string;
  shortcut?: string;
  currency?: string;
}) {
  const { amounts, value, id } = chosen;
  return (
    <button
      type="button"
      disabled={!play || id === undefined}
      aria-keyshortcuts={shortcut}
      onClick={() => id !== undefined && play?.(id)}
      className={BET}
    >
      {id === undefined ? `${currency}${amounts?.least} to ${currency}${amounts?.most}` : `${what} ${currency}${value}`}
      {id !== undefined && hint && <span className="text-xs font-normal">{hint}</span>}
    </button>
  );
}

/** All of it, where an amount is one move among others. */
export function AmountMove({ amounts, play, what }: { amounts: Amounts; play: Play; what: string }) {
  const chosen = useAmount(amounts);
  return (
    <div className="panel flex flex-wrap items-center gap-2 p-2">
      <div className="grow">
        <AmountFields chosen={chosen} play={play} what={what} />
      </div>
      <div className="sm:min-w-40">
        <AmountButton chosen={chosen} play={play} what={what} />
      </div>
    </div>
  );
}
