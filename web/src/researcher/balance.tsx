// How many participants are at each stage, and how they are spread over the conditions.
import { Empty, Panel } from "../ui/basic";
import { formatPercent, plural } from "../format/numbers";
import type { Overview } from "./overview";
import { ENDS, STAGES } from "./time";

/** A bar as long as its share of `most`; `mark` is where it should end. */
function Length({ value, most, mark, tone = "bg-bar" }: { value: number; most: number; mark?: number; tone?: string }) {
  const share = (x: number) => `${Math.min(100, (100 * x) / Math.max(1, most))}%`;
  return (
    <span aria-hidden className="relative block h-3 rounded-full bg-raised">
      <span
        className={`block h-full rounded-full ${tone}`}
        style={{ width: share(value), minWidth: value > 0 ? "0.5rem" : 0 }}
      />
      {mark !== undefined && <span className="absolute -top-1 h-5 w-0.5 bg-ink" style={{ left: share(mark) }} />}
    </span>
  );
}

export function Stages({ study }: { study: Overview }) {
  const most = Math.max(1, ...study.stages.map(({ participants }) => participants));
  const shown = study.stages.filter(
    ({ stage, participants }) => participants > 0 || !ENDS.includes(stage) || stage === "done",
  );
  return (
    <Panel title="Where they are">
      <table className="w-full text-sm">
        <caption className="sr-only">Participants at each stage</caption>
        <tbody>
          {shown.map(({ stage, participants }) => (
            <tr key={stage}>
              <th scope="row" className="w-px py-1 pr-3 text-left font-normal whitespace-nowrap">
                {STAGES[stage]}
              </th>
              <td className="py-1">
                <Length
                  value={participants}
                  most={most}
                  tone={stage === "done" ? "bg-bar" : ENDS.includes(stage) ? "bg-bar-b" : "bg-accent"}
                />
              </td>
              <td className="w-10 py-1 text-right font-mono">{participants}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

export function Conditions({ study }: { study: Overview }) {
  const all = study.conditions.reduce((sum, one) => sum + one.participants, 0);
  const most = Math.max(...study.conditions.map((one) => Math.max(one.participants, one.share * all)));
  return (
    <Panel title="Balance of conditions">
      {all === 0 && <Empty>Nobody has passed the test yet; conditions are assigned then.</Empty>}
      {all > 0 && (
        <ul className="space-y-4">
          {study.conditions.map((one) => (
            <li key={one.name}>
              <p className="mb-1 flex flex-wrap justify-between gap-x-3 text-sm">
                <span>
                  <b>{one.name}</b> <span className="text-soft">with {one.partners}</span>
                </span>
                <span className="font-mono">
                  {one.participants}{" "}
                  <span className="text-soft">
                    ({formatPercent(one.participants / all)}, wanted {formatPercent(one.share)})
                  </span>
                </span>
              </p>
              <Length value={one.participants} most={most} mark={one.share * all} />
              <p className="mt-1 text-xs text-soft">
                {one.waiting} waiting, {one.playing} playing, {one.finished} finished
              </p>
            </li>
          ))}
        </ul>
      )}
      {all > 0 && (
        <p className="mt-4 text-xs text-soft">
          The line shows where {plural(all, "participant")} who passed the test would be, if spread as the study file
          asks.
        </p>
      )}
    </Panel>
  );
}
