// The cards of Clue: a suspect in a colour, a weapon or a room, and their names.
import type { Shapes, TableState } from "../../api/client";

export type ClueView = Shapes["ClueView"];
/** All cards by name. */
export type Deck = Pick<ClueView, "suspects" | "weapons" | "rooms">;
export type Kind = "suspect" | "weapon" | "room";

export const KINDS: readonly Kind[] = ["suspect", "weapon", "room"];
export const KIND_TITLES: Record<Kind, string> = { suspect: "Who?", weapon: "With what?", room: "Where?" };

/** The view of a table of Clue. */
export const clueOf = (state: TableState): ClueView | undefined => (state.view.kind === "clue" ? state.view : undefined);

/** In the order of their numbers. */
export const deckOf = ({ suspects, weapons, rooms }: Deck) => [...suspects, ...weapons, ...rooms];

/** The numbers of all cards of a kind. */
export function cardsOf({ suspects, weapons, rooms }: Deck, kind: Kind): number[] {
  const before = { suspect: 0, weapon: suspects.length, room: suspects.length + weapons.length }[kind];
  const count = { suspect: suspects, weapon: weapons, room: rooms }[kind].length;
  return Array.from({ length: count }, (_, i) => before + i);
}

export const kindOf = ({ suspects, weapons }: Deck, card: number): Kind => (card < suspects.length ? "suspect" : card < suspects.length + weapons.length ? "weapon" : "room");

/** A suspect by the last name alone. */
export function shortName(deck: Deck, card: number): string {
  const name = deckOf(deck)[card] ?? "";
  return card < deck.suspects.length ? (name.split(" ").at(-1) ?? name) : name;
}

/** "the Knife", but "Miss Scarlet". */
export const withArticle = (deck: Deck, card: number) => (card < deck.suspects.length ? "" : "the ") + (deckOf(deck)[card] ?? "");

const COLOURS: Record<string, string> = { Scarlet: "#b3262e", Mustard: "#c99a2e", White: "#d8d2c4", Green: "#3c7a4e", Peacock: "#2f6f93", Plum: "#6b4486" };
const WEAPON = "#5d564b";
const ROOM = "#7d5a3c";

export const colourOf = (deck: Deck, card: number) => ({ suspect: COLOURS[shortName(deck, card)] ?? WEAPON, weapon: WEAPON, room: ROOM })[kindOf(deck, card)];

/** A person, a dagger, a door. */
const PICTURES: Record<Kind, string> = {
  suspect: "M12 12.2a4.6 4.6 0 1 0 0-9.2 4.6 4.6 0 0 0 0 9.2ZM3.5 22c.4-5.2 3.8-8 8.5-8s8.1 2.8 8.5 8Z",
  weapon: "M20.5 2.5 9 12.2l2.8 2.8L21.5 3.5ZM7.6 11.9l-1.5 1.5 1.6 1.6-4.4 4.4a1.4 1.4 0 0 0 2 2l4.4-4.4 1.6 1.6 1.5-1.5Z",
  room: "M5 22V9a7 7 0 0 1 14 0v13h-5.2v-7.5a1.8 1.8 0 0 0-3.6 0V22Z",
};

export function Picture({ deck, card, className = "" }: { deck: Deck; card: number; className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className={className} fill={colourOf(deck, card)} stroke="#00000055" strokeWidth="0.6">
      <path d={PICTURES[kindOf(deck, card)]} />
    </svg>
  );
}

/** A card face up; without a number, face down. */
export function Face({ deck, card }: { deck: Deck; card: number | undefined }) {
  if (card === undefined) return <span role="img" aria-label="a hidden card" className="card card-back" />;
  return (
    <span className="card items-center justify-between px-0.5 pb-[calc(var(--card)*0.07)]">
      <span aria-hidden className="h-[calc(var(--card)*0.1)] w-full rounded-b-sm" style={{ background: colourOf(deck, card) }} />
      <Picture deck={deck} card={card} className="size-[calc(var(--card)*0.5)]" />
      <span className="font-serif text-[calc(var(--card)*0.165)] leading-[1.05] font-bold">{deckOf(deck)[card]}</span>
    </span>
  );
}
