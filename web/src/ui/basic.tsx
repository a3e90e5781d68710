// Components that all pages share.
import { type ButtonHTMLAttributes, type ReactNode, useId } from "react";

type Look = "main" | "plain" | "quiet";
const LOOKS: Record<Look, string> = {
  main: "bg-accent text-accent-ink border-transparent font-semibold hover:brightness-110",
  plain: "bg-panel text-ink border-line hover:bg-raised",
  quiet: "bg-transparent text-soft border-transparent hover:text-ink hover:bg-raised",
};

const BUTTON =
  "inline-flex min-h-10 items-center justify-center gap-2 rounded-lg border px-3 " +
  "py-1.5 text-sm disabled:cursor-not-allowed disabled:opacity-45";

export function Button({
  look = "plain",
  className = "",
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look }) {
  return <button type="button" className={`${BUTTON} ${LOOKS[look]} ${className}`} {...rest} />;
}

export function Panel({
  title,
  aside,
  children,
  className = "",
  headClass = "",
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  headClass?: string;
}) {
  return (
    <section className={`panel min-w-0 p-4 ${className}`}>
      {(title !== undefined || aside) && (
        <div className={`mb-3 flex flex-wrap items-center justify-between gap-2 ${headClass}`}>
          {title !== undefined && <h2 className="text-lg leading-tight">{title}</h2>}
          {aside && <span className="-my-2">{aside}</span>}
        </div>
      )}
      {children}
    </section>
  );
}

/** What may be wider than the window: it scrolls sideways, by the keyboard too. */
export function ScrollSideways({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached without a mouse
    <div role="group" aria-label={label} tabIndex={0} className="overflow-x-auto">
      {children}
    </div>
  );
}

export function ErrorMessage({
  children,
  again,
  button = "Try again",
  close,
}: {
  children: ReactNode;
  again?: () => void;
  button?: string;
  close?: () => void;
}) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-warn/40 bg-warn-bg px-4 py-3 text-warn"
    >
      <span className="min-w-0 flex-1 basis-56">{children}</span>
      {(again || close) && (
        <span className="flex flex-wrap gap-2">
          {again && <Button onClick={again}>{button}</Button>}
          {close && <Button onClick={close}>Look at the board</Button>}
        </span>
      )}
    </div>
  );
}

export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="animate-pulse py-6 text-center text-soft">
      Loading {what} …
    </p>
  );
}

/** What a page shows instead of itself: it has a heading for who cannot see it. */
export function PageNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h1 className="sr-only">{title}</h1>
      {children}
    </>
  );
}

/** A page that has not come yet, or cannot. */
export const PagePending = ({
  what,
  problem,
  again,
}: {
  what: string;
  problem?: string | undefined;
  again?: () => void;
}) => (
  <PageNotice title={problem ? "Something is wrong" : `Loading ${what}`}>
    {problem ? <ErrorMessage {...(again ? { again } : {})}>{problem}</ErrorMessage> : <Loading what={what} />}
  </PageNotice>
);

export function Empty({ children }: { children: ReactNode }) {
  return <div className="rounded-lg border border-dashed border-line px-4 py-6 text-center text-soft">{children}</div>;
}

export function Chip({ children, tone = "plain" }: { children: ReactNode; tone?: "plain" | "good" | "bad" | "warn" }) {
  const tones = {
    plain: "text-soft border-line",
    good: "text-good border-good/50",
    bad: "text-bad border-bad/50",
    warn: "text-warn border-warn/50",
  };
  return (
    <span
      className={`inline-block max-w-full truncate rounded-full border px-2 py-0.5 align-middle text-xs ${tones[tone]}`}
    >
      {children}
    </span>
  );
}

export function KeyHint({ children }: { children: ReactNode }) {
  return (
    <kbd
      aria-hidden
      className="inline-grid h-5 min-w-5 place-items-center rounded border border-line bg-raised px-1 font-mono text-[0.7rem] text-soft"
    >
      {children}
    </kbd>
  );
}

const CHOICE =
  "rounded-md px-3 py-1.5 text-sm has-checked:bg-panel has-checked:font-semibold has-checked:shadow " +
  "has-focus-visible:outline-3 has-focus-visible:outline-(--ring)";

/** One of a few, as a row of radio buttons that look like one control. */
export function RadioRow<T extends string>({
  label,
  value,
  options,
  onChange,
  bare = false,
}: {
  label: string;
  value: T;
  options: readonly { value: T; text: string; help?: string }[];
  onChange: (value: T) => void;
  bare?: boolean; // its label is said, but not shown
}) {
  const name = useId(); // radio buttons of one name are one tab stop
  return (
    <fieldset>
      <legend className={bare ? "sr-only" : "mb-1 text-sm text-soft"}>{label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-1 rounded-lg border border-line bg-raised p-1">
        {options.map((option) => (
          <label key={option.value} title={option.help} className={CHOICE}>
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={value === option.value}
              onChange={() => onChange(option.value)}
            />
            {option.text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A share of a whole as a bar with its number. */
export function ShareBar({
  share,
  label,
  tone = "a",
  strong = false,
}: {
  share: number;
  label: string;
  tone?: "a" | "b";
  strong?: boolean;
}) {
  return (
    <span className="flex items-center gap-2">
      <span className="h-3 min-w-12 grow overflow-hidden rounded-full bg-raised" aria-hidden>
        <span
          className={`block h-full rounded-full ${tone === "a" ? "bg-bar" : "bg-bar-b"}`}
          style={{ width: `${Math.max(share > 0 ? 1.5 : 0, 100 * share)}%` }}
        />
      </span>
      <span className={`w-14 text-right font-mono text-xs whitespace-nowrap ${strong ? "font-bold" : ""}`}>
        {label}
      </span>
    </span>
  );
}
