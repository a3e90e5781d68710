// Which game is drawn how; every other one by its fields.
import { createElement } from "react";
import type { Board, BoardProps } from "./board";
import { GenericBoard } from "./generic";
import { GoofspielBoard } from "./goofspiel";
import { LiarsDiceBoard } from "./liars-dice";
import { MonopolyDealBoard } from "./monopoly-deal";
import { PokerBoard } from "./poker";
import { gameBase } from "../words";

const BOARDS: Record<string, Board> = {
  "monopoly-deal": MonopolyDealBoard,
  kuhn: PokerBoard,
  leduc: PokerBoard,
  "liars-dice": LiarsDiceBoard,
  goofspiel: GoofspielBoard,
};

export function GameBoard(props: BoardProps) {
  return createElement(BOARDS[gameBase(props.state.game)] ?? GenericBoard, props);
}
