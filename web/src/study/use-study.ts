// Where a participant is in the study, kept up to date by a WebSocket, and the answers that are given there.
import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError, type Shapes, api, ask, bearer, isUnreachable, errorText, retryDelay } from "../api/client";
import { followLive } from "../api/live";
import { syncClock, millisecondsUntil } from "./time";

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

const POLL_MS = 20_000; // milliseconds of the study between questions without news: they say that one is still here
const MIN_POLL_MS = 2_000; // not more often in a rehearsal, nor when a deadline has passed and nothing follows yet
const AFTER_DEADLINE_MS = 500; // after a deadline

/** The client loses sight of how long a list is. */
const asState = async (request: Promise<unknown>) => (await request) as StudyState;

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
  const apply = useCallback((next: StudyState) => {
    syncClock(next.now);
    setState((old) => (old && Date.parse(next.now) < Date.parse(old.now) ? old : next));
  }, []);
  const fail = useCallback((error: unknown) => {
    if (isUnreachable(error)) setGone(errorText(error));
    else if (error instanceof ApiError && error.status === 401) setRefused(true);
    else setProblem(errorText(error));
  }, []);
  const read = useCallback(
    async () => apply(await asState(ask(api.GET("/api/study/state", { headers: bearer(token) })))),
    [token, apply],
  );
  const look = useCallback(() => void read().then(() => setGone(""), fail), [read, fail]);
  const retry = useCallback(() => setRound((n) => n + 1), []);

  useEffect(() => {
    if (refused) return;
    const end = followLive<StudyState>({
      path: "/api/study/live",
      token,
      look: read,
      take: apply,
      there: () => setGone(""),
      away: setGone,
      fail,
    });
    window.addEventListener("online", retry);
    return () => {
      window.removeEventListener("online", retry);
      end();
    };
  }, [token, refused, round, read, apply, fail, retry]);

  useEffect(() => {
    if (!state || refused) return;
    const due = state.deadline ? millisecondsUntil(state.deadline) : POLL_MS; // what ends by itself has ended then
    const timer = setInterval(
      look,
      Math.min(Math.max(POLL_MS / state.speed, MIN_POLL_MS), due > 0 ? due + AFTER_DEADLINE_MS : MIN_POLL_MS),
    );
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
          apply(
            await asState(
              ask(api.POST("/api/study/answer", { body: { stage, step, answers }, headers: bearer(token) })),
            ),
          );
          return setGone("");
        } catch (error) {
          fail(error);
          if (!isUnreachable(error)) return;
          await new Promise((again) => setTimeout(again, retryDelay(tries)));
        }
      }
    },
    [token, apply, fail],
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
