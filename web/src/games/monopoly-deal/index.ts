import { type Drawing, alike, counted } from "../drawing";
import { MonopolyDealBoard } from "./board";

export const monopolyDeal: Drawing = {
  Board: MonopolyDealBoard,
  sign: { text: "$", hue: 145 },
  // "you draw $1, green"; draws that are not seen are counted
  outcomes: (events) =>
    alike(events, ({ move, text }) => (move ? `${move.verb} ${move.to}` : text))
      .map((group) => (group[0].move ? [group[0].text, ...group.slice(1).map(({ move }) => move?.card)].join(", ") : counted(group)))
      .join("; "),
  howTo: ({ view }) => {
    const { sets_to_win: sets, turns_in_streak: turns } = view.kind === "monopoly-deal" ? view : { sets_to_win: 2, turns_in_streak: 2 };
    return {
      goal: `Be the first to lay down ${sets} complete ${sets === 1 ? "set" : "sets"} of properties.`,
      steps: [
        `When it is your turn you draw, then play up to ${turns} cards, one at a time. Passing ends it early.`,
        "Bank cash to be able to pay later. Play properties: cards of one colour make a set, and below it you see its progress.",
        "A rent card charges the other player for a colour you own: the more of the set you have, the more.",
        "When you are charged, an orange box says what is owed. Pay card by card, from your bank or with properties; no change is given. A Just Say No refuses the whole demand.",
        "Cards with a golden edge can be played now: click one, or press the number of a move in the list.",
      ],
    };
  },
};
