// The review of a finished game: the curve of what one could expect, and the costliest decisions with the better move.
import { type Shapes, type TableEvent, api, ask, bearer } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { capitalized, formatPercent, formatSigned } from "../format/numbers";
import { moveNumber } from "../format/table";
import { Button, Empty, Loading, ErrorMessage } from "../ui/basic";

export type ReviewState = Shapes["Review"];

const POLL_MS = 700; // milliseconds until it is asked again, while it is worked on

/** The review of a game, asked for again while it is worked on. */
export const useReview = (id: string, token: string) =>
  useApiQuery(
    `review ${id}`,
    () => ask(api.GET("/api/tables/{table}/review", { params: { path: { table: id } }, headers: bearer(token) })),
    { refetchInterval: ({ state }) => (state.data && !state.data.done ? POLL_MS : false) },
  );

export function Review({
  id,
  token,
  ply,
  history,
  go,
  retry,
  whose,
}: {
  id: string;
  token: string;
  ply: number;
  history: TableEvent[];
  go: (ply: number) => void;
  retry: ((ply: number) => void) | undefined;
  whose: string;
}) {
  const review = useReview(id, token);
  const { data, again } = review;
  if (review.problem)
    return review.status === 409 || review.status === 403 ? (
      <Empty>{review.problem}</Empty>
    ) : (
      <ErrorMessage again={again}>{review.problem}</ErrorMessage>
    );
  if (!data) return <Loading what="the review" />;
  return (
    <div className="space-y-3" data-testid="review" data-done={data.done}>
      {data.points.length > 1 && <Curve review={data} ply={ply} history={history} go={go} whose={whose} />}
      <Costliest review={data} ply={ply} history={history} go={go} retry={retry} whose={whose} />
      <p className="text-xs text-soft" role="status">
        {data.progress > 0 || data.done ? data.basis : "Working out what every decision was worth."}{" "}
        {!data.done && `${Math.round(100 * data.progress)} % done.`}
      </p>
    </div>
  );
}

const told = (value: number, { scale, unit }: ReviewState) =>
  scale === "chance" ? formatPercent(value) : `${formatSigned(Number(value.toPrecision(3)))} ${unit}`;

/** A cost in points. */
export const amountText = (cost: number, { unit }: ReviewState) => `${Number(cost.toPrecision(3))} ${unit}`;

/** The same decision, told of somebody else. */
function costly(review: ReviewState, { chosen, better, cost }: ReviewState["costliest"][number]): string {
  const amount = review.scale === "chance" ? formatPercent(cost) : amountText(cost, review);
  return `“${capitalized(chosen.text)}”; “${better.text}” was better by ${amount}.`;
}

const WIDE = 600;
const HIGH = 150;

/** What one could expect before each decision, with its interval; a click goes there. */
type Part = {
  review: ReviewState;
  ply: number;
  history: TableEvent[];
  go: (ply: number) => void;
  whose: string;
};

