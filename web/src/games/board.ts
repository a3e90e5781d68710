// What a drawing of a game is given. Without `play` it is only looked at: the agent's turn, or a replay.
import type { ComponentType } from "react";
import type { TableState } from "../api/client";
import type { Play } from "../parts/moves";

/** What lies before a player, by name, as far as it may be seen: one's own things, everybody's when the game is open. */
export function displayed(state: TableState, player: number): Record<string, string[]> {
  const view = player === state.seat ? state.view : state.sides[player];
  if (view?.kind !== "generic") return {};
  return Object.fromEntries(Object.entries(view.display).map(([name, things]) => [name, Array.isArray(things) ? things.map(String) : []]));
}

export type BoardProps = { state: TableState; play: Play };
export type Board = ComponentType<BoardProps>;
