// The stage of the study at which a participant is.
import { type ReactNode, useEffect, useRef } from "react";
import { Loading } from "../ui/basic";
import { playStartSound } from "../table/sound";
import { useTitle } from "../ui/use-title";
import { usePreferences } from "../store/preferences";
import { Ending } from "./ending";
import { Episode } from "./episode";
import { Frame, Heading } from "./frame";
import { Questions } from "./questions";
import { Consent, Tutorial } from "./reading";
import { Bonus, Score } from "./scores";
import type { Study, StudyState } from "./use-study";
import { Waiting } from "./waiting";
import { TITLES } from "./format";

const BLINK = 1000; // milliseconds

export function Stages({ study, state }: { study: Study; state: StudyState }) {
  useCall(state);
  if (state.stage === "episode" && state.episode)
    return <Episode key={state.episode.table} study={study} state={state} episode={state.episode} />;
  return (
    <Frame study={study} state={state} wide={state.screen?.practice !== undefined && state.screen?.practice !== null}>
      <Stage key={`${state.stage} ${state.step}`} study={study} state={state} />
    </Frame>
  );
}

function Stage({ study, state }: { study: Study; state: StudyState }) {
  const { stage, screen, waiting, questions } = state;
  useTitle(
    stage === "waiting" && waiting && waiting.wanted > 1
      ? `${waiting.here} of ${waiting.wanted} are here`
      : TITLES[stage],
    state.title,
  );
  if (stage === "consent" && screen) return <Consent study={study} screen={screen} />;
  if (stage === "tutorial" && screen) return <Tutorial study={study} state={state} screen={screen} />;
  if (stage === "waiting" && waiting) return <Waiting state={state} room={waiting} />;
  if (stage === "score") return <Score study={study} state={state} />;
  if (stage === "bonus") return <Bonus study={study} state={state} />;
  if (stage === "test") {
    return (
      <Asking title="A short test" text="Please answer all questions. You can send your answers once.">
        <Questions study={study} stage={stage} questions={questions} button="Send my answers" />
      </Asking>
    );
  }
  if (stage === "orientation") {
    return (
      <Asking
        title="Six decisions"
        text={
          `${questions[0]?.text ?? ""} On each line, choose the position that you like most: above it stands ` +
          "what you get, below it what the other person gets. There are no right or wrong answers."
        }
      >
        <Questions study={study} stage={stage} questions={questions} button="Go on" />
      </Asking>
    );
  }
  if (stage === "questionnaire") {
    return (
      <Asking title="Some questions" text="The last ones. Then you get your code.">
        <Questions study={study} stage={stage} questions={questions} button="Finish" />
      </Asking>
    );
  }
  return stage === "episode" ? <Loading what="the game" /> : <Ending state={state} />;
}

function Asking({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <article className="space-y-4">
      <Heading>{title}</Heading>
      <p className="max-w-prose text-soft">{text}</p>
      {children}
    </article>
  );
}

/** A game begins: who looks elsewhere is called by a sound, and by the title of the window until they look here. */
function useCall({ stage, episode, title }: StudyState): void {
  const { muted } = usePreferences();
  const before = useRef(stage);
  const number = episode?.number;
  useEffect(() => {
    const waited = before.current !== "episode";
    before.current = stage;
    if (stage !== "episode" || !waited) return;
    if (!muted) playStartSound();
    if (!document.hidden) return;
    const called = `▶ Game ${number} begins · ${title}`;
    let on = false;
    const timer = setInterval(() => {
      if (!document.hidden) return clearInterval(timer);
      on = !on;
      document.title = on ? called : title;
    }, BLINK);
    return () => clearInterval(timer);
  }, [stage, number, title, muted]);
}
