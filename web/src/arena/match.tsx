// A match of the arena: its games, each a replay, deal by deal; and how its shuffles are verified.
import { Link, useParams } from "react-router";
import { type ArenaMatch, api, ask } from "../api/client";
import { formatSigned, plural } from "../format/numbers";
import { useGameTitle } from "../queries/games";
import { useApiQuery } from "../queries/use-api-query";
import { Empty, PagePending, Panel } from "../ui/basic";
import { DataTable } from "../ui/data-table";
import { CopyField } from "../ui/copy";
import { useTitle } from "../ui/use-title";
import { State } from "./matches";

const AGAIN = 3000; // milliseconds, while it runs

export default function ArenaMatchPage() {
  const { id = "" } = useParams();
  const gameTitle = useGameTitle();
  const found = useApiQuery(
    `arena match ${id}`,
    () => ask(api.GET("/api/arena/matches/{match}", { params: { path: { match: id } } })),
    { refetchInterval: ({ state }) => (state.data?.match.state === "running" ? AGAIN : false) },
  );
  useTitle(found.data ? found.data.match.agents.join(" – ") : "Match");
  if (!found.data) return <PagePending what="the match" problem={found.problem} again={found.again} />;
  const { match, games } = found.data;
  const lost = Object.entries(match.failures).flatMap(([agent, kinds]) =>
    Object.entries(kinds).map(([kind, count]) => `${agent} lost ${plural(count, "game")} by ${kind}`),
  );
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="text-3xl break-words">{match.agents.join(" – ")}</h1>
        <span className="text-soft">{gameTitle(match.game)}</span>
        <State of={match} />
        <Link to={`/arena?game=${encodeURIComponent(match.game)}`} className="ml-auto text-sm underline">
          Standings
        </Link>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel title={plural(games.length, "game")}>
          {lost.length > 0 && <p className="mb-2 text-sm text-warn">{lost.join("; ")}.</p>}
          {games.length === 0 ? (
            <Empty>The first deal is being played.</Empty>
          ) : (
            <DataTable
              label="Games"
              caption={<>{games[1]?.deal === 0 && "Each deal is played from all seats. "}A game opens as a replay.</>}
              columns={{ deal: "", seats: "px-2", payoffs: "px-2 text-right" }}
            >
              {games.map((game, index) => (
                <tr key={game.table} className={games[index - 1]?.deal === game.deal ? "" : "border-t border-line"}>
                  <td className="py-1 font-mono text-xs text-soft">
                    {games[index - 1]?.deal === game.deal ? "" : game.deal + 1}
                  </td>
                  <th scope="row" className="px-2 py-1 text-left font-normal">
                    <Link className="underline decoration-line underline-offset-4" to={`/table/${game.table}`}>
                      {game.seats.join(", ")}
                    </Link>
                  </th>
                  <td className="px-2 py-1 text-right font-mono">
                    {game.payoffs.length > 0 ? game.payoffs.map(formatSigned).join(", ") : "lost by failing"}
                  </td>
                </tr>
              ))}
            </DataTable>
          )}
        </Panel>
        <Shuffles match={match} />
      </div>
    </div>
  );
}

function Shuffles({ match }: { match: ArenaMatch }) {
  const command = `parlor verify ${window.location.origin}/arena/match/${match.id} --commitment ${match.commitment}`;
  return (
    <Panel title="Its shuffles">
      <div className="space-y-3 text-sm">
        <p>
          All deals come from one secret. Its SHA-256 could be read here before the first card was dealt, so nothing was
          dealt with an eye on the play.
        </p>
        <Value name="Commitment" text={match.commitment} />
        {match.secret === null ? (
          <p className="text-soft">The secret is told when the match is over.</p>
        ) : (
          <>
            <Value name="Secret" text={match.secret} />
            <p>This command compares the two, and draws every deal again:</p>
            <CopyField label="The command that verifies the deals" text={command} />
          </>
        )}
      </div>
    </Panel>
  );
}

const Value = ({ name, text }: { name: string; text: string }) => (
  <p>
    <span className="block text-xs text-soft">{name}</span>
    <span className="font-mono text-xs break-all">{text}</span>
  </p>
);
