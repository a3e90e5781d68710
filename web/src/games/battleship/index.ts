import type { Drawing } from "../drawing";
import { Battle, Orders } from "./board";

export const battleship: Drawing = {
  Board: Battle,
  Choose: Orders,
  room: () => "h-10",
  unit: "point",
  after: ({ told }) => told.join(" "),
  howTo: () => ({
    goal: "Sink the other's ships before yours are sunk.",
    steps: [
      "First place your ships on your own sea: they do not overlap, and the other does not see them. R turns a ship.",
      "Then shoot in turn, at one cell of the other's sea. You are told whether the shot missed, " +
        "hit a ship, or sank it: a ship is sunk when all its cells are hit.",
      "It is over when all ships of one side are sunk, or when both have no shots left.",
      "A ship that you sink gives you points. One that you lose costs points, in some variants more than it gives to the other.",
    ],
  }),
  tour: [
    { at: "you", text: "Your sea. Place your ships here; nobody else sees them." },
    {
      at: "moves",
      text: "Click a cell to put the ship there. The arrow keys go from cell to cell, and r turns the ship.",
    },
    {
      at: "others",
      text: "The other's sea. When all ships are placed, you shoot at its cells: a ring is a miss, a cross a hit.",
    },
  ],
};
