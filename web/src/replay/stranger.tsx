// What somebody reads who was not there: who won, which move cost the most, and whether one could do better.
import type { TableState } from "../api/client";
import { verdictOf } from "../games";
import { capitalized, formatPercent } from "../format/numbers";
import { moveNumber, nearSeat } from "../format/table";
import { playerName } from "../format/names";
import { Button } from "../ui/basic";
import { CopyLink } from "../ui/copy";
import { type ReviewState, amountText, useReview } from "./review";

/** A game that is open, as seen from the seat of whoever made the table by somebody who had none. */
export function fromNearSeat(state: TableState): TableState {
  const view = state.seat === null && state.open ? state.sides[nearSeat(state)] : undefined;
  return view ? { ...state, view } : state;
}

/** What the worst decision of the near seat cost: "It cost a 26 % chance to win." */
const costText = (review: ReviewState, cost: number) =>
  review.scale === "chance" ? `a ${formatPercent(cost)} chance to win` : amountText(cost, review);

export function ForStrangers({
  state,
  token,
  go,
  retry,
}: {
  state: TableState;
  token: string;
  go: (ply: number) => void;
  retry: (ply: number) => void;
}) {
  const { data } = useReview(state.id, token);
  const near = nearSeat(state);
  const name = state.names[near] ?? playerName(near);
  const [worst] = data?.costliest ?? [];
  const first = state.history.find((event) => event.actor === near)?.ply;
  const from = worst?.ply ?? first;
  return (
    <section aria-label="This game" data-testid="stranger" className="panel flex flex-wrap items-center gap-3 p-4">
      <div className="min-w-0 grow basis-64">
        <h2 className="text-xl leading-tight">{capitalized(verdictOf(state))}.</h2>
        <p className="mt-1 text-sm">
          {worst && data ? (
            <>
              {name}'s costliest move is number{" "}
              <button type="button" className="underline" onClick={() => go(worst.ply)}>
                {moveNumber(state.history, worst.ply)}
              </button>
              : “{worst.chosen.text}” instead of “{worst.better.text}” cost {costText(data, worst.cost)}.
            </>
          ) : data?.done ? (
            `No move of ${name}'s was clearly a mistake.`
          ) : (
            `Looking for ${name}'s costliest move …`
          )}
        </p>
      </div>
      {from !== undefined && (
        <Button look="main" className="py-2.5 text-base" onClick={() => retry(from)}>
          Can you do better?
        </Button>
      )}
      <CopyLink path={`/table/${state.id}/replay`}>Copy link</CopyLink>
    </section>
  );
}
