// What the drawing knows of Leodopoly: the view, the colours of sets and players, and amounts of money.
import type { Shapes, TableState } from "../../api/client";

export type LeodopolyView = Shapes["LeodopolyView"];
export type BoardSpace = Shapes["BoardSpace"];

export const leodopolyOf = ({ view }: TableState): LeodopolyView | undefined =>
  view.kind === "leodopoly" ? view : undefined;

/** The colours of sets, by their numbers; the spaces of none are plain. */
const SETS = [
  "transparent",
  "#8a4b2a",
  "#7cc4e8",
  "#d6498f",
  "#ef8b22",
  "#d32f2f",
  "#f4d03f",
  "#2e8b4f",
  "#234fa3",
  "#3b3f46",
  "#8fa3ad",
];
export const setColour = (group: number) => SETS[group % SETS.length] ?? "transparent";

/** The colours of players: white letters can be read on all of them. */
const PLAYERS = ["#b3261e", "#1558a8", "#2c6e31", "#6a1b9a", "#8a5200", "#00695c"];
export const playerColour = (player: number) => PLAYERS[player % PLAYERS.length] ?? "#333";

export const money = ({ currency }: { currency: string }, amount: number) =>
  `${amount < 0 ? "−" : ""}${currency}${Math.abs(amount).toLocaleString("en")}`;

export const spaceOf = (view: LeodopolyView, name: string) => view.spaces.find((space) => space.name === name);
