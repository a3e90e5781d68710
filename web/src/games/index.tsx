// How each game is drawn: one folder and one row a game, in the order in which they are offered. Every other game is
// drawn by its fields.
import type { Event, GameInfo } from "../api/client";
import { gameBase } from "../words";
import { type BoardProps, type Drawing, alike, counted } from "./drawing";
import { GenericBoard } from "./generic";
import { goofspiel } from "./goofspiel";
import { holdem } from "./holdem";
import { kuhn } from "./kuhn";
import { leduc } from "./leduc";
import { liarsDice } from "./liars-dice";
import { monopolyDeal } from "./monopoly-deal";

const DRAWINGS: Record<string, Drawing> = {
  "monopoly-deal": monopolyDeal,
  kuhn,
  leduc,
  "liars-dice": liarsDice,
  goofspiel,
  holdem,
};
const ORDER = Object.keys(DRAWINGS);

export function drawingOf(game: string): Drawing {
  const base = gameBase(game);
  return DRAWINGS[base] ?? { Board: GenericBoard, sign: { text: base.charAt(0).toUpperCase(), hue: [...base].reduce((sum, c) => sum + 37 * c.charCodeAt(0), 0) % 360 } };
}

export function GameBoard(props: BoardProps) {
  const { Board } = drawingOf(props.state.game);
  return <Board {...props} />;
}

/** Outcomes of chance that follow each other, in one line. */
export const outcomesOf = (game: string, events: Event[], seat: number | null) => drawingOf(game).outcomes?.(events, seat) ?? alike(events, (event) => event.text).map(counted).join("; ");

const place = ({ name }: GameInfo) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** The games that are drawn first. */
export const inOrder = (games: GameInfo[]) => games.toSorted((a, b) => place(a) - place(b));
