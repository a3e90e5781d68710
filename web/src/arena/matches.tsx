// The newest matches of a game: who, how it went, and the commitment to their deals.
import { Link } from "react-router";
import type { ArenaMatch } from "../api/client";
import { plural } from "../format/numbers";
import { Chip, Empty, Panel } from "../ui/basic";
import { DataTable } from "../ui/data-table";
import { Estimate } from "./standings";

export function Matches({ matches }: { matches: ArenaMatch[] }) {
  return (
    <Panel title="Matches">
      {matches.length === 0 ? (
        <Empty>No match has begun yet.</Empty>
      ) : (
        <DataTable
          label="Matches"
          caption="The newest first. A match commits to its deals before the first card, and tells their secret at the end."
          columns={{ match: "", "the first gets, a game": "px-2 text-right", state: "px-2", commitment: "px-2" }}
        >
          {matches.map((match) => (
            <tr key={match.id} className="border-t border-line align-top" data-testid="match">
              <th scope="row" className="py-1.5 text-left font-medium">
                <Link className="underline decoration-line underline-offset-4" to={`/arena/match/${match.id}`}>
                  {match.agents.join(" – ")}
                </Link>
                <span className="block text-xs font-normal text-soft">{plural(match.games, "game")}</span>
              </th>
              <td className="px-2 py-1.5 text-right font-mono">
                <Estimate of={match.payoff} />
              </td>
              <td className="px-2 py-1.5">
                <State of={match} />
              </td>
              <td className="px-2 py-1.5 font-mono text-xs text-soft" title={match.commitment}>
                {match.commitment.slice(0, 16)}…
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Panel>
  );
}

export function State({ of }: { of: ArenaMatch }) {
  const tone = of.state === "running" ? "good" : of.state === "over" ? "plain" : "warn";
  return (
    <>
      <Chip tone={tone}>{of.state}</Chip>
      {of.why && <span className="mt-1 block max-w-sm text-xs text-soft">{of.why}</span>}
    </>
  );
}
