// Runs, saved empirical games, and cross tables of who beats whom.
import { Link } from "react-router";
import { type CrossTable, type EmpiricalGameInfo, type RunInfo, api, ask } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { useGameTitle } from "../queries/games";
import { Chip, Empty, Loading, Panel, ScrollSideways, ErrorMessage } from "../ui/basic";
import { useTitle } from "../ui/use-title";
import { RUN_TONES, runTitle, progress } from "./progress";
import { formatPercent, plural, formatNumber, formatSigned } from "../format/numbers";

const POLL_MS = 5000; // milliseconds between looks

export default function RunsPage() {
  useTitle("Runs");
  const runs = useApiQuery("runs", () => ask(api.GET("/api/runs")), { refetchInterval: POLL_MS });
  const tables = useApiQuery("cross tables", () => ask(api.GET("/api/cross-tables")));
  const games = useApiQuery("empirical games", () => ask(api.GET("/api/empirical-games")));
  return (
    <div className="space-y-6">
      <div>
        <h1 className="text-3xl">Runs</h1>
        <p className="text-soft">Agents that learn by playing, as they do, and how they fare against each other.</p>
      </div>
      {runs.problem && <ErrorMessage again={runs.again}>{runs.problem}</ErrorMessage>}
      {runs.data ? <RunList runs={runs.data} /> : !runs.problem && <Loading what="the runs" />}
      {(games.problem || (games.data && games.data.length > 0)) && (
        <section className="space-y-3">
          <h2 className="text-2xl">Empirical games</h2>
          {games.problem && <ErrorMessage again={games.again}>{games.problem}</ErrorMessage>}
          {games.data && <EmpiricalGames games={games.data} />}
        </section>
      )}
      <section className="space-y-3">
        <h2 className="text-2xl">Who beats whom</h2>
        {tables.problem && <ErrorMessage again={tables.again}>{tables.problem}</ErrorMessage>}
        {tables.data?.length === 0 && (
          <Empty>No cross table yet. Save one with: parlor compare GAME AGENT AGENT --json &gt; runs/cross.json</Empty>
        )}
        {tables.data?.map((table) => (
          <Cross key={table.id} table={table} />
        ))}
      </section>
    </div>
  );
}

