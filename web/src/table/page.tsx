// A table, all of it in one window: the bar, the board, what can be done, and beside it the mind and the history.
import { type ReactNode, useEffect, useState } from "react";
import { Navigate, useParams } from "react-router";
import type { TableState } from "../api/client";
import { useGameTitle } from "../queries/games";
import { type Table, useTable } from "./use-table";
import { Button, ErrorMessage, PageNotice, PagePending } from "../ui/basic";
import { Header } from "../layout/header";
import { PlayArea } from "./play-area";
import { Overlay, Result, Revealing } from "./result";
import { useReveal } from "./reveal";
import { useSounds } from "./sound";
import { TableBar } from "./bar";
import { TableSide } from "./side";
import { Tour } from "./tour";
import { useTitle } from "../ui/use-title";
import { WaitingRoom } from "./waiting-room";
import { setPreferences, usePreferences } from "../store/preferences";
import { useReplacement, useToken } from "../store/seats";
import { TablePreviewPage } from "./preview";

export default function TablePage() {
  const { id = "" } = useParams();
  const token = useToken(id);
  const next = useReplacement(id);
  return next ? <Navigate replace to={`/table/${next}`} /> : <AtTable key={`${id} ${token}`} id={id} />;
}

function AtTable({ id }: { id: string }) {
  const table = useTable(id);
  const { state, gone } = table;
  const [saw, setSaw] = useState(false); // it before its end
  if (state && !state.open && !saw) setSaw(true);
  const gameTitle = useGameTitle();
  usePacing(table);
  useTitle(state ? `${state.turn === "you" ? "Your turn: " : ""}${gameTitle(state.game)}` : "Table");
  if (table.lost || (state?.turn === "waiting" && state.seat === null)) {
    return (
      <PageFrame>
        <TablePreviewPage id={id} />
      </PageFrame>
    );
  }
  if (state?.turn === "waiting") {
    return (
      <PageFrame>
        {gone && <ConnectionLost table={table} />}
        <WaitingRoom table={table} state={state} />
      </PageFrame>
    );
  }
  if (state?.open && state.seat === null) {
    return <Navigate replace to={`/table/${id}/replay${saw ? `?ply=${state.ply}` : ""}`} />;
  }
  if (!state) return <TablePending table={table} />;
  return <Seated key={id} table={table} state={state} />;
}

function Seated({ table, state: now }: { table: Table; state: TableState }) {
  const { gone } = table;
  const { shown: state, text, skip } = useReveal(now);
  const [side, setSide] = useState(false);
  const [guide, setGuide] = useState(0);
  useSounds(state);
  const below = (moves: ReactNode) =>
    text ? (
      <Revealing text={text} skip={skip} />
    ) : state.turn === "over" ? (
      <Result state={state} />
    ) : (
      <Actions table={table} state={state} moves={moves} />
    );
  return (
    <div className="flex h-dvh min-h-140 flex-col">
      <TableBar table={table} state={state} guide={() => setGuide(guide + 1)} side={side} setSide={setSide} />
      <div className="relative grid min-h-0 grow grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_22rem]">
        <PlayArea table={table} state={state} below={below}>
          <Tour state={state} again={guide} />
          {gone && <ConnectionLost table={table} />}
          {state.trouble && !gone && (
            <Overlay>
              <ErrorMessage>{state.trouble}</ErrorMessage>
            </Overlay>
          )}
        </PlayArea>
        <TableSide table={table} state={state} open={side} />
      </div>
    </div>
  );
}

/** What can be done; while the agent is paused, to let it go on. */
function Actions({ table, state, moves }: { table: Table; state: TableState; moves: ReactNode }) {
  const { paused } = usePreferences();
  if (!paused || state.turn !== "agent") return moves;
  return (
    <div className="flex h-full flex-wrap content-center items-center justify-center gap-2 text-sm">
      <span className="text-warn">The agent is paused.</span>
      <Button disabled={table.busy} onClick={table.advance}>
        One move
      </Button>
      <Button onClick={() => setPreferences({ paused: false })}>Unpause</Button>
    </div>
  );
}

/** The agent's moves, at the pace the person likes: the server waits to be asked for each, or answers at once. */
function usePacing({ state, busy, gone, advance, setPace }: Table): void {
  const { seconds, paused } = usePreferences();
  const wanted = seconds === 0 && !paused ? "at-once" : "step";
  // of several people one sets the pace: the host, or the first who is still there
  const leads = state?.seats.find(
    (seat) =>
      seat.kind === "person" &&
      !seat.left &&
      (seat.seat === state.host || state.seats[state.host]?.kind !== "person" || state.seats[state.host]?.left),
  )?.you;
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

const NOTICE = "pointer-events-none fixed inset-x-0 z-50 grid justify-items-center p-1 *:pointer-events-auto";

/** The server is away: said in the middle, where one looks; closed, one can look at the board, and it is said at the top. */
export function ConnectionLost({ table }: { table: Table }) {
  const [small, setSmall] = useState(false);
  return (
    <div className={`${NOTICE} ${small ? "top-0" : "inset-y-0 content-center p-4"}`}>
      <div className={`rounded-lg shadow-2xl ${small ? "" : "w-[min(30rem,100%)]"}`}>
        {small ? (
          <Button className="border-warn/40! bg-warn-bg! text-warn!" onClick={() => setSmall(false)}>
            Connection lost
          </Button>
        ) : (
          <ErrorMessage again={table.retry} button="Try now" close={() => setSmall(true)}>
            <b>Connection lost.</b> {table.gone} {table.busy && "Your move will be sent then."}
          </ErrorMessage>
        )}
      </div>
    </div>
  );
}

/** Before the state of a table is known. */
export const TablePending = ({ table }: { table: Table }) =>
  table.gone ? (
    <PageNotice title="Connection lost">
      <ConnectionLost table={table} />
    </PageNotice>
  ) : (
    <PagePending what="the table" />
  );

/** Before a game begins there is no table yet: a page like the others. */
function PageFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <Header />
      <div className="px-3 py-4 sm:px-5">{children}</div>
    </>
  );
}
