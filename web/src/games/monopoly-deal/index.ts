import type { TableState } from "../../api/client";
import { plural } from "../../format/numbers";
import { type Drawing, type Verdict, groupEvents, repeatedText } from "../drawing";
import { nameOf } from "../table-top";
import { MonopolyDealBoard, MonopolyDealChoose } from "./board";

export const monopolyDeal: Drawing = {
  Board: MonopolyDealBoard,
  Choose: MonopolyDealChoose,
  verdict,
  room: () => "h-54 sm:h-48",
  // "you draw $1, green"; draws that are not seen are counted
  outcomes: (events) =>
    groupEvents(events, ({ move, text }) => (move ? `${move.verb} ${move.to}` : text))
      .map((group) =>
        group[0].move
          ? [group[0].text, ...group.slice(1).map(({ move }) => move?.card)].join(", ")
          : repeatedText(group),
      )
      .join("; "),
  howTo: ({ view }) => {
    if (view.kind !== "monopoly-deal")
      return { goal: "Be the first to lay down complete sets of properties.", steps: [] };
    const { sets_to_win: sets, turns_in_streak: turns, set_sizes, config } = view;
    const colours = Object.entries(set_sizes).filter(([colour]) => (config.deck[colour] ?? 0) > 0);
    const sizes = colours.map(([colour, size]) => `${colour} (a set has ${size})`);
    return {
      goal: `Be the first to lay down ${sets} complete ${sets === 1 ? "set" : "sets"} of properties.`,
      steps: [
        `This deck has ${colours.length} colours of property: ${sizes.join(", ")}.`,
        `When it is your turn you draw, then play up to ${turns} cards, one at a time. Passing ends it early.`,
        "Bank cash to be able to pay later. Play properties: cards of one colour make a set, and below it you see its progress.",
        "A rent card charges the other player for a colour you own: the more of the set you have, the more.",
        "When you are charged, an orange box says what is owed. Pay card by card, from your bank or with " +
          "properties; no change is given. A Just Say No refuses the whole demand.",
        "Cards with a golden edge can be played now: click one, or press the number of a move in the list.",
      ],
    };
  },
  tour: [
    {
      at: "hand",
      text: "Your hand. Cards with a golden edge can be played now; the others say why not when you point at them.",
    },
    {
      at: "you",
      text: "What you have laid down: properties by colour, and money in the bank. Complete sets win the game.",
    },
    { at: "others", text: "The opponent's side. Its hand is hidden; what lies on the table can be charged and taken." },
    { at: "moves", text: "Everything you can do now. Click a card or a line, or press its key." },
    {
      at: "middle",
      text: "Whose turn it is and what happened lately. When somebody charges you, it is said here, and you pay from your side.",
    },
  ],
};

/** "You have three complete sets: red, blue, green." */
function verdict(state: TableState): Verdict | undefined {
  const { view, seat, result } = state;
  if (view.kind !== "monopoly-deal" || !result || seat === null || result.resigned_by !== null) return undefined;
  const winner = result.payoffs.findIndex((payoff) => payoff > 0);
  if (winner < 0) return { text: "Nobody completed enough sets before the cards ran out." };
  const { complete } = winner === seat ? view.me : view.opponent;
  const name = nameOf(state, winner);
  const sets = `${plural(complete.length, "complete set")}: ${complete.join(", ")}`;
  return { text: complete.length ? `${name} ${name === "You" ? "have" : "has"} ${sets}.` : "" };
}
