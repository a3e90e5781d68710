// Where a participant is in the study, kept up to date by a WebSocket, and the answers that are given there.
import { useCallback, useEffect, useRef, useState } from "react";
import { Problem, type Shapes, api, ask, bearer, isAway, said, untilNextTry } from "../api/client";
import { follow } from "../api/live";
import { heard, until } from "./time";

export type StudyState = Shapes["StudyState"];
export type Answers = NonNullable<Shapes["AnswerRequest"]["answers"]>;

export type Study = {
  state: StudyState | undefined;
  problem: string; // the last refusal
  gone: string; // why the server cannot be spoken to, empty while it can
  refused: boolean; // the token has stopped working: the participant came in elsewhere
  busy: boolean; // an answer is on its way
  answer: (answers: Answers) => void; // of the present stage and step
  look: () => void; // ask how things stand
  retry: () => void; // do not wait for the next try
};

const LOOK = 20_000; // milliseconds of the study between questions without news: they say that one is still here
const OFTEN = 2_000; // not more often in a rehearsal, nor when a deadline has passed and nothing follows yet
const SOON = 500; // after a deadline

/** The client loses sight of how long a list is. */
const told = async (request: Promise<unknown>) => (await request) as StudyState;

/** Of one token only: a component of another participant must be another one (by its key). */
export function useStudy(token: string): Study {
  const [state, setState] = useState<StudyState>();
  const [problem, setProblem] = useState("");
  const [gone, setGone] = useState("");
  const [refused, setRefused] = useState(false);
  const [round, setRound] = useState(0);
  const [sending, setSending] = useState(0);
  const here = useRef(true);

  /** Answers may overtake each other. */
  const believe = useCallback((next: StudyState) => {
    heard(next.now);
    setState((old) => (old && Date.parse(next.now) < Date.parse(old.now) ? old : next));
  }, []);
  const fail = useCallback((error: unknown) => {
    if (isAway(error)) setGone(said(error));
    else if (error instanceof Problem && error.status === 401) setRefused(true);
    else setProblem(said(error));
  }, []);
  const read = useCallback(
    async () => believe(await told(ask(api.GET("/api/study/state", { headers: bearer(token) })))),
    [token, believe],
  );
  const look = useCallback(() => void read().then(() => setGone(""), fail), [read, fail]);
  const retry = useCallback(() => setRound((n) => n + 1), []);

  useEffect(() => {
    if (refused) return;
    const end = follow<StudyState>({
      path: "/api/study/live",
      token,
      look: read,
      take: believe,
      there: () => setGone(""),
      away: setGone,
      fail,
    });
    window.addEventListener("online", retry);
    return () => {
      window.removeEventListener("online", retry);
      end();
    };
  }, [token, refused, round, read, believe, fail, retry]);

  useEffect(() => {
    if (!state || refused) return;
    const due = state.deadline ? until(state.deadline) : LOOK; // what ends by itself has ended then
    const timer = setInterval(look, Math.min(Math.max(LOOK / state.speed, OFTEN), due > 0 ? due + SOON : OFTEN));
    const seen = () => document.visibilityState === "visible" && look();
    document.addEventListener("visibilitychange", seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [state, refused, look]);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  /** Sent until it is answered: it counts once. */
  const send = useCallback(
    async (stage: StudyState["stage"], step: number, answers: Answers) => {
      setProblem("");
      for (let tries = 0; here.current; tries++) {
        try {
          believe(
            await told(ask(api.POST("/api/study/answer", { body: { stage, step, answers }, headers: bearer(token) }))),
          );
          return setGone("");
        } catch (error) {
          fail(error);
          if (!isAway(error)) return;
          await new Promise((again) => setTimeout(again, untilNextTry(tries)));
        }
      }
    },
    [token, believe, fail],
  );
  const [stage, step] = [state?.stage, state?.step];
  const answer = useCallback(
    (answers: Answers) => {
      if (stage === undefined || step === undefined) return;
      setSending((n) => n + 1);
      void send(stage, step, answers).finally(() => setSending((n) => n - 1));
    },
    [send, stage, step],
  );
  return { state, problem, gone, refused, busy: sending > 0, answer, look, retry };
}
