// The cards of Clue: a suspect in a colour, a weapon or a room, and their names.
import type { Shapes, TableState } from "../../api/client";

export type ClueView = Shapes["ClueView"];
/** All cards by name. */
export type Deck = Pick<ClueView, "suspects" | "weapons" | "rooms">;
export type Kind = "suspect" | "weapon" | "room";

export const KINDS: readonly Kind[] = ["suspect", "weapon", "room"];
export const KIND_TITLES: Record<Kind, string> = { suspect: "Who?", weapon: "With what?", room: "Where?" };

/** The view of a table of Clue. */
export const clueOf = (state: TableState): ClueView | undefined =>
  state.view.kind === "clue" ? state.view : undefined;

/** In the order of their numbers. */
export const deckOf = ({ suspects, weapons, rooms }: Deck) => [...suspects, ...weapons, ...rooms];

/** The numbers of all cards of a kind. */
export function cardsOf({ suspects, weapons, rooms }: Deck, kind: Kind): number[] {
  const before = { suspect: 0, weapon: suspects.length, room: suspects.length + weapons.length }[kind];
  const count = { suspect: suspects, weapon: weapons, room: rooms }[kind].length;
  return Array.from({ length: count }, (_, i) => before + i);
}

export const kindOf = ({ suspects, weapons }: Deck, card: number): Kind =>
  card < suspects.length ? "suspect" : card < suspects.length + weapons.length ? "weapon" : "room";

/** A suspect by the last name alone. */
export function shortName(deck: Deck, card: number): string {
  const name = deckOf(deck)[card] ?? "";
  return card < deck.suspects.length ? (name.split(" ").at(-1) ?? name) : name;
}

/** The cards of the file, as far as they are told: in the history of a game that is open. */
export function fileOf(state: TableState, view: ClueView): number[] {
  const deck = deckOf(view);
  return state.history.flatMap(({ move }) => (move?.verb === "file" && move.card ? [deck.indexOf(move.card)] : []));
}

/** "the Knife", but "Miss Scarlet". */
export const withArticle = (deck: Deck, card: number) =>
  (card < deck.suspects.length ? "" : "the ") + (deckOf(deck)[card] ?? "");

const COLOURS: Record<string, string> = {
  Scarlet: "#b3262e",
  Mustard: "#c99a2e",
  White: "#d8d2c4",
  Green: "#3c7a4e",
  Peacock: "#2f6f93",
  Plum: "#6b4486",
};
const WEAPON = "#5d564b";
const ROOM = "#7d5a3c";

export const colourOf = (deck: Deck, card: number) =>
  ({ suspect: COLOURS[shortName(deck, card)] ?? WEAPON, weapon: WEAPON, room: ROOM })[kindOf(deck, card)];

const PERSON = "M12 12.2a4.6 4.6 0 1 0 0-9.2 4.6 4.6 0 0 0 0 9.2ZM3.5 22c.4-5.2 3.8-8 8.5-8s8.1 2.8 8.5 8Z";
const DOOR =
  "M5.5 2h13v20h-13Zm2.2 2.4v6h3.4v-6Zm5.2 0v6h3.4v-6Zm-5.2 8.4v6.4h3.4v-6.4Zm7.6.6a1 1 0 1 0 0 2 1 1 0 0 0 0-2Z";
const WEAPONS: Record<string, string> = {
  Candlestick:
    "M12 1.5c1.7 1.9 2.2 3 2.2 3.9a2.2 2.2 0 0 1-4.4 0c0-.9.5-2 2.2-3.9Zm-1.8 " +
    "7h3.6v7h-3.6ZM7.5 15.5h9v1.8h-3v2.4H18V22H6v-2.3h4.5v-2.4h-3Z",
  Knife: "M21.5 2.5c.6 5.4-2.7 10.4-8 13.6l-2.6-2.6ZM9.8 14.6l2 2-5.1 5.1a1.6 1.6 0 0 1-2.2-2.2Z",
  "Lead Pipe": "M5.2 15.8 15.8 5.2l3 3L8.2 18.8ZM3 16.6 7.4 21l-1.5 1.5L1.5 18ZM16.6 3 21 7.4 22.5 6 18 1.5Z",
  Revolver: "M1.8 6h18V4.8h1.6V10h-8.2l-.6 2a2.6 2.6 0 0 1-2.5 1.8H8.2L6.6 20H2.2l2.6-9.4h-3Z",
  Rope:
    "M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 2.6a5.4 5.4 0 1 1 0 10.8 5.4 5.4 0 0 1 0-10.8Zm0 " +
    "2.2a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4Zm5.6 8.2 5 5-1.9 1.7-4.9-5Z",
  Wrench:
    "M21.8 6.4a5.6 5.6 0 0 1-7.6 5.4L7 19.2A2.7 2.7 0 0 1 3.2 15.4l7.3-7.3a5.6 5.6 0 0 1 7-7L14.3 4.3l.9 3.3 3.3.9Z",
};

/** A person in a colour, a weapon, or a door. */
export function Picture({
  deck,
  card,
  className = "",
  paper = false,
}: {
  deck: Deck;
  card: number;
  className?: string;
  paper?: boolean;
}) {
  const kind = kindOf(deck, card);
  const fill = paper || kind === "suspect" ? colourOf(deck, card) : "currentColor"; // on a card, or in the colour of the text
  const path = kind === "suspect" ? PERSON : kind === "room" ? DOOR : WEAPONS[deckOf(deck)[card] ?? ""];
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      className={className}
      fill={fill}
      fillRule="evenodd"
      stroke="#00000055"
      strokeWidth="0.6"
    >
      <path d={path} />
    </svg>
  );
}

/** A card face up; without a number, face down. */
export function Face({ deck, card }: { deck: Deck; card: number | undefined }) {
  if (card === undefined) return <span role="img" aria-label="a hidden card" className="card card-back" />;
  return (
    <span className="card items-center justify-between px-0.5 pb-[calc(var(--card)*0.07)]">
      <span
        aria-hidden
        className="h-[calc(var(--card)*0.1)] w-full rounded-b-sm"
        style={{ background: colourOf(deck, card) }}
      />
      <Picture paper deck={deck} card={card} className="size-[calc(var(--card)*0.5)]" />
      <span className="font-serif text-[calc(var(--card)*0.165)] leading-[1.05] font-bold">{deckOf(deck)[card]}</span>
    </span>
  );
}
