// The way to a table: the game, who plays, and how; one click is enough. Everything on offer comes from the API.
import { type ReactNode, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { type GameInfo, type NewTable, api, ask, errorText } from "../api/client";
import { Button, RadioRow, Empty, Loading, Panel, ErrorMessage } from "../ui/basic";
import { PaceSlider } from "../ui/pace-slider";
import { keepSeat } from "../store/seats";
import { setPreferences, usePreferences } from "../store/preferences";
import { countedName } from "../format/table";
import { parseGameName } from "../format/names";
import { plural } from "../format/numbers";
import { AgentList, AgentSettings } from "./agents";
import { byStrength, useAgentsQuery } from "../queries/agents";
import { GamePicker, OptionFields, type Options } from "./games";
import { formatGameName } from "../format/names";
import { SeatPlan, TableSettingFields, type TableSettings, type SeatRequest, fitSeats, defaultSeats } from "./seats";

const SEATS = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"];
const MINDS = [
  { value: "always", text: "After each move" },
  { value: "end", text: "At the end" },
  { value: "never", text: "Never" },
] as const;
const COMPANY = [
  { value: "agents", text: "Against agents" },
  { value: "people", text: "With people" },
] as const;

/** What this is, and the shortest way to a game. */
export function Welcome({ children }: { children?: ReactNode }) {
  return (
    <section className="felt flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5 sm:p-7">
      <div className="max-w-xl grow basis-72">
        <h1 className="text-3xl sm:text-4xl">Sit down and play</h1>
        <p className="mt-2 opacity-90">
          Card and dice games with hidden information, against strong agents or with friends. Afterwards, see how
          everybody decided.
        </p>
      </div>
      {children}
    </section>
  );
}

export function Lobby({ games }: { games: GameInfo[] }) {
  const [search] = useSearchParams();
  const preferences = usePreferences();
  const navigate = useNavigate();
  const wanted = parseGameName(search.get("game") ?? "");
  const preferred = games.find((g) => g.name === wanted.base) ?? games[0];
  const [name, setName] = useState(preferred?.name ?? "");
  const [options, setOptions] = useState<Options>(Object.fromEntries(wanted.options));
  const [company, setCompany] = useState<"agents" | "people">("agents");
  const [agent, setAgent] = useState(search.get("agent") ?? "");
  const [settings, setSettings] = useState<Options>({});
  const [seat, setSeat] = useState<string>("random");
  const [seats, setSeats] = useState<SeatRequest[]>([]);
  const [terms, setTerms] = useState<TableSettings>({ clock: null, watch: false, undo: true });
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  const full = formatGameName(name, options);
  const agents = useAgentsQuery(full);
  const offered = useMemo(() => byStrength(agents.data ?? []), [agents.data]);
  const chosen = offered.find((a) => a.id === agent) ?? offered[0];
  const game = games.find((g) => g.name === name);
  if (!game) return <Empty>The server offers no games.</Empty>;
  const players = Number(options.players ?? game.players);
  const places = SEATS.slice(0, players).map((text, index) => ({ value: String(index), text }));
  const place = places.some((one) => one.value === seat) ? seat : "random";
  const theirs = agents.data !== undefined && !agents.stale; // not yet, just after another game was chosen
  const ready = chosen !== undefined && theirs && !busy && !agents.problem;
  const what = chosen && theirs && `${game.title} against ${countedName(chosen.name, players - 1)}`;
  // an agent that does not play what is chosen now leaves its seat to a friend
  const seating = fitSeats(seats.length ? seats : defaultSeats(players), players).map((wish): SeatRequest =>
    wish.kind === "agent" && theirs && !offered.some((one) => one.id === wish.agent) ? { kind: "open" } : wish,
  );
  const open = seating.filter(({ kind }) => kind === "open").length;

  async function start(people: boolean) {
    if (!chosen || busy) return;
    setBusy(true);
    setProblem("");
    const same = {
      game: name,
      options,
      player_name: preferences.name,
      mind: preferences.mind,
      pace: preferences.seconds === 0 ? "at-once" : "step",
    } as const;
    const body: NewTable = people
      ? { ...same, ...terms, seats: seating }
      : {
          ...same,
          agent: formatGameName(chosen.id, settings),
          seat: place === "random" ? null : Number(place),
          watch: false,
          undo: true,
        };
    try {
      const seated = await ask(api.POST("/api/tables", { body }));
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}`);
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  }

  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start(company === "people");
      }}
    >
      <Welcome>
        <div className="grow basis-56 sm:grow-0 sm:text-center">
          <Button
            className="w-full border-transparent! bg-[#ffd66b]! px-10 py-3 text-lg! font-semibold text-[#3a2c00]! shadow-lg"
            disabled={!ready}
            onClick={() => void start(false)}
          >
            Play now
          </Button>
          <p className="mt-2 text-sm opacity-90">{what || "…"}</p>
        </div>
      </Welcome>
      <Panel title="What do you play?">
        <GamePicker
          games={games}
          name={name}
          onChange={(next) => {
            setName(next);
            setOptions({});
            setSettings({});
          }}
        />
        <OptionFields game={game} options={options} onChange={setOptions} />
        {agents.problem && <ErrorMessage>{agents.problem}</ErrorMessage>}
      </Panel>
      <Panel
        title="Who plays?"
        aside={<RadioRow bare label="Company" value={company} options={COMPANY} onChange={setCompany} />}
      >
        {offered.length === 0 && !agents.problem ? (
          agents.data ? (
            <Empty>No agent plays this game yet.</Empty>
          ) : (
            <Loading what="the agents" />
          )
        ) : company === "agents" ? (
          <>
            <AgentList
              agents={offered}
              chosen={chosen}
              onChange={(id) => {
                setAgent(id);
                setSettings({});
              }}
            />
            {players > 2 && (
              <p className="mt-3 text-sm text-soft">
                It takes all {players - 1} other seats. To choose every seat by itself: “With people”.
              </p>
            )}
            {chosen && <AgentSettings agent={chosen} settings={settings} onChange={setSettings} />}
          </>
        ) : (
          <div className="space-y-4">
            <p className="text-sm text-soft">
              Every seat is yours, a friend's or an agent's. Friends sit down by a link that you send them; then it
              begins by itself.
            </p>
            <SeatPlan seats={seating} agents={offered} onChange={setSeats} />
            <TableSettingFields terms={terms} alone={open === 0} onChange={setTerms} />
          </div>
        )}
      </Panel>
      <Panel title="You">
        <div className="flex flex-wrap gap-x-6 gap-y-4">
          <label className="text-sm text-soft">
            <span className="mb-1 block">Your name</span>
            <input
              className="field w-44"
              maxLength={40}
              autoComplete="off"
              value={preferences.name}
              onChange={(e) => setPreferences({ name: e.target.value })}
              placeholder="what others call you"
            />
          </label>
          {company === "agents" && (
            <RadioRow
              label="Your seat"
              value={place}
              options={[{ value: "random", text: "Random" }, ...places]}
              onChange={setSeat}
            />
          )}
          <RadioRow
            label="The agent's mind is shown"
            value={preferences.mind}
            options={MINDS}
            onChange={(mind) => setPreferences({ mind })}
          />
          <PaceSlider seconds={preferences.seconds} onChange={(seconds) => setPreferences({ seconds })} />
        </div>
      </Panel>
      {problem && <ErrorMessage>{problem}</ErrorMessage>}
      <Button look="main" type="submit" className="w-full py-3 text-base sm:w-auto sm:px-10" disabled={!ready}>
        {busy
          ? "Sitting down …"
          : company === "people"
            ? open
              ? `Set a table with ${plural(open, "open seat")}`
              : "Set the table"
            : what
              ? `Play ${what}`
              : "Play"}
      </Button>
    </form>
  );
}
