// One table: its state with the whole history, kept up to date by a WebSocket, and what can be done there.
import { useCallback, useEffect, useRef, useState } from "react";
import { keepSeat, seatAt } from "../store/seats";
import {
  type Pace,
  ApiError,
  type TableState,
  api,
  ask,
  bearer,
  isUnreachable,
  errorText,
  retryDelay,
} from "../api/client";
import { followLive } from "../api/live";
import { mergeState } from "./merge-state";

const REFUSED = [401, 403, 404]; // no such table, or it is not ours

export type Table = {
  token: string;
  state: TableState | undefined;
  problem: string; // the last refusal, for the person
  gone: string; // why the server cannot be spoken to, empty while it can
  lost: boolean; // there is no such table, or it is not ours
  busy: boolean; // a move is on its way
  dismiss: () => void;
  retry: () => void; // do not wait for the next try
  move: (id: number) => void;
  advance: () => void;
  setPace: (pace: Pace) => void;
  resign: () => void;
  ask: (request: (at: At) => Promise<TableState>) => void; // anything else, after what was asked before
};

/** How a request says which table it is about, and who asks. */
export type At = { params: { path: { table: string }; query: { since: number } }; headers: Record<string, string> };

/** Of one id only: a component that shows another table must be another one (by its key). A seat whose token is given is not stored. */
export function useTable(id: string, given?: string): Table {
  const token = given ?? seatAt(id)?.token ?? "";
  const [state, setState] = useState<TableState>();
  const [problem, setProblem] = useState("");
  const [gone, setGone] = useState("");
  const [lost, setLost] = useState(false);
  const [round, setRound] = useState(0);
  const [moving, setMoving] = useState(0);
  const known = useRef<TableState>(undefined);
  const line = useRef(Promise.resolve()); // what is asked of the server, one thing after the other
  const here = useRef(true); // the page is still open
  const away = useRef(false); // the server was, when last asked
  const waiting = useRef<(() => void)[]>([]); // until the server is back

  const apply = useCallback(
    (whole: TableState) => {
      known.current = whole;
      setState(whole);
      if (given === undefined) keepSeat(whole, token);
    },
    [token, given],
  );

  /** Read the whole table. Answers may overtake each other: an older one is used only if the server was unreachable. */
  const look = useCallback(
    async (afresh = false) => {
      const params = { path: { table: id }, query: { since: 0 } };
      const whole = await ask(api.GET("/api/tables/{table}", { params, headers: bearer(token) }));
      if (afresh || whole.ply >= (known.current?.ply ?? 0)) apply(whole);
    },
    [id, token, apply],
  );

  const take = useCallback(
    async (next: TableState) => {
      const old = known.current;
      if (next.id !== id || (old && next.ply < old.ply)) return;
      const whole = mergeState(old, next);
      // when a game is opened, what was hidden in its history is shown
      if (!whole || (next.open && !old?.open && next.since > 0)) return look();
      apply(whole);
    },
    [id, look, apply],
  );

  const retry = useCallback(() => setRound((n) => n + 1), []);
  const fail = useCallback(
    (error: unknown) => {
      if (isUnreachable(error)) {
        away.current = true;
        setGone(errorText(error));
        retry();
        return;
      }
      if (error instanceof ApiError && REFUSED.includes(error.status)) setLost(true);
      setProblem(errorText(error));
    },
    [retry],
  );

  useEffect(() => {
    if (lost) return;
    const end = followLive<TableState>({
      path: `/api/tables/${id}/live`,
      token,
      look: () => look(away.current),
      take: (next) => void take(next).catch(fail),
      there: () => {
        away.current = false;
        setGone("");
        for (const go of waiting.current.splice(0)) go();
      },
      away: (sentence) => {
        away.current = true;
        setGone(sentence);
      },
      fail,
    });
    window.addEventListener("online", retry);
    return () => {
      window.removeEventListener("online", retry);
      end();
    };
  }, [id, token, lost, round, take, look, fail, retry]);

  useEffect(() => {
    const those = waiting.current;
    here.current = true;
    return () => {
      here.current = false;
      for (const go of those.splice(0)) go();
    };
  }, []);

  /**
   * Ask something of the server when what was asked before is done, and again when it is back if it went away. All of it
   * may be asked twice: a move says its ply, and what was meant for another ply than the present one is not asked at all.
   */
  const act = useCallback(
    async (request: (now: TableState) => Promise<TableState>, meant?: number) => {
      setProblem("");
      for (let tries = 0; here.current; tries++) {
        const now = known.current;
        if (!now || (meant !== undefined && now.ply !== meant)) return;
        try {
          return await take(await request(now));
        } catch (error) {
          fail(error);
          const late = error instanceof ApiError && error.status === 409; // others were faster
          if (!isUnreachable(error)) return late ? look().catch(fail) : undefined;
          await new Promise<void>((back) => waiting.current.push(back));
          await new Promise<void>((go) => setTimeout(go, tries && retryDelay(tries)));
        }
      }
    },
    [take, fail, look],
  );
  const queue = useCallback(
    (request: (now: TableState) => Promise<TableState>, meant?: number) => {
      const turn = line.current.then(() => act(request, meant));
      line.current = turn;
      return turn;
    },
    [act],
  );
  /** For the present ply. */
  const atPly = useCallback(
    (request: (now: TableState) => Promise<TableState>) => {
      if (!known.current) return;
      setMoving((n) => n + 1);
      void queue(request, known.current.ply).finally(() => setMoving((n) => n - 1));
    },
    [queue],
  );

  const at = useCallback(
    (now: TableState) => ({ params: { path: { table: id }, query: { since: now.ply } }, headers: bearer(token) }),
    [id, token],
  );
  const move = useCallback(
    (id: number) =>
      atPly((now) => ask(api.POST("/api/tables/{table}/moves", { ...at(now), body: { ply: now.ply, move: id } }))),
    [atPly, at],
  );
  const advance = useCallback(
    () => atPly((now) => ask(api.POST("/api/tables/{table}/advance", { ...at(now), body: { ply: now.ply } }))),
    [atPly, at],
  );
  const setPace = useCallback(
    (pace: Pace) => void queue((now) => ask(api.PUT("/api/tables/{table}/pace", { ...at(now), body: { pace } }))),
    [queue, at],
  );
  const resign = useCallback(
    () =>
      void queue(() =>
        ask(api.POST("/api/tables/{table}/resign", { params: { path: { table: id } }, headers: bearer(token) })),
      ),
    [queue, id, token],
  );
  const askFor = useCallback(
    (request: (at: At) => Promise<TableState>) => void queue((now) => request(at(now))),
    [queue, at],
  );
  const dismiss = useCallback(() => setProblem(""), []);
  return {
    token,
    state,
    problem,
    gone,
    lost,
    busy: moving > 0,
    dismiss,
    retry,
    move,
    advance,
    setPace,
    resign,
    ask: askFor,
  };
}
