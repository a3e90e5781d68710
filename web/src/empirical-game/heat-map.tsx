// Payoffs of strategies against strategies as a heat map: a pixel is a cell, and one cell at a time is told in words.
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import type { PayoffMatrix } from "../api/client";
import {
  HIGH,
  LEGIBLE,
  LOW,
  type Range,
  UNKNOWN,
  cellColour,
  colour,
  digits,
  playedColour,
  rangeOf,
} from "./colour-scale";
import { playerName } from "../format/names";
import { formatSigned } from "../format/numbers";

const MAX_NUMBERED = 7; // columns in whose cells there is room for numbers
const MAX_NAMED = 16; // rows that have room for their names

const within = (i: number, n: number) => Math.min(n - 1, Math.max(0, i));

/** `upTo` many rows and columns are shown; `shares` say how often each is played. */
export function HeatMap({
  matrix,
  player,
  unit,
  scale,
  upTo,
  shares,
}: {
  matrix: PayoffMatrix;
  player: number;
  unit: string;
  scale: number;
  upTo?: [number, number];
  shares?: [number[], number[]];
}) {
  const rows = matrix.rows.filter((one) => !upTo || one < upTo[0]).length;
  const columns = matrix.columns.filter((one) => !upTo || one < upTo[1]).length;
  const values = useMemo(
    () => (matrix.payoffs[player] ?? []).slice(0, rows).map((row) => row.slice(0, columns)),
    [matrix, player, rows, columns],
  );
  const range = useMemo(() => rangeOf(values), [values]);
  const [at, setAt] = useState<[number, number]>();
  const told = useId();
  const here = at && at[0] < rows && at[1] < columns ? at : undefined;
  const value = (one: number) => formatSigned(Math.abs(one) < 1e-12 ? 0 : Number((one * scale).toPrecision(3)));
  const brief = (one: number) => formatSigned(Number((one * scale).toFixed(digits(range, scale))));
  const row = { name: playerName(matrix.row_player), label: (i: number) => matrix.row_labels[i] ?? "" };
  const column = { name: playerName(matrix.column_player), label: (j: number) => matrix.column_labels[j] ?? "" };

  const move = (event: KeyboardEvent) => {
    const [i, j] = here ?? [0, -1];
    const to = {
      ArrowUp: [i - 1, j],
      ArrowDown: [i + 1, j],
      ArrowLeft: [i, j - 1],
      ArrowRight: [i, j + 1],
      Home: [i, 0],
      End: [i, columns - 1],
      PageUp: [0, j],
      PageDown: [rows - 1, j],
    }[event.key];
    if (!to) return;
    setAt([within(to[0] ?? 0, rows), within(to[1] ?? 0, columns)]);
    event.preventDefault();
  };
  const point = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setAt([
      within(Math.floor(((event.clientY - box.top) / box.height) * rows), rows),
      within(Math.floor(((event.clientX - box.left) / box.width) * columns), columns),
    ]);
  };
  const numbered = columns <= MAX_NUMBERED && rows <= MAX_NAMED;
  const strongest = numbered ? LEGIBLE : 1;
  const paint = useCallback(
    (x: number | null) => (x === null ? [...UNKNOWN, 0.45] : cellColour(x, range, strongest)),
    [range, strongest],
  );
  const ratio = Math.min(3, Math.max(0.6, columns / rows));
  return (
    <div className="space-y-2">
      <div
        className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-1 text-xs text-soft"
        style={{ maxWidth: `${Math.min(44, 9 + 5 * columns)}rem` }}
      >
        <span className="pr-1 text-right">{row.name} ↓</span>
        <span className="col-span-2 pb-1">{column.name} →</span>
        <span />
        <Ticks
          n={columns}
          label={(j) => (columns <= MAX_NUMBERED ? column.label(j) : String(matrix.columns[j]))}
          across
        />
        <span />
        <Ticks n={rows} label={(i) => (rows <= MAX_NAMED ? row.label(i) : String(matrix.rows[i]))} />
        <div
          role="application"
          aria-label={`Payoffs of ${playerName(player)}: ${rows} by ${columns} strategies. Arrow keys go from cell to cell.`}
          aria-describedby={told}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys go from cell to cell
          tabIndex={0}
          onKeyDown={move}
          onPointerMove={point}
          onPointerDown={point}
          className="@container relative cursor-crosshair touch-pan-y border border-line"
          style={{ aspectRatio: ratio }}
        >
          <Pixels values={values} paint={paint} />
          {numbered && (
            <div
              aria-hidden
              className="absolute inset-0 grid font-mono text-ink"
              style={{
                fontSize: `min(0.75rem, ${25 / columns}cqw)`,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
              }}
            >
              {values.flatMap((line, i) =>
                line.map((x, j) => (
                  <span key={`${i} ${j}`} className="grid place-items-center">
                    {x === null ? "–" : brief(x)}
                  </span>
                )),
              )}
            </div>
          )}
          {here && (
            <span
              aria-hidden
              className="pointer-events-none absolute outline-2 outline-ink"
              style={{
                left: `${(100 * here[1]) / columns}%`,
                top: `${(100 * here[0]) / rows}%`,
                width: `${100 / columns}%`,
                height: `${100 / rows}%`,
              }}
            />
          )}
        </div>
        {shares ? (
          <div className="relative w-2.5 border border-line" title={`How often ${row.name} plays each`}>
            <Pixels
              values={matrix.rows.slice(0, rows).map((one) => [shares[0][one] ?? 0])}
              paint={playedColour(shares[0])}
            />
          </div>
        ) : (
          <span />
        )}
        {shares && (
          <>
            <span className="pt-1 pr-1 text-right">played</span>
            <div className="relative mt-1 h-2.5 border border-line" title={`How often ${column.name} plays each`}>
              <Pixels
                values={[matrix.columns.slice(0, columns).map((one) => shares[1][one] ?? 0)]}
                paint={playedColour(shares[1])}
              />
            </div>
          </>
        )}
      </div>
      <p id={told} aria-live="polite" className="min-h-10 text-sm">
        {here ? (
          <>
            <b className="font-semibold">{row.label(here[0])}</b> ({row.name}) against{" "}
            <b className="font-semibold">{column.label(here[1])}</b> ({column.name}): {cellWords(matrix, here, value)}
            {unit === "payoff" ? "" : `, in ${unit}`}.
          </>
        ) : (
          <span className="text-soft">Point at a cell, or go from one to the next with the arrow keys.</span>
        )}
      </p>
      <Legend range={range} strongest={strongest} value={value} unknown={values.some((line) => line.includes(null))} />
    </div>
  );
}

