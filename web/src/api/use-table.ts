// One table: its state with the whole history, kept up to date by a WebSocket, and what can be done there.
import { useCallback, useEffect, useRef, useState } from "react";
import { keepSeat, seatAt } from "../store";
import { type Pace, Problem, type TableState, api, ask, bearer, said } from "./client";

const PATIENCE = 2000; // milliseconds until the server is tried again

/** What is new, after what was known; undefined if something lies between. */
function merged(old: TableState | undefined, next: TableState): TableState | undefined {
  if (next.since === 0) return next;
  if (!old || next.since > old.history.length) return undefined;
  return { ...next, since: 0, history: [...old.history.slice(0, next.since), ...next.history] };
}

export type Table = {
  token: string;
  state: TableState | undefined;
  problem: string; // the last refusal, for the person
  gone: boolean; // the server does not answer
  lost: boolean; // there is no such table, or it is not ours
  busy: boolean;
  dismiss: () => void;
  move: (name: string) => void;
  advance: () => void;
  setPace: (pace: Pace) => void;
  resign: () => void;
};

/** Of one id only: a component that shows another table must be another one (by its key). */
export function useTable(id: string): Table {
  const token = seatAt(id)?.token ?? "";
  const [state, setState] = useState<TableState>();
  const [problem, setProblem] = useState("");
  const [gone, setGone] = useState(false);
  const [lost, setLost] = useState(false);
  const [busy, setBusy] = useState(false);
  const known = useRef<TableState>(undefined);
  const working = useRef(false);

  const look = useCallback(async () => {
    const params = { path: { table: id }, query: { since: 0 } };
    const whole = await ask(api.GET("/api/tables/{table}", { params, headers: bearer(token) }));
    known.current = whole;
    setState(whole);
    keepSeat(whole, token);
  }, [id, token]);

  const take = useCallback(
    async (next: TableState) => {
      const old = known.current;
      if (next.id !== id || (old && next.ply < old.ply)) return;
      const whole = merged(old, next);
      // when a game is opened, what was hidden in its history is told
      if (!whole || (next.open && !old?.open && next.since > 0)) return look();
      known.current = whole;
      setState(whole);
      keepSeat(whole, token);
    },
    [id, token, look],
  );

  const fail = useCallback((error: unknown) => {
    const status = error instanceof Problem ? error.status : -1;
    if (status === 0 || status === 503) setGone(true);
    else if (status === 401 || status === 403 || status === 404) setLost(true);
    setProblem(status === 0 ? "" : said(error));
  }, []);

  // the whole table at first, and again until the server is back
  useEffect(() => {
    if (token) look().catch(fail);
  }, [token, look, fail]);
  useEffect(() => {
    if (!gone) return;
    const timer = setInterval(() => {
      look().then(
        () => {
          setGone(false);
          setProblem("");
        },
        () => undefined,
      );
    }, PATIENCE);
    return () => clearInterval(timer);
  }, [gone, look]);

  // whatever happens there from elsewhere: another window, the agent
  useEffect(() => {
    if (!token || gone || lost) return;
    const socket = new WebSocket(`${window.location.origin.replace(/^http/, "ws")}/api/tables/${id}/live`);
    let wanted = true;
    socket.addEventListener("open", () => (wanted ? socket.send(JSON.stringify({ token })) : socket.close()));
    socket.addEventListener("message", (event) => {
      if (wanted) take(JSON.parse(String(event.data)) as TableState).catch(fail);
    });
    socket.addEventListener("close", (event) => {
      if (wanted && event.code < 4400) look().catch(fail); // is the server still there?
    });
    return () => {
      wanted = false;
      if (socket.readyState === WebSocket.OPEN) socket.close();
    };
  }, [id, token, gone, lost, take, look, fail]);

  const act = useCallback(
    async (request: (now: TableState) => Promise<TableState>) => {
      const now = known.current;
      if (!now || working.current) return;
      working.current = true;
      setBusy(true);
      setProblem("");
      try {
        await take(await request(now));
      } catch (error) {
        fail(error);
        if (error instanceof Problem && error.status === 409) await look().catch(fail); // others were faster
      } finally {
        working.current = false;
        setBusy(false);
      }
    },
    [take, fail, look],
  );

  const at = useCallback((now: TableState) => ({ params: { path: { table: id }, query: { since: now.ply } }, headers: bearer(token) }), [id, token]);
  const move = useCallback(
    (name: string) => void act((now) => ask(api.POST("/api/tables/{table}/moves", { ...at(now), body: { ply: now.ply, move: name } }))),
    [act, at],
  );
  const advance = useCallback(
    () => void act((now) => ask(api.POST("/api/tables/{table}/advance", { ...at(now), body: { ply: now.ply } }))),
    [act, at],
  );
  const setPace = useCallback(
    (pace: Pace) => void act((now) => ask(api.PUT("/api/tables/{table}/pace", { ...at(now), body: { pace } }))),
    [act, at],
  );
  const resign = useCallback(
    () => void act(() => ask(api.POST("/api/tables/{table}/resign", { params: { path: { table: id } }, headers: bearer(token) }))),
    [act, id, token],
  );
  const dismiss = useCallback(() => setProblem(""), []);
  return { token, state, problem, gone, lost: lost || !token, busy, dismiss, move, advance, setPace, resign };
}
