// Everything that can be chosen before a game: who plays, the rules, and how. Everything on offer comes from the API.
import { useEffect, useMemo, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import type { GameInfo } from "../api/client";
import { againstText, opponentWord } from "../games";
import { GameIcon } from "../games/glyph";
import { Button, RadioRow, Empty, Loading, Panel, ErrorMessage } from "../ui/basic";
import { PaceSlider } from "../ui/pace-slider";
import { setPreferences, usePreferences } from "../store/preferences";
import { countedName } from "../format/table";
import { capitalized, plural } from "../format/numbers";
import { AgentList, AgentSettings } from "./agents";
import { byStrength, useAgentsQuery } from "../queries/agents";
import { formatGameName, parseGameName } from "../format/names";
import { OptionFields, type Options } from "./rules";
import { useStart } from "./start";
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

const DRAWER =
  "m-0 ml-auto h-dvh max-h-dvh w-[min(34rem,100vw)] max-w-none border-l border-line bg-panel p-0 text-ink " +
  "shadow-2xl backdrop:bg-black/50";

/** At the edge of the window, over the shelf. */
export default function Drawer({ game, close }: { game: GameInfo; close: () => void }) {
  const [search] = useSearchParams();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label={`Options for ${game.title}`} className={DRAWER} onClose={close}>
      <Choices
        game={game}
        wanted={search.get("game") ?? ""}
        by={search.get("agent") ?? ""}
        close={() => dialog.current?.close()}
      />
    </dialog>
  );
}

/** Those in the address, which may name a game with its defaults; else those with which the game is offered. */
const optionsAsked = (wanted: string, by: string, { name, offered }: GameInfo): Options =>
  wanted === name && !by ? offered : Object.fromEntries(parseGameName(wanted).options);

function Choices({ game, wanted, by, close }: { game: GameInfo; wanted: string; by: string; close: () => void }) {
  const { name } = game;
  const preferences = usePreferences();
  const [options, setOptions] = useState<Options>(optionsAsked(wanted, by, game));
  const [company, setCompany] = useState<"agents" | "people">("agents");
  const [agent, setAgent] = useState(by);
  const [settings, setSettings] = useState<Options>({});
  const [seat, setSeat] = useState<string>("random");
  const [seats, setSeats] = useState<SeatRequest[]>([]);
  const [terms, setTerms] = useState<TableSettings>({ clock: null, watch: false, undo: true });
  const { start, busy, problem } = useStart();

  const full = formatGameName(name, options);
  const agents = useAgentsQuery(full);
  const offered = useMemo(() => byStrength(agents.data ?? []), [agents.data]);
  const chosen = offered.find((a) => a.id === agent) ?? offered[0];
  const players = Number(options.players ?? game.players);
  const places = SEATS.slice(0, players).map((text, index) => ({ value: String(index), text }));
  const place = places.some((one) => one.value === seat) ? seat : "random";
  const theirs = agents.data !== undefined && !agents.stale; // not yet, just after another game was chosen
  const ready = chosen !== undefined && theirs && busy === "" && !agents.problem;
  const what = chosen && theirs && `${game.title} ${againstText(name, countedName(chosen.character, players - 1))}`;
  // an agent that does not play what is chosen now leaves its seat to a friend
  const seating = fitSeats(seats.length ? seats : defaultSeats(players), players).map((wish): SeatRequest =>
    wish.kind === "agent" && theirs && !offered.some((one) => one.id === wish.agent) ? { kind: "open" } : wish,
  );
  const open = seating.filter(({ kind }) => kind === "open").length;

  function sit() {
    if (!chosen) return;
    const same = { game: name, options };
    void start(
      company === "people"
        ? { ...same, ...terms, seats: seating }
        : {
            ...same,
            agent: formatGameName(chosen.id, settings),
            seat: place === "random" ? null : Number(place),
            watch: false,
            undo: true,
          },
    );
  }

  return (
    <form
      className="flex min-h-full flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        sit();
      }}
    >
      <div className="sticky top-0 z-10 flex items-center gap-3 border-b border-line bg-panel px-4 py-2">
        <GameIcon game={name} />
        <div className="min-w-0 grow">
          <h2 className="text-xl leading-tight">{game.title}</h2>
          <p className="truncate text-xs text-soft">{game.summary}</p>
        </div>
        <Button look="quiet" aria-label="Close" onClick={close}>
          ✕
        </Button>
      </div>
      <div className="grow space-y-4 p-4">
        <Panel title="Who plays?">
          <div className="mb-3">
            <RadioRow bare label="Company" value={company} options={COMPANY} onChange={setCompany} />
          </div>
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
                title={capitalized(opponentWord(name))}
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
        {game.options.length > 0 && (
          <Panel title="Rules">
            <OptionFields game={game} options={options} onChange={setOptions} />
          </Panel>
        )}
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
      </div>
      <div className="sticky bottom-0 z-10 space-y-2 border-t border-line bg-panel p-3">
        {(problem || agents.problem) && <ErrorMessage>{problem || agents.problem}</ErrorMessage>}
        <Button look="main" type="submit" className="w-full py-3 text-base" disabled={!ready}>
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
      </div>
    </form>
  );
}
