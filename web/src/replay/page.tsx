// Replay: step through a game, finished or not, see what the agent thought at each decision, branch from one's own.
import { useCallback, useEffect, useMemo, useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import { type AgentInfo, type TableState, api, ask, bearer, errorText } from "../api/client";
import { useAgentsQuery } from "../queries/agents";
import { useApiQuery } from "../queries/use-api-query";
import { useGameTitle } from "../queries/games";
import { useTable } from "../table/use-table";
import { GameBoard, againstText, verdictOf } from "../games";
import { Button, Chip, Empty, KeyHint, Loading, Panel, ErrorMessage } from "../ui/basic";
import { History } from "../table/history";
import { MindAt } from "../mind/mind";
import { Review } from "./review";
import { useKeys } from "../moves/keys";
import { SaveGame } from "../table/save-game";
import { useTitle } from "../ui/use-title";
import { keepSeat, useToken } from "../store/seats";
import { usePreferences } from "../store/preferences";
import { capitalized } from "../format/numbers";
import { firstAgentOf, opponentNames, actorName, isNear, moveNumber, nearSeat } from "../format/table";
import { CopyLink } from "../ui/copy";
import { ForStrangers, fromNearSeat } from "./stranger";
import { plyIn } from "./position";
import { TablePreviewPage } from "../table/preview";
import { TablePending } from "../table/page";

export default function ReplayPage() {
  const { id = "" } = useParams();
  return <Replay key={`${id} ${useToken(id)}`} id={id} />;
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView();

function Replay({ id }: { id: string }) {
  const table = useTable(id);
  const now = table.state && fromNearSeat(table.state);
  const gameTitle = useGameTitle();
  useTitle(now ? `Replay: ${gameTitle(now.game)}` : "Replay");
  const [search, setSearch] = useSearchParams();
  const last = now?.ply ?? 0;
  const ply = plyIn(search, now);
  const go = useCallback(
    (to: number) => setSearch({ ply: String(Math.min(Math.max(0, to), last)) }, { replace: true }),
    [setSearch, last],
  );
  const past = usePast(id, table.token, now, ply);
  const branching = useBranch(id, table.token);

  if (table.lost) return <TablePreviewPage id={id} />;
  if (!now) return <TablePending table={table} />;
  const event = now.history[ply];
  const stranger = now.seat === null && now.open;
  const near = now.names[nearSeat(now)] ?? "";
  const own = isNear(now, event);
  const place = { id, token: table.token, game: now.game, seat: now.seat, players: now.players, names: now.names };
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="min-w-0 space-y-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="text-xl">Replay: {gameTitle(now.game)}</h1>
          {!stranger && (
            <>
              <Chip>{againstText(now.game, opponentNames(now))}</Chip>
              <Chip tone={now.result?.outcome === "won" ? "good" : "plain"}>{verdictOf(now) || "goes on"}</Chip>
            </>
          )}
          {!stranger && (
            <Link to={`/table/${id}`} className="ml-auto rounded px-2 py-1 text-sm underline">
              {now.turn === "over" ? "To the result" : "Back to the table"}
            </Link>
          )}
          {now.open && !stranger && <CopyLink path={`/table/${id}/replay`}>Copy link</CopyLink>}
        </div>
        {stranger && (
          <ForStrangers state={now} token={table.token} go={go} retry={(from) => void branching.branch(from)} />
        )}
        <Steps state={now} ply={ply} last={last} go={go} />
        <p className="rounded-lg bg-raised px-3 py-2 text-sm" aria-live="polite" data-testid="next">
          {event ? (
            <>
              {event.by !== "chance" && <span className="text-soft">Move {moveNumber(now.history, ply)}: </span>}
              {event.by !== "chance" && (
                <b className={own ? "text-accent" : "text-warn"}>{actorName(event, now.names)}: </b>
              )}
              {event.by === "chance" ? capitalized(event.text) : event.text}
            </>
          ) : now.turn === "over" ? (
            "This is the end of the game."
          ) : (
            "This is the current position."
          )}
        </p>
        {branching.problem && <ErrorMessage>{branching.problem}</ErrorMessage>}
        {past.problem ? (
          <ErrorMessage again={past.again}>{past.problem}</ErrorMessage>
        ) : past.data ? (
          <GameBoard state={fromNearSeat({ ...past.data, legal: [] })} play={undefined} />
        ) : (
          <Loading what="the position" />
        )}
      </div>
      <aside className="min-w-0 space-y-4">
        {now.open && (
          <Panel title="Review">
            <span ref={search.has("review") ? intoView : undefined} className="block scroll-mt-28" />
            <Review
              id={id}
              token={table.token}
              ply={ply}
              history={now.history}
              go={go}
              retry={(from) => void branching.branch(from)}
              whose={stranger ? `${near}'s` : "Your"}
            />
          </Panel>
        )}
        <Panel title={own ? "What would it do here?" : "The agent's mind"}>
          {!event ? (
            <Empty>Go back to a decision to see the agent's mind.</Empty>
          ) : event.by === "chance" ? (
            <Empty>Here cards were dealt or dice rolled: nobody decided.</Empty>
          ) : (
            <MindAt key={ply} place={place} ply={ply} open={now.open} />
          )}
        </Panel>
        <Branch state={now} token={table.token} ply={ply} yours={own} branching={branching} />
        <Panel title="What happened">
          <History history={now.history} game={now.game} seat={now.seat} names={now.names} current={ply} onPick={go} />
        </Panel>
      </aside>
    </div>
  );
}

/** The position after `ply` moves; those looked at are kept, and so is the last one while the next is on its way. */
function usePast(id: string, token: string, now: TableState | undefined, ply: number) {
  const params = { path: { table: id, ply } };
  return useApiQuery(
    now ? `replay ${id} ${ply} ${now.open}` : "",
    () => ask(api.GET("/api/tables/{table}/replay/{ply}", { params, headers: bearer(token) })),
    { staleTime: Infinity, gcTime: 60_000 },
  );
}

function Steps({ state, ply, last, go }: { state: TableState; ply: number; last: number; go: (ply: number) => void }) {
  const { seconds } = usePreferences();
  const whose = state.seat === null ? `${state.names[nearSeat(state)] ?? ""}'s` : "Your";
  const [running, setRunning] = useState(false);
  const yours = useMemo(() => state.history.filter((event) => isNear(state, event)).map((event) => event.ply), [state]);
  const before = yours.findLast((one) => one < ply);
  const after = yours.find((one) => one > ply);
  useEffect(() => {
    if (!running) return;
    if (ply >= last) {
      setRunning(false);
      return;
    }
    const timer = setTimeout(() => go(ply + 1), Math.max(150, (1000 * (seconds || 0.5)) / 2));
    return () => clearTimeout(timer);
  }, [running, ply, last, go, seconds]);
  useKeys(
    useCallback(
      (key) => {
        const here = plyIn(new URLSearchParams(window.location.search), state); // the address is ahead of what is drawn
        if (key === "ArrowLeft") go(here - 1);
        else if (key === "ArrowRight") go(here + 1);
        else if (key === "Home") go(0);
        else if (key === "End") go(last);
        else if (key === "[") go(yours.findLast((one) => one < here) ?? here);
        else if (key === "]") go(yours.find((one) => one > here) ?? here);
        else return false;
        return true;
      },
      [go, state, last, yours],
    ),
  );
  return (
    <div className="panel space-y-1 px-3 py-2">
      <label className="flex items-center gap-3">
        <span className="sr-only">Moves so far</span>
        <input
          type="range"
          className="h-8 grow"
          min={0}
          max={last}
          value={ply}
          aria-valuetext={`after ${ply} of ${last} moves`}
          onChange={(e) => go(Number(e.target.value))}
        />
        <span className="w-16 text-right font-mono text-sm">
          {ply}/{last}
        </span>
      </label>
      <div className="flex flex-wrap items-center gap-1 sm:gap-1.5 [&>button]:px-2 sm:[&>button]:px-3">
        <Button aria-label="To the beginning" disabled={ply === 0} onClick={() => go(0)}>
          |◀
        </Button>
        <Button aria-label="One move back" disabled={ply === 0} onClick={() => go(ply - 1)}>
          ◀
        </Button>
        <Button aria-pressed={running} onClick={() => setRunning(!running)} disabled={ply >= last}>
          {running ? "Pause" : "Run"}
        </Button>
        <Button aria-label="One move on" disabled={ply >= last} onClick={() => go(ply + 1)}>
          ▶
        </Button>
        <Button aria-label="To the end" disabled={ply >= last} onClick={() => go(last)}>
          ▶|
        </Button>
        <span className="grow" />
        <Button disabled={before === undefined} onClick={() => before !== undefined && go(before)}>
          <span className="sr-only">{whose} decision before</span>
          <span aria-hidden>◀ {state.seat === null ? whose : "Yours"}</span>
        </Button>
        <Button disabled={after === undefined} onClick={() => after !== undefined && go(after)}>
          <span className="sr-only">{whose} next decision</span>
          <span aria-hidden>{state.seat === null ? whose : "Yours"} ▶</span>
        </Button>
      </div>
      <p className="hidden text-xs text-soft sm:block">
        <KeyHint>←</KeyHint> <KeyHint>→</KeyHint> one move, <KeyHint>[</KeyHint> <KeyHint>]</KeyHint>{" "}
        {whose.replace("Your", "your")} decisions, <KeyHint>Home</KeyHint> <KeyHint>End</KeyHint>
      </p>
    </div>
  );
}

/** A new game that continues from a ply of this one. */
function useBranch(id: string, token: string) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");
  const branch = async (ply: number, agent = "") => {
    try {
      const body = agent ? { ply, agent } : { ply };
      const seated = await ask(
        api.POST("/api/tables/{table}/branch", { params: { path: { table: id } }, headers: bearer(token), body }),
      );
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}`);
    } catch (error) {
      setProblem(errorText(error));
    }
  };
  return { branch, problem };
}

function Branch({
  state,
  token,
  ply,
  yours,
  branching,
}: {
  state: TableState;
  token: string;
  ply: number;
  yours: boolean;
  branching: ReturnType<typeof useBranch>;
}) {
  const [agent, setAgent] = useState("");
  const [problem, setProblem] = useState("");
  const agents = useAgentsQuery(state.game);

  return (
    <Panel title="What if …">
      <p className="mb-2 text-sm text-soft">
        {!state.open
          ? "When the game is over, a new one can continue from any decision of yours."
          : yours
            ? "A new game continues from this decision; what is dealt later is new."
            : `Go to a decision of ${state.seat === null ? `${state.names[nearSeat(state)] ?? ""}'s` : "yours"} to continue from there.`}
      </p>
      <div className="flex flex-wrap gap-2">
        <label className="max-w-full min-w-0 text-sm">
          <span className="sr-only">Against whom</span>
          <select className="field w-full truncate" value={agent} onChange={(e) => setAgent(e.target.value)}>
            <option value="">{againstText(state.game, opponentNames(state))}</option>
            {(agents.data ?? [])
              .filter((one: AgentInfo) => one.id !== firstAgentOf(state)?.id)
              .map((one) => (
                <option key={one.id} value={one.id}>
                  {againstText(state.game, one.character)}
                </option>
              ))}
          </select>
        </label>
        <Button look="main" disabled={!yours || !state.open} onClick={() => void branching.branch(ply, agent)}>
          Try again from here
        </Button>
        <SaveGame id={state.id} token={token} onProblem={setProblem} />
      </div>
      {problem && (
        <div className="mt-3">
          <ErrorMessage>{problem}</ErrorMessage>
        </div>
      )}
    </Panel>
  );
}
