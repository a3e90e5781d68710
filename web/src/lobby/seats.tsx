// Who sits where when people play: every seat its own occupant, a clock, and whether others may watch.
import type { AgentInfo, NewTable } from "../api/client";
import { playerName } from "../format/names";
import { formatTimeLimit } from "../format/numbers";
import { Checkbox } from "../ui/tick";

export type SeatRequest = NonNullable<NewTable["seats"]>[number];
export type TableSettings = { clock: number | null; watch: boolean; undo: boolean };

export const CLOCKS = [null, 15, 30, 60, 120, 300, 3600] as const;
const YOU = "you" as const;
const OPEN = "open" as const;

/** As many seats as there are players: you, then seats for friends. */
export const defaultSeats = (players: number): SeatRequest[] =>
  Array.from({ length: players }, (_, seat): SeatRequest => (seat === 0 ? { kind: YOU } : { kind: OPEN }));

/** A plan for another number of players; you keep a seat. */
export function fitSeats(seats: SeatRequest[], players: number): SeatRequest[] {
  const kept = Array.from({ length: players }, (_, seat): SeatRequest => seats[seat] ?? { kind: OPEN });
  return kept.some(({ kind }) => kind === YOU)
    ? kept
    : kept.map((wish, seat): SeatRequest => (seat === 0 ? { kind: YOU } : wish));
}

const SEAT = "flex items-center gap-3 rounded-lg border-2 px-3 py-2";

const borderOf = ({ kind }: SeatRequest) =>
  kind === YOU ? "border-accent bg-raised" : kind === OPEN ? "border-dashed border-line" : "border-line";

export function SeatPlan({
  seats,
  agents,
  onChange,
}: {
  seats: SeatRequest[];
  agents: AgentInfo[];
  onChange: (seats: SeatRequest[]) => void;
}) {
  function choose(seat: number, value: string) {
    const next: SeatRequest =
      value === YOU ? { kind: YOU } : value === OPEN ? { kind: OPEN } : { kind: "agent", agent: value };
    const mine = seats.findIndex(({ kind }) => kind === YOU);
    // who sits down elsewhere leaves a seat to whoever was there, and one always sits somewhere
    const moved =
      next.kind === YOU
        ? seats.map((wish, at): SeatRequest => (at === mine ? (seats[seat] ?? { kind: OPEN }) : wish))
        : seats;
    const all = moved.map((wish, at) => (at === seat ? next : wish));
    onChange(all.some(({ kind }) => kind === YOU) ? all : fitSeats(all, all.length));
  }
  return (
    <ol className="grid grid-cols-1 gap-2 sm:grid-cols-2">
      {seats.map((wish, seat) => (
        <li key={seat} className={`${SEAT} ${borderOf(wish)}`}>
          <span
            aria-hidden
            className="grid h-9 w-9 flex-none place-items-center rounded-full bg-felt font-serif text-lg text-felt-ink"
          >
            {seat + 1}
          </span>
          <select
            aria-label={playerName(seat)}
            className="field min-w-0 grow truncate text-sm"
            value={wish.kind === "agent" ? wish.agent : wish.kind}
            onChange={(e) => choose(seat, e.target.value)}
          >
            <option value={YOU}>You</option>
            <option value={OPEN}>Open for a friend</option>
            <optgroup label="An agent">
              {agents.map((agent) => (
                <option key={agent.id} value={agent.id}>
                  {agent.character}
                  {agent.level === null ? "" : ` (level ${agent.level})`}
                </option>
              ))}
            </optgroup>
          </select>
        </li>
      ))}
    </ol>
  );
}

export function TableSettingFields({
  terms,
  alone,
  onChange,
}: {
  terms: TableSettings;
  alone: boolean;
  onChange: (terms: TableSettings) => void;
}) {
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-3 text-sm">
      <label>
        <span className="mb-1 block text-soft">Clock: time for a decision</span>
        <select
          className="field"
          value={terms.clock ?? ""}
          onChange={(e) => onChange({ ...terms, clock: e.target.value ? Number(e.target.value) : null })}
        >
          {CLOCKS.map((seconds) => (
            <option key={seconds} value={seconds ?? ""}>
              {formatTimeLimit(seconds)}
            </option>
          ))}
        </select>
      </label>
      <Checkbox
        label="Others may watch"
        help="They see what everybody sees, no hidden cards."
        on={terms.watch}
        onChange={(watch) => onChange({ ...terms, watch })}
      />
      {alone && (
        <Checkbox
          label="Moves may be taken back"
          help="Such games do not count in your record."
          on={terms.undo}
          onChange={(undo) => onChange({ ...terms, undo })}
        />
      )}
    </div>
  );
}
