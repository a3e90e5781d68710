// Colored Trails: two proposers and a responder trade chips, which are what steps over coloured tiles cost.
import type { TableState } from "../../api/client";
import { ParetoFrontier } from "../frontier";
import { formatNumber } from "../../format/numbers";
import type { Drawing } from "../drawing";
import { nameOf } from "../table-top";
import { TrailsBoard } from "./board";
import { counted } from "./chip";
import { TrailsChoose } from "./choose";
import { RESPONDER, trailsOf } from "./trails";

export const coloredTrails: Drawing = {
  Board: TrailsBoard,
  Choose: TrailsChoose,
  Ending: ParetoFrontier,
  series: { games: 3, unit: "trade" },
  room: ({ turn, seat }) => (turn === "over" ? "h-22" : seat === RESPONDER ? "h-28" : "h-64 sm:h-44"),
  keyFor: ({ verb, to }) => (verb === "pass" ? "x" : verb === "accept" ? String((to ?? 0) + 1) : ""),
  unit: "point",
  verdict,
  howTo: ({ seat }) => ({
    goal:
      seat === RESPONDER
        ? "You are the responder: take the offer that brings you closer to the flag."
        : "You are a proposer: offer the responder a trade that helps both of you.",
    steps: [
      "Everybody wants to get from their place to the flag. A step onto a tile costs a chip of its colour.",
      "With your chips alone nobody reaches it. Two proposers each offer the responder a " +
        "trade, chips for chips; the responder accepts one of them, or neither.",
      "Proposers see their own chips and the responder's, but not each other's, nor each other's offer.",
      "Then everybody takes the best path. At the end a chip that is left counts 10, and every step that " +
        "is missing to the flag costs 25. Your points are what the trade has changed.",
    ],
  }),
  tour: [
    {
      at: "middle",
      text: "The board. A step onto a tile costs a chip of its colour; the lines are the paths that you and others can take now.",
    },
    { at: "you", text: "Your chips, and how far they take you." },
    { at: "others", text: "The other players. Proposers do not see each other's chips." },
    {
      at: "moves",
      text: "Make an offer, or answer: you see what it would bring both of you, and the paths on the board.",
    },
  ],
};

/** "A trade: you get 25, Anna gets 10". */
function verdict(state: TableState): { heading: string; text: string } | undefined {
  if (state.turn !== "over" || !state.result || state.result.resigned_by !== null) return undefined;
  const { accepted = -1, offers } = trailsOf(state);
  if (accepted < 0) return { heading: "No trade", text: "Nobody gains anything." };
  const points = (player: number) => formatNumber(state.result?.payoffs[player] ?? 0);
  const offer = offers[accepted];
  const who = nameOf(state, accepted);
  const what = offer
    ? `${who} ${who === "You" ? "give" : "gives"} ${counted(offer.gives)} for ${counted(offer.gets)}.`
    : "";
  const gets = (player: number) =>
    `${nameOf(state, player) === "You" ? "you get" : `${nameOf(state, player)} gets`} ${points(player)}`;
  return { heading: `A trade: ${gets(accepted)}, ${gets(RESPONDER)}`, text: what };
}
