// My record: the game to continue, results by game and opponent with their intervals, a rating, and the sessions.
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { api, ask, bearer, errorText } from "../api/client";
import { useAgentsQuery } from "../queries/agents";
import { useGames, useGameTitle } from "../queries/games";
import { againstText, drawingOf } from "../games";
import { GameIcon } from "../games/glyph";
import { ContinueGame } from "../lobby/tables";
import { Button, Chip, Empty, Panel, ErrorMessage } from "../ui/basic";
import { FileButton } from "../ui/file-button";
import { saveText } from "../ui/save-text";
import { useTitle } from "../ui/use-title";
import { type Result, opponentsOf } from "../store/results";
import { type Estimate, type Summary, groupBy, rating, sessions, summarize } from "./statistics";
import { exportRecord, importRecord, keepSeat, seatAt, useResults } from "../store/seats";
import { OUTCOMES } from "../format/table";
import { optionsOf } from "../format/names";
import { formatPercent, plural, formatNumber, formatSigned } from "../format/numbers";

export default function RecordPage() {
  useTitle("My record");
  const results = useResults();
  useMissing(results);
  const counted = results.filter(({ aside }) => !aside);
  return (
    <div className="mx-auto max-w-5xl space-y-4">
      <ContinueGame />
      <section className="felt flex flex-wrap items-end justify-between gap-4 p-5 sm:p-7">
        <div>
          <h1 className="text-3xl sm:text-4xl">My record</h1>
          <p className="mt-1 opacity-90">
            {counted.length
              ? `${plural(counted.length, "game")} that count${counted.length === 1 ? "s" : ""}, in this browser.`
              : "Games that you finish in this browser are counted here."}
          </p>
        </div>
        <Overall results={counted} />
      </section>
      {results.length === 0 ? (
        <Empty>
          No game is finished yet.{" "}
          <Link className="underline" to="/">
            Sit down and play
          </Link>
        </Empty>
      ) : (
        <>
          {groupBy(counted, ({ game }) => game).map(([game, those]) => (
            <GameRecordPanel key={game} game={game} results={those} />
          ))}
          <Aside results={results.filter(({ aside }) => aside)} />
          <Sessions results={results} />
        </>
      )}
      <Keep />
    </div>
  );
}

/** Old results lack what was won: the server still knows. */
function useMissing(results: Result[]): void {
  const [tried, setTried] = useState<string[]>([]);
  const next = results.find(({ id, payoff }) => payoff === null && !tried.includes(id) && seatAt(id))?.id;
  useEffect(() => {
    if (!next) return;
    let current = true;
    const token = seatAt(next)?.token ?? "";
    ask(api.GET("/api/tables/{table}", { params: { path: { table: next } }, headers: bearer(token) }))
      .then((state) => keepSeat(state, token))
      .catch(() => undefined) // it stays as it is
      .finally(() => current && setTried((before) => [...before, next]));
    return () => {
      current = false;
    };
  }, [next]);
}

function Overall({ results }: { results: Result[] }) {
  if (results.length === 0) return null;
  const { won, drawn, lost } = summarize(results);
  return (
    <dl className="flex gap-6 text-center">
      {(
        [
          ["won", won],
          ["drawn", drawn],
          ["lost", lost],
        ] as const
      ).map(([name, n]) => (
        <div key={name}>
          <dd className="font-serif text-3xl">{n}</dd>
          <dt className="text-sm opacity-85">{name}</dt>
        </div>
      ))}
    </dl>
  );
}

/** What the mean of many games is told in, if not in points. */
function useRate(game: string): { name: string; scale: number } | undefined {
  const games = useGames();
  return drawingOf(game).rate?.(optionsOf(game, games));
}

const number = (x: number) => formatNumber(Number(x.toFixed(Math.abs(x) >= 10 ? 0 : 2)));

/** "+0.4 ± 0.9"; of too few games the error is not known. */
function plusMinus({ value, high }: Estimate, scale = 1): string {
  const error = (high - value) * scale;
  return `${formatSigned(Number((value * scale).toFixed(2)))}${Number.isFinite(error) ? ` ± ${number(error)}` : ""}`;
}

