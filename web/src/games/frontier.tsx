// What a game that is over could have come to: every result as a dot, by what two players get; the Pareto frontier, some
// results that have names, and what came of it. One dot at a time is told in words.
import { type KeyboardEvent, type PointerEvent, type ReactNode, useId, useMemo, useState } from "react";
import { type Shapes, type TableState, api, ask, bearer } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { roundAxis } from "./axis";
import { nameOf } from "./table-top";
import { useToken } from "../store/seats";
import { capitalized, formatNumber } from "../format/numbers";
import { Loading, ErrorMessage } from "../ui/basic";

type Frontier = Shapes["Frontier"];
type Pair = [number, number];

const [WIDTH, HEIGHT] = [340, 260];
const EDGE = { left: 34, right: 14, top: 14, bottom: 36 };
const MAX_NAME_LENGTH = 20; // letters of a name

/** The picture of a table's game, once nothing in it is hidden. */
export function ParetoFrontier({ state }: { state: TableState }) {
  const token = useToken(state.id);
  const { data, problem, again } = useApiQuery(state.open ? `frontier ${state.id}` : "", () =>
    ask(api.GET("/api/tables/{table}/frontier", { params: { path: { table: state.id } }, headers: bearer(token) })),
  );
  if (!state.open) return null;
  if (problem) return <ErrorMessage again={again}>{problem}</ErrorMessage>;
  return data ? <FrontierPicture frontier={data} state={state} /> : <Loading what="what was possible" />;
}

/** The reader is on the axis below, if the reader is one of the two. */
function FrontierPicture({ frontier, state }: { frontier: Frontier; state: TableState }) {
  const turned = frontier.players[1] === state.seat;
  const pair = ([a = 0, b = 0]: number[]): Pair => (turned ? [b, a] : [a, b]);
  const [across, up] = pair(frontier.players);
  const names: [string, string] = [brief(nameOf(state, across)), brief(nameOf(state, up))];
  const told = (payoffs: Pair) =>
    names.map((name, i) => `${name === "You" ? "you" : name} ${formatNumber(payoffs[i] ?? 0)}`).join(", ");
  const dots = frontier.possible
    .map(({ text, payoffs }) => ({ text, payoffs: pair(payoffs) }))
    .toSorted((a, b) => a.payoffs[0] - b.payoffs[0] || a.payoffs[1] - b.payoffs[1]);
  const marks = frontier.marks.map(({ name, text, payoffs }) => ({ name, text, payoffs: pair(payoffs) }));
  const reached = frontier.reached && { ...frontier.reached, payoffs: pair(frontier.reached.payoffs) };
  return (
    <figure data-testid="frontier" className="mx-auto w-full max-w-[24rem] space-y-2 text-left text-ink">
      <Plot
        names={names}
        dots={dots}
        line={frontier.frontier.map(pair)}
        marks={marks}
        reached={reached ?? undefined}
        told={told}
      />
      <figcaption>
        <ul className="space-y-1 text-xs leading-snug sm:text-sm">
          {reached && (
            <Line
              sign={<Reached at={[8, 8]} />}
              name="What came of it"
              text={told(reached.payoffs)}
              more={reached.text}
            />
          )}
          {marks.map(({ name, text, payoffs }, i) => (
            <Line key={name} sign={<Shape shape={i} at={[8, 8]} />} name={name} text={told(payoffs)} more={text} />
          ))}
          <Line
            sign={
              <>
                <path d="M1 4 L15 12" className="stroke-bar" strokeWidth={1.5} />
                <circle cx={8} cy={8} r={3} className="fill-bar" />
              </>
            }
            name="The Pareto frontier"
            text="neither gets more without the other getting less"
          />
        </ul>
      </figcaption>
    </figure>
  );
}

function Line({ sign, name, text, more }: { sign: ReactNode; name: string; text: string; more?: string }) {
  return (
    <li className="flex gap-2">
      <svg aria-hidden viewBox="0 0 16 16" className="mt-0.5 size-4 shrink-0 overflow-visible fill-none">
        {sign}
      </svg>
      <span className="min-w-0">
        <b>{name}:</b> {text}
        {more && <span className="sr-only">: {more}</span>}
      </span>
    </li>
  );
}

type Dot = { text: string; payoffs: Pair };

