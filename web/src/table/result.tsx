// How a game ended, in the middle of the table; closed, one can look at the board, and the same stands where the moves were.
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { type NewTable, type TableState, api, ask, errorText } from "../api/client";
import { drawingOf, verdictOf } from "../games";
import type { Series } from "../games/drawing";
import { addToTally, forgetTally, useTally } from "../store/tallies";
import { keepSeat } from "../store/seats";
import { usePreferences } from "../store/preferences";
import { firstAgentOf, opponentNames, payoffText } from "../format/table";
import { Button, ErrorMessage } from "../ui/basic";
import { useKeys } from "../moves/keys";
import { SaveGame } from "./save-game";

const TONES: Record<string, string> = {
  won: "border-good text-good",
  lost: "border-bad text-bad",
  resigned: "border-bad text-bad",
  drawn: "border-line",
};

/** In the middle of what is around it, over everything there. */
export function Overlay({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none absolute inset-0 z-30 grid place-items-center p-2 *:pointer-events-auto">
      {children}
    </div>
  );
}

/** The same agents again, and open seats for the other people; `seat` is where the person sits this time. */
function sameSeats(state: TableState, seat = state.seat ?? 0): NonNullable<NewTable["seats"]> {
  const others = state.seats.filter((one) => one.seat !== state.seat);
  return state.seats.map((one) => {
    if (one.seat === seat) return { kind: "you" };
    const other = others.shift();
    return other?.agent ? { kind: "agent", agent: other.agent.id } : { kind: "open" };
  });
}

const RESULT =
  "panel arrive relative max-h-full w-[min(34rem,100%)] overflow-y-auto border-4! p-4 text-center shadow-2xl";

export function Result({
  state,
  token,
  series,
  open,
  setOpen,
}: {
  state: TableState;
  token: string;
  series: Series | undefined;
  open: boolean;
  setOpen: (open: boolean) => void;
}) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");
  const { name } = usePreferences();
  const outcome = state.result?.outcome ?? "drawn";
  const { unit, verdict, Ending } = drawingOf(state.game);
  const heading = verdictOf(state);

  async function again() {
    const { game, mind, pace, watch } = state;
    try {
      const body = {
        game,
        options: {},
        seats: sameSeats(state, series?.seat),
        player_name: name,
        mind,
        pace,
        watch,
        clock: state.clock?.seconds ?? null,
        undo: true,
      };
      const seated = await ask(api.POST("/api/tables", { body }));
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}`);
    } catch (error) {
      setProblem(errorText(error));
    }
  }

  useKeys((key) => {
    if (key === "n") void again();
    else if (key === "Escape" && open) setOpen(false);
    else return false;
    return true;
  });

  const next = state.seat !== null && (
    <Button look="main" aria-keyshortcuts="n" onClick={() => void again()}>
      {series?.again ?? "Play again"}{" "}
      <kbd aria-hidden className="rounded border border-current/40 px-1 font-mono text-xs font-normal">
        n
      </kbd>
    </Button>
  );
  const replay = (
    <Button onClick={() => void navigate(`/table/${state.id}/replay?ply=0`)}>Replay with the agent's mind</Button>
  );
  if (!open) {
    return (
      <div className="flex h-full items-start justify-center gap-2 whitespace-nowrap">
        <b className="min-w-0 truncate py-1.5 font-serif text-lg">{heading}</b>
        <Button onClick={() => setOpen(true)}>Result</Button>
        {next}
        <span className="hidden sm:contents">{replay}</span>
      </div>
    );
  }
  const yours = state.history.filter((event) => event.by === "you").length;
  return (
    <Overlay>
      <section role="dialog" aria-label="Result" data-testid="result" className={`${RESULT} ${TONES[outcome] ?? ""}`}>
        <Button
          look="quiet"
          className="absolute top-1 right-1 min-h-8"
          aria-label="Close"
          onClick={() => setOpen(false)}
        >
          ✕
        </Button>
        <h2 className="px-8 text-3xl">{heading}</h2>
        <p className="mt-1 text-ink">
          {series?.verdict ?? verdict?.(state)?.text ?? payoffText(state, unit)} You decided{" "}
          {yours === 1 ? "once" : `${yours} times`}.
        </p>
        {series && <Tally state={state} series={series} />}
        {Ending && <Ending state={state} />}
        {!state.open && (
          <p className="mt-1 text-sm text-soft">
            Other branches of this game are still running, so hidden cards stay hidden.
          </p>
        )}
        <div className="mt-3 flex flex-wrap justify-center gap-2">
          {next}
          {replay}
          <SaveGame id={state.id} token={token} onProblem={setProblem} />
          <Button onClick={() => void navigate("/")}>Another game</Button>
          <Button onClick={() => setOpen(false)}>Look at the board</Button>
        </div>
        {problem && (
          <div className="mt-3">
            <ErrorMessage>{problem}</ErrorMessage>
          </div>
        )}
      </section>
    </Overlay>
  );
}

/** What all games of a kind against one opponent have come to; a game counts once, and not what was branched or imported. */
function Tally({ state, series }: { state: TableState; series: Series }) {
  const name = `${state.game} ${firstAgentOf(state)?.id ?? opponentNames(state)}`;
  const { games, sum } = useTally(name);
  const mine = state.seat === null ? undefined : state.result?.payoffs[state.seat];
  const counts = mine !== undefined && state.branch_of === null && !state.imported && state.undone === 0;
  useEffect(() => {
    if (counts) addToTally(name, state.id, mine);
  }, [counts, name, state.id, mine]);
  if (games === 0) return null;
  return (
    <p data-testid="tally" className="mt-1 flex flex-wrap items-center justify-center gap-x-2 text-sm text-soft">
      <span>
        {games} {games === 1 ? series.unit : `${series.unit}s`} against {opponentNames(state)}:{" "}
        <b className={sum < 0 ? "text-bad" : "text-good"}>
          {sum > 0 ? "+" : sum < 0 ? "−" : ""}
          {Math.abs(sum)}
        </b>{" "}
        ({series.worth(sum)}, {series.worth(sum / games)} a {series.unit})
      </span>
      <button type="button" className="underline hover:text-ink" onClick={() => forgetTally(name)}>
        start anew
      </button>
    </p>
  );
}
