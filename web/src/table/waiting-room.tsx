// A table whose seats are not all taken: the link for friends, who sits already, agents for the rest.
import { type TableState, api, ask } from "../api/client";
import { useAgents } from "../queries/agents";
import { useGameTitle } from "../queries/games";
import type { Table } from "./use-table";
import { GameIcon } from "../games/glyph";
import { formatTimeLimit } from "../format/numbers";
import { plural } from "../format/numbers";
import { Button, ErrorMessage } from "../ui/basic";
import { CopyField, tableLink } from "../ui/copy";
import { SeatRow, WatchTick } from "./seats-panel";

export function WaitingRoom({ table, state }: { table: Table; state: TableState }) {
  const gameTitle = useGameTitle();
  const [best] = useAgents(state.game);
  const open = state.seats.filter((seat) => seat.kind === "open");

  function fill() {
    for (const { seat } of open) {
      table.ask((at) =>
        ask(
          api.PUT("/api/tables/{table}/seats/{seat}", {
            ...at,
            params: { ...at.params, path: { ...at.params.path, seat } },
            body: { agent: best?.id ?? "" },
          }),
        ),
      );
    }
  }

  return (
    <div className="mx-auto max-w-2xl space-y-4" data-testid="waiting">
      <section className="felt flex items-center gap-4 p-5 sm:p-7">
        <GameIcon game={state.game} />
        <div>
          <h1 className="text-2xl sm:text-3xl">{gameTitle(state.game)}</h1>
          <p className="mt-1 opacity-90" aria-live="polite">
            Waiting for {plural(open.length, "player")}. The game begins by itself when every seat is taken.
          </p>
        </div>
      </section>
      {table.problem && (
        <ErrorMessage again={table.dismiss} button="Close">
          {table.problem}
        </ErrorMessage>
      )}
      <section className="panel space-y-3 p-4">
        <h2 className="text-lg">Send this link to your friends</h2>
        <CopyField label="Link to this table" text={tableLink(state.id)} button="Copy link" />
        <p className="text-sm text-soft">
          Whoever opens it can sit down.{" "}
          {state.clock ? `Time for a decision: ${formatTimeLimit(state.clock.seconds)}.` : "There is no clock."}
        </p>
      </section>
      <section className="panel space-y-3 p-4">
        <h2 className="text-lg">Who sits where</h2>
        <ul className="space-y-2">
          {state.seats.map((seat) => (
            <SeatRow key={seat.seat} table={table} state={state} seat={seat} />
          ))}
        </ul>
        {best && (
          <Button onClick={fill}>
            Begin now:{" "}
            {open.length === 1
              ? `${best.character} takes the open seat`
              : `${best.character} takes the ${open.length} open seats`}
          </Button>
        )}
        {state.seat === state.host && <WatchTick table={table} state={state} />}
      </section>
    </div>
  );
}
