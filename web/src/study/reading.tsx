// What is read: the consent, and the screens of the tutorial with things to try.
import { Suspense, useEffect, useState } from "react";
import { type Shapes } from "../api/client";
import { useTable } from "../table/use-table";
import { Button, Loading } from "../ui/basic";
import { PlayArea } from "../table/play-area";
import { store, read } from "./entry";
import { Heading, Onward, Paragraphs } from "./frame";
import { asParticipant } from "./table";
import type { Study, StudyState } from "./use-study";

type Screen = Shapes["StudyScreen"];

export function Consent({ study, screen }: { study: Study; screen: Screen }) {
  return (
    <article className="panel space-y-4 p-4 sm:p-7">
      <Heading>{screen.title || "Consent"}</Heading>
      <Paragraphs text={screen.text} />
      <Onward
        study={study}
        onClick={() => study.answer({ consent: true })}
        before={
          <Button
            look="quiet"
            className="min-h-11"
            disabled={study.busy}
            onClick={() => study.answer({ consent: false })}
          >
            No, I do not take part
          </Button>
        }
      >
        Yes, I take part
      </Onward>
    </article>
  );
}

/** Screens that were read can be read again; they are kept here, as the server shows only the present one. */
function useScreens(step: number, screen: Screen): (Screen | undefined)[] {
  const [screens, setScreens] = useState(() => read<(Screen | undefined)[]>(".screens") ?? []);
  useEffect(() => {
    setScreens((old) => {
      const all = Array.from({ length: step + 1 }, (_, i) => (i === step ? screen : old[i]));
      store(".screens", all);
      return all;
    });
  }, [step, screen]);
  return screens;
}

export function Tutorial({ study, state, screen }: { study: Study; state: StudyState; screen: Screen }) {
  const [back, setBack] = useState(0); // so many screens before the present one
  const screens = useScreens(state.step, screen);
  const at = state.step - back;
  const shown = (back > 0 && screens[at]) || screen;
  const practice = back > 0 ? null : screen.practice; // a table that was left is closed
  const earlier = at > 0 && screens[at - 1] !== undefined;
  const waits = back === 0 && screen.practice?.done === false;
  return (
    <article className={`space-y-4 ${practice ? "" : "mx-auto max-w-3xl"}`}>
      <div key={at} className={`grid gap-4 ${practice ? "xl:grid-cols-[20rem_minmax(0,1fr)]" : ""}`}>
        <section className={`panel space-y-4 p-4 sm:p-7 ${practice ? "self-start" : ""}`}>
          <p className="text-sm text-soft">
            Screen {at + 1} of {state.steps}
          </p>
          <Heading>{shown.title}</Heading>
          <Paragraphs text={shown.text} />
          {shown.practice && !practice && <p className="text-good">✓ You have tried this.</p>}
        </section>
        {practice && <Practice key={practice.table} practice={practice} look={study.look} />}
      </div>
      <Onward
        study={study}
        onClick={() =>
          back > 0 ? setBack(back - 1) : waits ? document.getElementById("practice")?.focus() : study.answer({})
        }
        before={
          earlier && (
            <Button className="min-h-11" onClick={() => setBack(back + 1)}>
              Back
            </Button>
          )
        }
      >
        {waits ? "First try it" : "Next"}
      </Onward>
    </article>
  );
}

const PAGE =
  "panel flex min-w-0 flex-col overflow-hidden outline-none focus:ring-3 " +
  "focus:ring-(--ring) max-sm:-mx-3 max-sm:rounded-none max-sm:border-x-0";

/** A table to try something at, with the drawing of the real game. */
function Practice({ practice, look }: { practice: NonNullable<Screen["practice"]>; look: () => void }) {
  const table = useTable(practice.table, practice.token);
  const state = table.state && asParticipant(table.state);
  const ply = state?.ply;
  useEffect(() => {
    if (ply) look(); // was it what was to be tried?
  }, [ply, look]);
  return (
    <section id="practice" tabIndex={-1} aria-label="Something to try" className={PAGE}>
      <p role="status" className={`flex items-baseline gap-2 px-4 py-3 ${practice.done ? "text-good" : "bg-raised"}`}>
        <b className="shrink-0">{practice.done ? "✓ Done." : "Try it:"}</b>
        <span>
          {!practice.done
            ? practice.hint || "Make a move."
            : state?.turn === "over"
              ? "You can go on."
              : "You can go on, or try some more."}
        </span>
      </p>
      <div className="grid h-[min(40rem,90dvh)] min-h-130">
        <Suspense fallback={<Loading what="the table" />}>
          {state ? (
            <PlayArea
              table={table}
              state={state}
              below={(moves) =>
                state.turn === "over" ? <p className="py-2 text-center text-soft">This game is over.</p> : moves
              }
            />
          ) : (
            <Loading what="the table" />
          )}
        </Suspense>
      </div>
    </section>
  );
}
