import type { TableState } from "../api/client";

/** A table of the study: what came of a game is said by its score, and what the others got is not said at all. */
export const asParticipant = (state: TableState): TableState => ({ ...state, result: null });
