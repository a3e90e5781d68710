// The strategy browser: every information set of a table policy in words, and two policies side by side.
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { type ComparedInfoset, type Infoset, api, ask } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { drawingOf } from "../games";
import { ShareBar, Button, Chip, RadioRow as Tabs, Empty, Loading, ErrorMessage, PagePending } from "../ui/basic";
import { Quiz } from "./quiz";
import { useTitle } from "../ui/use-title";
import { capitalized, formatPercent, formatNumber, formatSigned } from "../format/numbers";
import { playerName } from "../format/names";

const PAGE = 25;
type Choice = { id: string; name: string; newest: boolean; game: string; grid: boolean; infosets: boolean };
type Shown = "grid" | "list" | "quiz";
type Order = "-visits" | "visits" | "-entropy" | "entropy" | "key" | "words";
type Apart = "-distance" | "distance" | "-visits" | "words";

export default function StrategyPage() {
  useTitle("Strategies");
  const agents = useApiQuery("agents", () => ask(api.GET("/api/agents")));
  const [search, setSearch] = useSearchParams();
  if (agents.problem || !agents.data)
    return <PagePending what="the strategies" problem={agents.problem} again={agents.again} />;
  const choices = agents.data
    .filter((agent) => agent.infosets || agent.grid)
    .map(({ id, name, games, newest, grid, infosets }) => ({ id, name, newest, grid, infosets, game: games[0] ?? "" }));
  // what can be seen at a glance comes first
  const chosen =
    choices.find((one) => one.id === search.get("agent")) ??
    choices.find((one) => one.newest && one.grid) ??
    choices.find((one) => one.newest);
  const other = choices.find((one) => one.id === search.get("with"));
  const Grid = chosen?.grid ? drawingOf(chosen.game).Strategy : undefined;
  const views = [
    ...(Grid ? [{ value: "grid" as Shown, text: "As a grid" }] : []),
    ...(chosen?.infosets ? [{ value: "list" as Shown, text: "Every situation" }] : []),
    { value: "quiz" as Shown, text: "Quiz: what would it do?" },
  ];
  const shown = views.find((one) => one.value === search.get("show"))?.value ?? views[0]?.value;
  const pick = (name: string, id: string) => {
    const next = new URLSearchParams(search);
    if (id) next.set(name, id);
    else next.delete(name);
    if (name === "agent") for (const other of ["with", "line", "board", "show"]) next.delete(other);
    setSearch(next, { replace: true });
  };
  return (
    <div className="space-y-4">
      <div>
        <h1 className="text-3xl">Strategies</h1>
        <p className="text-soft">What a solved or trained agent does in every situation.</p>
      </div>
      {!chosen ? (
        <Empty>
          There is no policy to browse yet. Solve a game (parlor solve GAME --out runs/mine.json) or train an agent, and
          it appears here.
        </Empty>
      ) : (
        <>
          <div className="flex flex-wrap items-end gap-4">
            <Pick label="Strategy" value={chosen.id} choices={choices} onChange={(id) => pick("agent", id)} />
            <Pick
              label="Compare with"
              value={other?.id ?? ""}
              choices={choices.filter(
                (one) => one.id !== chosen.id && one.game === chosen.game && one.grid === chosen.grid,
              )}
              none="nobody"
              onChange={(id) => pick("with", id)}
            />
            <Link
              className="mb-2 text-sm underline"
              to={`/?game=${encodeURIComponent(chosen.game)}&agent=${encodeURIComponent(chosen.id)}`}
            >
              Play against it
            </Link>
          </div>
          <Tabs label="Show it" value={shown ?? "quiz"} options={views} onChange={(to) => pick("show", to)} />
          {shown === "quiz" ? (
            <Quiz key={chosen.id} agent={chosen} />
          ) : shown === "grid" && Grid ? (
            <Grid key={chosen.id} agents={other ? [chosen, other] : [chosen]} />
          ) : other ? (
            <Comparison key={`${chosen.id} ${other.id}`} a={chosen} b={other} />
          ) : (
            <Browser key={chosen.id} agent={chosen} />
          )}
        </>
      )}
    </div>
  );
}

