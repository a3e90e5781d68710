// Beside the table (on a phone over it, when it is opened): the agent's mind, what happened, the pace, and resigning.
import { useCallback, useState } from "react";
import { Link, useNavigate } from "react-router";
import type { TableState } from "../api/client";
import type { Table } from "./use-table";
import { drawingOf } from "../games";
import { setPreferences, usePreferences } from "../store/preferences";
import { Button, KeyHint, Panel } from "../ui/basic";
import { History } from "./history";
import { MindBrowser } from "../mind/mind";
import { useKeys } from "../moves/keys";
import { PaceSlider } from "../ui/pace-slider";
import { SeatsPanel } from "./seats-panel";

const SIDE = "min-h-0 flex-col gap-2 overflow-y-auto p-2 lg:static lg:flex lg:pl-0";

export function TableSide({ table, state, open }: { table: Table; state: TableState; open: boolean }) {
  const navigate = useNavigate();
  const { Story, Ending } = drawingOf(state.game);
  const [mind, setMind] = useState(true);
  const place = {
    id: state.id,
    token: table.token,
    game: state.game,
    seat: state.seat,
    players: state.players,
    names: state.names,
  };
  const going = state.turn !== "over";
  return (
    <aside
      aria-label="Mind, history and pace"
      className={`${open ? "absolute inset-0 z-40 flex bg-paper" : "hidden"} ${SIDE}`}
    >
      {Ending && !going && state.open && (
        <Panel title="What was possible" className="relative shrink-0 p-3!">
          <Ending state={state} />
        </Panel>
      )}
      <Panel
        title="The agent's mind"
        className={`relative shrink-0 p-3! lg:overflow-y-auto ${mind ? "lg:h-[52%]" : ""}`}
        aside={
          <Button look="quiet" className="min-h-8" aria-expanded={mind} onClick={() => setMind(!mind)}>
            {mind ? "hide" : "show"}
          </Button>
        }
      >
        {mind && (
          <MindBrowser
            place={place}
            history={state.history}
            open={state.open}
            onReplay={(ply) => void navigate(`/table/${state.id}/replay?ply=${ply}`)}
          />
        )}
      </Panel>
      <Panel
        title="What happened"
        className="relative min-h-40 grow p-3! pt-0! lg:overflow-y-auto"
        headClass="sticky top-0 z-10 bg-panel py-3 mb-0!"
        aside={
          <Link to={`/table/${state.id}/replay`} className="rounded px-2 py-1 text-sm underline">
            Look back
          </Link>
        }
      >
        {Story && <Story state={state} />}
        <History history={state.history} game={state.game} seat={state.seat} names={state.names} />
      </Panel>
      <SeatsPanel table={table} state={state} />
      {going && state.seat !== null && <PaceBar table={table} state={state} />}
      <p className="hidden px-1 text-xs text-soft lg:block">
        Each move shows its key; <KeyHint>↓</KeyHint> and <KeyHint>→</KeyHint> go through them, <KeyHint>p</KeyHint>{" "}
        pauses the agent, <KeyHint>s</KeyHint> lets it make one move.
      </p>
    </aside>
  );
}

function PaceBar({ table, state }: { table: Table; state: TableState }) {
  const { seconds, paused, coach } = usePreferences();
  const agents = state.turn === "agent";
  const { advance } = table;
  useKeys(
    useCallback(
      (key) => {
        if (key === "p") setPreferences({ paused: !paused });
        else if (key === "s" && agents) advance();
        else return false;
        return true;
      },
      [paused, agents, advance],
    ),
  );
  return (
    <div className="panel flex shrink-0 flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5">
      <PaceSlider tight seconds={seconds} onChange={(value) => setPreferences({ seconds: value })} />
      <Button aria-pressed={paused} onClick={() => setPreferences({ paused: !paused })}>
        {paused ? "Go on" : "Pause"}
      </Button>
      <Button disabled={!agents || table.busy} onClick={advance}>
        Step
      </Button>
      {state.mind === "always" && (
        <Button
          aria-pressed={coach}
          className="aria-pressed:border-accent"
          title="After each of your moves: what it has cost"
          onClick={() => setPreferences({ coach: !coach })}
        >
          Coach
        </Button>
      )}
      <Resign table={table} />
    </div>
  );
}

function Resign({ table }: { table: Table }) {
  const [sure, setSure] = useState(false);
  if (!sure) {
    return (
      <Button look="quiet" className="ml-auto" onClick={() => setSure(true)}>
        Resign
      </Button>
    );
  }
  return (
    <span className="ml-auto flex gap-1">
      <Button className="text-bad" onClick={table.resign}>
        Yes, resign
      </Button>
      <Button look="quiet" onClick={() => setSure(false)}>
        No
      </Button>
    </span>
  );
}