function Curve({ review, ply, history, go, whose }: Part) {
  const { points, scale, unit } = review;
  const last = Math.max(1, points.at(-1)?.ply ?? 1);
  const start = points[0]?.ply ?? 0;
  const ends =
    scale === "chance" ? [0, 1] : [Math.min(0, ...points.map((p) => p.low)), Math.max(0, ...points.map((p) => p.high))];
  const [low, high] = [ends[0] ?? 0, ends[1] === ends[0] ? (ends[0] ?? 0) + 1 : (ends[1] ?? 1)];
  const x = (at: number) => (WIDE * (at - start)) / Math.max(1, last - start);
  const y = (value: number) => HIGH * (1 - (value - low) / (high - low));
  const line = points.map((p) => `${x(p.ply)},${y(p.value)}`).join(" ");
  const band = [
    ...points.map((p) => `${x(p.ply)},${y(p.high)}`),
    ...points.toReversed().map((p) => `${x(p.ply)},${y(p.low)}`),
  ].join(" ");
  const middle = scale === "chance" ? 0.5 : 0;
  const here = points.findLast((p) => p.ply <= ply) ?? points[0];
  const pick = (clientX: number, box: DOMRect) => {
    const at = start + ((clientX - box.left) / box.width) * (last - start);
    const nearest = points.reduce((best, p) => (Math.abs(p.ply - at) < Math.abs(best.ply - at) ? p : best));
    go(nearest.ply);
  };
  const title = scale === "chance" ? `${whose} chance to win` : `${whose} expectation, in ${unit}`;
  return (
    <figure className="space-y-1">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <b>{title}</b>
        {here && (
          <span className="text-soft">
            {here.ply === last ? "at the end" : `before move ${moveNumber(history, here.ply)}`}:{" "}
            <b className="text-ink">{told(here.value, review)}</b>
            {!here.exact && ` (${told(here.low, review)} to ${told(here.high, review)})`}
          </span>
        )}
      </figcaption>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <span aria-hidden className="flex flex-col justify-between text-right text-xs text-soft">
          <span>{scale === "chance" ? "100 %" : formatSigned(Number(high.toPrecision(2)))}</span>
          {scale === "chance" && <span>50 %</span>}
          <span>{scale === "chance" ? "0 %" : formatSigned(Number(low.toPrecision(2)))}</span>
        </span>
        <button
          type="button"
          aria-label={`${title}, over the game: go to a move`}
          className="block h-36 w-full rounded border border-line bg-raised"
          onClick={(event) => event.detail > 0 && pick(event.clientX, event.currentTarget.getBoundingClientRect())}
        >
          <svg
            viewBox={`0 0 ${WIDE} ${HIGH}`}
            preserveAspectRatio="none"
            className="h-full w-full overflow-visible"
            aria-hidden
          >
            <line
              x1={0}
              x2={WIDE}
              y1={y(middle)}
              y2={y(middle)}
              stroke="var(--line)"
              strokeDasharray="5 4"
              vectorEffect="non-scaling-stroke"
            />
            <polygon points={band} fill="var(--bar)" opacity={0.22} />
            <polyline
              points={line}
              fill="none"
              stroke="var(--bar)"
              strokeWidth={2.5}
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
            />
            {review.costliest.map((one) => (
              <line
                key={one.ply}
                x1={x(one.ply)}
                x2={x(one.ply)}
                y1={0}
                y2={HIGH}
                stroke="var(--bad)"
                strokeWidth={2}
                strokeDasharray="3 3"
                vectorEffect="non-scaling-stroke"
              />
            ))}
            <line
              x1={x(Math.max(start, ply))}
              x2={x(Math.max(start, ply))}
              y1={0}
              y2={HIGH}
              stroke="var(--ring)"
              strokeWidth={2}
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        </button>
        <span />
        <span aria-hidden className="flex justify-between text-xs text-soft">
          <span>first decision</span>
          <span>moves of the game</span>
          <span>end</span>
        </span>
      </div>
    </figure>
  );
}

function Costliest({ review, ply, history, go, retry, whose }: Part & { retry: ((ply: number) => void) | undefined }) {
  if (review.costliest.length === 0) {
    if (!review.done || review.decisions === 0) return null;
    return <p className="rounded-lg bg-raised px-3 py-2 text-sm">No decision was clearly a mistake.</p>;
  }
  return (
    <section className="space-y-1.5">
      <h3 className="text-base">{whose} costliest decisions</h3>
      <ol className="space-y-1.5 text-sm">
        {review.costliest.map((one) => (
          <li
            key={one.ply}
            className={`rounded-lg border px-3 py-2 ${one.ply === ply ? "border-accent bg-raised" : "border-line"}`}
          >
            <p>{whose === "Your" ? one.text : costly(review, one)}</p>
            <span className="mt-1.5 flex flex-wrap gap-2">
              <Button
                className="min-h-8"
                aria-current={one.ply === ply ? "step" : undefined}
                onClick={() => go(one.ply)}
              >
                Show move {moveNumber(history, one.ply)}
              </Button>
              {retry && (
                <Button className="min-h-8" onClick={() => retry(one.ply)}>
                  Try again from here
                </Button>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
