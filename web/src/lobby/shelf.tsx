// The games as a shelf: a click on a cover starts the game as it was played last, or as it is offered.
import { Suspense, lazy, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { GameInfo } from "../api/client";
import { againstText, coverOf } from "../games";
import { GameIcon } from "../games/glyph";
import { opponentsOf } from "../store/results";
import { type Seat, useSeats } from "../store/seats";
import { gameBase, parseGameName } from "../format/names";
import { useGameTitle } from "../queries/games";
import { Empty, ErrorMessage } from "../ui/basic";
import { asLast, asOffered, loadTable, useStart } from "./start";

const PAUSE_MS = 300; // after the shelf is there

const Drawer = lazy(() => import("./drawer"));

export function Shelf({ games }: { games: GameInfo[] }) {
  const [search, setSearch] = useSearchParams();
  const seats = useSeats();
  const { start, busy, problem } = useStart();
  const asked = games.find(({ name }) => name === gameBase(search.get("game") ?? ""));
  const [more, setMore] = useState(false);
  useEffect(() => {
    const later = setTimeout(() => void loadTable().catch(() => undefined), PAUSE_MS);
    return () => clearTimeout(later);
  }, []);
  const drawn = games.filter(({ name }) => coverOf(name));
  const others = games.filter(({ name }) => !coverOf(name));
  if (games.length === 0) return <Empty>The server offers no games.</Empty>;
  const shown = (game: GameInfo) => {
    const last = seats.find((seat) => gameBase(seat.game) === game.name && !seat.branch && asLast(seat));
    const wanted = last && asLast(last);
    return (
      <Game
        key={game.name}
        game={game}
        last={last}
        busy={busy === game.name}
        play={() => void (wanted ? start(wanted, asOffered(game)) : start(asOffered(game)))}
        choose={() => setSearch({ game: game.name })}
      />
    );
  };
  return (
    <section aria-label="Games" className="space-y-4">
      {problem && <ErrorMessage>{problem}</ErrorMessage>}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4">{drawn.map(shown)}</ul>
      {others.length > 0 && (
        <>
          <button
            type="button"
            aria-expanded={more}
            className="w-full rounded-xl border border-line bg-panel py-3 font-serif text-lg hover:bg-raised"
            onClick={() => setMore(!more)}
          >
            {more ? "Fewer games" : `${others.length} more games`}
          </button>
          {more && <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">{others.map(shown)}</ul>}
        </>
      )}
      {asked && (
        <Suspense>
          <Drawer key={search.toString()} game={asked} close={() => setSearch({})} />
        </Suspense>
      )}
    </section>
  );
}

const CARD =
  "relative flex h-full overflow-hidden rounded-xl border border-line bg-panel shadow-sm " +
  "hover:border-accent hover:shadow-md has-disabled:opacity-70";
const MORE =
  "absolute right-1 bottom-1 z-1 grid size-10 place-items-center rounded-lg text-lg text-soft " +
  "hover:bg-raised hover:text-ink";
const WHOLE = "after:absolute after:inset-0 after:content-['']"; // a click anywhere on the card is one on the button

function Game({
  game,
  last,
  busy,
  play,
  choose,
}: {
  game: GameInfo;
  last: Seat | undefined;
  busy: boolean;
  play: () => void;
  choose: () => void;
}) {
  const gameTitle = useGameTitle();
  const cover = coverOf(game.name);
  const rules = last && parseGameName(last.game).options.length ? gameTitle(last.game).split(" · ")[1] : "";
  const again = last ? [againstText(last.game, opponentsOf(last)), rules].filter(Boolean).join(", ") : "";
  return (
    <li className={`${CARD} ${cover ? "flex-col" : "items-center gap-3 p-3 pr-12"}`}>
      {cover ? (
        <img src={cover} alt="" width={320} height={200} className="aspect-8/5 w-full" />
      ) : (
        <GameIcon game={game.name} />
      )}
      <div className={`min-w-0 grow ${cover ? "px-3 py-2 pr-10" : ""}`}>
        <button
          type="button"
          data-game={game.name}
          aria-label={busy ? undefined : `Play ${game.title}`}
          aria-describedby={`${game.name}-summary`}
          disabled={busy}
          className={`block text-left font-serif text-lg leading-tight ${WHOLE}`}
          onClick={play}
        >
          {busy ? "Sitting down …" : game.title}
        </button>
        <p id={`${game.name}-summary`} className="line-clamp-2 text-xs text-soft">
          {again || summaryOf(game)}
        </p>
      </div>
      <button
        type="button"
        aria-label={`Options for ${game.title}`}
        title="Opponent, rules, friends"
        className={MORE}
        onClick={choose}
      >
        <span aria-hidden>⋯</span>
      </button>
    </li>
  );
}

/** Without the title that stands above it. */
function summaryOf({ title, summary }: GameInfo): string {
  const [before, ...after] = summary.split(": ");
  const rest = after.join(": ");
  return rest && before?.toLowerCase().includes((title.split(" ")[0] ?? "").toLowerCase())
    ? rest.charAt(0).toUpperCase() + rest.slice(1)
    : summary;
}
