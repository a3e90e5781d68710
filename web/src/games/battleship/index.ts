import type { TableState } from "../../api/client";
import { payoffText } from "../../format/table";
import { type Drawing, type Verdict, faceDown } from "../drawing";
import { nameOf } from "../table-top";
import { seaOf, sunkOf } from "./sea";
import { Battle, Orders } from "./board";

export const battleship: Drawing = {
  Board: Battle,
  Choose: Orders,
  room: () => "h-10",
  unit: "point",
  verdict,
  reveal: faceDown("The ships that are left come into sight"),
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

/** Whose ships are sunk, and by how many shots; what it is worth where a ship counts more than another's. */
function verdict(state: TableState): Verdict | undefined {
  const { seat, result } = state;
  if (!result || seat === null || result.resigned_by !== null) return undefined;
  const { sizes, fired } = seaOf(state);
  const [mine, theirs] = [sunkOf(state, seat), sunkOf(state, 1 - seat)];
  const all = sizes.length;
  const heading =
    theirs === all
      ? "You sank them all"
      : mine === all
        ? "Your ships are sunk"
        : mine === theirs
          ? "A draw"
          : undefined;
  const side = (player: number, sunk: number) => `${nameOf(state, player)} sank ${sunk} of ${all}`;
  const shots = fired(seat).length;
  const worth = result.kind === "zero-sum" ? "" : ` ${payoffText(state, "point")}`;
  const text = `${side(seat, theirs)} with ${shots} ${shots === 1 ? "shot" : "shots"}, ${side(1 - seat, mine)}.${worth}`;
  return heading ? { heading, text } : { text };
}
