// The board of a table and, below it, what can be done there: by mouse and by keys.
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import type { TableState } from "../api/client";
import type { Table } from "./use-table";
import { Board, drawingOf } from "../games";
import { Announce } from "./announce";
import { Coach } from "./coach";
import { ErrorMessage } from "../ui/basic";
import { useDoubleClickGuard } from "./double-click";
import { type KeyFor, MoveList } from "../moves/move-list";
import { keyOf, useKeys } from "../moves/keys";
import { Overlay } from "./result";
import { useMoveAnimation } from "./animate-moves";

/** It fills what is around it. `below` says what stands below the board, where the moves are; `children` lie over it. */
export function PlayArea({
  table,
  state,
  below,
  children,
}: {
  table: Table;
  state: TableState;
  below: (moves: ReactNode) => ReactNode;
  children?: ReactNode;
}) {
  const { move, busy, gone } = table;
  const { room, Choose, keyFor } = drawingOf(state.game);
  const { guarded, arm } = useDoubleClickGuard();
  const stage = useRef<HTMLDivElement>(null);
  const ready = state.turn === "you" && !gone && !busy;
  useMoveAnimation(stage, state.ply);
  useFocusOnMoves(ready);
  const make = useCallback(
    (id: number) => {
      arm();
      move(id);
    },
    [arm, move],
  );
  useMoveKeys(state, ready, make, keyFor);
  const play = ready ? make : undefined;
  return (
    <div
      ref={stage}
      data-testid="table"
      data-ply={Math.floor(state.ply)}
      data-turn={busy ? "busy" : state.turn}
      data-guarded={guarded ? "" : undefined}
      className="relative flex min-h-0 flex-col gap-2 p-2 sm:p-3"
    >
      <Announce state={state} />
      {state.remark && (
        <p role="status" data-testid="remark" className="shrink-0 text-center text-xs text-soft">
          {state.remark}
        </p>
      )}
      <div className="relative min-h-0 grow">
        <Board state={state} play={play} />
        <Coach state={state} token={table.token} />
      </div>
      <div
        className={`shrink-0 sm:min-h-22 ${state.turn === "over" ? "max-sm:min-h-36" : ""} ${room?.(state) ?? "h-40"}`}
      >
        {below(Choose ? <Choose state={state} play={play} /> : <MoveList state={state} play={play} keyFor={keyFor} />)}
      </div>
      {children}
      {table.problem && !gone && (
        <Overlay>
          <ErrorMessage again={table.dismiss} button="Close">
            {table.problem}
          </ErrorMessage>
        </Overlay>
      )}
    </div>
  );
}

/** The keys that the moves show; of an amount, the field gets the focus. */
function useMoveKeys(
  state: TableState,
  ready: boolean,
  play: (id: number) => void,
  keyFor: KeyFor = (_, index) => keyOf(index),
): void {
  useKeys(
    useCallback(
      (key) => {
        const wanted = ready ? state.legal.find((move, index) => keyFor(move, index) === key) : undefined;
        if (wanted?.range) document.querySelector<HTMLInputElement>("[data-range] input[type=number]")?.focus();
        else if (wanted) play(wanted.id);
        else if (key === "ArrowDown" && ready && document.activeElement === document.body) {
          document.querySelector<HTMLButtonElement>("[data-moves] button:not(:disabled)")?.focus();
        } else return false;
        return true;
      },
      [ready, state, play, keyFor],
    ),
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
    if (ready && was.current && !document.activeElement?.closest("[data-moves]"))
      document.querySelector<HTMLButtonElement>("[data-moves] button:not(:disabled)")?.focus();
  }, [ready]);
}
