// The bar over a table: what is played against whom, and what one may want at any time.
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { type TableState, api, ask, bearer, errorText } from "../api/client";
import { useGameTitle } from "../queries/games";
import type { Table } from "./use-table";
import { againstText } from "../games";
import { keepSeat } from "../store/seats";
import { opponentNames } from "../format/table";
import { Button, Chip } from "../ui/basic";
import { Face } from "../ui/face";
import { HowToPlay } from "./how-to-play";
import { Mute } from "./mute";

export function TableBar({
  table,
  state,
  guide,
  side,
  setSide,
}: {
  table: Table;
  state: TableState;
  guide: () => void;
  side: boolean;
  setSide: (open: boolean) => void;
}) {
  const gameTitle = useGameTitle();
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line bg-panel px-2 sm:gap-2 sm:px-4">
      <Link
        to="/"
        className="flex shrink-0 items-center gap-2 rounded p-1 font-serif text-xl"
        aria-label="Parlor, to the start"
      >
        <img src="/icon.svg" alt="" width={28} height={28} />
      </Link>
      <h1 className="min-w-0 truncate text-lg">{gameTitle(state.game)}</h1>
      <span className="hidden min-w-0 gap-2 truncate sm:flex">
        <span className="flex min-w-0 items-center gap-1.5 text-sm">
          <span className="flex shrink-0 -space-x-2">
            {state.seats
              .filter((seat) => seat.agent && seat.seat !== state.seat)
              .map((seat) => (
                <Face key={seat.seat} name={seat.name} />
              ))}
          </span>
          <span className="truncate text-soft">{againstText(state.game, opponentNames(state))}</span>
        </span>
        <Chip>{state.seat === null ? "you are watching" : `seat ${state.seat + 1} of ${state.players}`}</Chip>
        {state.branch_of && (
          <Link to={`/table/${state.branch_of.table}/replay?ply=${state.branch_of.ply}`} className="rounded-full">
            <Chip tone="warn">tried again from an earlier move</Chip>
          </Link>
        )}
        {state.imported && <Chip>imported</Chip>}
      </span>
      <span className="ml-auto flex shrink-0 items-center">
        <Countdown state={state} />
        {state.undo && <TakeBack table={table} state={state} />}
        <HowToPlay state={state} guide={guide} />
        <Mute />
        <Button className="lg:hidden" aria-expanded={side} onClick={() => setSide(!side)}>
          {side ? "Table" : "More"}
        </Button>
      </span>
    </header>
  );
}

/** The time that is left for a person's decision; a phone's clock may be wrong, so it only counts down from what is allowed. */
function Countdown({ state }: { state: TableState }) {
  const deadline = state.clock?.deadline;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!deadline) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, [deadline]);
  if (!deadline || !state.clock) return null;
  const left = Math.min(state.clock.seconds, Math.max(0, Math.ceil((Date.parse(deadline) - now) / 1000)));
  return (
    <span
      role="timer"
      aria-label="Time left"
      data-testid="clock"
      className={`rounded-md px-2 font-mono text-sm ${left <= 5 ? "bg-warn-bg text-warn" : "bg-raised"}`}
    >
      {Math.floor(left / 60)}:{String(left % 60).padStart(2, "0")}
    </span>
  );
}

/** One's last move, taken back: the game goes on at a table of its own, before that move. */
function TakeBack({ table, state }: { table: Table; state: TableState }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  async function undo() {
    setBusy(true);
    try {
      const request = { params: { path: { table: state.id } }, headers: bearer(table.token), body: { ply: state.ply } };
      const seated = await ask(api.POST("/api/tables/{table}/undo", request));
      keepSeat(seated.state, seated.token); // and the page goes there
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  }
  const why = "Take back your last move; the game will not count in your record";
  return (
    <Button
      look="quiet"
      className="px-2! whitespace-nowrap"
      disabled={busy || table.busy}
      title={problem || why}
      onClick={() => void undo()}
    >
      <span aria-hidden className="text-lg leading-none">
        ↶
      </span>
      <span className="sr-only sm:not-sr-only">Take back</span>
      {problem && (
        <span role="alert" className="sr-only">
          {problem}
        </span>
      )}
    </Button>
  );
}