function Plot({
  names,
  dots,
  line,
  marks,
  reached,
  told,
}: {
  names: [string, string];
  dots: Dot[];
  line: Pair[];
  marks: Dot[];
  reached: Dot | undefined;
  told: (payoffs: Pair) => string;
}) {
  const [at, setAt] = useState<number>();
  const about = useId();
  const all = useMemo(
    () => [...dots.map(({ payoffs }) => payoffs), ...line, ...(reached ? [reached.payoffs] : [])],
    [dots, line, reached],
  );
  const [low, high] = [roundAxis(all.map(([a]) => a)), roundAxis(all.map(([, b]) => b))];
  const x = (value: number) =>
    EDGE.left + ((value - low.least) / (low.most - low.least)) * (WIDTH - EDGE.left - EDGE.right);
  const y = (value: number) =>
    HEIGHT - EDGE.bottom - ((value - high.least) / (high.most - high.least)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const place = ([a, b]: Pair): Pair => [x(a), y(b)];
  const best = new Set(line.map(String));
  const here = at === undefined ? undefined : dots[at];
  const said = here ?? reached;

  const move = (event: KeyboardEvent) => {
    const to = {
      ArrowRight: (at ?? -1) + 1,
      ArrowUp: (at ?? -1) + 1,
      ArrowLeft: (at ?? 1) - 1,
      ArrowDown: (at ?? 1) - 1,
      Home: 0,
      End: dots.length - 1,
    }[event.key];
    if (to === undefined) return;
    setAt(Math.min(dots.length - 1, Math.max(0, to)));
    event.preventDefault();
  };
  const point = (event: PointerEvent<Element>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [
      ((event.clientX - box.left) / box.width) * WIDTH,
      ((event.clientY - box.top) / box.height) * HEIGHT,
    ];
    const far = ({ payoffs }: Dot) => Math.hypot(x(payoffs[0]) - px, y(payoffs[1]) - py);
    setAt(dots.reduce((near, dot, i) => (far(dot) < far(dots[near] as Dot) ? i : near), 0));
  };
  return (
    <div>
      <div
        role="application"
        aria-label={`What was possible: ${dots.length} results. Arrow keys go from one to the next.`}
        aria-describedby={about}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys go from dot to dot
        tabIndex={0}
        onKeyDown={move}
        onPointerMove={point}
        onPointerDown={point}
        className="touch-pan-y rounded-lg"
      >
        <svg aria-hidden viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full fill-none text-[11px]">
          {low.ticks.map((tick) => (
            <g key={tick}>
              <path d={`M${x(tick)} ${EDGE.top} V${HEIGHT - EDGE.bottom}`} className="stroke-line" strokeWidth={0.75} />
              <text x={x(tick)} y={HEIGHT - EDGE.bottom + 14} textAnchor="middle" className="fill-soft">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          {high.ticks.map((tick) => (
            <g key={tick}>
              <path d={`M${EDGE.left} ${y(tick)} H${WIDTH - EDGE.right}`} className="stroke-line" strokeWidth={0.75} />
              <text x={EDGE.left - 6} y={y(tick) + 4} textAnchor="end" className="fill-soft">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
          <text x={(EDGE.left + WIDTH - EDGE.right) / 2} y={HEIGHT - 6} textAnchor="middle" className="fill-ink">
            {gets(names[0])} →
          </text>
          <text
            transform={`translate(10 ${(EDGE.top + HEIGHT - EDGE.bottom) / 2}) rotate(-90)`}
            textAnchor="middle"
            className="fill-ink"
          >
            {gets(names[1])} →
          </text>
          <polyline
            points={line.map((payoffs) => place(payoffs).join()).join(" ")}
            className="stroke-bar"
            strokeWidth={2}
          />
          {dots.map(({ payoffs }) => {
            const [cx, cy] = place(payoffs);
            return best.has(String(payoffs)) ? (
              <circle key={String(payoffs)} cx={cx} cy={cy} r={4} className="fill-bar" />
            ) : (
              <circle
                key={String(payoffs)}
                cx={cx}
                cy={cy}
                r={3}
                className="fill-panel stroke-soft"
                strokeWidth={1.25}
              />
            );
          })}
          {marks.map(({ payoffs }, i) => (
            <Shape key={String(i)} shape={i} at={place(payoffs)} />
          ))}
          {reached && <Reached at={place(reached.payoffs)} />}
          {here && (
            <circle
              cx={place(here.payoffs)[0]}
              cy={place(here.payoffs)[1]}
              r={7}
              className="stroke-(--ring)"
              strokeWidth={2.5}
            />
          )}
        </svg>
      </div>
      <p
        id={about}
        aria-live="polite"
        className="min-h-8 text-center text-xs leading-4 text-soft sm:text-sm sm:leading-5"
      >
        {said ? (
          <>
            <b className="text-ink">{capitalized(told(said.payoffs))}</b> – {said.text}
          </>
        ) : (
          "Point at a dot to see what it stands for."
        )}
      </p>
    </div>
  );
}

const brief = (name: string) => (name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name);
const gets = (name: string) => (name === "You" ? "You get" : `${name} gets`);

/** Outlines around a dot, one larger than the other, so that one dot can have several. */
const SHAPES = [
  (r: number) => `M0 ${-r} L${r} 0 L0 ${r} L${-r} 0 Z`, // a diamond
  (r: number) => `M${-r} ${-r} H${r} V${r} H${-r} Z`, // a square
  (r: number) => `M0 ${-1.3 * r} L${1.2 * r} ${r} H${-1.2 * r} Z`, // a triangle
];

function Shape({ shape, at: [x, y] }: { shape: number; at: Pair }) {
  return (
    <path
      transform={`translate(${x} ${y})`}
      d={SHAPES[shape % SHAPES.length]?.(7.5)}
      className="stroke-ink"
      strokeWidth={1.75}
    />
  );
}

/** What came of it: a filled star. */
const Reached = ({ at: [x, y] }: { at: Pair }) => (
  <polygon
    transform={`translate(${x} ${y}) scale(0.8)`}
    points="0,-9.5 2.4,-3.2 9,-2.9 3.9,1.3 5.6,7.7 0,4.1 -5.6,7.7 -3.9,1.3 -9,-2.9 -2.4,-3.2"
    className="fill-bar-b stroke-panel"
    strokeWidth={1}
    strokeLinejoin="round"
  />
);