function RunList({ runs }: { runs: RunInfo[] }) {
  const gameTitle = useGameTitle();
  if (runs.length === 0)
    return <Empty>No run yet. Start one with: parlor train GAME, or parlor psro GAME. It appears here at once.</Empty>;
  return (
    <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {runs.map((run) => (
        <li key={run.id}>
          <Link to={`/runs/${run.id}`} className="panel block h-full p-4 hover:border-accent">
            <span className="flex items-baseline justify-between gap-2">
              <span className="font-serif text-lg break-words">{runTitle(run, gameTitle)}</span>
              <span className="shrink-0">
                <Chip tone={RUN_TONES[run.state]}>{run.state}</Chip>
              </span>
            </span>
            <span className="mt-1 block text-sm text-soft">
              {run.name}, seed {run.config.seed}
            </span>
            <span className="mt-3 block h-2 overflow-hidden rounded-full bg-raised" aria-hidden>
              <span className="block h-full bg-bar" style={{ width: `${Math.min(100, 100 * progress(run).share)}%` }} />
            </span>
            <span className="mt-1 block text-xs text-soft">
              {progress(run).text}, {plural(run.checkpoints.length, "checkpoint")}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function EmpiricalGames({ games }: { games: EmpiricalGameInfo[] }) {
  const gameTitle = useGameTitle();
  return (
    <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {games.map((one) => (
        <li key={one.id}>
          <Link to={`/empirical-games/${one.id}`} className="panel block h-full p-4 hover:border-accent">
            <span className="font-serif text-lg break-words">{gameTitle(one.game)}</span>
            <span className="mt-1 block text-sm text-soft">
              {one.name}, {one.labels.map((some) => some.length).join(" × ")} strategies
            </span>
            <span className="mt-1 block text-xs text-soft">
              {one.known.toLocaleString("en")} of {plural(one.cells, "combination")} known
              {one.games ? `, ${plural(one.games, "game")}` : ""}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type Interval = CrossTable["matches"][number]["payoff"];

/** Of the other side, if both together have `all`. */
const turned = ({ value, low, high }: Interval, all: number): Interval => {
  const rest = (x: number | null) => (x === null ? null : all - x);
  return { value: rest(value), low: rest(high), high: rest(low) };
};

/** What a table of payoffs or of shares of wins says, between two players or among more. */
function caption({ in_points, players, unit }: CrossTable): string {
  const alone = players > 2 ? `, alone against ${players - 1} of the column` : " against the column";
  const what = in_points
    ? `Mean payoff of the row${alone}${unit === "payoff" ? "" : `, in ${unit}`}.`
    : `Share of wins of the row${alone}, ties split evenly${players > 2 ? `; equals have ${formatPercent(1 / players)}` : ""}.`;
  return `${what} Below it the 95 % interval.`;
}

function Cross({ table }: { table: CrossTable }) {
  const gameTitle = useGameTitle();
  const cell = (row: string, column: string) => {
    const ours = table.matches.find((match) => match.agent === row && match.against === column);
    if (ours) return table.in_points ? ours.payoff : ours.share;
    if (table.players > 2) return undefined; // one against many is not the reverse of many against one
    const theirs = table.matches.find((match) => match.agent === column && match.against === row);
    return theirs && (table.in_points ? (theirs.against_payoff ?? turned(theirs.payoff, 0)) : turned(theirs.share, 1));
  };
  const most = Math.max(
    1e-12,
    ...table.matches.flatMap(({ payoff, against_payoff }) =>
      [payoff.value, against_payoff?.value ?? 0].map((x) => Math.abs(x ?? 0)),
    ),
  );
  const points = (x: number) => formatSigned(Number((x * table.scale).toPrecision(3)));
  const mean = (row: string, index: number) => {
    if (table.in_points) return table.mean_payoffs[index] == null ? "" : points(table.mean_payoffs[index]);
    const shares = table.agents.flatMap((column) => (row === column ? [] : (cell(row, column)?.value ?? [])));
    return shares.length ? formatPercent(shares.reduce((sum, share) => sum + share, 0) / shares.length) : "";
  };
  return (
    <Panel title={gameTitle(table.game)} aside={<span className="text-xs text-soft">{table.id}</span>}>
      <p className="mb-2 text-xs text-soft">{caption(table)}</p>
      <ScrollSideways label={`Cross table of ${gameTitle(table.game)}`}>
        <table className="border-separate border-spacing-1 text-sm">
          <thead>
            <tr>
              <th scope="col" className="min-w-32 pr-3 text-right text-xs font-normal text-soft">
                row against column
              </th>
              {table.agents.map((agent) => (
                <th
                  key={agent}
                  scope="col"
                  className="max-w-28 min-w-20 px-2 pb-1 text-xs font-medium break-words text-soft"
                >
                  {agent}
                </th>
              ))}
              <th scope="col" className="px-2 text-xs font-medium">
                mean
              </th>
              {table.ratings.length > 0 && !table.in_points && (
                <th scope="col" className="px-2 text-xs font-medium">
                  rating
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {table.agents.map((row, index) => (
              <tr key={row}>
                <th
                  scope="row"
                  className="sticky left-0 min-w-32 max-w-40 bg-panel pr-3 text-right font-medium break-words"
                >
                  {row}
                </th>
                {table.agents.map((column) => {
                  const rate = row === column ? undefined : cell(row, column);
                  const value = rate?.value ?? null;
                  return (
                    <td
                      key={column}
                      className="h-12 min-w-16 rounded-md px-1 text-center font-mono"
                      style={
                        value === null
                          ? undefined
                          : {
                              background: table.in_points
                                ? heat((1 + value / most) / 2, 0.5)
                                : heat(value, 1 / table.players),
                            }
                      }
                    >
                      {row === column && (
                        <span aria-hidden className="text-soft">
                          –
                        </span>
                      )}
                      {value === null ? "" : table.in_points ? points(value) : formatPercent(value)}
                      {rate?.low != null && rate.high != null && (
                        <span className="block text-[0.65rem] whitespace-nowrap opacity-80">
                          {table.in_points
                            ? `${points(rate.low)} to ${points(rate.high)}`
                            : `${Math.floor(100 * rate.low)} to ${Math.ceil(100 * rate.high)} %`}
                        </span>
                      )}
                    </td>
                  );
                })}
                <td className="px-2 text-right font-mono">{mean(row, index)}</td>
                {table.ratings.length > 0 && !table.in_points && (
                  <td className="px-2 text-right font-mono">
                    {table.ratings[index] == null
                      ? ""
                      : formatSigned(Number(formatNumber(Math.round(table.ratings[index]))))}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollSideways>
    </Panel>
  );
}

/** From red through nothing, at the share of equals, to green. */
function heat(share: number, equal: number): string {
  const strength = Math.round((70 * Math.abs(share - equal)) / (share >= equal ? 1 - equal : equal));
  const colour = share >= equal ? "light-dark(#4fb286, #1f7a56)" : "light-dark(#e08a7d, #8d3a30)";
  return `color-mix(in oklab, ${colour} ${strength}%, var(--panel))`;
}
