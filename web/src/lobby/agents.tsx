// With whom: three to begin with, by their faces, and everybody else behind them.
import type { AgentInfo } from "../api/client";
import { type Grade, threeOf } from "../queries/agents";
import { Chip } from "../ui/basic";
import { Face } from "../ui/face";
import { capitalized } from "../format/numbers";
import type { Options } from "./rules";

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
  "flex items-start gap-3 rounded-xl border-2 border-line p-3 hover:bg-raised " +
  "has-checked:border-accent has-checked:bg-raised has-focus-visible:outline-3 " +
  "has-focus-visible:outline-(--ring)";

/** `title`: "Opponent", or "Partner" where they play together. */
export function AgentList({
  agents,
  chosen,
  title,
  onChange,
}: {
  agents: AgentInfo[];
  chosen: AgentInfo | undefined;
  title: string;
  onChange: (id: string) => void;
}) {
  const three = threeOf(agents);
  const first = three.map(({ agent }) => agent);
  const others = agents.filter((agent) => agent.newest && !first.includes(agent));
  const older = agents.filter((agent) => !agent.newest);
  const card = (agent: AgentInfo, grade: Grade = "") => (
    <AgentCard key={agent.id} agent={agent} grade={grade} on={agent.id === chosen?.id} onChange={onChange} />
  );
  return (
    <fieldset className="space-y-2">
      <legend className="sr-only">{title}</legend>
      {three.map(({ agent, grade }) => card(agent, grade))}
      {chosen && !chosen.newest && card(chosen)}
      {others.length + older.length > 0 && (
        <details open={chosen && others.includes(chosen)}>
          <summary className="w-fit rounded py-1 text-sm text-soft hover:text-ink">
            {others.length + older.length} more
          </summary>
          <div className="mt-2 space-y-2">
            {others.map((agent) => card(agent))}
            {older.length > 0 && (
              <label className="block w-fit max-w-full text-sm">
                <span className="mr-2 text-soft">One that is still learning</span>
                <select
                  className="field w-full"
                  value={chosen && !chosen.newest ? chosen.id : ""}
                  onChange={(e) => onChange(e.target.value)}
                >
                  <option value="">none</option>
                  {older.map((agent) => (
                    <option key={agent.id} value={agent.id}>
                      {agent.character}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </div>
        </details>
      )}
    </fieldset>
  );
}

function AgentCard({
  agent,
  grade,
  on,
  onChange,
}: {
  agent: AgentInfo;
  grade: Grade;
  on: boolean;
  onChange: (id: string) => void;
}) {
  return (
    <div>
      <label className={AGENT}>
        <input
          type="radio"
          name="agent"
          aria-label={agent.character}
          className="sr-only"
          checked={on}
          onChange={() => onChange(agent.id)}
        />
        <Face name={agent.character} className="size-12" />
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-center justify-between gap-x-2">
            <span className="font-serif text-lg leading-tight break-words">{agent.character}</span>
            {grade ? (
              <Chip tone={grade === "hard" ? "warn" : "plain"}>{grade}</Chip>
            ) : agent.recommended ? (
              <Chip tone="good">recommended</Chip>
            ) : null}
          </span>
          <span className="block text-sm">{capitalized(agent.summary)}.</span>
          <Level level={agent.level} />
        </span>
      </label>
      {on && (
        <details className="mt-1 px-3 text-xs text-soft">
          <summary className="w-fit rounded py-1 hover:text-ink">How {agent.character} was made</summary>
          <p className="py-1">{agent.made}</p>
        </details>
      )}
    </div>
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
