import { useCallback, useEffect, useRef, useState } from "react";
import { type Problem, said } from "./client";

export type Answer<T> = { data: T | undefined; problem: string | undefined; status: number; again: () => void };

/** Ask whenever `key` changes; the previous answer stays until the next one is there. An empty key asks nothing. */
export function useAnswer<T>(key: string, question: () => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<{ data?: T; problem?: string; status: number }>({ status: 0 });
  const [round, setRound] = useState(0);
  const latest = useRef(question);
  useEffect(() => {
    latest.current = question;
  });
  useEffect(() => {
    let current = true;
    if (key) {
      latest
        .current()
        .then((data) => current && setAnswer({ data, status: 200 }))
        .catch(
          (error: unknown) =>
            current &&
            setAnswer((old) => ({ data: old.data, problem: said(error), status: (error as Problem).status ?? 0 })),
        );
    }
    return () => {
      current = false;
    };
  }, [key, round]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  return { data: answer.data, problem: answer.problem, status: answer.status, again };
}
