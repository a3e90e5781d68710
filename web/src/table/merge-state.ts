// A table is told in full once, and then what is new.
import type { TableState } from "../api/client";

/** What is new, after what was known; undefined if something lies between. */
export function mergeState(old: TableState | undefined, next: TableState): TableState | undefined {
  if (next.since === 0) return next;
  if (!old || next.since > old.history.length) return undefined;
  return { ...next, since: 0, history: [...old.history.slice(0, next.since), ...next.history] };
}
