// What a drawing of a game is. Without `play` a board is read-only: the agent's turn, or a replay.
import type { ComponentType } from "react";
import type { Event, TableState } from "../api/client";
import type { Play } from "../parts/moves";

export type BoardProps = { state: TableState; play: Play };

/** How a game is played, in a few sentences for somebody who sees it for the first time. */
export type HowTo = { goal: string; steps: string[] };

/** A game that is played many times in a row: its result, the next seat, and the value of a total. */
export type Series = { verdict: string | undefined; seat: number; again: string; unit: string; worth: (sum: number) => string };

export type Drawing = {
  Board: ComponentType<BoardProps>;
  sign: { text: string; hue: number };
  howTo?: (state: TableState) => HowTo;
  series?: (state: TableState) => Series | undefined;
  /** Outcomes of chance that follow each other, in one line. */
  outcomes?: (events: Event[], seat: number | null) => string;
  /** Strategies that are not tables of information sets. */
  Strategy?: ComponentType<{ agents: { id: string; name: string }[] }>;
};

/** The display of a player, as far as it may be seen: the person's own, everybody's when the game is open. */
export function displayed(state: TableState, player: number | null): Record<string, string[]> {
  const view = player === null || player === state.seat ? state.view : state.sides[player];
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

/** Repeated texts are counted. */
export const counted = ([event, ...more]: [Event, ...Event[]]) => (more.length ? `${event.text} ×${more.length + 1}` : event.text);
