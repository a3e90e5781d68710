// What a drawing of a game is. Without `play` a board is only looked at: the agent's turn, or a replay.
import type { ComponentType } from "react";
import type { Event, TableState } from "../api/client";
import type { Play } from "../parts/moves";

export type BoardProps = { state: TableState; play: Play };

/** How a game is played, in a few sentences for somebody who sees it for the first time. */
export type HowTo = { goal: string; steps: string[] };

/** A game of which one plays many, one after the other: how it ended, who sits where next, and what a sum is worth. */
export type Series = { verdict: string | undefined; seat: number; again: string; unit: string; worth: (sum: number) => string };

export type Drawing = {
  Board: ComponentType<BoardProps>;
  sign: { text: string; hue: number };
  howTo?: (state: TableState) => HowTo;
  series?: (state: TableState) => Series | undefined;
  /** Outcomes of chance that follow each other, in one line. */
  outcomes?: (events: Event[], seat: number) => string;
  /** Strategies that are not tables of information sets. */
  Strategy?: ComponentType<{ agents: { id: string; name: string }[] }>;
};

/** What lies before a player, by name, as far as it may be seen: one's own things, everybody's when the game is open. */
export function displayed(state: TableState, player: number): Record<string, string[]> {
  const view = player === state.seat ? state.view : state.sides[player];
  if (view?.kind !== "generic") return {};
  return Object.fromEntries(Object.entries(view.display).map(([name, things]) => [name, Array.isArray(things) ? things.map(String) : []]));
}

/** Events that follow each other and are alike, together. */
export function alike(events: Event[], kind: (event: Event) => string): [Event, ...Event[]][] {
  const groups: [Event, ...Event[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    if (last && kind(last[0]) === kind(event)) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** What is said again is counted. */
export const counted = ([event, ...more]: [Event, ...Event[]]) => (more.length ? `${event.text} ×${more.length + 1}` : event.text);