/** What each player gets in a cell. */
function cellWords(
  { payoffs, intervals }: PayoffMatrix,
  [i, j]: [number, number],
  value: (one: number) => string,
): string {
  return (
    payoffs
      .map((of, player) => {
        const x = of[i]?.[j] ?? null;
        const width = intervals?.[player]?.[i]?.[j];
        return x === null ? "" : `${playerName(player)} gets ${value(x)}${width ? ` ± ${value(width).slice(1)}` : ""}`;
      })
      .filter(Boolean)
      .join(", ") || "not known yet"
  );
}

/** An image with a pixel for each value, as large as its place. */
function Pixels<T>({ values, paint }: { values: T[][]; paint: (value: T) => number[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [rows, columns] = [values.length, values[0]?.length ?? 0];
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context || rows * columns === 0) return;
    const image = context.createImageData(columns, rows);
    values.forEach((line, i) =>
      line.forEach((value, j) => {
        const [r = 0, g = 0, b = 0, alpha = 0] = paint(value);
        image.data.set([r, g, b, 255 * alpha], 4 * (i * columns + j));
      }),
    );
    context.putImageData(image, 0, 0);
  }, [values, paint, rows, columns]);
  return (
    <canvas
      ref={canvas}
      width={columns}
      height={rows}
      aria-hidden
      className="absolute inset-0 h-full w-full"
      style={{ imageRendering: "pixelated" }}
    />
  );
}

/** Names or numbers along a side, as many as there is room for. */
function Ticks({ n, label, across = false }: { n: number; label: (i: number) => string; across?: boolean }) {
  const every = Math.ceil(n / (across ? 10 : MAX_NAMED));
  const cells = Array.from({ length: n }, (_, i) => i);
  const way = { [across ? "gridTemplateColumns" : "gridTemplateRows"]: `repeat(${n}, minmax(0, 1fr))` };
  return (
    <div
      className={`grid ${across ? "pb-0.5 text-center" : "h-0 min-h-full max-w-24 pr-1 text-right sm:max-w-44"}`}
      style={way}
    >
      {cells.map((i) => (
        <span
          key={i}
          title={label(i)}
          className={`grid min-h-0 min-w-0 ${across ? "" : "items-center"} overflow-visible leading-none`}
        >
          {i % every === 0 && <span className={n <= MAX_NAMED ? "truncate" : "whitespace-nowrap"}>{label(i)}</span>}
        </span>
      ))}
    </div>
  );
}

function Legend({
  range,
  strongest,
  value,
  unknown,
}: {
  range: Range;
  strongest: number;
  value: (one: number) => string;
  unknown: boolean;
}) {
  const stops = [colour(LOW, strongest), "transparent", colour(HIGH, strongest)].join(", ");
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 font-mono text-xs text-soft">
      <span className="flex items-center gap-2">
        {value(range.low)}
        <span
          aria-hidden
          className="h-3 w-40 rounded-sm border border-line"
          style={{ background: `linear-gradient(to right, ${stops})` }}
        />
        {value(range.high)}
      </span>
      {unknown && (
        <span className="flex items-center gap-1.5">
          <span aria-hidden className="h-3 w-3 rounded-sm" style={{ background: colour(UNKNOWN, 0.45) }} /> not known
          yet
        </span>
      )}
    </div>
  );
}
