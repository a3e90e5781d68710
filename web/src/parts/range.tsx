// An amount to choose: moves that differ only by it are a slider, a field and some usual amounts, not a list.
import { type ReactNode, useId, useState } from "react";
import type { LegalMove } from "../api/client";
import type { Play } from "./moves";

/** The moves that have an amount: which amounts there are, and the id of the move of each. */
export type Amounts = { least: number; most: number; id: (value: number) => number | undefined };

export function amountsOf(legal: LegalMove[]): Amounts | undefined {
  const parts = legal.flatMap(({ id, amount, range }) => (amount === null ? [] : [{ id, ...(range ?? { least: amount, most: amount, step: 1, id_step: 0 }) }]));
  if (parts.length === 0) return undefined;
  const within = (value: number) => parts.find((part) => value >= part.least && value <= part.most && (value - part.least) % part.step === 0);
  return {
    least: Math.min(...parts.map((part) => part.least)),
    most: Math.max(...parts.map((part) => part.most)),
    id: (value) => {
      const part = within(value);
      return part && part.id + ((value - part.least) / part.step) * part.id_step;
    },
  };
}

type Usual = { text: string; value: number };

/** `what` says what is done with the amount: "Raise to". */
export function AmountMove({ amounts, play, what, usual = [], hint, start }: { amounts: Amounts; play: Play; what: string; usual?: Usual[]; hint?: (value: number) => ReactNode; start?: number }) {
  const { least, most } = amounts;
  const within = (value: number) => Math.min(most, Math.max(least, Math.round(value)));
  const [written, setWritten] = useState(String(within(start ?? least)));
  const field = useId();
  const value = Number(written);
  const id = written.trim() === "" ? undefined : amounts.id(value);
  const shown = within(Number.isFinite(value) ? value : least);
  return (
    <form
      data-range
      aria-label={what}
      className="panel flex flex-wrap items-center gap-2 p-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (id !== undefined) play?.(id);
      }}
    >
      {usual.length > 0 && (
        <div className="flex w-full flex-wrap gap-1.5">
          {usual.map((one) => (
            <button
              key={one.text}
              type="button"
              disabled={!play}
              aria-pressed={shown === within(one.value)}
              onClick={() => setWritten(String(within(one.value)))}
              className="min-h-9 grow rounded-md border border-line bg-raised px-2.5 text-sm hover:border-accent disabled:opacity-60 aria-pressed:border-accent aria-pressed:font-semibold"
            >
              {one.text}
            </button>
          ))}
        </div>
      )}
      <input type="range" aria-label={`${what}, by a slider`} className="h-9 min-w-24 grow basis-32" min={least} max={most} disabled={!play} value={shown} onChange={(e) => setWritten(e.target.value)} />
      <label htmlFor={field} className="sr-only">
        {what}, in chips
      </label>
      <input id={field} type="number" inputMode="numeric" className="field w-24 text-right font-mono" min={least} max={most} disabled={!play} value={written} onChange={(e) => setWritten(e.target.value)} onFocus={(e) => e.target.select()} />
      <button
        type="submit"
        disabled={!play || id === undefined}
        className="min-h-11 grow rounded-lg bg-accent px-4 font-semibold whitespace-nowrap text-accent-ink hover:brightness-110 disabled:opacity-45 sm:min-w-40 sm:grow-0"
      >
        {id === undefined ? `${least} to ${most}` : `${what} ${value}`}
        {id !== undefined && hint && <span className="ml-1.5 text-xs font-normal opacity-85">{hint(value)}</span>}
      </button>
    </form>
  );
}
