// The lobby: what to play, against whom, and how. Everything on offer comes from the API.
import { type ReactNode, useId, useMemo, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { type AgentInfo, type GameInfo, type GameRecord, type NewTable, type OptionInfo, api, ask, said } from "../api/client";
import { useAnswer } from "../api/use-answer";
import { useGameTitle } from "../api/use-games";
import { inOrder } from "../games";
import { Glyph } from "../games/glyph";
import { Button, Chip, Choice, Empty, Loading, Panel, Trouble } from "../parts/basic";
import { PaceSlider } from "../parts/pace";
import { useTitle } from "../parts/use-title";
import { forgetSeat, keepSeat, setTaste, useSeats, useTaste } from "../store";
import { OUTCOMES, counted, first, gameParts } from "../words";

type Options = Record<string, string>;

function joined(game: string, options: Options): string {
  const inside = Object.entries(options).map(([name, value]) => `${name}=${value}`);
  return inside.length ? `${game}(${inside.join(",")})` : game;
}

export function HomePage() {
  useTitle("");
  const games = useAnswer("games", () => ask(api.GET("/api/games")));
  return (
    <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0 space-y-4">
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
      <Recent />
    </div>
  );
}

/** What this is, and the shortest way to a game. */
function Welcome({ children }: { children?: ReactNode }) {
  return (
    <section className="felt flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5 sm:p-7">
      <div className="max-w-xl grow basis-72">
        <h1 className="text-3xl sm:text-4xl">Sit down and play</h1>
        <p className="mt-2 opacity-90">Card and dice games with hidden information, against agents trained by self-play. Beat them, then see how they decide.</p>
      </div>
      {children}
    </section>
  );
}

const KINDS = { "built-in": "built in", python: "Python", policy: "solved", checkpoint: "trained" };
const learned = ({ kind }: AgentInfo) => kind === "policy" || kind === "checkpoint";
const SEATS = ["First", "Second", "Third", "Fourth"];
const MINDS = [
  { value: "always", text: "After each move" },
  { value: "end", text: "At the end" },
  { value: "never", text: "Never" },
] as const;

function Lobby({ games }: { games: GameInfo[] }) {
  const [search] = useSearchParams();
  const taste = useTaste();
  const navigate = useNavigate();
  const wanted = gameParts(search.get("game") ?? "");
  const preferred = games.find((g) => g.name === wanted.base) ?? games[0];
  const [name, setName] = useState(preferred?.name ?? "");
  const [options, setOptions] = useState<Options>(Object.fromEntries(wanted.options));
  const [agent, setAgent] = useState(search.get("agent") ?? "");
  const [settings, setSettings] = useState<Options>({});
  const [seat, setSeat] = useState<string>("random");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  const full = joined(name, options);
  const agents = useAnswer(`agents of ${full}`, async () => ({ game: full, list: await ask(api.GET("/api/agents", { params: { query: { game: full } } })) }));
  const offered = useMemo(
    () => (agents.data?.list ?? []).toSorted((a, b) => Number(learned(b)) - Number(learned(a)) || Number(b.newest) - Number(a.newest)),
    [agents.data],
  );
  const chosen = offered.find((a) => a.id === agent) ?? offered[0];
  const game = games.find((g) => g.name === name);
  if (!game) return <Empty>The server offers no games.</Empty>;
  const players = Number(options.players ?? game.players);
  const seats = SEATS.slice(0, players).map((text, index) => ({ value: String(index), text }));
  const place = seats.some((one) => one.value === seat) ? seat : "random";
  const theirs = agents.data?.game === full; // not yet, just after another game was chosen
  const ready = chosen !== undefined && theirs && !busy && !agents.problem;
  const what = chosen && theirs && `${game.title} against ${counted(chosen.name, players - 1)}`;

  async function start() {
    if (!chosen || busy) return;
    setBusy(true);
    setProblem("");
    const body: NewTable = {
      game: name,
      options,
      agent: joined(chosen.id, settings),
      seat: place === "random" ? null : Number(place),
      player_name: taste.name,
      watch: false,
      undo: true,
      mind: taste.mind,
      pace: taste.seconds === 0 ? "at-once" : "step",
    };
    try {
      const seated = await ask(api.POST("/api/tables", { body }));
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}`);
    } catch (error) {
      setProblem(said(error));
      setBusy(false);
    }
  }

  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <Welcome>
        <div className="grow basis-56 sm:grow-0 sm:text-center">
          <Button type="submit" className="w-full border-transparent! bg-[#ffd66b]! px-10 py-3 text-lg! font-semibold text-[#3a2c00]! shadow-lg" disabled={!ready}>
            Play now
          </Button>
          <p className="mt-2 text-sm opacity-90">{what || "…"}</p>
        </div>
      </Welcome>
      <Panel title="Game">
        <fieldset>
          <legend className="sr-only">Game</legend>
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-3 xl:grid-cols-5">
            {games.map((g) => (
              <label
                key={g.name}
                className="flex flex-col gap-1 rounded-xl border-2 border-line p-3 hover:bg-raised has-checked:border-accent has-checked:bg-raised has-focus-visible:outline-3 has-focus-visible:outline-(--ring)"
              >
                <input
                  type="radio"
                  name="game"
                  aria-label={g.title}
                  aria-describedby={`${g.name}-summary`}
                  className="sr-only"
                  checked={g.name === name}
                  onChange={() => {
                    setName(g.name);
                    setOptions({});
                    setSettings({});
                  }}
                />
                <Glyph game={g.name} />
                <span className="font-serif text-lg leading-tight break-words">{g.title}</span>
                <span id={`${g.name}-summary`} className="text-xs text-soft">{g.summary}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <OptionFields game={game} options={options} onChange={setOptions} />
        {agents.problem && <Trouble>{agents.problem}</Trouble>}
      </Panel>
      <Panel title={players > 2 ? "Opponents" : "Opponent"}>
        {offered.length === 0 && !agents.problem ? (
          agents.data ? <Empty>No agent plays this game yet.</Empty> : <Loading what="the agents" />
        ) : (
          <AgentList agents={offered} chosen={chosen} onChange={(id) => { setAgent(id); setSettings({}); }} />
        )}
        {players > 2 && <p className="mt-3 text-sm text-soft">It takes all {players - 1} other seats.</p>}
        {chosen && <AgentSettings agent={chosen} settings={settings} onChange={setSettings} />}
      </Panel>
      <Panel title="You">
        <div className="flex flex-wrap gap-x-6 gap-y-4">
          <label className="text-sm text-soft">
            <span className="mb-1 block">Your name</span>
            <input className="field w-44" maxLength={40} autoComplete="off" value={taste.name} onChange={(e) => setTaste({ name: e.target.value })} placeholder="anybody" />
          </label>
          <Choice label="Your seat" value={place} options={[{ value: "random", text: "Random" }, ...seats]} onChange={setSeat} />
          <Choice label="The agent's mind is shown" value={taste.mind} options={MINDS} onChange={(mind) => setTaste({ mind })} />
          <PaceSlider seconds={taste.seconds} onChange={(seconds) => setTaste({ seconds })} />
        </div>
      </Panel>
      {problem && <Trouble>{problem}</Trouble>}
      <Button look="main" type="submit" className="w-full py-3 text-base sm:w-auto sm:px-10" disabled={!ready}>
        {busy ? "Sitting down …" : what ? `Play ${what}` : "Play"}
      </Button>
    </form>
  );
}

function OptionFields({ game, options, onChange }: { game: GameInfo; options: Options; onChange: (options: Options) => void }) {
  const set = (name: string, value: string, fallback: string) => {
    const { [name]: _, ...rest } = options;
    onChange(value === "" || value === fallback ? rest : { ...rest, [name]: value });
  };
  const preset = game.options.find((option) => option.name === "preset");
  const defaults = game.presets[options.preset ?? preset?.default ?? ""] ?? {};
  const rules = game.options.filter((option) => option !== preset).map((option) => ({ ...option, default: defaults[option.name] ?? option.default }));
  if (game.options.length === 0) return null;
  const fields = rules.map((option) => (
    <OptionField key={option.name} option={option} value={options[option.name]} onChange={(value) => set(option.name, value, option.default)} />
  ));
  if (!preset) return <div className="mt-4 flex flex-wrap gap-4">{fields}</div>;
  const usual = game.presets[preset.default] ?? {};
  const unlike = game.options.filter(({ name }) => defaults[name] !== undefined && defaults[name] !== usual[name]).map(({ name, help }) => `${help}: ${yesOrNo(defaults[name] ?? "")}`);
  const changed = rules.filter((option) => options[option.name] !== undefined).length;
  return (
    <div className="mt-4 space-y-3">
      <Choice
        label="Rules"
        value={options.preset ?? preset.default}
        options={preset.words.map((word) => ({ value: word, text: first(word) }))}
        onChange={(word) => onChange(word === preset.default ? {} : { preset: word })}
      />
      {unlike.length > 0 && (
        <p className="text-sm text-soft">
          Unlike {preset.default}: {unlike.join("; ")}.
        </p>
      )}
      <details>
        <summary className="w-fit rounded text-sm text-soft hover:text-ink">Every rule by itself{changed ? ` (${changed} changed)` : ""}</summary>
        <div className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">{fields}</div>
      </details>
    </div>
  );
}

const yesOrNo = (word: string) => ({ true: "yes", false: "no" })[word] ?? word;

function OptionField({ option, value, onChange }: { option: OptionInfo; value: string | undefined; onChange: (value: string) => void }) {
  const id = useId();
  const label = first(option.name.replaceAll("_", " "));
  if (option.name === "players") {
    const counts = Array.from({ length: option.high - option.low + 1 }, (_, index) => String(option.low + index));
    return <Choice label={`${label}: ${option.help}`} value={value ?? option.default} options={counts.map((count) => ({ value: count, text: count }))} onChange={onChange} />;
  }
  return (
    <div className="text-sm">
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      {option.words.length > 0 ? (
        <select id={id} className="field my-1 w-full" value={value ?? option.default} onChange={(e) => onChange(e.target.value)}>
          {option.words.map((word) => (
            <option key={word} value={word}>
              {yesOrNo(word)}
            </option>
          ))}
        </select>
      ) : (
        <input id={id} type="number" className="field my-1 w-full" min={option.low} max={option.high} placeholder={option.default} value={value ?? ""} onChange={(e) => onChange(e.target.value)} />
      )}
      <span className="block text-xs text-soft">{option.help}</span>
    </div>
  );
}

function AgentList({ agents, chosen, onChange }: { agents: AgentInfo[]; chosen: AgentInfo | undefined; onChange: (id: string) => void }) {
  const older = agents.filter((agent) => !agent.newest);
  return (
    <fieldset>
      <legend className="sr-only">Opponent</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {agents
          .filter((agent) => agent.newest || agent === chosen)
          .map((agent) => (
            <label
              key={agent.id}
              className="rounded-lg border-2 border-line px-3 py-2 hover:bg-raised has-checked:border-accent has-checked:bg-raised has-focus-visible:outline-3 has-focus-visible:outline-(--ring)"
            >
              <input type="radio" name="agent" className="sr-only" checked={agent.id === chosen?.id} onChange={() => onChange(agent.id)} />
              <span className="flex flex-wrap items-baseline justify-between gap-x-2">
                <span className="font-semibold break-words">{agent.name}</span>
                <Chip tone={learned(agent) ? "good" : "plain"}>{KINDS[agent.kind]}</Chip>
              </span>
              <span className="block text-xs text-soft">{first(agent.summary)}</span>
            </label>
          ))}
      </div>
      {older.length > 0 && (
        <label className="mt-3 block w-fit text-sm">
          <span className="mr-2 text-soft">Or an earlier checkpoint</span>
          <select className="field" value={chosen && !chosen.newest ? chosen.id : ""} onChange={(e) => onChange(e.target.value)}>
            <option value="">none</option>
            {older.map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.name}
              </option>
            ))}
          </select>
        </label>
      )}
    </fieldset>
  );
}

function AgentSettings({ agent, settings, onChange }: { agent: AgentInfo; settings: Options; onChange: (settings: Options) => void }) {
  const numbers = agent.settings.filter((s) => typeof s.default === "number");
  if (numbers.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-4">
      {numbers.map((s) => (
        <label key={s.name} className="text-sm">
          <span className="block">
            {first(s.name)} <span className="font-mono text-xs">{settings[s.name] ?? s.default}</span>
          </span>
          <input
            type="range"
            className="w-48"
            min={s.low}
            max={s.high}
            step={Number.isInteger(s.default) && s.high > 2 ? 1 : (s.high - s.low) / 20}
            value={settings[s.name] ?? s.default}
            onChange={(e) => onChange({ ...settings, [s.name]: e.target.value })}
          />
          <span className="block text-xs text-soft">{s.help}</span>
        </label>
      ))}
    </div>
  );
}

function Recent() {
  const gameTitle = useGameTitle();
  const seats = useSeats();
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");

  async function bring(file: File | undefined) {
    if (!file) return;
    setProblem("");
    try {
      const body = parse(await file.text());
      const seated = await ask(api.POST("/api/tables/import", { body }));
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}/replay`);
    } catch (error) {
      setProblem(said(error));
    }
  }

  return (
    <aside className="min-w-0 space-y-4">
      <Panel title="Your tables">
        {seats.length === 0 ? (
          <Empty>None yet. Games you begin in this browser are listed here.</Empty>
        ) : (
          <ul className="-mx-2 max-h-112 overflow-y-auto">
            {seats.map((seat) => (
              <li key={seat.id} className="group flex items-center gap-1">
                <Link to={`/table/${seat.id}${seat.outcome ? "/replay" : ""}`} className="min-w-0 grow rounded-lg px-2 py-1.5 hover:bg-raised">
                  <span className="flex items-baseline justify-between gap-2">
                    <span className="truncate font-medium">{gameTitle(seat.game)}</span>
                    <Chip tone={seat.outcome === "won" ? "good" : seat.outcome === "" ? "warn" : "plain"}>{(seat.ending || OUTCOMES[seat.outcome])?.split(",")[0] ?? "goes on"}</Chip>
                  </span>
                  <span className="block truncate text-xs text-soft">
                    {seat.branch ? "branch, " : ""}against {seat.agent}, {new Date(seat.created).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
                  </span>
                </Link>
                <Button look="quiet" className="min-h-8 px-2" aria-label={`Forget the table ${gameTitle(seat.game)} against ${seat.agent}`} onClick={() => forgetSeat(seat.id)}>
                  ×
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Bring a game">
        <p className="mb-2 text-sm text-soft">A game that was saved as a file plays again exactly, move by move.</p>
        <label className="inline-flex min-h-10 cursor-pointer items-center rounded-lg border border-line bg-panel px-3 text-sm hover:bg-raised has-focus-visible:outline-3 has-focus-visible:outline-(--ring)">
          <input
            type="file"
            accept=".json,application/json"
            className="sr-only"
            aria-label="A game file to import"
            onChange={(e) => {
              void bring(e.target.files?.[0]);
              e.target.value = "";
            }}
          />
          Open a game file …
        </label>
        {problem && <div className="mt-3"><Trouble>{problem}</Trouble></div>}
      </Panel>
    </aside>
  );
}

function parse(text: string): GameRecord {
  try {
    return JSON.parse(text) as GameRecord;
  } catch {
    throw new Error("This file is not a saved game: it is not JSON.");
  }
}
