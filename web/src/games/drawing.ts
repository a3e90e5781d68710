// What a drawing of a game is. Without `play` nothing can be done: another's turn, or a replay.
import type { ComponentType } from "react";
import type { TableEvent, Mind, TableState } from "../api/client";
import type { KeyFor } from "../moves/move-list";
import type { SeatContext, Play } from "../moves/place";

export type BoardProps = { state: TableState; play: Play };

/** How a game is played, in a few sentences for somebody who sees it for the first time. */
export type HowTo = { goal: string; steps: string[] };

/** One step of a guided first game: what is said about the part of the table that is marked `data-tour={at}`. */
export type TourStep = { at: string; text: string };

/** A short game is played several times in a row: how often, and what one of them is called. */
export type Series = { games: number; unit: string };

/** A step of an ending: the table as it is to be seen then, and a word about it. */
export type RevealStep = { shown: TableState; text: string };

export type Drawing = {
  /** What lies on the table. It fills the space it is given. */
  Board: ComponentType<BoardProps>;
  /** What can be done; it is there all the time, so that nothing moves. A list if it is left out. */
  Choose?: ComponentType<BoardProps>;
  /** The height that is kept for it, a class; the same through the whole game. */
  room?: (state: TableState) => string;
  /** The key of a move, if it has one of its own. */
  keyFor?: KeyFor;
  /** The game so far in the game's own words, above the history. */
  Story?: ComponentType<{ state: TableState }>;
  howTo?: (state: TableState) => HowTo;
  tour?: TourStep[];
  series?: Series;
  /** What is shown first of a game that is over, step by step, before everything is open. */
  reveal?: (state: TableState) => RevealStep[];
  /** What payoffs count, one of it; without it a game of two is only won or lost. */
  unit?: string;
  /** What the mean of many games is told in, and how many of it a point a game is, under these options. */
  rate?: (options: Record<string, string>) => { name: string; scale: number };
  /** Outcomes of chance that follow each other, in one line. */
  outcomes?: (events: TableEvent[], seat: number | null) => string;
  /** What came of a move, to be added to it in the history; the server's sentences about it are in `event.told`. */
  after?: (event: TableEvent) => string;
  /** Why a game that is over has ended so, in a sentence, and how, if the game has words of its own for it. */
  verdict?: (state: TableState) => Verdict | undefined;
  /** What there is to see of a game that is over, beside it. */
  Ending?: ComponentType<{ state: TableState }>;
  /** What an agent went by at a decision, instead of the list of its moves with their probabilities. */
  Mind?: ComponentType<{ mind: Mind; place: SeatContext }>;
  /** Strategies that are not tables of information sets. */
  Strategy?: ComponentType<{ agents: { id: string; name: string }[] }>;
};

export type Verdict = { heading?: string; text: string };

/** As one sat there: the others' things face down, and not told of what was dealt to them. */
export const asHidden = (state: TableState): TableState => ({
  ...state,
  sides: [],
  history: state.history.filter(({ by, move }) => by !== "chance" || (move?.to ?? state.seat) === state.seat),
});

/** First as one sat there, then everything. */
export const faceDown =
  (text: string) =>
  (state: TableState): RevealStep[] => [{ shown: asHidden(state), text }];

/** The sign of a game, which is there at once, and its drawing, which comes when it is wanted. */
export type GameRow = {
  sign: { text: string; hue: number };
  cover?: boolean; // drawn: covers/NAME.svg
  together?: boolean; // one plays with the others, not against them
  load: () => Promise<Drawing>;
};

/** The display of a player, as far as it may be seen: the person's own, everybody's when the game is open. */
export function displayOf(state: TableState, player: number | null): Record<string, string[]> {
  const view = player === null || player === state.seat ? state.view : state.sides[player];
  if (view?.kind !== "generic") return {};
  return Object.fromEntries(
    Object.entries(view.display).map(([name, things]) => [name, Array.isArray(things) ? things.map(String) : []]),
  );
}

/** Events that follow each other and are alike, together. */
export function groupEvents(
  events: TableEvent[],
  kind: (event: TableEvent) => string,
): [TableEvent, ...TableEvent[]][] {
  const groups: [TableEvent, ...TableEvent[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && kind(last[0]) === kind(event)) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** Repeated texts are counted. */
export const repeatedText = ([event, ...more]: [TableEvent, ...TableEvent[]]) =>
  more.length ? `${event.text} ×${more.length + 1}` : event.text;
