// Leodopoly: a small Monopoly with auctions and deals.
import type { TableState } from "../../api/client";
import { capitalized } from "../../format/numbers";
import type { Drawing } from "../drawing";
import { LeodopolyBoard } from "./board";
import { LeodopolyChoose } from "./choose";
import { leodopolyOf, money } from "./estate";
import { FEW } from "./spaces";

const SAYS = [
  "buy",
  "accept",
  "refuse",
  "put up",
  "offer",
  "build",
  "sell house",
  "mortgage",
  "redeem",
  "leave jail",
  "use card",
]; // what these do, their own words say

export const leodopoly: Drawing = {
  Board: LeodopolyBoard,
  Choose: LeodopolyChoose,
  room: (state) => (wide(state) ? "h-41 sm:h-32" : "h-41 sm:h-28"),
  keyFor: () => "", // its Choose knows them
  outcomes: (events) => events.flatMap(({ told, text }) => (told.length ? told : [text])).join("; "),
  after: ({ told, move }) => (move && SAYS.includes(move.verb) ? "" : told.join("; ")),
  verdict,
  howTo: () => ({
    goal: "Be the richest at the end: after the last round, or as soon as somebody cannot pay a rent.",
    steps: [
      "In your turn you may first put up properties for sale: the others make offers, " +
        "and you accept one or none. Then the die moves your token.",
      "On a property of somebody else you pay its rent. Who owns all properties of a colour has a full set (★), and gets twice the rent.",
      "On a property that nobody owns you may buy it at its price. If you do not, it is auctioned.",
      "In a sealed auction everybody names a limit that the others do not see. Whoever named the " +
        "highest gets the property, and pays only what was needed to outbid the others.",
      "Each space shows its price and its rent; when it is owned, its rent and the colour of its owner.",
    ],
  }),
  tour: [
    {
      at: "board",
      text: "The board. Tokens go round it; each space shows its price and its rent, and once it is owned the colour of its owner.",
    },
    { at: "you", text: "What you have: money, properties, and what they bring in." },
    { at: "others", text: "What everybody has. Nothing is hidden but limits in an auction." },
    { at: "middle", text: "What happens: who rolled what, what is for sale, who bids and who offers." },
    { at: "moves", text: "What you can do: sell, roll, buy, bid an amount. Keys are shown on the buttons." },
  ],
};

/** Whether there are houses, mortgages or trades, of which many may be possible. */
const wide = (state: TableState) => (leodopolyOf(state)?.spaces.length ?? 0) > FEW;

/** Who has won, and with what. */
function verdict(state: TableState): { heading: string; text: string } | undefined {
  const view = leodopolyOf(state);
  if (!view || state.turn !== "over" || state.result?.resigned_by !== null) return undefined;
  const name = (p: number) => state.names[p] ?? "";
  const winners = view.players.flatMap(({ won }, p) => (won ? [p] : []));
  const [winner] = winners;
  const heading =
    winners.length > 1
      ? winners.includes(state.seat ?? -1)
        ? "You are among the winners"
        : "A tie"
      : winner === state.seat
        ? "You have won"
        : winner === undefined
          ? "Nobody has won"
          : `${name(winner)} has won`;
  const broke = view.players.findIndex(({ bankrupt }) => bankrupt);
  const why =
    broke < 0
      ? `All ${view.rounds} rounds were played.`
      : `${name(broke)} ${broke === state.seat ? "are" : "is"} bankrupt.`;
  const scores = view.players.map(({ score }, p) => `${name(p)} ${money(view, score)}`).join(", ");
  return { heading, text: `${why} ${capitalized(scores)}.` };
}
