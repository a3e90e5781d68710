// Which game is drawn how; every other one by its fields.
import { createElement } from "react";
import type { TableState } from "../api/client";
import type { Board, BoardProps } from "./board";
import { GenericBoard } from "./generic";
import { GoofspielBoard } from "./goofspiel";
import { HoldemBoard, bigBlinds, feltOf, holdemVerdict } from "./holdem";
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
  holdem: HoldemBoard,
};

/** A game of which one plays many, one after the other: how it ended, who sits where next, and what a sum is worth. */
export type Series = { verdict: string | undefined; seat: number; again: string; unit: string; worth: (sum: number) => string };

export function seriesOf(state: TableState): Series | undefined {
  const felt = gameBase(state.game) === "holdem" ? feltOf(state) : undefined;
  return felt && { verdict: holdemVerdict(state), seat: 1 - state.seat, again: "Next hand", unit: "hand", worth: (sum) => bigBlinds(sum, felt) };
}

export function GameBoard(props: BoardProps) {
  return createElement(BOARDS[gameBase(props.state.game)] ?? GenericBoard, props);
}
