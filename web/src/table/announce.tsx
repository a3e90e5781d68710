// What the others did since one's own last move, and whose turn it is, for who cannot see the table.
import type { TableState } from "../api/client";
import { eventText, outcomesOf, verdictOf } from "../games";
import { groupEvents } from "../games/drawing";
import { nameOf } from "../games/table-top";
import { capitalized } from "../format/numbers";

export function Announce({ state }: { state: TableState }) {
  const own = state.history.findLastIndex((event) => event.by === "you");
  const done = groupEvents(state.history.slice(own + 1), (event) => (event.by === "chance" ? "" : String(event.ply)))
    .slice(-6)
    .map((events) => {
      const [event] = events;
      return event.actor === null
        ? capitalized(outcomesOf(state.game, events, state.seat))
        : `${nameOf(state, event.actor)}: ${eventText(state.game, event)}`;
    });
  const last = state.result ? verdictOf(state) : state.turn === "you" ? "Your turn" : "";
  return (
    <p role="status" aria-live="polite" data-testid="said" className="sr-only">
      {[...done, last].filter(Boolean).join(". ")}
    </p>
  );
}
