// Where a replay stands.
import type { TableState } from "../api/client";
import { isNear } from "../format/table";

/** The ply that an address asks for; without one, the first decision of a game that is over. */
export function plyIn(search: URLSearchParams, now: TableState | undefined): number {
  const last = now?.ply ?? 0;
  const asked = Number(search.get("ply") ?? (now?.turn === "over" ? firstDecision(now) : beforeLast(now)));
  return Math.min(Math.max(0, Number.isFinite(asked) ? Math.trunc(asked) : last), last);
}

const firstDecision = (now: TableState) => now.history.find((event) => isNear(now, event))?.ply ?? 0;

/** The position before the last decision: where one goes who wants to look back at a game that goes on. */
const beforeLast = (now: TableState | undefined) => now?.history.findLast((event) => event.by !== "chance")?.ply ?? 0;
