// A table: the board, what can be done, how fast the agent moves, its mind and the history.
import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { type TableState, api, ask, said } from "../api/client";
import { useGameTitle } from "../api/use-games";
import { type Table, useTable } from "../api/use-table";
import { GameBoard, drawingOf } from "../games";
import type { Series } from "../games/drawing";
import { Button, Chip, Key, Loading, Panel, Trouble } from "../parts/basic";
import { Goal, HowToPlay } from "../parts/how-to-play";
import { History } from "../parts/history";
import { MindBrowser, type Place } from "../parts/mind";
import { keyOf, useKeys } from "../parts/moves";
import { PaceSlider } from "../parts/pace";
import { SaveGame } from "../parts/save-game";
import { useTitle } from "../parts/use-title";
import { count, forgetTally, keepSeat, setTaste, useTally, useTaste } from "../store";
import { ending, firstAgent, opponents, scores } from "../words";

export function TablePage() {
  const { id = "" } = useParams();
  return <AtTable key={id} id={id} />;
}

function AtTable({ id }: { id: string }) {
  const table = useTable(id);
  const { state, move, busy, gone } = table;
  const gameTitle = useGameTitle();
  const yours = state?.turn === "you";
  usePacing(table);
  useFocusOnMoves(yours && !busy && !gone);
  useTitle(state ? `${yours ? "Your turn: " : ""}${gameTitle(state.game)}` : "Table");

  useKeys(
    useCallback(
      (key) => {
        const index = yours && !gone ? state.legal.findIndex((_, i) => keyOf(i) === key) : -1;
        const wanted = state?.legal[index];
        if (wanted?.range) document.querySelector<HTMLInputElement>("[data-range] input[type=number]")?.focus();
        else if (wanted) move(wanted.id);
        else if (key === "ArrowDown" && yours && document.activeElement === document.body) {
          document.querySelector<HTMLButtonElement>("[data-moves] button")?.focus();
        } else return false;
        return true;
      },
      [yours, gone, state, move],
    ),
  );

  if (table.lost) return <Lost sentence={table.problem} />;
  if (!state) return gone ? <Away table={table} /> : <Loading what="the table" />;
  const series = drawingOf(state.game).series?.(state);
  const place = { id, token: table.token, game: state.game, seat: state.seat, players: state.players };
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="min-w-0 space-y-3" data-testid="table" data-ply={state.ply} data-turn={busy ? "busy" : state.turn}>
        <TableHead state={state} />
        <Goal state={state} />
        {gone && <Away table={table} />}
        {table.problem && !gone && <Trouble again={table.dismiss} button="Close">{table.problem}</Trouble>}
        {state.trouble && <Trouble>{state.trouble}</Trouble>}
        {state.turn === "over" && !series && <Ended state={state} token={table.token} />}
        <GameBoard state={state} play={yours && !busy && !gone ? move : undefined} />
        {state.turn === "over" && series && <Ended state={state} token={table.token} series={series} />}
        {series && <Tally state={state} series={series} />}
        {state.turn !== "over" && <PaceBar table={table} state={state} />}
      </div>
      <aside className="min-w-0 space-y-4">
        <MindPanel state={state} place={place} />
        <Panel title="What happened" aside={state.turn !== "over" && <Resign table={table} />}>
          <History history={state.history} game={state.game} seat={state.seat} names={state.names} />
        </Panel>
        <p className="px-1 text-xs text-soft">
          <Key>1</Key> … <Key>0</Key> play the moves in order, <Key>↓</Key> and <Key>→</Key> go through them, <Key>p</Key> pauses the agent, <Key>s</Key> lets it make one move.
        </p>
      </aside>
    </div>
  );
}

