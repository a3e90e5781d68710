// One's tables: those that go on, to be continued first; those that are over; and a bin from which all come back.
import { useState } from "react";
import { Link } from "react-router";
import { useGameTitle } from "../queries/games";
import { againstText } from "../games";
import { GameIcon } from "../games/glyph";
import { Button, Chip, Empty, Panel } from "../ui/basic";
import { opponentsOf } from "../store/results";
import { type Seat, binSeat, emptyBin, restoreSeat, useBin, useSeats } from "../store/seats";
import { OUTCOMES } from "../format/table";

const TURNS: Record<string, string> = { you: "your turn", waiting: "waits for players" };
const when = (iso: string) => new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

const GO =
  "inline-flex min-h-10 grow items-center justify-center rounded-lg bg-accent px-6 text-sm " +
  "font-semibold text-accent-ink hover:brightness-110 sm:grow-0";

/** The games that go on: the last one large, before everything else. */
export function ContinueGame() {
  const gameTitle = useGameTitle();
  const [first, ...more] = useSeats().filter((seat) => !seat.outcome);
  if (!first) return null;
  return (
    <section
      aria-label="Continue your game"
      className="panel flex flex-wrap items-center gap-x-4 gap-y-2 border-accent! p-3 sm:p-4"
    >
      <GameIcon game={first.game} />
      <div className="min-w-0 grow basis-40">
        <h2 className="text-lg leading-tight">Continue your game</h2>
        <p className="text-sm text-soft">
          {gameTitle(first.game)} {againstText(first.game, opponentsOf(first))}
          {TURNS[first.turn] ? `, ${TURNS[first.turn]}` : ""}
        </p>
      </div>
      <Link to={`/table/${first.id}`} className={GO}>
        Continue
      </Link>
      {more.length > 0 && (
        <ul
          aria-label="Other games that go on"
          className="flex w-full flex-wrap gap-2 border-t border-line pt-2 text-sm"
        >
          {more.slice(0, 4).map((seat) => (
            <li key={seat.id}>
              <Link
                to={`/table/${seat.id}`}
                className="inline-block rounded-full border border-line px-3 py-1 hover:bg-raised"
              >
                {gameTitle(seat.game)} <span className="text-soft">{againstText(seat.game, opponentsOf(seat))}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const NOTICE =
  "fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-md items-center gap-3 rounded-xl " +
  "bg-ink px-4 py-2 text-paper shadow-xl";

export function YourTables() {
  const gameTitle = useGameTitle();
  const seats = useSeats();
  const sorted = [...seats.filter((seat) => !seat.outcome), ...seats.filter((seat) => seat.outcome)];
  const [put, setPut] = useState<Seat>();
  return (
    <Panel
      title="Your tables"
      aside={
        <Link to="/record" className="rounded text-sm underline">
          My record
        </Link>
      }
    >
      {sorted.length === 0 ? (
        <Empty>None yet. Games you begin in this browser are listed here.</Empty>
      ) : (
        <ul className="-mx-2 max-h-112 overflow-y-auto">
          {sorted.map((seat) => (
            <Row key={seat.id} seat={seat} onPut={setPut} />
          ))}
        </ul>
      )}
      <Bin />
      {put && (
        <div role="status" className={NOTICE}>
          <span className="min-w-0 grow truncate text-sm">Put away: {gameTitle(put.game)}</span>
          <Button
            className="border-transparent! bg-paper! text-ink!"
            onClick={() => {
              restoreSeat(put.id);
              setPut(undefined);
            }}
          >
            Undo
          </Button>
          <button type="button" aria-label="Close" className="rounded px-1 text-lg" onClick={() => setPut(undefined)}>
            ×
          </button>
        </div>
      )}
    </Panel>
  );
}

function Row({ seat, onPut }: { seat: Seat; onPut: (seat: Seat) => void }) {
  const gameTitle = useGameTitle();
  const [asked, setAsked] = useState(false);
  const title = gameTitle(seat.game);
  function put() {
    binSeat(seat.id);
    onPut(seat);
  }
  if (asked) {
    return (
      <li className="flex flex-wrap items-center gap-2 rounded-lg bg-raised px-2 py-1.5 text-sm">
        <span className="grow basis-40">This game still goes on. Put it away?</span>
        <Button className="min-h-8" onClick={put}>
          Put away
        </Button>
        <Button look="quiet" className="min-h-8" onClick={() => setAsked(false)}>
          Keep it
        </Button>
      </li>
    );
  }
  return (
    <li className="flex items-center gap-1">
      <Link
        to={`/table/${seat.id}${seat.outcome ? "/replay" : ""}`}
        className="min-w-0 grow rounded-lg px-2 py-1.5 hover:bg-raised"
      >
        <span className="flex items-baseline justify-between gap-2">
          <span className="truncate font-medium">{title}</span>
          <Chip tone={seat.outcome === "won" ? "good" : seat.outcome === "" ? "warn" : "plain"}>
            {seat.outcome
              ? (seat.ending || OUTCOMES[seat.outcome] || "over").split(",")[0]
              : (TURNS[seat.turn] ?? "goes on")}
          </Chip>
        </span>
        <span className="block truncate text-xs text-soft">
          {seat.branch ? "another try, " : ""}
          {againstText(seat.game, opponentsOf(seat))}, {when(seat.created)}
        </span>
      </Link>
      <Button
        look="quiet"
        className="min-h-8 px-2"
        aria-label={`Put away the table ${title} ${againstText(seat.game, opponentsOf(seat))}`}
        onClick={() => (seat.outcome ? put() : setAsked(true))}
      >
        ×
      </Button>
    </li>
  );
}

function Bin() {
  const gameTitle = useGameTitle();
  const bin = useBin();
  const [sure, setSure] = useState(false);
  if (bin.length === 0) return null;
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit rounded text-soft hover:text-ink">Put away ({bin.length})</summary>
      <ul className="mt-2 space-y-1">
        {bin.map((seat) => (
          <li key={seat.id} className="flex items-center gap-2">
            <span className="min-w-0 grow truncate">
              {gameTitle(seat.game)}{" "}
              <span className="text-xs text-soft">{againstText(seat.game, opponentsOf(seat))}</span>
            </span>
            <Button
              className="min-h-8"
              aria-label={`Bring back the table ${gameTitle(seat.game)} ${againstText(seat.game, opponentsOf(seat))}`}
              onClick={() => restoreSeat(seat.id)}
            >
              Bring back
            </Button>
          </li>
        ))}
      </ul>
      <Button
        look="quiet"
        className="mt-1 min-h-8"
        onClick={() => (sure ? emptyBin() : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {sure ? "Yes, forget them for good" : "Empty the bin"}
      </Button>
    </details>
  );
}
