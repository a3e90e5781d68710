// Curves over games or iterations, with bands where there are intervals. Recharts is loaded with the pages that need it.
import { useMemo } from "react";
import { Area, CartesianGrid, ComposedChart, Legend, Line, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatPercent, formatNumber } from "../format/numbers";

export type Curve = {
  name: string;
  points: { x: number; y: number | null; low?: number | null; high?: number | null }[];
};

// told apart also without colour vision: they differ in lightness, and by dashes from the seventh on
const COLOURS = ["#2a7fb8", "#d9772b", "#3a9a6b", "#b0508f", "#8b7a1f", "#6b62c4"];

type Steps = "games" | "iterations";

/** What the steps of a run are, for people. */
export const stepWords = (steps: Steps) => (steps === "games" ? "games of training" : steps);

/** A row for each place of the axis, with all curves there; what a logarithm cannot show is left out. */
export function chartRows(curves: Curve[], log: boolean, logSteps: boolean) {
  const rows = new Map<number, Record<string, number | [number, number] | null>>();
  curves.forEach((curve, index) => {
    for (const { x, y, low, high } of curve.points) {
      if (logSteps && x <= 0) continue;
      const row = rows.get(x) ?? { x };
      row[`y${index}`] = log && y !== null && y <= 0 ? null : y;
      if (low !== undefined && high !== undefined)
        row[`band${index}`] = low === null || high === null ? null : [low, high];
      rows.set(x, row);
    }
  });
  return [...rows.values()].toSorted((a, b) => Number(a.x) - Number(b.x));
}

export function Curves({
  label,
  curves,
  unit,
  steps = "games",
  share = false,
  log = false,
  logSteps = false,
}: {
  label: string;
  curves: Curve[];
  unit?: string;
  steps?: Steps;
  share?: boolean;
  log?: boolean;
  logSteps?: boolean;
}) {
  const data = useMemo(() => chartRows(curves, log, logSteps), [curves, log, logSteps]);
  const written = (value: unknown) =>
    typeof value !== "number" ? "" : share ? formatPercent(value) : formatNumber(value);
  return (
    <figure aria-label={label} className="h-72 w-full text-xs">
      <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 280 }}>
        <ComposedChart data={data} margin={{ top: 6, right: 12, bottom: 18, left: 4 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" strokeDasharray="3 4" vertical={false} />
          <XAxis
            dataKey="x"
            type="number"
            scale={logSteps ? "log" : "auto"}
            domain={["dataMin", "dataMax"]}
            tickFormatter={formatNumber}
            stroke="var(--soft)"
            tickLine={false}
            label={{ value: stepWords(steps), position: "insideBottom", offset: -12, fill: "var(--soft)" }}
          />
          <YAxis
            width={unit ? 68 : 52}
            {...(unit
              ? {
                  label: {
                    value: unit,
                    angle: -90,
                    position: "insideLeft",
                    fill: "var(--soft)",
                    style: { textAnchor: "middle" },
                  },
                }
              : {})}
            scale={log ? "log" : "auto"}
            domain={share ? [0, 1] : log ? ["auto", "auto"] : [(least: number) => Math.min(0, least), "auto"]}
            allowDataOverflow={log}
            tickFormatter={written}
            stroke="var(--soft)"
            tickLine={false}
            axisLine={false}
          />
          <Tooltip
            formatter={(value, name) => [Array.isArray(value) ? "" : written(value), name]}
            labelFormatter={(x) => `after ${Number(x).toLocaleString("en")} ${stepWords(steps)}`}
            contentStyle={{
              background: "var(--panel)",
              border: "1px solid var(--line)",
              borderRadius: 8,
              color: "var(--ink)",
            }}
            itemStyle={{ padding: 0, color: "var(--ink)" }}
          />
          <Legend
            itemSorter={null}
            iconType="plainline"
            verticalAlign="top"
            wrapperStyle={{ lineHeight: "1.5", paddingBottom: 8 }}
          />
          {curves.map((curve, index) =>
            curve.points.some((point) => point.low !== undefined) ? (
              <Area
                key={`band ${curve.name}`}
                dataKey={`band${index}`}
                stroke="none"
                fill={COLOURS[index % COLOURS.length] as string}
                fillOpacity={0.18}
                legendType="none"
                tooltipType="none"
                isAnimationActive={false}
                activeDot={false}
              />
            ) : null,
          )}
          {curves.map((curve, index) => (
            <Line
              key={curve.name}
              name={curve.name}
              dataKey={`y${index}`}
              stroke={COLOURS[index % COLOURS.length] as string}
              {...(index >= COLOURS.length ? { strokeDasharray: "5 3" } : {})}
              strokeWidth={2}
              dot={false}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  );
}
