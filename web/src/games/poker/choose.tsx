// What can be done in poker: to fold, to check or call, to bet or raise, always at the same places.
import type { ReactNode } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { MoveGroup } from "../../moves/move-group";
import type { Play } from "../../moves/place";
import { capitalized } from "../../format/numbers";

const PLACES = [
  { verbs: ["fold"], look: "border-line text-bad" },
  { verbs: ["check", "call"], look: "border-accent text-accent" },
  { verbs: ["bet", "raise"], look: "border-accent text-accent" },
] as const;

const KEYS: Record<string, string> = { fold: "f", check: "c", call: "c", bet: "r", raise: "r" };

/** The key of a move goes by what it does, so that the same key never folds after it has checked. */
export const pokerKey = ({ verb }: LegalMove) => KEYS[verb] ?? "";

export const isBet = ({ verb }: LegalMove) => verb === "bet" || verb === "raise";

/** "Call 4, all-in". */
const label = ({ verb, amount, details }: LegalMove) =>
  `${capitalized(verb)}${amount === null ? "" : ` ${amount}`}${details.all_in ? ", all-in" : ""}`;

const BUTTON =
  "flex min-h-12 w-full flex-col items-center justify-center rounded-lg border-2 bg-panel px-1 " +
  "font-semibold hover:bg-raised disabled:bg-transparent";

/** `above` is over the buttons; `bet` stands in for the last one where an amount is chosen. */
export function PokerMoves({
  state,
  play,
  above,
  bet,
}: {
  state: TableState;
  play: Play;
  above?: ReactNode;
  bet?: ReactNode;
}) {
  return (
    <MoveGroup label="Your move" className="flex flex-col justify-end gap-2">
      {above}
      <div className="grid grid-cols-3 gap-2">
        {PLACES.map(({ verbs, look }) => {
          const move = state.legal.find(({ verb }) => verbs.some((one) => one === verb));
          if (move?.range && bet) return <div key={verbs[0]}>{bet}</div>;
          const blocked = state.blocked.find(({ verb }) => verbs.some((one) => one === verb));
          return (
            <button
              key={verbs[0]}
              type="button"
              disabled={!play || !move}
              title={move ? undefined : blocked?.reason}
              aria-keyshortcuts={move && pokerKey(move)}
              onClick={() => move && play?.(move.id)}
              className={`${BUTTON} ${move ? look : "border-dashed border-line text-soft"}`}
            >
              <span className="flex items-center gap-2">
                {move ? label(move) : capitalized(blocked?.verb ?? verbs[0])}
                {move && (
                  <kbd
                    aria-hidden
                    className="hidden rounded border border-line px-1 font-mono text-xs font-normal text-soft sm:inline"
                  >
                    {pokerKey(move)}
                  </kbd>
                )}
              </span>
              {!move && blocked && (
                <span className="text-center text-xs leading-tight font-normal">{blocked.reason}</span>
              )}
            </button>
          );
        })}
      </div>
    </MoveGroup>
  );
}

export function PokerChoose({ state, play }: { state: TableState; play: Play }) {
  return <PokerMoves state={state} play={play} />;
}
