// How a game ended, where the moves were: the result, why, the score of a series, and what comes next.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { type NewTable, type TableState, api, ask, errorText } from "../api/client";
import { drawingOf, verdictOf } from "../games";
import type { Series } from "../games/drawing";
import { addToTally, forgetTally, useTally } from "../store/tallies";
import { keepSeat } from "../store/seats";
import { usePreferences } from "../store/preferences";
import { firstAgentOf, opponentNames, payoffText } from "../format/table";
import { capitalized, formatSigned } from "../format/numbers";
import { Button } from "../ui/basic";
import { CopyLink } from "../ui/copy";
import { useKeys } from "../moves/keys";

const TONES: Record<string, string> = { won: "text-good", lost: "text-bad", resigned: "text-bad" };

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

const LINK = "inline-flex min-h-10 items-center rounded-lg border border-line bg-panel px-3 text-sm hover:bg-raised";

/** While an ending is shown step by step. */
export function Revealing({ text, skip }: { text: string; skip: () => void }) {
  return (
    <div className="flex h-full items-center justify-center gap-3">
      <b className="font-serif text-xl">{text}</b>
      <Button look="quiet" onClick={skip}>
        Skip
      </Button>
    </div>
  );
}

export function Result({ state }: { state: TableState }) {
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");
  const { name } = usePreferences();
  const { unit, verdict, series } = drawingOf(state.game);
  const strip = useRef<HTMLElement>(null);
  useEffect(() => {
    // who plays by the keyboard goes on from here
    if (document.activeElement === document.body) strip.current?.focus({ preventScroll: true });
  }, []);

  async function again() {
    const { game, mind, pace, watch } = state;
    try {
      const body = {
        game,
        options: {},
        seats: sameSeats(state, series && state.seat !== null ? (state.seat + 1) % state.players : undefined),
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
    if (key === "n" && state.seat !== null) void again();
    else if (key === "r") void navigate(`/table/${state.id}/replay?review`);
    else return false;
    return true;
  });

  const why = verdict?.(state)?.text || payoffText(state, unit);
  return (
    <section
      ref={strip}
      tabIndex={-1}
      aria-label="Result"
      data-testid="result"
      className="arrive flex h-full flex-wrap content-center items-center justify-center gap-x-8 gap-y-1.5 overflow-y-auto outline-none"
    >
      <div className="max-w-[36rem] min-w-0 text-center sm:text-left">
        <h2 className={`inline pr-2 text-xl leading-tight ${TONES[state.result?.outcome ?? ""] ?? ""}`}>
          {verdictOf(state)}
        </h2>
        <span className="text-sm">{why}</span>
        {series && <Score state={state} series={series} />}
        {!state.open && (
          <p className="text-xs text-soft">Another table still plays these cards, so what is hidden stays hidden.</p>
        )}
        {problem && (
          <p role="alert" className="text-sm text-warn">
            {problem}
          </p>
        )}
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {state.seat !== null && (
          <Button look="main" aria-keyshortcuts="n" onClick={() => void again()}>
            {series ? `Next ${series.unit}` : "Play again"}{" "}
            <kbd aria-hidden className="rounded border border-current/40 px-1 font-mono text-xs font-normal">
              n
            </kbd>
          </Button>
        )}
        <Link to={`/table/${state.id}/replay?review`} aria-keyshortcuts="r" className={LINK}>
          Review
        </Link>
        <CopyLink path={`/table/${state.id}/replay`}>Share</CopyLink>
        <Link to="/" className={`${LINK} max-sm:hidden`}>
          Another game
        </Link>
      </div>
    </section>
  );
}

/** What each got, from the reader on in the order of play. */
const fromReader = (state: TableState, seat: number): number[] =>
  state.seats.map((_, i) => state.result?.payoffs[(seat + i) % state.players] ?? 0);

/** The score of a series against the same; a game counts once, and not what was branched or imported. */
function Score({ state, series }: { state: TableState; series: Series }) {
  const key = `${state.game} ${firstAgentOf(state)?.id ?? opponentNames(state)}`;
  const { games, sums = [] } = useTally(key);
  const { seat } = state;
  const played = seat !== null && Boolean(state.result?.payoffs.length);
  const counts = played && state.branch_of === null && !state.imported && state.undone === 0;
  useEffect(() => {
    if (counts) addToTally(key, state.id, fromReader(state, seat), series.games);
  }, [counts, key, state, seat, series.games]);
  if (games === 0 || seat === null || sums.length === 0) return null;
  const { unit = "point" } = drawingOf(state.game);
  const [mine = 0, theirs = 0] = sums;
  const names = sums.map((_, i) => state.names[(seat + i) % state.players] ?? "");
  const kind = state.result?.kind;
  const ahead = mine > Math.max(...sums.slice(1)) ? "You have won" : mine < theirs ? "You have lost" : "It is a draw";
  const score =
    kind === "zero-sum" && sums.length === 2
      ? `${formatSigned(mine)} ${mine === 1 || mine === -1 ? unit : `${unit}s`}`
      : kind === "common-payoff"
        ? `${formatSigned(mine)} ${mine === 1 ? unit : `${unit}s`} together`
        : names.map((one, i) => `${one} ${formatSigned(sums[i] ?? 0)}`).join(", ");
  return (
    <p data-testid="tally" className="text-sm text-soft">
      {capitalized(series.unit)} {games} of {series.games}: <b className="text-ink">{score}</b>
      {games >= series.games && kind !== "common-payoff" && `. ${ahead} the series`}{" "}
      {games > 1 && games < series.games && (
        <button type="button" className="underline hover:text-ink" onClick={() => forgetTally(key)}>
          start anew
        </button>
      )}
    </p>
  );
}