function Pick({
  label,
  value,
  choices,
  none,
  onChange,
}: {
  label: string;
  value: string;
  choices: Choice[];
  none?: string;
  onChange: (id: string) => void;
}) {
  return (
    <label className="text-sm">
      <span className="mb-1 block text-soft">{label}</span>
      <select className="field min-w-48" value={value} onChange={(e) => onChange(e.target.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {choices.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
}

const whole = (n: number) => n.toLocaleString("en");

function Pages({ offset, total, onChange }: { offset: number; total: number; onChange: (offset: number) => void }) {
  return (
    <nav aria-label="Pages of the list" className="flex items-center gap-3 text-sm">
      <Button disabled={offset === 0} onClick={() => onChange(Math.max(0, offset - PAGE))}>
        Previous
      </Button>
      <span>
        {total === 0 ? "none" : `${whole(offset + 1)} to ${whole(Math.min(offset + PAGE, total))} of ${whole(total)}`}
      </span>
      <Button disabled={offset + PAGE >= total} onClick={() => onChange(offset + PAGE)}>
        Next
      </Button>
    </nav>
  );
}

const SORTS: [Order, string][] = [
  ["-visits", "most visited"],
  ["visits", "least visited"],
  ["-entropy", "most undecided"],
  ["entropy", "most decided"],
  ["words", "by words"],
  ["key", "by key"],
];
const APART: [Apart, string][] = [
  ["-distance", "where they part most"],
  ["distance", "where they agree"],
  ["-visits", "most visited"],
  ["words", "by words"],
];

/** Which information sets, in what order, from where on. */
type Question<S extends string> = { text: string; action: string; player: string; sort: S; offset: number };

function useQuestion<S extends string>(sort: S) {
  const [question, setQuestion] = useState<Question<S>>({ text: "", action: "", player: "", sort, offset: 0 });
  const change = (part: Partial<Question<S>>) => setQuestion((old) => ({ ...old, offset: 0, ...part }));
  const { text, player, ...rest } = question;
  const query = { ...rest, text, limit: PAGE, ...(player ? { player: Number(player) } : {}) };
  return { question, change, query };
}

function Filters<S extends string>({
  question,
  change,
  words,
  sorts,
  players,
}: {
  question: Question<S>;
  change: (part: Partial<Question<S>>) => void;
  words: Record<string, string>;
  sorts: [S, string][];
  players: number;
}) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <label className="text-sm">
        <span className="mb-1 block text-soft">Words that occur</span>
        <input
          type="search"
          className="field w-52"
          value={question.text}
          onChange={(e) => change({ text: e.target.value })}
          placeholder="any"
        />
      </label>
      <Select
        label="Where one can"
        value={question.action}
        options={[["", "do anything"], ...Object.entries(words)]}
        onChange={(action) => change({ action })}
      />
      <Select
        label="Player"
        value={question.player}
        options={[
          ["", "any"],
          ...Array.from({ length: players }, (_, index): [string, string] => [String(index), playerName(index)]),
        ]}
        onChange={(player) => change({ player })}
      />
      <Select label="Order" value={question.sort} options={sorts} onChange={(sort) => change({ sort: sort as S })} />
    </div>
  );
}

function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string;
  options: [string, string][];
  onChange: (value: string) => void;
}) {
  return (
    <label className="text-sm">
      <span className="mb-1 block text-soft">{label}</span>
      <select className="field max-w-52" value={value} onChange={(e) => onChange(e.target.value)}>
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Browser({ agent }: { agent: Choice }) {
  const { question, change, query } = useQuestion<Order>("-visits");
  const page = useApiQuery(`infosets ${agent.id} ${JSON.stringify(query)}`, () =>
    ask(api.GET("/api/agents/{agent}/infosets", { params: { path: { agent: agent.id }, query } })),
  );
  return (
    <div className="space-y-3">
      <Filters
        question={question}
        change={change}
        words={page.data?.action_words ?? {}}
        sorts={SORTS}
        players={page.data?.players ?? 0}
      />
      {page.problem ? (
        <ErrorMessage again={page.again}>{page.problem}</ErrorMessage>
      ) : !page.data ? (
        <Loading what="its situations (a large table takes a moment)" />
      ) : (
        <>
          <p className="text-sm text-soft">
            {page.data.all.toLocaleString("en")} situations (information sets); {page.data.total.toLocaleString("en")}{" "}
            fit.
          </p>
          {page.data.items.length === 0 ? (
            <Empty>No situation matches. Try fewer words.</Empty>
          ) : (
            <ul className="grid gap-3 md:grid-cols-2 xl:grid-cols-3" aria-label="Information sets">
              {page.data.items.map((infoset) => (
                <InfosetCard key={infoset.key + infoset.words} infoset={infoset} />
              ))}
            </ul>
          )}
          <Pages offset={question.offset} total={page.data.total} onChange={(offset) => change({ offset })} />
        </>
      )}
    </div>
  );
}

function InfosetCard({ infoset }: { infoset: Infoset }) {
  const learned = infoset.actions.some((action) => action.regret !== null);
  return (
    <li className="panel flex flex-col gap-2 p-3">
      <p className="text-sm font-medium">{capitalized(infoset.words)}</p>
      <div className="flex flex-wrap gap-1.5">
        {infoset.visits !== null && <Chip>{infoset.visits.toLocaleString("en")} visits</Chip>}
        <Chip>
          {infoset.entropy < 0.01 ? "always the same" : infoset.entropy < 0.5 ? "nearly always the same" : "mixes"}
        </Chip>
        {infoset.reach !== null && <Chip>reach {formatNumber(infoset.reach)}</Chip>}
      </div>
      <ul className="mt-auto space-y-1 text-sm">
        {infoset.actions.map((action) => (
          <li
            key={action.name}
            className={`grid items-center gap-2 ${learned ? "grid-cols-[minmax(0,1fr)_8rem_3.5rem]" : "grid-cols-[minmax(0,1fr)_9rem]"}`}
          >
            <span className="break-words">{action.text}</span>
            <ShareBar share={action.probability} label={formatPercent(action.probability)} />
            {learned && (
              <span className="text-right font-mono text-xs text-soft" title="regret">
                {action.regret === null ? "" : formatSigned(action.regret)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}

function Comparison({ a, b }: { a: Choice; b: Choice }) {
  const { question, change, query } = useQuestion<Apart>("-distance");
  const page = useApiQuery(`compare ${a.id} ${b.id} ${JSON.stringify(query)}`, () =>
    ask(api.GET("/api/agents/{agent}/compare/{other}", { params: { path: { agent: a.id, other: b.id }, query } })),
  );
  if (page.problem) return <ErrorMessage again={page.again}>{page.problem}</ErrorMessage>;
  if (!page.data) return <Loading what="both strategies" />;
  const { all, total, items, action_words: words, mean_distance: apart } = page.data;
  return (
    <div className="space-y-3">
      <Filters
        question={question}
        change={change}
        words={page.data.action_words}
        sorts={APART}
        players={page.data.players}
      />
      {total === 0 ? (
        <Empty>None of {all.toLocaleString("en")} situations matches. Try fewer words.</Empty>
      ) : (
        <p className="text-sm text-soft">
          At {total.toLocaleString("en")} of {all.toLocaleString("en")} situations their mean distance is{" "}
          <b className="text-ink">{formatPercent(apart)}</b>.
        </p>
      )}
      <p className="flex flex-wrap gap-4 text-sm">
        <span>
          <span aria-hidden className="mr-1 inline-block size-3 rounded-full bg-bar" />
          {a.name}
        </span>
        <span>
          <span aria-hidden className="mr-1 inline-block size-3 rounded-full bg-bar-b" />
          {b.name}
        </span>
      </p>
      <ul className="space-y-3" aria-label="Compared information sets">
        {items.map((infoset) => (
          <Compared key={infoset.key + infoset.words} infoset={infoset} words={words} a={a.name} b={b.name} />
        ))}
      </ul>
      <Pages offset={question.offset} total={total} onChange={(offset) => change({ offset })} />
    </div>
  );
}

function Compared({
  infoset,
  words,
  a,
  b,
}: {
  infoset: ComparedInfoset;
  words: Record<string, string>;
  a: string;
  b: string;
}) {
  return (
    <li className="panel p-4">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-2">
        <p className="text-sm font-medium">{capitalized(infoset.words)}</p>
        <Chip tone={infoset.distance > 0.3 ? "warn" : "plain"}>apart {formatPercent(infoset.distance)}</Chip>
      </div>
      <ul className="space-y-1 text-sm">
        {infoset.names.map((name, index) => (
          <li key={name} className="grid grid-cols-2 items-center gap-x-4 sm:grid-cols-[minmax(0,1fr)_34%_34%]">
            <span className="col-span-2 break-words sm:col-span-1">{words[name] ?? name}</span>
            <Side who={a} row={infoset.a} index={index} tone="a" />
            <Side who={b} row={infoset.b} index={index} tone="b" />
          </li>
        ))}
      </ul>
      <p className="mt-1 text-xs text-soft">
        {infoset.visits_a !== null && `${infoset.visits_a.toLocaleString("en")} visits`}
        {infoset.visits_b !== null && ` against ${infoset.visits_b.toLocaleString("en")}`}
      </p>
    </li>
  );
}

function Side({ who, row, index, tone }: { who: string; row: number[] | null; index: number; tone: "a" | "b" }) {
  return (
    <span title={who}>
      <span className="sr-only">{who}: </span>
      {row ? (
        <ShareBar share={row[index] ?? 0} label={formatPercent(row[index] ?? 0)} tone={tone} />
      ) : (
        <span className="text-xs text-soft">never been here</span>
      )}
    </span>
  );
}
