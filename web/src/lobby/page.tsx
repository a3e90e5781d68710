// The first page: the game one was in, the way to a new one, and one's tables.
import { useGamesQuery } from "../queries/games";
import { sortGames } from "../games";
import { ImportGame } from "./bring";
import { Shelf } from "./shelf";
import { ContinueGame, YourTables } from "./tables";
import { Loading, PagePending } from "../ui/basic";
import { useTitle } from "../ui/use-title";

export function HomePage() {
  useTitle("");
  const games = useGamesQuery(0);
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0 space-y-4">
        <ContinueGame />
        <h1 className="text-2xl">
          Sit down and play{" "}
          <span className="block font-sans text-sm text-soft sm:inline">with what others hide from you</span>
        </h1>
        {games.problem ? (
          <PagePending what="the games" problem={games.problem} again={games.again} />
        ) : games.data ? (
          <Shelf games={sortGames(games.data)} />
        ) : (
          <Loading what="the games" />
        )}
      </div>
      <aside className="min-w-0 space-y-4">
        <YourTables />
        <ImportGame />
      </aside>
    </div>
  );
}
