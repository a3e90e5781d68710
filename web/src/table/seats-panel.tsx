// The seats of a table: who is there, and what one can do about one's own and about empty ones.
import { type ReactNode, useState } from "react";
import { type Shapes, type TableState, api, ask, bearer, errorText } from "../api/client";
import { useAgents } from "../queries/agents";
import type { Table } from "./use-table";
import { Checkbox } from "../ui/tick";
import { Button, Chip, ErrorMessage } from "../ui/basic";
import { CopyField, tableLink } from "../ui/copy";

type Seat = TableState["seats"][number];
type Props = { table: Table; state: TableState };

/** Closed it is one line; it opens by itself when somebody has left. */
export function SeatsPanel({ table, state }: Props) {
  const running = state.turn !== "over";
  const own = state.seats.find((seat) => seat.you);
  const left = running && state.seats.some((seat) => seat.left);
  return (
    <details key={String(left)} open={left} className="panel shrink-0 px-3 py-2" data-testid="seats">
      <summary className="rounded font-serif text-lg">Seats and links</summary>
      <ul className="mt-2 space-y-1.5">
        {state.seats.map((seat) => (
          <SeatRow key={seat.seat} table={table} state={state} seat={seat} />
        ))}
      </ul>
      <div className="mt-3 space-y-3 text-sm">
        {own && running && <Own table={table} state={state} own={own} />}
        {own?.seat === state.host && running && <WatchTick table={table} state={state} />}
        <p className="text-soft">
          {running
            ? state.watch
              ? "Whoever has the link to this table can watch, without seeing hidden cards."
              : "Whoever has the link to this table can look at the game when it is over."
            : "Whoever has the link to this table can look at the game, move by move."}
        </p>
        <CopyField label="Link to this table" text={tableLink(state.id)} />
        {own && running && <Move table={table} state={state} />}
      </div>
    </details>
  );
}

export function WatchTick({ table, state }: Props) {
  return (
    <Checkbox
      label="Others may watch"
      help="They see what everybody sees, no hidden cards."
      on={state.watch}
      onChange={(watch) => table.ask((at) => ask(api.PUT("/api/tables/{table}/watch", { ...at, body: { watch } })))}
    />
  );
}

const FACE = "grid h-8 w-8 flex-none place-items-center rounded-full font-serif";

export function SeatRow({ table, state, seat, children }: Props & { seat: Seat; children?: ReactNode }) {
  const free = seat.kind === "open" || (seat.left && seat.kind === "person");
  const seated = state.seats.some((one) => one.you);
  const taken = state.player === seat.seat ? "bg-[#ffd66b] text-[#3a2c00]" : "bg-felt text-felt-ink";
  return (
    <li className="text-sm">
      <span className="flex items-center gap-2">
        <span
          aria-hidden
          className={`${FACE} ${seat.kind === "open" ? "border-2 border-dashed border-line text-soft" : taken}`}
        >
          {seat.seat + 1}
        </span>
        <span className={`min-w-0 grow truncate ${seat.kind === "open" ? "text-soft" : "font-medium"}`}>
          {seat.kind === "open" ? "open" : seat.name}
        </span>
        {seat.you && <Chip tone="good">you</Chip>}
        {seat.kind === "agent" && <Chip>agent</Chip>}
        {seat.left && seat.kind === "person" && <Chip tone="warn">has left</Chip>}
        {seat.left && seat.kind === "agent" && !seat.you && <Chip tone="warn">for one who left</Chip>}
      </span>
      {free && seated && !seat.you && state.turn !== "over" && <AgentFor table={table} state={state} seat={seat} />}
      {children}
    </li>
  );
}

/** Let an agent of one's choice take a seat that nobody sits at. */
function AgentFor({ table, state, seat }: Props & { seat: Seat }) {
  const agents = useAgents(state.game);
  const [agent, setAgent] = useState("");
  const chosen = agents.find((one) => one.id === agent) ?? agents[0];
  if (!chosen) return null;
  return (
    <span className="mt-1 ml-10 flex gap-2">
      <select
        aria-label={`Agent for seat ${seat.seat + 1}`}
        className="field min-w-0 grow truncate"
        value={chosen.id}
        onChange={(e) => setAgent(e.target.value)}
      >
        {agents.map((one) => (
          <option key={one.id} value={one.id}>
            {one.character}
          </option>
        ))}
      </select>
      <Button
        aria-label={`Seat it at seat ${seat.seat + 1}`}
        onClick={() =>
          table.ask((at) =>
            ask(
              api.PUT("/api/tables/{table}/seats/{seat}", {
                ...at,
                params: { ...at.params, path: { ...at.params.path, seat: seat.seat } },
                body: { agent: chosen.id },
              }),
            ),
          )
        }
      >
        Seat it
      </Button>
    </span>
  );
}

/** Go away and come back; meanwhile an agent may play. */
function Own({ table, state, own }: Props & { own: Seat }) {
  const agents = useAgents(state.turn === "waiting" ? "" : state.game);
  const path = { table: state.id };
  const away = own.left || own.kind === "agent";
  const others = state.seats.some((seat) => seat.kind === "person" && !seat.you);
  if (away) {
    return (
      <div className="rounded-lg bg-warn-bg p-3 text-warn">
        <p className="mb-2">{own.kind === "agent" ? `${own.name} plays for you.` : "You have left this table."}</p>
        <Button look="main" onClick={() => table.ask((at) => ask(api.POST("/api/tables/{table}/return", at)))}>
          Take my seat again
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      {agents[0] && (
        <Button
          onClick={() =>
            table.ask((at) =>
              ask(
                api.PUT("/api/tables/{table}/seats/{seat}", {
                  ...at,
                  params: { ...at.params, path: { ...path, seat: own.seat } },
                  body: { agent: agents[0]?.id ?? "" },
                }),
              ),
            )
          }
          title={`${agents[0].name} plays until you take your seat again; the game does not count in your record then if it ends so.`}
        >
          Let an agent play for me
        </Button>
      )}
      {others && (
        <Button onClick={() => table.ask((at) => ask(api.POST("/api/tables/{table}/leave", at)))}>
          Leave the table
        </Button>
      )}
    </div>
  );
}

/** One's seat in another browser, by a code that works once. */
function Move({ table, state }: Props) {
  const [code, setCode] = useState<Shapes["SeatCode"]>();
  const [problem, setProblem] = useState("");

  async function show() {
    setProblem("");
    try {
      setCode(
        await ask(
          api.POST("/api/tables/{table}/code", { params: { path: { table: state.id } }, headers: bearer(table.token) }),
        ),
      );
    } catch (error) {
      setProblem(errorText(error));
    }
  }

  return (
    <details onToggle={(e) => e.currentTarget.open && !code && void show()}>
      <summary className="w-fit rounded text-soft hover:text-ink">Go on in another browser</summary>
      {code && (
        <div className="mt-2 space-y-2">
          <p className="text-soft">
            Open this link there, within ten minutes. It works once; your seat is there then, and no longer here. The
            code by itself is{" "}
            <b className="font-mono text-base tracking-widest text-ink" data-testid="code">
              {code.code}
            </b>
            .
          </p>
          <CopyField label="Link that moves your seat" text={`${tableLink(state.id)}#${code.code}`} />
          <Button look="quiet" className="min-h-8" onClick={() => void show()}>
            A new code
          </Button>
        </div>
      )}
      {problem && <ErrorMessage>{problem}</ErrorMessage>}
    </details>
  );
}
