// A negotiation as the reader sees it: the items, what they are worth to whom, and every proposal.
import type { TableState } from "../../api/client";
import { nearSeat } from "../../format/table";

const PLAYERS = 2;

export type Deal = {
  /** What one item of each type is called, and how many there are. */
  items: string[];
  pool: number[];
  /** What one item of each type is worth, by player; undefined where that is hidden. */
  values: (number[] | undefined)[];
  /** Of each proposal, what its proposer keeps. */
  offers: number[][];
  /** What is left of a deal's worth by each proposal, and by the next: 1, unless there is a discount. */
  left: number[];
  turns: number;
  agreed: boolean;
  ended: boolean;
};

type Display = Record<string, unknown>;

const displayOf = (view: TableState["view"] | undefined): Display => (view?.kind === "generic" ? view.display : {});
const numbers = (display: Display, name: string) => (display[name] as number[] | undefined) ?? [];
const rows = (display: Display, name: string) => (display[name] as number[][] | undefined) ?? [];

export function dealOf(state: TableState): Deal {
  const display = displayOf(state.view);
  const seen = Array.from({ length: PLAYERS }, (_, player) => [
    ...rows(display, "values").slice(player, player + 1),
    ...rows(displayOf(state.sides[player]), "values").slice(player, player + 1),
  ]);
  return {
    items: (display.items as string[] | undefined) ?? [],
    pool: numbers(display, "pool"),
    values: seen.map((values) => values.find(({ length }) => length > 0)),
    offers: rows(display, "offers"),
    left: numbers(display, "left"),
    turns: numbers(display, "turns")[1] ?? 0,
    agreed: numbers(display, "agreed")[0] === 1,
    ended: numbers(display, "ended")[0] === 1,
  };
}

export const proposerOf = (offer: number) => offer % PLAYERS;
export const otherOf = (state: TableState) => PLAYERS - 1 - nearSeat(state);

/** What is left of the pool for the other. */
export const rest = (deal: Deal, kept: number[]) => deal.pool.map((count, type) => count - (kept[type] ?? 0));

/** What a player gets by a proposal. */
export const shareOf = (deal: Deal, offer: number, player: number) =>
  proposerOf(offer) === player ? (deal.offers[offer] ?? []) : rest(deal, deal.offers[offer] ?? []);

/** What some items are worth to a player by a proposal, the next one if none is given; undefined if that is hidden. */
export function worth(deal: Deal, counts: number[], player: number, offer = deal.offers.length): number | undefined {
  const whole = deal.values[player]?.reduce((sum, value, type) => sum + value * (counts[type] ?? 0), 0);
  return whole === undefined ? undefined : Number((whole * (deal.left[offer] ?? 1)).toPrecision(3));
}

/** "1 book", "2 books"; "a book" where it is one of them. */
export const several = (count: number, item: string) => `${count} ${item}${count === 1 ? "" : "s"}`;

/** "1 book and 2 hats", "nothing", "everything". */
export function listed({ items, pool }: Deal, counts: number[]): string {
  if (counts.every((count, type) => count === pool[type])) return "everything";
  const parts = items.flatMap((item, type) => (counts[type] ? [several(counts[type], item)] : []));
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "nothing");
}

/** A proposal as it is said: "I keep 1 book, you get 2 hats." */
export const spoken = (deal: Deal, kept: number[]) =>
  `I keep ${listed(deal, kept)}, you get ${listed(deal, rest(deal, kept))}.`;
