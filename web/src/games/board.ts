// What a drawing of a game is given. Without `play` it is only looked at: the agent's turn, or a replay.
import type { ComponentType } from "react";
import type { TableState } from "../api/client";
import type { Play } from "../parts/moves";

export type BoardProps = { state: TableState; play: Play };
export type Board = ComponentType<BoardProps>;
