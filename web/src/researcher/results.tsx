// Mean points, with intervals: hidden while the study runs until somebody asks for them.
import { useState } from "react";
import { type Shapes, api, ask, errorText } from "../api/client";
import { Button, Empty, Panel, ScrollSideways, ErrorMessage } from "../ui/basic";
import { formatPercent } from "../format/numbers";
import { Confirmed } from "./controls";
import type { StudyRuns } from "./overview";

type Mean = Shapes["MeanResult"];

export function Results({ state }: { state: StudyRuns }) {
  const [results, setResults] = useState<Mean[]>();
  const [problem, setProblem] = useState("");
  const [unfinished, setUnfinished] = useState(false); // it was stopped, but some still play
  async function look(reveal: boolean) {
    setProblem("");
    try {
      const answer = await ask(api.GET("/api/researcher/results", { params: { query: { reveal } } }));
      setResults(answer.hidden ? undefined : answer.results);
      setUnfinished(answer.hidden);
    } catch (error) {
      setProblem(errorText(error));
    }
  }
  const running = state !== "stopped" || unfinished;
  return (
    <Panel
      title="Results so far"
      aside={
        results && (
          <Button look="quiet" onClick={() => setResults(undefined)}>
            Hide
          </Button>
        )
      }
    >
      {problem && <ErrorMessage>{problem}</ErrorMessage>}
      {!results && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="grow basis-64 text-sm text-soft">
            Results are hidden{running ? " while the study runs, so that nobody decides by them when to stop" : ""}.{" "}
            {unfinished && "Some tournaments are still played. "}Deals and time-outs are counted above.
          </p>
          <Confirmed
            button="Show results so far"
            title={running ? "Look before the study is over?" : "Show the results?"}
            yes="Show them"
            onYes={() => void look(running)}
          >
            {running
              ? "Who knows results while data come in may stop too early or too late, and tests computed afterwards " +
                "are no longer what they claim. That you looked is recorded, with the time, and belongs in the " +
                "report."
              : "These are plain means. The report of `parlor study analyse` has the models."}
          </Confirmed>
        </div>
      )}
      {results?.length === 0 && <Empty>No game has ended yet.</Empty>}
      {results && results.length > 0 && <Table results={results} />}
    </Panel>
  );
}

function Table({ results }: { results: Mean[] }) {
  const most = Math.max(1, ...results.flatMap((one) => [one.points, one.partner_points]));
  return (
    <>
      <ScrollSideways label="Results so far">
        <table className="w-full text-left text-sm">
          <thead className="text-xs text-soft">
            <tr className="border-b border-line">
              {[
                "Condition",
                "Partner",
                "Participants",
                "Games",
                "Points of participants",
                "Points of partners",
                "Deals",
              ].map((head) => (
                <th key={head} scope="col" className="px-2 py-1.5 font-medium whitespace-nowrap">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {results.map((one) => (
              <tr key={`${one.condition} ${one.partner}`} className="border-b border-line/60 last:border-0">
                <td className="px-2 py-1.5">{one.condition}</td>
                <th scope="row" className="px-2 py-1.5 font-medium">
                  {one.partner}
                </th>
                <td className="px-2 py-1.5 font-mono">{one.participants}</td>
                <td className="px-2 py-1.5 font-mono">{one.games}</td>
                <Points value={one.points} low={one.low} high={one.high} most={most} />
                <Points value={one.partner_points} low={one.partner_low} high={one.partner_high} most={most} />
                <td className="px-2 py-1.5 font-mono">{one.deals === null ? "" : formatPercent(one.deals)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
      <p className="mt-3 text-xs text-soft">
        Means of games that ended by the rules, with 95 % intervals by participants. No exclusions, no mixed model:
        `parlor study analyse` has these.
      </p>
    </>
  );
}

/** A mean as a dot and its interval as a line, with the numbers. */
function Points({ value, low, high, most }: { value: number; low: number | null; high: number | null; most: number }) {
  const at = (x: number) => Math.max(0, Math.min(100, (100 * x) / (1.25 * most)));
  return (
    <td className="min-w-44 px-2 py-1.5">
      <span className="font-mono whitespace-nowrap">
        {value.toFixed(2)}
        <span className="text-xs text-soft">
          {" "}
          {low === null || high === null ? "" : `${low.toFixed(2)} to ${high.toFixed(2)}`}
        </span>
      </span>
      <span aria-hidden className="relative mt-1 block h-2 rounded-full bg-raised">
        {low !== null && high !== null && (
          <span
            className="absolute top-0.75 h-0.5 bg-bar"
            style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%` }}
          />
        )}
        <span
          className="absolute top-0 size-2 -translate-x-1 rounded-full bg-accent"
          style={{ left: `${at(value)}%` }}
        />
      </span>
    </td>
  );
}