/** Who plays by the keyboard alone finds the focus where it was: on the moves, though the one that was made is gone. */
function useFocusOnMoves(ready: boolean): void {
  const was = useRef(false);
  useEffect(() => {
    const note = (event: FocusEvent) => {
      const at = event.target as Element;
      was.current = at.matches(":focus-visible") && at.closest("[data-moves]") !== null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (ready && was.current && !document.activeElement?.closest("[data-moves]")) document.querySelector<HTMLButtonElement>("[data-moves] button")?.focus();
  }, [ready]);
}

/** The server is away: said at the bottom of the window too, where somebody who has scrolled down sees it. */
export function Away({ table }: { table: Table }) {
  return (
    <div className="sticky bottom-3 z-10">
      <Trouble again={table.retry} button="Try now">
        <b>Connection lost.</b> {table.gone} {table.busy && "Your move will be sent then."}
      </Trouble>
    </div>
  );
}

function TableHead({ state }: { state: TableState }) {
  const gameTitle = useGameTitle();
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h1 className="text-xl">{gameTitle(state.game)}</h1>
      <Chip>against {opponents(state)}</Chip>
      <Chip>{state.seat === null ? "you are watching" : `seat ${state.seat + 1} of ${state.players}`}</Chip>
      {state.branch_of && (
        <Link to={`/table/${state.branch_of.table}/replay?ply=${state.branch_of.ply}`} className="rounded-full">
          <Chip tone="warn">branch from ply {state.branch_of.ply}</Chip>
        </Link>
      )}
      {state.imported && <Chip>imported</Chip>}
      <span className="ml-auto flex">
        <HowToPlay state={state} />
        <Link to={`/table/${state.id}/replay`} className="rounded px-2 py-1 text-sm underline">
          Step back
        </Link>
      </span>
    </div>
  );
}

function MindPanel({ state, place }: { state: TableState; place: Place }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  return (
    <Panel
      title="The agent's mind"
      aside={
        <Button look="quiet" className="min-h-8" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "hide" : "show"}
        </Button>
      }
    >
      {open && <MindBrowser place={place} history={state.history} open={state.open} onReplay={(ply) => void navigate(`/table/${state.id}/replay?ply=${ply}`)} />}
    </Panel>
  );
}

// ------------------------------------------------------------------------------------------------- pace

/** The agent's moves, at the pace the person likes: the server waits to be asked for each, or answers at once. */
function usePacing({ state, busy, gone, advance, setPace }: Table): void {
  const { seconds, paused } = useTaste();
  const wanted = seconds === 0 && !paused ? "at-once" : "step";
  // of several people one sets the pace: the host, or the first who is still there
  const leads = state?.seats.find((seat) => seat.kind === "person" && !seat.left && (seat.seat === state.host || state.seats[state.host]?.kind !== "person" || state.seats[state.host]?.left))?.you;
  const going = state !== undefined && leads === true && state.turn !== "over" && !gone;
  const pace = state?.pace;
  const waits = going && state.turn === "agent" && !state.trouble && pace === "step" && !paused && !busy;
  const ply = state?.ply;
  useEffect(() => {
    if (going && pace !== wanted) setPace(wanted);
  }, [going, pace, wanted, setPace]);
  useEffect(() => {
    if (!waits || wanted !== "step") return;
    const timer = setTimeout(advance, 1000 * seconds);
    return () => clearTimeout(timer);
  }, [waits, wanted, ply, seconds, advance]);
}

function PaceBar({ table, state }: { table: Table; state: TableState }) {
  const { seconds, paused } = useTaste();
  const agents = state.turn === "agent";
  const { advance } = table;
  useKeys(
    useCallback(
      (key) => {
        if (key === "p") setTaste({ paused: !paused });
        else if (key === "s" && agents) advance();
        else return false;
        return true;
      },
      [paused, agents, advance],
    ),
  );
  return (
    <div className="panel flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5">
      <PaceSlider tight seconds={seconds} onChange={(value) => setTaste({ seconds: value })} />
      <Button aria-pressed={paused} onClick={() => setTaste({ paused: !paused })}>
        {paused ? "Go on" : "Pause"}
      </Button>
      <Button disabled={!agents || table.busy} onClick={advance}>
        Step
      </Button>
      {paused && <span className="text-sm text-warn">{agents ? "Paused: the agent waits for you to step." : "The agent is paused."}</span>}
    </div>
  );
}