function GameRecordPanel({ game, results }: { game: string; results: Result[] }) {
  const gameTitle = useGameTitle();
  const rate = useRate(game);
  const rows = groupBy(results, opponentsOf).map(([name, those]) => [name, summarize(those)] as const);
  return (
    <Panel>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <GameIcon game={game} />
        <h2 className="grow text-xl">{gameTitle(game)}</h2>
        <Rating game={game} results={results} />
      </div>
      <div className="space-y-2">
        {rows.map(([name, sums]) => (
          <Row key={name} who={againstText(game, name)} sums={sums} rate={rate} />
        ))}
        {rows.length > 1 && <Row who={againstText(game, "everybody")} sums={summarize(results)} rate={rate} />}
      </div>
    </Panel>
  );
}

const ROW =
  "grid items-center gap-x-4 gap-y-1 border-t border-line pt-2 text-sm " +
  "sm:grid-cols-[minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,1fr)]";

function Row({ who, sums, rate }: { who: string; sums: Summary; rate: ReturnType<typeof useRate> }) {
  const { share, payoff } = sums;
  return (
    <div className={ROW} data-testid="record-row">
      <span className="min-w-0">
        <span className="font-medium break-words">{who}</span>
        <span className="block text-xs text-soft">
          {plural(sums.games, "game")}: {sums.won} won, {sums.drawn ? `${sums.drawn} drawn, ` : ""}
          {sums.lost} lost
        </span>
      </span>
      <span className="flex items-center gap-3">
        <ShareBar share={share} />
        <span className="w-36 flex-none whitespace-nowrap">
          <b>{formatPercent(share.value)}</b>{" "}
          <span className="text-xs text-soft">
            {formatPercent(share.low)} to {formatPercent(share.high)}
          </span>
        </span>
      </span>
      <span className="sm:text-right">
        {payoff && (
          <>
            <b className={payoff.value < 0 ? "text-bad" : payoff.value > 0 ? "text-good" : ""}>
              {plusMinus(payoff, rate?.scale)}
            </b>{" "}
            <span className="text-xs text-soft">
              {rate ? rate.name : "a game"}, {formatSigned(Number(sums.total.toFixed(2)))} in all
            </span>
          </>
        )}
      </span>
    </div>
  );
}

/** The share of wins as a mark, the interval as a band around it. */
function ShareBar({ share }: { share: Estimate }) {
  return (
    <span aria-hidden className="relative h-3 min-w-16 grow rounded-full bg-raised">
      <span
        className="absolute inset-y-0 rounded-full bg-bar/40"
        style={{ left: `${100 * share.low}%`, right: `${100 - 100 * share.high}%` }}
      />
      <span className="absolute inset-y-[-2px] left-1/2 w-px bg-line" />
      <span
        className="absolute inset-y-[-2px] w-1 rounded bg-accent"
        style={{ left: `calc(${100 * share.value}% - 2px)` }}
      />
    </span>
  );
}

/** On the scale of the agents, where random play has 0. */
const WIDEST = 600; // interval of a rating that says something

function Rating({ game, results }: { game: string; results: Result[] }) {
  const agents = useAgentsQuery(game);
  const known = new Map(
    (agents.data ?? []).flatMap(({ id, rating: value }) => (value === null ? [] : [[id, value] as const])),
  );
  const own = rating(results, known);
  if (!own) return null;
  if (own.high - own.low > WIDEST)
    return <p className="text-sm text-soft">A rating comes after a few more games against agents that have one.</p>;
  return (
    <p
      className="text-right"
      data-testid="rating"
      title="On the scale of the agents: random play has 0, and 400 more is ten times the odds of winning."
    >
      <span className="text-sm text-soft">Your rating </span>
      <b className="font-serif text-2xl">{Math.round(own.value)}</b>
      <span className="block text-xs text-soft">
        {Math.round(own.low)} to {Math.round(own.high)}, from {plural(own.games, "game")}; random play has 0
      </span>
    </p>
  );
}

