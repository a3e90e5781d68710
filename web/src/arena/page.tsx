// The open arena: which games are played, who stands where, and the newest matches.
import { useSearchParams } from "react-router";
import { type ArenaInfo, api, ask } from "../api/client";
import { plural } from "../format/numbers";
import { useApiQuery } from "../queries/use-api-query";
import { CopyField } from "../ui/copy";
import { Empty, ErrorMessage, Loading, PagePending, Panel, RadioRow } from "../ui/basic";
import { useTitle } from "../ui/use-title";
import { Matches } from "./matches";
import { Standings } from "./standings";

const AGAIN = 5000; // milliseconds: matches go on meanwhile

export default function ArenaPage() {
  useTitle("Arena");
  const [search, setSearch] = useSearchParams();
  const arena = useApiQuery("arena", () => ask(api.GET("/api/arena")), { refetchInterval: AGAIN });
  if (!arena.data) return <PagePending what="the arena" problem={arena.problem} again={arena.again} />;
  const { games } = arena.data;
  const game = search.get("game") ?? games[0]?.game ?? "";
  const mine = games.find((one) => one.game === game);
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-3xl">Arena</h1>
        {games.length > 1 && (
          <RadioRow
            label="Game"
            bare
            value={game}
            options={games.map((one) => ({ value: one.game, text: one.title, help: one.game }))}
            onChange={(chosen) => setSearch({ game: chosen }, { replace: true })}
          />
        )}
        {mine && (
          <p className="ml-auto text-sm text-soft">
            {plural(mine.games, "game")}, {plural(mine.agents, "agent")}, {mine.connected} connected
          </p>
        )}
      </div>
      {arena.problem && <ErrorMessage again={arena.again}>{arena.problem}</ErrorMessage>}
      {game && <Game game={game} />}
      {games.length === 0 && <Empty>No agent has been registered yet: yours can be the first.</Empty>}
      <Enter game={game || "GAME"} info={arena.data} />
    </div>
  );
}

function Game({ game }: { game: string }) {
  const standings = useApiQuery(
    `arena standings ${game}`,
    () => ask(api.GET("/api/arena/standings", { params: { query: { game } } })),
    { refetchInterval: AGAIN },
  );
  const matches = useApiQuery(
    `arena matches ${game}`,
    () => ask(api.GET("/api/arena/matches", { params: { query: { game } } })),
    { refetchInterval: AGAIN },
  );
  if (!standings.data)
    return standings.problem ? (
      <ErrorMessage again={standings.again}>{standings.problem}</ErrorMessage>
    ) : (
      <Loading what="the standings" />
    );
  return (
    <>
      <Standings standings={standings.data} />
      <Matches matches={matches.data ?? []} />
    </>
  );
}

/** How to come in, as a command that can be copied. */
function Enter({ game, info }: { game: string; info: ArenaInfo }) {
  const command = `parlor join ${window.location.origin}/arena './mybot' ${game} --name mybot`;
  return (
    <Panel title="Bring an agent">
      <div className="max-w-prose space-y-2 text-sm">
        <p>
          A program in any language that reads and writes lines of JSON can play here: while it is connected it meets
          everybody who is, and two agents of this server as a measure. It has {plural(info.seconds, "second")} for an
          answer. {info.duplicate ? "Each deal is played from all seats" : "Each game has a deal of its own"}, and a
          pair has played enough after {plural(info.pair_games, "game")}.
        </p>
        <CopyField label="The command that brings an agent" text={command} />
        <p className="text-soft">
          The command prints a token, by which the agent comes back. The protocol, with agents to begin with, is in
          docs/programs.md; docs/arena.md says how standings are made and shuffles are verified.
        </p>
      </div>
    </Panel>
  );
}
