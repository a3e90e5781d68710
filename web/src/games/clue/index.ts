// Clue: a table of detectives.
import type { TableEvent, TableState } from "../../api/client";
import { plural } from "../../format/numbers";
import type { Drawing, RevealStep } from "../drawing";
import { keyOf } from "../../moves/keys";
import { ClueBoard } from "./board";
import { clueOf, deckOf, fileOf } from "./cards";
import { ClueChoose } from "./choose";
import { ClueMind } from "./mind";

export const clue: Drawing = {
  Board: ClueBoard,
  Choose: ClueChoose,
  Mind: ClueMind,
  room: (state) => (clueOf(state)?.can_accuse ? "h-29 sm:h-24" : "h-24"),
  keyFor: ({ verb }, index) => (verb === "show" ? keyOf(index) : verb === "end" ? "e" : ""),
  outcomes: dealt,
  verdict,
  reveal: openFile,
  howTo: (state) => ({
    goal: "Find out which suspect, which weapon and which room lie in the file: the three cards that nobody holds.",
    steps: [
      "All other cards are dealt. In your turn suggest a suspect, a weapon and a room: click " +
        "three names in the notepad (or type their numbers), then Suggest.",
      "The players after you look, one by one: the first who holds any of the three must show you one of them. Nobody else sees which.",
      clueOf(state)?.can_accuse
        ? "You win by an accusation, before or after your suggestion. You have only one: if it is wrong you are out, and only show cards."
        : "If nobody can show a card and you hold none of the three yourself, they are the file's, and you have won.",
      "Others learn too: who asks for what, who has none, who shows. You may suggest cards of your own, to hide what you look for.",
      "The notepad fills itself with what can be deduced: ✓, ✗, or the probability in " +
        "percent that a card is with a player or in the file. Switch “fill in” off to " +
        "keep notes by hand: each click changes a field.",
    ],
  }),
  tour: [
    { at: "you", text: "Your cards. They are not in the file, and the others do not know them." },
    { at: "others", text: "The others and how many cards each holds." },
    {
      at: "notepad",
      text:
        "The notepad: who may hold each card, in percent, and in the last column whether " +
        "it is in the file. It fills itself; you can switch that off.",
    },
    { at: "moves", text: "In your turn click a suspect, a weapon and a room in the notepad, then suggest them here." },
    { at: "middle", text: "Who suggested what, and who showed a card. Which card, only those two know." },
  ],
};

/** Twenty cards that one does not see are one line. */
function dealt(events: TableEvent[], seat: number | null): string {
  const moves = events.flatMap(({ move }) => (move ? [move] : []));
  const [mine, file] = [
    moves.filter(({ verb, to }) => verb === "deal" && to === seat),
    moves.filter(({ verb }) => verb === "file"),
  ];
  const first = moves.find(({ verb }) => verb === "first");
  const said = [
    first?.text,
    mine.length ? `you get ${mine.map(({ card }) => card).join(", ")}` : "",
    file.length ? `the file holds ${file.map(({ card }) => card).join(", ")}` : "the file is hidden",
  ];
  const cards = events.length - (first ? 1 : 0);
  return [`${plural(cards, "card")} are dealt`, ...said.filter(Boolean)].join("; ");
}

/** The file, card by card. */
function openFile(state: TableState): RevealStep[] {
  const view = clueOf(state);
  if (!view || fileOf(state, view).length === 0) return [];
  const first = state.history.findIndex(({ move }) => move?.verb === "file");
  const upTo = (cards: number): TableState => ({
    ...state,
    sides: [],
    history: state.history.map((one) =>
      one.move?.verb === "file" && one.ply >= first + cards ? { ...one, move: null } : one,
    ),
  });
  return ["Who was it?", "With what?", "And where?"].map((text, cards) => ({ shown: upTo(cards), text }));
}

/** Who has won, which is all that counts; and what lay in the file, if it is told. */
function verdict(state: TableState): { heading: string; text: string } | undefined {
  const view = clueOf(state);
  if (!view || state.turn !== "over" || state.result?.resigned_by !== null) return undefined;
  const heading =
    view.winner === null
      ? "Nobody has found it out"
      : view.winner === state.seat
        ? "You have found it out"
        : `${state.names[view.winner]} has found it out`;
  const [suspect, weapon, room] = fileOf(state, view).map((card) => deckOf(view)[card]);
  return { heading, text: suspect ? `It was ${suspect} with the ${weapon} in the ${room}.` : "" };
}
