// Against whom: agents with their level and how they were made, the recommended one first.
import type { AgentInfo } from "../api/client";
import { Chip } from "../ui/basic";
import { capitalized } from "../format/numbers";
import type { Options } from "./games";

/** Ten marks, as many filled as the level says; nothing for who was not measured. */
export function Level({ level }: { level: number | null }) {
  if (level === null) return null;
  return (
    <span className="flex items-center gap-1.5 text-xs text-soft">
      <span aria-hidden className="flex gap-px">
        {Array.from({ length: 10 }, (_, mark) => (
          <span key={mark} className={`h-2.5 w-1 rounded-sm ${mark < level ? "bg-bar" : "bg-line"}`} />
        ))}
      </span>
      level {level}
    </span>
  );
}

const AGENT =
  "flex flex-col gap-0.5 rounded-lg border-2 border-line px-3 py-2 hover:bg-raised " +
  "has-checked:border-accent has-checked:bg-raised has-focus-visible:outline-3 " +
  "has-focus-visible:outline-(--ring)";

export function AgentList({
  agents,
  chosen,
  onChange,
}: {
  agents: AgentInfo[];
  chosen: AgentInfo | undefined;
  onChange: (id: string) => void;
}) {
  const older = agents.filter((agent) => !agent.newest);
  return (
    <fieldset>
      <legend className="sr-only">Opponent</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {agents
          .filter((agent) => agent.newest || agent === chosen)
          .map((agent) => (
            <label key={agent.id} className={AGENT}>
              <input
                type="radio"
                name="agent"
                className="sr-only"
                checked={agent.id === chosen?.id}
                onChange={() => onChange(agent.id)}
              />
              <span className="flex flex-wrap items-center justify-between gap-x-2">
                <span className="font-serif text-lg leading-tight break-words">{agent.name}</span>
                {agent.recommended ? <Chip tone="good">recommended</Chip> : null}
              </span>
              <Level level={agent.level} />
              <span className="block text-sm">{capitalized(agent.summary)}</span>
              <span className="block text-xs text-soft">{agent.made}</span>
            </label>
          ))}
      </div>
      {older.length > 0 && (
        <label className="mt-3 block w-fit text-sm">
          <span className="mr-2 text-soft">Or an earlier checkpoint</span>
          <select
            className="field"
            value={chosen && !chosen.newest ? chosen.id : ""}
            onChange={(e) => onChange(e.target.value)}
          >
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

export function AgentSettings({
  agent,
  settings,
  onChange,
}: {
  agent: AgentInfo;
  settings: Options;
  onChange: (settings: Options) => void;
}) {
  const numbers = agent.settings.filter((s) => typeof s.default === "number");
  if (numbers.length === 0) return null;
  return (
    <div className="mt-3 flex flex-wrap gap-4">
      {numbers.map((s) => (
        <label key={s.name} className="text-sm">
          <span className="block">
            {capitalized(s.name.replaceAll("_", " "))}{" "}
            <span className="font-mono text-xs">{settings[s.name] ?? s.default}</span>
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
