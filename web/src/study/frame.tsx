// What is around every stage but a game: the title and how far one has come, and what is the matter if something is.
import { type ReactNode, useEffect, useRef } from "react";
import { Button, ErrorMessage } from "../ui/basic";
import type { Study, StudyState } from "./use-study";

export function Frame({
  study,
  state,
  children,
  wide = false,
}: {
  study: Study;
  state: StudyState;
  children: ReactNode;
  wide?: boolean;
}) {
  const done = Math.round(100 * state.progress);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-20 border-b border-line bg-panel">
        <div className={`mx-auto flex h-12 items-center gap-3 px-3 sm:px-5 ${wide ? "max-w-7xl" : "max-w-3xl"}`}>
          <p className="min-w-0 grow truncate font-serif text-lg">{state.title}</p>
          <span className="shrink-0 text-sm text-soft">{done} %</span>
        </div>
        <div
          role="progressbar"
          aria-label="Progress of the study"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={done}
          className="h-1 bg-raised"
        >
          <div className="h-full bg-accent transition-[width] duration-500" style={{ width: `${done}%` }} />
        </div>
      </header>
      <main className={`mx-auto w-full grow space-y-4 px-3 py-5 sm:px-5 sm:py-8 ${wide ? "max-w-7xl" : "max-w-3xl"}`}>
        <Notices study={study} state={state} />
        {children}
      </main>
    </div>
  );
}

/** The connection, a pause, a refusal, and that time runs faster than it does. */
export function Notices({ study, state }: { study: Study; state: StudyState }) {
  return (
    <>
      {study.gone && (
        <ErrorMessage again={study.retry} button="Try now">
          <b>Connection lost.</b> {study.gone}
        </ErrorMessage>
      )}
      {study.problem && <ErrorMessage>{study.problem}</ErrorMessage>}
      {state.paused && (
        <p role="status" className="rounded-lg border border-line bg-raised px-4 py-3">
          <b>The study is paused.</b> Nothing new begins until it goes on. Please keep this window open.
        </p>
      )}
      {state.speed !== 1 && (
        <p className="text-center text-xs text-soft">A rehearsal: time passes {state.speed} times as fast.</p>
      )}
    </>
  );
}

/** The heading of a stage. Who goes on finds the focus here, and is at the top of the page. */
export function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none sm:text-3xl">
      {children}
    </h1>
  );
}

/** Paragraphs, parted by empty lines. */
export function Paragraphs({ text }: { text: string }) {
  const all = text.split("\n\n").filter((part) => part.trim());
  return (
    <div className="space-y-3 leading-relaxed">
      {all.map((part, index) => (
        <p key={index}>{part.trim()}</p>
      ))}
    </div>
  );
}

/** The way on, at the bottom of a stage; what stands before it is said first. */
export function Onward({
  study,
  onClick,
  children,
  before,
}: {
  study: Study;
  onClick?: () => void;
  children: ReactNode;
  before?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center gap-3 pt-2">
      {before}
      <Button
        look="main"
        type={onClick ? "button" : "submit"}
        className="ml-auto min-h-11 min-w-32 px-5 text-base"
        disabled={study.busy}
        onClick={onClick}
      >
        {children}
      </Button>
    </div>
  );
}
