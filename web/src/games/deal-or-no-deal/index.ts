// Deal or No Deal: two who split books, hats and basketballs, and what each is worth to the other is hidden.
import type { TableState } from "../../api/client";
import { capitalized, formatNumber } from "../../format/numbers";
import { nearSeat } from "../../format/table";
import type { Drawing } from "../drawing";
import { nameOf } from "../table-top";
import { DealBoard } from "./board";
import { DealChoose } from "./choose";
import { dealOf, listed, otherOf, shareOf } from "./deal";

export const dealOrNoDeal: Drawing = {
  Board: DealBoard,
  Choose: DealChoose,
  series: { games: 5, unit: "split" },
  room: ({ turn }) => (turn === "over" ? "h-22" : "h-72 sm:h-48"),
  keyFor: ({ verb }) => (verb === "agree" ? "a" : ""), // what is proposed is put together, and then said
  verdict,
  unit: "point",
  howTo: (state) => ({
    goal: "Agree on who gets what, and get as many points as you can.",
    steps: [
      "Books, hats and basketballs lie on the table. Both of you see them; what each is worth to you, " +
        "only you know. All of them together are worth 10 points to each of you.",
      "You take turns. Click or drag items between the two sides until you like the split, then propose " +
        "it. The keys 1, 2 and 3 give you one more of a type, after the last one none.",
      "In your turn you can also agree to what the other proposed last: that is the deal, and both get the worth of their items.",
      `There are ${dealOf(state).turns} turns. Without a deal in the last one nobody ` +
        "gets anything, so the last turn is only good for agreeing.",
      "What is dear to you may be worth little to the other: what they ask for tells you " +
        "something about their values, and what you ask for tells them about yours.",
    ],
  }),
  tour: [
    { at: "you", text: "What one item of each type is worth to you. The other does not know this." },
    { at: "others", text: "What they are worth to the other is hidden from you until the end." },
    {
      at: "split",
      text: "Click or drag items from one side to the other, or use the arrows. Your points are counted at the top.",
    },
    { at: "moves", text: "Propose the split that you have made, or agree to what the other has proposed." },
    { at: "middle", text: "What has been said, what it would bring you, and how many turns are left." },
  ],
};

/** "A deal: you get 7, the other 5". */
function verdict(state: TableState): { heading: string; text: string } | undefined {
  if (state.turn !== "over" || !state.result || state.result.resigned_by !== null) return undefined;
  const deal = dealOf(state);
  if (!deal.agreed) return { heading: "No deal", text: "Nobody gets anything." };
  const [me, other] = [nearSeat(state), otherOf(state)];
  const points = (player: number) => formatNumber(state.result?.payoffs[player] ?? 0);
  const items = (player: number) => listed(deal, shareOf(deal, deal.offers.length - 1, player));
  const gets = state.seat === null ? `${nameOf(state, me)} gets` : "you get";
  return {
    heading: `A deal: ${gets} ${points(me)}, ${state.seat === null ? nameOf(state, other) : "the other"} ${points(other)}`,
    text: `${capitalized(gets)} ${items(me)}; ${nameOf(state, other)} gets ${items(other)}.`,
  };
}
