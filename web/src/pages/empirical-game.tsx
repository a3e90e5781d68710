// A saved empirical game: its payoffs, and what a meta-solver makes of them.
import { useEffect, useState } from "react";
import { Link, useParams } from "react-router";
import { type Solution, api, ask } from "../api/client";
import { useAnswer } from "../api/use-answer";
import { useGameTitle } from "../api/use-games";
import { Bar, Chip, Loading, Panel, Sideways, Trouble } from "../parts/basic";
import { Payoffs, spread } from "../parts/payoffs";
import { useTitle } from "../parts/use-title";
import { first, percent, playerName, short, signed } from "../words";

export default function EmpiricalGamePage() {
  const { id = "" } = useParams();
  return <EmpiricalGame key={id} id={id} />;
}

function EmpiricalGame({ id }: { id: string }) {
  useTitle(`Empirical game ${id}`);
  const gameTitle = useGameTitle();
  const [solution, setSolution] = useState<Solution>();
  const about = useAnswer(`game ${id}`, () => ask(api.GET("/api/empirical-games/{id}", { params: { path: { id } } })));
  if (about.problem && !about.data) return <Trouble again={about.again}>{about.problem}</Trouble>;
  if (!about.data) return <Loading what="the empirical game" />;
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
        <Payoffs id={id} mixed="all alike" {...(solution ? { shares: solution.players.map(spread) } : {})} />
        <Solve id={id} players={about.data.labels.length} onSolved={setSolution} />
      </div>
    </div>
  );
}

/** Solved when somebody asks for it. */
function Solve({ id, players, onSolved }: { id: string; players: number; onSolved: (solution: Solution | undefined) => void }) {
  const [meta, setMeta] = useState("");
  const solvers = useAnswer("meta-solvers", () => ask(api.GET("/api/meta-solvers")));
  const usable = solvers.data?.filter((one) => one.players >= players) ?? [];
  const mine = usable.find((one) => one.name === meta);
  const solution = useAnswer(meta && `solution ${id} ${meta}`, () => ask(api.GET("/api/empirical-games/{id}/solution", { params: { path: { id }, query: { meta } } })));
  const done = solution.data?.meta === meta ? solution.data : undefined;
  useEffect(() => onSolved(done), [done, onSolved]);
  const problem = solvers.problem ?? (done ? undefined : solution.problem);
  return (
    <Panel title="Solved by a meta-solver">
      <label className="text-sm">
        <span className="mb-1 block text-soft">Meta-solver</span>
        <select className="field" value={meta} onChange={(e) => setMeta(e.target.value)}>
          <option value="">choose one</option>
          {usable.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {mine && (
        <p className="mt-2 text-sm text-soft">
          {first(mine.summary)} <Chip>{mine.kind}</Chip> {mine.paper}
        </p>
      )}
      {problem && <div className="mt-3"><Trouble again={solution.again}>{problem}</Trouble></div>}
      {meta && !done && !problem && <Loading what="the mixture" />}
      {done && <Answer solution={done} />}
    </Panel>
  );
}

/** Without what solvers leave open. */
const noted = (x: number) => (Math.abs(x) < 1e-6 ? 0 : x);
const points = (x: number) => signed(Number(noted(x).toPrecision(3)));

function Answer({ solution }: { solution: Solution }) {
  const numbers = [
    ...solution.payoffs.map((payoff, player) => [`${playerName(player)} gets`, points(payoff)]),
    ["Social welfare", points(solution.social_welfare)],
    ["NashConv", short(noted(solution.nash_conv))],
    ["CCE gap", short(noted(solution.cce_gap))],
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
        <Sideways key={player} label={`Strategies of ${playerName(player)}`}>
          <table className="w-full text-sm">
            <caption className="pb-1 text-left text-soft">{playerName(player)}: the most played first, then by what they get against the mixture</caption>
            <thead>
              <tr className="text-left text-xs text-soft">
                <th scope="col" className="pr-3 font-normal">strategy</th>
                <th scope="col" className="w-1/2 font-normal">played</th>
                <th scope="col" className="pl-3 text-right font-normal">gets</th>
              </tr>
            </thead>
            <tbody>
              {strategies.map((one) => (
                <tr key={one.strategy}>
                  <th scope="row" className="pr-3 text-left font-normal break-words">{one.label}</th>
                  <td>
                    <Bar share={noted(one.share)} label={percent(noted(one.share))} />
                  </td>
                  <td className="pl-3 text-right font-mono">{points(one.payoff)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      ))}
    </div>
  );
}
