// A saved empirical game: its payoffs, what a meta-solver makes of them, and rankings of its strategies.
import { type FormEvent, useEffect, useState } from "react";
import { Link, useParams } from "react-router";
import { type Setting, type Solution, api, ask } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { useGameTitle } from "../queries/games";
import { type Options } from "../lobby/rules";
import { formatGameName } from "../format/names";
import { ShareBar, Button, Chip, Loading, Panel, ErrorMessage, PagePending } from "../ui/basic";
import { DataTable } from "../ui/data-table";
import { Payoffs, sharesByStrategy } from "./payoffs";
import { useTitle } from "../ui/use-title";
import { capitalized, formatPercent, formatNumber, formatSigned } from "../format/numbers";
import { playerName } from "../format/names";

export default function EmpiricalGamePage() {
  const { id = "" } = useParams();
  return <EmpiricalGame key={id} id={id} />;
}

function EmpiricalGame({ id }: { id: string }) {
  useTitle(`Empirical game ${id}`);
  const gameTitle = useGameTitle();
  const [solution, setSolution] = useState<Solution>();
  const about = useApiQuery(`game ${id}`, () =>
    ask(api.GET("/api/empirical-games/{id}", { params: { path: { id } } })),
  );
  if (!about.data) return <PagePending what="the empirical game" problem={about.problem} again={about.again} />;
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-3xl break-words">{gameTitle(about.data.game)}, an empirical game</h1>
        <span className="text-sm text-soft">file {about.data.name}</span>
        <Link to="/runs" className="ml-auto text-sm underline">
          All runs
        </Link>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Payoffs id={id} mixed="all alike" {...(solution ? { shares: solution.players.map(sharesByStrategy) } : {})} />
        <div className="space-y-4">
          <Solve id={id} players={about.data.labels.length} onSolved={setSolution} />
          <Rank id={id} />
        </div>
      </div>
    </div>
  );
}

/** Solved when somebody asks for it, with the settings that somebody has sent. */
function Solve({
  id,
  players,
  onSolved,
}: {
  id: string;
  players: number;
  onSolved: (solution: Solution | undefined) => void;
}) {
  const [name, setName] = useState("");
  const [settings, setSettings] = useState<Options>({});
  const solvers = useApiQuery("meta-solvers", () => ask(api.GET("/api/meta-solvers")));
  const usable = solvers.data?.filter((one) => one.players >= players) ?? [];
  const mine = usable.find((one) => one.name === name);
  const meta = formatGameName(name, settings);
  const solution = useApiQuery(meta && `solution ${id} ${meta}`, () =>
    ask(api.GET("/api/empirical-games/{id}/solution", { params: { path: { id }, query: { meta } } })),
  );
  const done = solution.data?.meta === meta ? solution.data : undefined;
  useEffect(() => onSolved(done), [done, onSolved]);
  const problem = solvers.problem ?? (done ? undefined : solution.problem);
  const choose = (chosen: string) => {
    setName(chosen);
    setSettings({});
  };
  return (
    <Panel title="Solved by a meta-solver">
      <Pick label="Meta-solver" value={name} names={usable.map((one) => one.name)} onChange={choose} />
      {mine && (
        <p className="mt-2 text-sm text-soft">
          {capitalized(mine.summary)} <Chip>{mine.kind}</Chip> {mine.paper}
        </p>
      )}
      {mine && mine.settings.length > 0 && <SettingFields key={name} of={mine.settings} onSend={setSettings} />}
      {problem && (
        <div className="mt-3">
          <ErrorMessage again={solution.again}>{problem}</ErrorMessage>
        </div>
      )}
      {meta && !done && !problem && <Loading what="the mixture" />}
      {done && <Answer solution={done} />}
    </Panel>
  );
}

/** Several numbers, as people write them: without the brackets. */
function isList(text: string): boolean {
  return !text.startsWith("(") && (text.includes(",") || text.includes(" "));
}

/** An empty field is the default. */
function SettingFields({ of, onSend }: { of: Setting[]; onSend: (settings: Options) => void }) {
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = [...new FormData(event.currentTarget)].map(([name, text]): [string, string] => [
      name,
      String(text).trim(),
    ]);
    const all = given.map(([name, text]): [string, string] => [name, isList(text) ? `(${text})` : text]);
    onSend(Object.fromEntries(all.filter(([, text]) => text)));
  };
  return (
    <form className="mt-3 flex flex-wrap items-end gap-3" onSubmit={send}>
      {of.map((one) => (
        <label key={one.name} className="text-sm" title={one.help}>
          <span className="mb-1 block text-soft">{capitalized(one.name)}</span>
          {one.words.length > 0 ? (
            <select className="field" name={one.name} defaultValue="">
              <option value="">{String(one.default)}</option>
              {one.words
                .filter((word) => word !== one.default)
                .map((word) => (
                  <option key={word}>{word}</option>
                ))}
            </select>
          ) : (
            <input
              className="field w-28"
              name={one.name}
              placeholder={String(one.default) || "none"}
              autoComplete="off"
            />
          )}
        </label>
      ))}
      <Button type="submit">Solve with these</Button>
    </form>
  );
}

