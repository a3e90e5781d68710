// Sitting down: a table is made, and the page goes there.
import { useState } from "react";
import { useNavigate } from "react-router";
import { type GameInfo, type NewTable, ApiError, api, ask, errorText } from "../api/client";
import { usePreferences } from "../store/preferences";
import { type Seat, keepSeat } from "../store/seats";
import { parseGameName } from "../format/names";

/** The page of a table, which is fetched while somebody looks at the shelf. */
export const loadTable = () => import("../table/page");

/** What a table is made of, but for what the person has chosen once for all. */
export type Wanted = Omit<NewTable, "player_name" | "mind" | "pace">;

/** `busy`: the game at which one is sitting down. */
export function useStart() {
  const { name, mind, seconds } = usePreferences();
  const navigate = useNavigate();
  const [busy, setBusy] = useState("");
  const [problem, setProblem] = useState("");

  /** The first of some wishes that can be had. */
  async function start(first: Wanted, ...instead: Wanted[]): Promise<void> {
    if (busy) return;
    setBusy(first.game);
    setProblem("");
    try {
      const body = { ...first, player_name: name, mind, pace: seconds === 0 ? "at-once" : "step" } as const;
      const seated = await ask(api.POST("/api/tables", { body }));
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}`);
    } catch (error) {
      setBusy("");
      const [next, ...more] = instead;
      if (next && error instanceof ApiError && (error.status === 404 || error.status === 422))
        return start(next, ...more);
      setProblem(errorText(error));
    }
  }
  return { start, busy, problem };
}

const WITH = { watch: false, undo: true };

/** A game as it is offered: its default rules, and the opponent that is recommended. */
export const asOffered = ({ name, offered }: GameInfo): Wanted => ({ ...WITH, game: name, options: offered });

/** The last game of a kind again: its rules and its opponent; undefined if people sat there. */
export function asLast({ game, opponents }: Seat): Wanted | undefined {
  const { base, options } = parseGameName(game);
  const agent = opponents[0]?.agent;
  if (!agent || opponents.some((one) => one.agent !== agent)) return undefined;
  return { ...WITH, game: base, options: Object.fromEntries(options), agent };
}
