// The first page: the game one was in, the way to a new one, and one's tables.
import { api, ask } from "../api/client";
import { useAnswer } from "../api/use-answer";
import { inOrder } from "../games";
import { BringGame } from "./bring";
import { Lobby, Welcome } from "./lobby";
import { Continue, YourTables } from "./tables";
import { Loading, Trouble } from "../ui/basic";
import { useTitle } from "../ui/use-title";

export function HomePage() {
  useTitle("");
  const games = useAnswer("games", () => ask(api.GET("/api/games")));
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0 space-y-4">
        <Continue />
        {games.problem ? (
          <Trouble again={games.again}>{games.problem}</Trouble>
        ) : games.data ? (
          <Lobby games={inOrder(games.data)} />
        ) : (
          <>
            <Welcome />
            <Loading what="the games" />
          </>
        )}
      </div>
      <aside className="min-w-0 space-y-4">
        <YourTables />
        <BringGame />
      </aside>
    </div>
  );
}