/** Ranked when somebody asks for it. */
function Rank({ id }: { id: string }) {
  const [by, setBy] = useState("");
  const rankings = useApiQuery("rankings", () => ask(api.GET("/api/rankings")));
  const mine = rankings.data?.find((one) => one.name === by);
  const ranking = useApiQuery(by && `ranking ${id} ${by}`, () =>
    ask(api.GET("/api/empirical-games/{id}/ranking", { params: { path: { id }, query: { by } } })),
  );
  const done = ranking.data?.by === by ? ranking.data : undefined;
  const problem = rankings.problem ?? (done ? undefined : ranking.problem);
  return (
    <Panel title="Ranked">
      <Pick label="Ranking" value={by} names={(rankings.data ?? []).map((one) => one.name)} onChange={setBy} />
      {mine && (
        <p className="mt-2 text-sm text-soft">{`${capitalized(mine.summary)}. ${mine.paper === "–" ? "" : mine.paper}`}</p>
      )}
      {problem && (
        <div className="mt-3">
          <ErrorMessage again={ranking.again}>{problem}</ErrorMessage>
        </div>
      )}
      {by && !done && !problem && <Loading what="the ranking" />}
      {done?.players.map((strategies, player) => (
        <DataTable
          key={player}
          label={`Ranking of ${done.shared ? "all" : playerName(player)}`}
          className="mt-3"
          caption={
            <>
              {done.shared ? "All players" : playerName(player)}
              {done.uncertain ? ": scores and places with their 95 % intervals" : ": all payoffs are exact"}
            </>
          }
          columns={{ place: "pr-3", strategy: "", score: "pl-3 text-right" }}
        >
          {strategies.map((one) => (
            <tr key={one.strategy}>
              <td className="pr-3 font-mono">
                {one.place}
                {one.best_place < one.worst_place && ` (${one.best_place}–${one.worst_place})`}
              </td>
              <th scope="row" className="text-left font-normal break-words">
                {one.label}
              </th>
              <td className="pl-3 text-right font-mono">
                {points(one.score)}
                {done.uncertain && ` [${points(one.low)}, ${points(one.high)}]`}
              </td>
            </tr>
          ))}
        </DataTable>
      ))}
    </Panel>
  );
}

function Pick({
  label,
  value,
  names,
  onChange,
}: {
  label: string;
  value: string;
  names: string[];
  onChange: (name: string) => void;
}) {
  return (
    <label className="text-sm">
      <span className="mb-1 block text-soft">{label}</span>
      <select className="field" value={value} onChange={(e) => onChange(e.target.value)}>
        <option value="">choose one</option>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** Without what solvers leave open. */
const noted = (x: number) => (Math.abs(x) < 1e-6 ? 0 : x);
const points = (x: number) => formatSigned(Number(noted(x).toPrecision(3)));

function Answer({ solution }: { solution: Solution }) {
  const numbers = [
    ...solution.payoffs.map((payoff, player) => [`${playerName(player)} gets`, points(payoff)]),
    ["Social welfare", points(solution.social_welfare)],
    ["NashConv", formatNumber(noted(solution.nash_conv))],
    ["CCE gap", formatNumber(noted(solution.cce_gap))],
  ];
  return (
    <div className="mt-3 space-y-4">
      {solution.note && <p className="text-sm text-soft">{solution.note}</p>}
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {numbers.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt className="text-soft">{name}</dt>
            <dd className="font-mono">{value}</dd>
          </div>
        ))}
      </dl>
      {solution.players.map((strategies, player) => (
        <DataTable
          key={player}
          label={`Strategies of ${playerName(player)}`}
          caption={<>{playerName(player)}: the most played first, then by what they get against the mixture</>}
          columns={{ strategy: "pr-3", played: "w-1/2", gets: "pl-3 text-right" }}
        >
          {strategies.map((one) => (
            <tr key={one.strategy}>
              <th scope="row" className="pr-3 text-left font-normal break-words">
                {one.label}
              </th>
              <td>
                <ShareBar share={noted(one.share)} label={formatPercent(noted(one.share))} />
              </td>
              <td className="pl-3 text-right font-mono">{points(one.payoff)}</td>
            </tr>
          ))}
        </DataTable>
      ))}
    </div>
  );
}
