import { useCallback, useEffect, useRef, useState } from "react";
import { isUnreachable, type ApiError, errorText, retryDelay } from "./client";

export type Answer<T> = { data: T | undefined; problem: string | undefined; status: number; again: () => void };

/**
 * Ask whenever `key` changes; the previous answer stays until the next one is there. An empty key asks nothing. While the
 * server is away it is asked again by itself.
 */
export function useAnswer<T>(key: string, question: () => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<{ data?: T; problem?: string; status: number }>({ status: 0 });
  const [round, setRound] = useState(0);
  const latest = useRef(question);
  useEffect(() => {
    latest.current = question;
  });
  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const put = (tries: number) =>
      latest.current().then(
        (data) => {
          if (current) setAnswer({ data, status: 200 });
        },
        (error: unknown) => {
          if (!current) return;
          setAnswer((old) => ({ data: old.data, problem: errorText(error), status: (error as ApiError).status ?? 0 }));
          if (isUnreachable(error)) timer = setTimeout(() => void put(tries + 1), retryDelay(tries + 2));
        },
      );
    if (key) void put(0);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key, round]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  return { data: answer.data, problem: answer.problem, status: answer.status, again };
}
