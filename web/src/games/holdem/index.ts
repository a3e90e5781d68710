import { lazy } from "react";
import type { TableEvent } from "../../api/client";
import { type Drawing, groupEvents } from "../drawing";
import { pokerKey } from "../poker/choose";
import { HoldemBoard, HoldemChoose, Streets } from "./board";
import { holdemVerdict, runOut } from "./ending";

const Strategy = lazy(() => import("./grid").then(({ GridBrowser }) => ({ default: GridBrowser })));

/** "A♠ K♥ to you", "2 cards face down to the other", "flop Q♠ 7♠ 2♥". */
function dealt(group: TableEvent[], seat: number | null): string {
  const move = group[0]?.move;
  const cards = group.map((event) => event.move?.card).join(" ");
  if (!move) return `${group.length} ${group.length === 1 ? "card" : "cards"} face down to the other`;
  return move.to === null ? `${move.details.street} ${cards}` : `${cards} to ${move.to === seat ? "you" : "the other"}`;
}

export const holdem: Drawing = {
  Board: HoldemBoard,
  Choose: HoldemChoose,
  Story: Streets,
  Strategy,
  room: () => "h-45",
  keyFor: pokerKey,
  outcomes: (events, seat) =>
    groupEvents(events, ({ move }) => (move ? `${move.to} ${move.details.street}` : ""))
      .map((group) => dealt(group, seat))
      .join("; "),
  unit: "chip",
  verdict: holdemVerdict,
  reveal: runOut,
  series: { games: 10, unit: "hand" },
  rate: ({ big_blind: blind }) => ({ name: "bb/100", scale: 100 / Number(blind ?? 2) }),
  howTo: ({ view }) => {
    const [small, big] = view.kind === "holdem" ? view.blinds : [1, 2];
    return {
      goal: "Win chips: the best five of seven cards take the pot, unless the other player folds.",
      steps: [
        `Each gets two cards. The button (D) posts ${small}, the other ${big}; before the flop the button acts first, afterwards last.`,
        "Three public cards are dealt (the flop), then a fourth (the turn) and a fifth " +
          "(the river), with a round of bets before and after each.",
        "Fold, check or call, or bet any number of chips: a raise must be by at least as much as the one before, or all-in.",
        "From high to low: straight flush, four of a kind, full house, flush, " +
          "straight, three of a kind, two pair, a pair, the highest card.",
        "The slider, the field and the buttons under the table choose how much to bet; Enter bets it.",
      ],
    };
  },
  tour: [
    { at: "you", text: "Your two cards and your chips. What they make with the board is said here." },
    {
      at: "middle",
      text: "Five public cards come here in three steps, with bets before and after each. The pot is below.",
    },
    { at: "others", text: "The opponent: two hidden cards, and what it did last." },
    {
      at: "moves",
      text: "Fold, check or call, or choose an amount and bet it. The best five of seven cards win the pot.",
    },
  ],
};