/** What does not count, and why. */
function Aside({ results }: { results: Result[] }) {
  const gameTitle = useGameTitle();
  if (results.length === 0) return null;
  return (
    <Panel title={`${plural(results.length, "game")} that ${results.length === 1 ? "does" : "do"} not count`}>
      <ul className="space-y-1 text-sm">
        {groupBy(results, ({ aside }) => aside).map(([why, those]) => (
          <li key={why}>
            <b>{those.length}</b> because {why}:{" "}
            <span className="text-soft">
              {groupBy(those, ({ game }) => gameTitle(game))
                .map(([title, n]) => (n.length > 1 ? `${n.length} × ${title}` : title))
                .join("; ")}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const day = (iso: string) =>
  new Date(iso).toLocaleString(undefined, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
const SHOWN = 10;

function Sessions({ results }: { results: Result[] }) {
  const [shown, setShown] = useState(SHOWN);
  const all = sessions(results);
  return (
    <Panel title="Sessions">
      <ol className="space-y-3">
        {all.slice(0, shown).map((games) => (
          <Session key={games[0]?.id} games={games} />
        ))}
      </ol>
      {all.length > shown && (
        <Button look="quiet" className="mt-2" onClick={() => setShown(shown + SHOWN)}>
          Earlier sessions
        </Button>
      )}
    </Panel>
  );
}

const TONES = { won: "bg-good", lost: "bg-bad", resigned: "bg-bad", drawn: "bg-soft" };
const SIGNS = { won: "+", lost: "−", resigned: "−", drawn: "=" };

/** One sitting: what was played against whom, and each game as a mark that leads to its replay. */
function Session({ games }: { games: Result[] }) {
  const gameTitle = useGameTitle();
  return (
    <li className="rounded-lg border border-line p-3" data-testid="session">
      <p className="text-sm text-soft">
        {day(games[0]?.ended ?? "")}, {plural(games.length, "game")}
      </p>
      {groupBy(games, (game) => `${gameTitle(game.game)} ${againstText(game.game, opponentsOf(game))}`).map(
        ([title, those]) => (
          <div key={title} className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 text-sm font-medium">{title}</span>
            <span className="flex flex-wrap gap-1">
              {those.map((game) => (
                <Mark key={game.id} game={game} />
              ))}
            </span>
            <Total game={those[0]?.game ?? ""} games={those} />
          </div>
        ),
      )}
    </li>
  );
}

const DOT = "grid h-4.5 w-4.5 place-items-center rounded-full text-xs leading-none font-bold text-panel";

function Mark({ game }: { game: Result }) {
  const paid = game.payoff === null ? "" : ` (${formatSigned(game.payoff)})`;
  const title = `${OUTCOMES[game.outcome]}${paid}${game.aside ? `, does not count: ${game.aside}` : ""}`;
  return (
    <Link
      to={`/table/${game.id}/replay`}
      title={title}
      aria-label={`${title}. Replay`}
      className={`grid h-6 w-6 place-items-center rounded ${game.aside ? "border border-line" : ""}`}
    >
      <span aria-hidden className={`${DOT} ${TONES[game.outcome]} ${game.aside ? "opacity-40" : ""}`}>
        {SIGNS[game.outcome]}
      </span>
    </Link>
  );
}

function Total({ game, games }: { game: string; games: Result[] }) {
  const rate = useRate(game);
  const { payoff, total } = summarize(games.filter(({ aside }) => !aside));
  if (!payoff) return null;
  return (
    <Chip tone={total > 0 ? "good" : total < 0 ? "bad" : "plain"}>
      {rate
        ? `${formatSigned(Number((payoff.value * rate.scale).toFixed(1)))} ${rate.name}`
        : formatSigned(Number(total.toFixed(2)))}
    </Chip>
  );
}

/** To take one's record and one's seats to another browser. */
function Keep() {
  const [done, setDone] = useState("");
  const [problem, setProblem] = useState("");
  return (
    <Panel title="Keep it">
      <p className="mb-3 text-sm text-soft">
        All of this is stored in this browser alone. A file takes it to another one, with your seats at running tables:
        whoever has the file can play for you.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => saveText("parlor-record.json", exportRecord())}>Save my record</Button>
        <FileButton
          label="A record to add"
          onText={(text) => {
            try {
              const { seats, results } = importRecord(text);
              setProblem("");
              setDone(`Added ${plural(results, "result")} and ${plural(seats, "seat")}.`);
            } catch (error) {
              setProblem(errorText(error));
            }
          }}
        >
          Add a saved record …
        </FileButton>
      </div>
      {done && (
        <p role="status" className="mt-2 text-sm">
          {done}
        </p>
      )}
      {problem && (
        <div className="mt-3">
          <ErrorMessage>{problem}</ErrorMessage>
        </div>
      )}
    </Panel>
  );
}