function Resign({ table }: { table: Table }) {
  const [sure, setSure] = useState(false);
  if (!sure) {
    return (
      <Button look="quiet" className="min-h-8" onClick={() => setSure(true)}>
        Resign
      </Button>
    );
  }
  return (
    <span className="flex gap-1">
      <Button className="min-h-8 text-bad" onClick={table.resign}>
        Yes, resign
      </Button>
      <Button look="quiet" className="min-h-8" onClick={() => setSure(false)}>
        No
      </Button>
    </span>
  );
}

// ------------------------------------------------------------------------------------------------- the end

const TONES: Record<string, string> = { won: "border-good text-good", lost: "border-bad text-bad", resigned: "border-bad text-bad", drawn: "border-line" };

/** What all games of a kind against one opponent have come to; a game counts once, and not what was branched or imported. */
function Tally({ state, series }: { state: TableState; series: Series }) {
  const name = `${state.game} ${firstAgent(state)?.id ?? opponents(state)}`;
  const { games, sum } = useTally(name);
  const mine = state.seat === null ? undefined : state.result?.payoffs[state.seat];
  const counts = mine !== undefined && state.branch_of === null && !state.imported && state.undone === 0;
  useEffect(() => {
    if (counts) count(name, state.id, mine);
  }, [counts, name, state.id, mine]);
  if (games === 0) return null;
  return (
    <p data-testid="tally" className="flex flex-wrap items-center justify-center gap-x-2 text-sm text-soft">
      <span>
        {games} {games === 1 ? series.unit : `${series.unit}s`} against {opponents(state)}: <b className={sum < 0 ? "text-bad" : "text-good"}>{sum > 0 ? "+" : sum < 0 ? "−" : ""}{Math.abs(sum)}</b> ({series.worth(sum)}, {series.worth(sum / games)} a {series.unit})
      </span>
      <button type="button" className="underline hover:text-ink" onClick={() => forgetTally(name)}>
        start anew
      </button>
    </p>
  );
}

function Ended({ state, token, series }: { state: TableState; token: string; series?: Series }) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");
  const outcome = state.result?.outcome ?? "drawn";
  const taste = useTaste();

  async function again() {
    const { game, mind, pace, watch } = state;
    const seat = series?.seat ?? state.seat;
    const agent = firstAgent(state)?.id ?? null;
    const player_name = taste.name;
    try {
      const seated = await ask(api.POST("/api/tables", { body: { game, options: {}, agent, seat, player_name, mind, pace, watch, undo: true } }));
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}`);
    } catch (error) {
      setProblem(said(error));
    }
  }

  useKeys((key) => {
    if (key !== "n") return false;
    void again();
    return true;
  });
  const yours = state.history.filter((event) => event.by === "you").length;
  return (
    <section aria-label="Result" data-testid="result" className={`panel arrive border-4! text-center ${series ? "p-3" : "p-5"} ${TONES[outcome] ?? ""}`}>
      <h2 className={series ? "text-2xl" : "text-4xl"}>{state.result && ending(state.result, state.seat)}</h2>
      <p className="mt-1 text-ink">
        {series?.verdict ?? scores(state)} {yours} {yours === 1 ? "decision" : "decisions"} of yours, {state.ply} plies in all.
      </p>
      {!state.open && <p className="mt-1 text-sm text-soft">Other branches of this game are still running, so hidden cards stay hidden.</p>}
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        <Button look="main" onClick={() => void again()}>
          {series?.again ?? "Play again"} <kbd aria-hidden className="rounded border border-current/40 px-1 font-mono text-xs font-normal">n</kbd>
        </Button>
        <Button onClick={() => void navigate(`/table/${state.id}/replay?ply=0`)}>Replay with the agent's mind</Button>
        <SaveGame id={state.id} token={token} onProblem={setProblem} />
        <Button onClick={() => void navigate("/")}>Another game</Button>
      </div>
      {problem && <div className="mt-3"><Trouble>{problem}</Trouble></div>}
    </section>
  );
}

export function Lost({ sentence }: { sentence: string }) {
  return (
    <div className="space-y-3">
      <Trouble>{sentence || "This browser has no seat at this table: the token is in the browser that started the game."}</Trouble>
      <Link className="underline" to="/">
        To the lobby
      </Link>
    </div>
  );
}
