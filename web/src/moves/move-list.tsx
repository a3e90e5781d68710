// What can be done now: a list with explanations, by mouse, keys and arrows.
import type { LegalMove, TableState } from "../api/client";
import { capitalized } from "../format/numbers";
import { KeyHint } from "../ui/basic";
import { AmountMove, amountsOf } from "./amount";
import { keyOf } from "./keys";
import { MoveGroup } from "./move-group";
import type { Play } from "./place";

/** The key of a move, the `index`th that is legal. */
export type KeyFor = (move: LegalMove, index: number) => string;

const MOVE =
  "flex h-full min-h-10 w-full items-center gap-2 rounded-lg border border-line " +
  "bg-panel px-2 py-1 text-left text-sm leading-tight text-ink hover:border-accent " +
  "hover:bg-raised disabled:hover:border-line disabled:hover:bg-panel";

export function MoveList({
  state,
  play,
  keyFor = (_, index) => keyOf(index),
  title = "Your move",
}: {
  state: TableState;
  play: Play;
  keyFor?: KeyFor | undefined;
  title?: string;
}) {
  return (
    <MoveGroup label={title} className="overflow-y-auto">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(46%,12.5rem),1fr))] gap-1.5 sm:gap-2">
        {state.legal.map((move, index) => {
          const amounts = move.range && amountsOf([move]);
          const key = keyFor(move, index);
          return (
            <li key={move.id} className={amounts ? "col-span-full" : ""}>
              {amounts ? (
                <AmountMove amounts={amounts} play={play} what={capitalized(move.verb)} />
              ) : (
                <button
                  type="button"
                  disabled={!play}
                  aria-keyshortcuts={key || undefined}
                  onClick={() => play?.(move.id)}
                  className={MOVE}
                >
                  {key && <KeyHint>{key}</KeyHint>}
                  <span className="min-w-0 grow">
                    <span className="font-medium">{capitalized(move.text)}</span>
                    {move.explanation && <span className="hidden text-xs text-soft sm:block">{move.explanation}</span>}
                  </span>
                  {move.pays !== null && move.pays !== undefined && move.pays > 0 && (
                    <span className="rounded-md bg-warn-bg px-1.5 py-0.5 font-semibold whitespace-nowrap text-warn">
                      ${move.pays}
                    </span>
                  )}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </MoveGroup>
  );
}
