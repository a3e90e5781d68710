// One run: its curves while it runs, its configuration, and its checkpoints, which can be played.
import { useEffect, useMemo, useState } from "react";
import { Link, useParams } from "react-router";
import { type MeasureInfo, type MetricsRow, type RunInfo, api, ask, errorText } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { useGameTitle } from "../queries/games";
import { Chip, Empty, Loading, Panel, ErrorMessage, PagePending } from "../ui/basic";
import { Curves, stepWords } from "./curves";
import { Population } from "./population";
import { useTitle } from "../ui/use-title";
import { aboutPoints, measureCurves, winCurves } from "./series";
import { RUN_TONES, progress, runTitle } from "./progress";
import { parseGameName } from "../format/names";

const POLL_MS = 2000; // milliseconds between looks at a run that goes on

export default function RunPage() {
  const { id = "" } = useParams();
  return <Run key={id} id={id} />;
}

function Run({ id }: { id: string }) {
  const { rows, measures, state, problem, again } = useMetrics(id);
  const last = rows?.at(-1)?.at ?? 0;
  useTitle(`Run ${id}`);
  const gameTitle = useGameTitle();
  const run = useApiQuery(`run ${id} ${last} ${state}`, () =>
    ask(api.GET("/api/runs/{run}", { params: { path: { run: id } } })),
  );
  const { again: lookAgain } = run;
  useEffect(() => {
    const timer = setTimeout(lookAgain, POLL_MS); // a checkpoint is written after what was measured
    return () => clearTimeout(timer);
  }, [last, state, lookAgain]);
  if (!run.data) return <PagePending what="the run" problem={run.problem} again={run.again} />;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-3xl break-words">{runTitle(run.data, gameTitle)}</h1>
        <Chip tone={RUN_TONES[run.data.state]}>{run.data.state}</Chip>
        <span className="text-sm text-soft">
          {progress(run.data).text}, folder {run.data.name}
        </span>
        <Link to="/runs" className="ml-auto text-sm underline">
          All runs
        </Link>
      </div>
      {run.data.state === "stopped" && (
        <p className="text-sm text-soft">
          Nobody works on it now. It goes on from its last checkpoint with <code>{run.data.resume}</code> and its
          folder, {run.data.name}.
        </p>
      )}
      {problem && <ErrorMessage again={again}>{problem}</ErrorMessage>}
      {!rows ? (
        !problem && <Loading what="what it measured" />
      ) : rows.length === 0 ? (
        <Empty>Nothing has been measured yet; it appears here as soon as it is.</Empty>
      ) : (
        <Charts run={run.data} rows={rows} measures={measures} />
      )}
      {run.data.kind === "psro" && rows && rows.length > 0 && (
        <Population run={run.data} first={rows[0]?.at ?? 0} last={last} />
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <Checkpoints run={run.data} />
        <Config run={run.data} />
      </div>
    </div>
  );
}

/** All metrics so far; while the run continues, new ones are requested. */
function useMetrics(id: string) {
  const [rows, setRows] = useState<MetricsRow[]>();
  const [measures, setMeasures] = useState<MeasureInfo[]>([]);
  const [state, setState] = useState<RunInfo["state"]>("running");
  const finished = state === "finished";
  const [problem, setProblem] = useState("");
  const [round, setRound] = useState(0);
  const after = rows?.at(-1)?.at ?? -1;
  useEffect(() => {
    if (finished) return;
    let current = true;
    const look = async () => {
      try {
        const more = await ask(api.GET("/api/runs/{run}/metrics", { params: { path: { run: id }, query: { after } } }));
        if (!current) return;
        setRows((old) => [...(old ?? []), ...more.rows.filter((row) => row.at > (old?.at(-1)?.at ?? -1))]);
        setMeasures(more.measures);
        setState(more.state);
        setProblem("");
      } catch (error) {
        if (current) setProblem(errorText(error));
      }
      if (current) setRound((n) => n + 1);
    };
    const timer = setTimeout(() => void look(), round === 0 ? 0 : POLL_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [id, after, finished, round]);
  return { rows, measures, state, problem, again: () => setRound((n) => n + 1) };
}

function Charts({ run, rows, measures }: { run: RunInfo; rows: MetricsRow[]; measures: MeasureInfo[] }) {
  const [start, setStart] = useState("");
  const starts = useMemo(
    () => [...new Set(rows.flatMap((row) => Object.values(row.wins).flatMap((by) => Object.keys(by))))],
    [rows],
  );
  const shown = starts.includes(start) ? start : (starts[0] ?? "");
  const wins = useMemo(() => winCurves(rows, shown, run.scale), [rows, shown, run.scale]);
  const measured = useMemo(
    () => measures.map((one) => ({ one, curves: measureCurves(rows, one, run.action_words) })),
    [rows, measures, run.action_words],
  );
  const points = useMemo(() => aboutPoints(rows), [rows]);
  return (
    <div className="grid gap-4 lg:grid-cols-2 lg:[&>*:last-child:nth-child(odd)]:col-span-2">
      {wins.length > 0 && (
        <Panel
          title={points ? "What it wins in a game" : "Share of games it wins"}
          aside={
            starts.length > 1 && (
              <label className="text-sm">
                <span className="sr-only">Who starts</span>
                <select className="field min-h-8 py-1" value={shown} onChange={(e) => setStart(e.target.value)}>
                  {starts.map((one) => (
                    <option key={one} value={one}>
                      {one === "first" ? "it starts" : one}
                    </option>
                  ))}
                </select>
              </label>
            )
          }
        >
          <Curves
            label={`${points ? "Payoff" : "Wins"} against each opponent over games of training`}
            curves={wins}
            {...(points ? { unit: run.unit } : { share: true, unit: "games won" })}
          />
          <p className="mt-1 text-xs text-soft">
            The bands hold the true value 95 times in 100.{!points && " At 50 % it and its opponent are equals."}
          </p>
        </Panel>
      )}
      {measured.map(({ one, curves }) => (
        <Panel key={one.name} title={one.better ? `${one.title} (${one.better} is better)` : one.title}>
          <Curves
            label={`${one.title} over ${stepWords(run.steps)}`}
            curves={curves}
            steps={run.steps}
            unit={UNITS[one.scale]}
            share={one.scale === "share"}
            log={one.scale.startsWith("log")}
            logSteps={one.scale === "log-log"}
          />
        </Panel>
      ))}
    </div>
  );
}

const UNITS = { linear: "", share: "share", log: "on a log scale", "log-log": "both on log scales" };

function Checkpoints({ run }: { run: RunInfo }) {
  const kept = run.checkpoints.toReversed();
  const game = parseGameName(run.config.game).whole;
  return (
    <Panel title="Checkpoints">
      {kept.length === 0 ? (
        <Empty>None yet.</Empty>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {kept.map((one, index) => (
            <li key={one.agent} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
              <span className="grow basis-full sm:basis-auto">
                after <b>{one.at.toLocaleString("en")}</b> {run.steps}{" "}
                <span className="text-soft">({Math.ceil(one.bytes / 1000).toLocaleString("en")} kB)</span>
              </span>
              <Link
                className="rounded-lg bg-accent px-3 py-1.5 font-semibold text-accent-ink"
                to={`/?game=${encodeURIComponent(game)}&agent=${encodeURIComponent(one.agent)}`}
              >
                Play this checkpoint
              </Link>
              <Link className="underline" to={`/strategy?agent=${encodeURIComponent(one.agent)}`}>
                its strategy
              </Link>
              {index + 1 < kept.length && (
                <Link
                  className="underline"
                  to={`/strategy?agent=${encodeURIComponent(one.agent)}&with=${encodeURIComponent(kept[index + 1]?.agent ?? "")}`}
                >
                  what changed
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The configuration; the server explains each setting. */
function Config({ run }: { run: RunInfo }) {
  const { settings, help, ...common } = run.config;
  const rows = [...Object.entries({ ...common, ...settings }), ["code", run.code], ["rules", run.rules]] as [
    string,
    unknown,
  ][];
  return (
    <Panel title="Configuration">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name.replaceAll("_", " ")}</dt>
            <dd>
              <span className="font-mono text-xs leading-5 break-words">
                {Array.isArray(value) ? value.join(", ") : String(value)}
              </span>
              {help[name] && <span className="block text-xs text-soft">{help[name]}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
