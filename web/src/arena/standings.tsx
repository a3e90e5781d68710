// Who stands where, with intervals; and apart from that, what agents got against people.
import { useState } from "react";
import type { ArenaStanding, ArenaStandings, Interval } from "../api/client";
import { formatNumber, formatPercent, formatSigned, plural } from "../format/numbers";
import { Chip, Empty, Panel } from "../ui/basic";
import { DataTable } from "../ui/data-table";

const points = (x: number) => formatSigned(Number(x.toFixed(Math.abs(x) >= 10 ? 1 : 2)));

/** An estimate with its interval below it. */
export function Estimate({ of, text = points }: { of: Interval | null; text?: (x: number) => string }) {
  if (of?.value == null) return <span className="text-soft">–</span>;
  return (
    <>
      {text(of.value)}
      {of.low !== null && of.high !== null && of.low < of.high && (
        <span className="block text-[0.65rem] whitespace-nowrap text-soft">
          {text(of.low)} to {text(of.high)}
        </span>
      )}
    </>
  );
}

const CELL = "px-2 py-1.5 text-right font-mono align-top";

export function Standings({ standings }: { standings: ArenaStandings }) {
  const [open, setOpen] = useState("");
  const { agents, people } = standings;
  const rated = agents.flatMap(({ rating }) => (rating?.value == null ? [] : [rating.low ?? 0, rating.high ?? 0]));
  const range: [number, number] = [Math.min(0, ...rated), Math.max(1, ...rated)];
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Panel title={`Standings at ${standings.title}`}>
        <DataTable
          label="Standings"
          caption="Agents against agents, with 95 % intervals. Random play has the rating 0; 400 points more are ten times the odds."
          columns={{
            agent: "",
            rating: "px-2 text-right",
            "a game": "px-2 text-right",
            games: "px-2 text-right",
            "lost by failing": "px-2 text-right",
          }}
        >
          {agents.map((one, place) => (
            <Row
              key={one.agent}
              one={one}
              place={place + 1}
              range={range}
              open={open === one.agent}
              onOpen={() => setOpen(open === one.agent ? "" : one.agent)}
              standings={standings}
            />
          ))}
        </DataTable>
      </Panel>
      <Panel title="Against people">
        {people.length === 0 ? (
          <Empty>Nobody has played to the end against an agent here.</Empty>
        ) : (
          <DataTable
            label="Against people"
            caption="What agents of this server got from people. None of it counts in the standings."
            columns={{ agent: "", wins: "px-2 text-right", "a game": "px-2 text-right", games: "px-2 text-right" }}
          >
            {people.map((one) => (
              <tr key={one.agent} className="border-t border-line">
                <th scope="row" className="py-1.5 text-left align-top font-medium break-words">
                  {one.name}
                </th>
                <td className={CELL}>
                  <Estimate of={one.win_share} text={formatPercent} />
                </td>
                <td className={CELL}>
                  <Estimate of={one.payoff} />
                </td>
                <td className={CELL}>{one.games.toLocaleString("en")}</td>
              </tr>
            ))}
          </DataTable>
        )}
      </Panel>
    </div>
  );
}

function Row({
  one,
  place,
  range,
  open,
  onOpen,
  standings,
}: {
  one: ArenaStanding;
  place: number;
  range: [number, number];
  open: boolean;
  onOpen: () => void;
  standings: ArenaStandings;
}) {
  return (
    <>
      <tr className="border-t border-line" data-testid="standing">
        <th scope="row" className="py-1.5 text-left align-top font-medium">
          <button type="button" aria-expanded={open} onClick={onOpen} className="text-left hover:text-accent">
            <span className="mr-2 font-mono text-xs text-soft">{place}</span>
            <span className="underline decoration-line underline-offset-4">{one.name}</span>
          </button>{" "}
          {one.own && <Chip>this server’s</Chip>} {one.connected && !one.own && <Chip tone="good">connected</Chip>}
          {one.rating && <Band rating={one.rating} range={range} />}
        </th>
        <td className={CELL}>
          <Estimate of={one.rating} text={(x) => formatNumber(Math.round(x)).replace("-", "−")} />
        </td>
        <td className={CELL}>
          <Estimate of={one.payoff} />
        </td>
        <td className={CELL}>{one.games.toLocaleString("en")}</td>
        <td className={CELL}>{one.lost_by_failing || ""}</td>
      </tr>
      {open && (
        <tr>
          <td colSpan={5} className="pb-3">
            <Pairs one={one} standings={standings} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The rating as a mark, its interval as a band, on the scale of all. */
function Band({ rating, range: [least, most] }: { rating: Interval; range: [number, number] }) {
  const at = (x: number) => `${100 * Math.min(1, Math.max(0, (x - least) / (most - least)))}%`;
  const value = rating.value ?? 0;
  const [low, high] = [rating.low ?? least, rating.high ?? most];
  return (
    <span aria-hidden className="relative mt-1.5 block h-2 min-w-24 rounded-full bg-raised">
      <span
        className="absolute inset-y-0 rounded-full bg-bar/40"
        style={{ left: at(low), right: `calc(100% - ${at(high)})` }}
      />
      <span className="absolute inset-y-[-2px] w-1 rounded bg-accent" style={{ left: `calc(${at(value)} - 2px)` }} />
    </span>
  );
}

/** What an agent got from each of the others. */
function Pairs({ one, standings }: { one: ArenaStanding; standings: ArenaStandings }) {
  const name = (id: string) => standings.agents.find(({ agent }) => agent === id)?.name ?? id;
  const mine = standings.pairs.filter((pair) => pair.one === one.agent || pair.other === one.agent);
  if (mine.length === 0) return <p className="px-2 text-soft">It has not played yet.</p>;
  return (
    <ul className="space-y-1 rounded-lg bg-raised px-3 py-2">
      {mine.map((pair) => {
        const first = pair.one === one.agent;
        const payoff = first ? pair.payoff : pair.other_payoff;
        const alone = standings.players > 2 ? (first ? ", alone against its copies" : ", which sat alone") : "";
        return (
          <li key={`${pair.one} ${pair.other}`} className="flex flex-wrap gap-x-3">
            <span className="grow">
              against {name(first ? pair.other : pair.one)}
              <span className="text-soft">
                {alone}, {plural(pair.games, "game")}
              </span>
            </span>
            <span className="font-mono">
              {payoff.value === null ? "–" : points(payoff.value)}
              {payoff.low !== null && payoff.high !== null && (
                <span className="text-soft">
                  {" "}
                  ({points(payoff.low)} to {points(payoff.high)})
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
