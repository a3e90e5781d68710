// How a hand ends: both show, the rest of the board comes street by street, and then who won what with which hand.
import type { Shapes, TableState } from "../../api/client";
import { plural } from "../../format/numbers";
import { type RevealStep, type Verdict, asHidden } from "../drawing";
import { nameOf } from "../table-top";
import { bigBlinds, viewOf } from "./board";

const STREETS = [
  { cards: 3, text: "The flop" },
  { cards: 4, text: "The turn" },
  { cards: 5, text: "The river" },
];

/** With cards of the board still to come when nobody can bet any more, they come one street after the other. */
export function runOut(state: TableState): RevealStep[] {
  const view = viewOf(state);
  if (!view || view.folded !== null) return [];
  const decided = view.history.findLastIndex(({ moves }) => moves.length > 0);
  const there = view.history.slice(0, decided + 1).reduce((cards, street) => cards + street.cards.length, 0);
  const open = { shown: withBoard(state, there), text: "Both show their cards" };
  const more = STREETS.filter(({ cards }) => cards > there && cards <= view.board.length);
  return [
    { shown: asHidden(open.shown), text: "Showdown" },
    ...(more.length ? [open] : []),
    ...more.slice(0, -1).map(({ cards, text }) => ({ shown: withBoard(state, cards), text })),
  ];
}

/** The table as it was with so many cards on the board, and the chips still in the middle. */
function withBoard(state: TableState, cards: number): TableState {
  const hidden = (viewOf(state)?.board.length ?? 0) - cards;
  const cut = <T extends { kind: string }>(view: T): T =>
    view.kind === "holdem" ? { ...view, ...atStreet(view as unknown as Shapes["HoldemView"], cards) } : view;
  return {
    ...state,
    view: cut(state.view),
    sides: state.sides.map(cut),
    history: state.history.slice(0, hidden ? -hidden : undefined),
  };
}

function atStreet(view: Shapes["HoldemView"], cards: number) {
  const street = STREETS.findLast((one) => one.cards <= cards)?.text.replace("The ", "") ?? "before the flop";
  const made = cards === view.board.length ? view.made : "";
  return { board: view.board.slice(0, cards), street, made, history: view.history.filter(({ moves }) => moves.length) };
}

/** Who won what with which hand. */
export function holdemVerdict(state: TableState): Verdict | undefined {
  const felt = viewOf(state);
  const chips = state.seat === null ? undefined : state.result?.payoffs[state.seat];
  if (!felt || state.seat === null || chips === undefined) return undefined;
  const size = `${plural(Math.abs(chips), "chip")} (${bigBlinds(Math.abs(chips), felt)})`;
  const agent = nameOf(state, 1 - state.seat);
  if (felt.folded !== null)
    return { text: felt.folded === state.seat ? `You fold and lose ${size}.` : `${agent} folds. You win ${size}.` };
  const theirs = viewOf(state, 1 - state.seat);
  const hands = theirs ? `You have ${felt.made}; ${agent} has ${theirs.made}.` : `You have ${felt.made}.`;
  return { text: `${hands} ${chips === 0 ? "The pot is shared." : `You ${chips > 0 ? "win" : "lose"} ${size}.`}` };
}
