// How each game is played, in a few sentences for somebody who sees it for the first time.
import type { TableState } from "../api/client";
import { gameBase } from "../words";

export type HowTo = { goal: string; steps: string[] };

const FOR: Record<string, (state: TableState) => HowTo> = {
  "monopoly-deal": ({ view }) => {
    const { sets_to_win: sets, turns_in_streak: turns } = view.kind === "monopoly-deal" ? view : { sets_to_win: 2, turns_in_streak: 2 };
    return {
      goal: `Be the first to lay down ${sets} complete ${sets === 1 ? "set" : "sets"} of properties.`,
      steps: [
        `When it is your turn you draw, then play up to ${turns} cards, one at a time. Passing ends it early.`,
        "Bank cash to be able to pay later. Lay down properties: cards of one colour make a set, and under it you see how far it has come.",
        "A rent card charges the other side for a colour you own: the more of the set you have, the more.",
        "When you are charged, an orange box says what is owed. Pay card by card, from your bank or with properties; no change is given. A Just Say No refuses the whole demand.",
        "Cards with a golden edge can be played now: click one, or press the number of a move in the list.",
      ],
    };
  },
  kuhn: ({ players }) => ({
    goal: "Win chips: the highest card takes the pot, unless everybody else gives up.",
    steps: [
      `Everybody puts in one chip and gets one card of ${["J, Q, K", "T, J, Q, K", "9, T, J, Q, K"][players - 2] ?? "the deck"}.`,
      "In turn, pass or bet one chip. Once somebody has bet, the others call with a chip of their own (bet) or leave the pot (pass).",
      "If nobody bets, the cards are shown at once. So a bet may be a good card, or a bluff.",
    ],
  }),
  leduc: ({ players }) => ({
    goal: "Win chips: a pair with the board card beats everything, else the higher card wins.",
    steps: [
      `Everybody puts in one chip and gets one card; the deck has two suits of ${players === 2 ? "J, Q, K" : "T, J, Q, K"}.`,
      "In turn, fold, call or raise: by 2 chips at first, by 4 once the board card lies open. Each round has at most two raises.",
      "After the first round a card is turned up on the board, then there is a second round. Who is left shows.",
    ],
  }),
  holdem: ({ view }) => {
    const [small, big] = view.kind === "generic" && Array.isArray(view.display.blinds) ? view.display.blinds : [1, 2];
    return {
      goal: "Win chips: the best five of seven cards take the pot, unless the other side gives up.",
      steps: [
        `Each gets two cards. The button (D) posts ${String(small)}, the other ${String(big)}; before the flop the button acts first, afterwards last.`,
        "Three cards are laid open for all (the flop), then a fourth (the turn) and a fifth (the river), with a round of bets before and after each.",
        "Fold, check or call, or bet any number of chips: a raise must be by at least as much as the one before, or all-in.",
        "From high to low: straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, a pair, the highest card.",
        "The slider, the field and the buttons under the table choose how much to bet; Enter bets it.",
      ],
    };
  },
  "liars-dice": () => ({
    goal: "Bid on the dice of everybody, seeing only yours, without being caught in a lie that does not hold.",
    steps: [
      "A bid says how many dice at least, of all on the table, show a face. The highest face is wild: it counts as any other.",
      "Each bid must be higher than the one before: more dice, or as many of a higher face.",
      "Instead of bidding, call the other a liar. All dice are shown: if the bid holds the bidder wins, else the caller.",
    ],
  }),
  goofspiel: () => ({
    goal: "Win more points of prizes than the others.",
    steps: [
      "Everybody holds the same cards. A prize is turned up, and all bid one card for it at once, unseen.",
      "The highest bid takes the prize; if the highest is a tie, nobody does. Cards that were bid are gone.",
      "So spend high cards on high prizes, or lose cheaply and win the rest.",
    ],
  }),
};

/** Undefined for a game nobody has described. */
export const howTo = (state: TableState): HowTo | undefined => FOR[gameBase(state.game)]?.(state);
