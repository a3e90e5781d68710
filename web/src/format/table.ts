// What the page says about a table: who plays, and how it ended.
import type { TableEvent, TableState } from "../api/client";
import { playerName } from "./names";
import { plural, formatSigned } from "./numbers";

export function actorName(event: TableEvent, names: string[]): string {
  return event.actor === null ? "" : (names[event.actor] ?? playerName(event.actor));
}

export const OUTCOMES: Record<string, string> = {
  won: "You won",
  lost: "You lost",
  drawn: "A draw",
  resigned: "You resigned",
  ended: "It is over",
};

/** How it ended for a seat: won or lost where one's gain is another's loss, else what it got and whether that was the most. */
export function resultText({ outcome, kind, payoffs }: NonNullable<TableState["result"]>, seat: number | null): string {
  const mine = seat === null ? undefined : payoffs[seat];
  if (kind === "zero-sum" || outcome === "resigned" || mine === undefined) return OUTCOMES[outcome] ?? "";
  const got = formatSigned(mine).replace("+", "");
  if (kind === "common-payoff") return `You all got ${got}`;
  const most = payoffs.filter((payoff) => payoff === Math.max(...payoffs)).length;
  if (mine < Math.max(...payoffs)) return `You got ${got}, ${payoffs.length > 2 ? "another" : "the other"} more`;
  return most > 1 ? `You got ${got}, no less than anybody` : `You got ${got}, the most`;
}

/** The same for somebody who was not there: "Anna lost to Carla", "Anna gets 7, Rita 5". */
export function resultAmong(state: TableState): string {
  const { result } = state;
  if (!result) return "";
  const near = nearSeat(state);
  const name = (player: number) => state.names[player] ?? playerName(player);
  if (result.resigned_by !== null) return `${name(result.resigned_by)} resigned`;
  const mine = result.payoffs[near];
  if (mine === undefined) return "It is over";
  const others = result.payoffs.map((_, player) => player).filter((player) => player !== near);
  if (result.kind === "zero-sum" && others.length === 1) {
    const other = name(others[0] ?? 0);
    if (mine === 0) return `A draw between ${name(near)} and ${other}`;
    return mine > 0 ? `${name(near)} won against ${other}` : `${name(near)} lost to ${other}`;
  }
  const got = (player: number) => formatSigned(result.payoffs[player] ?? 0).replace("+", "");
  return `${name(near)} gets ${got(near)}, ${others.map((player) => `${name(player)} ${got(player)}`).join(", ")}`;
}

/** The side that is drawn below: one's own; to a spectator that of whoever made the table, once all are open. */
export const nearSeat = (state: TableState) => state.seat ?? (state.open ? state.host : 0);

/** Whether somebody on the near side did it. */
export const isNear = (state: TableState, event: TableEvent | undefined) =>
  event !== undefined && (event.by === "you" || (state.seat === null && event.actor === nearSeat(state)));

/** "Random", "3 × Random". */
export const countedName = (name: string, n: number) => (n > 1 ? `${n} × ${name}` : name);

/** Names in their order, repeated ones counted. */
export function countedNames(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => countedName(name, n)).join(", ");
}

/** Who sits at the other seats; several of the same agent are counted. */
export const opponentNames = (state: TableState): string =>
  countedNames(
    state.seats
      .filter((seat) => seat.seat !== (state.open ? nearSeat(state) : state.seat))
      .map((seat) => (seat.kind === "open" ? "an open seat" : seat.name)),
  );

/** The first agent at the table. */
export const firstAgentOf = (state: TableState) => state.seats.find((seat) => seat.agent)?.agent ?? undefined;

/** What everybody got, the person first; nothing where winning is all there is to get. */
export function payoffText(state: TableState, unit?: string): string {
  const payoffs = state.result?.payoffs ?? [];
  const others = payoffs
    .map((payoff, player) => [payoff, player] as const)
    .filter(([, player]) => player !== state.seat);
  const mine = state.seat === null ? undefined : payoffs[state.seat];
  if (mine === undefined) return "";
  if (payoffs.length > 2 || state.result?.kind !== "zero-sum") {
    return `You get ${formatSigned(mine)}${others.map(([payoff, player]) => `, ${state.names[player]} ${formatSigned(payoff)}`).join("")}.`;
  }
  if (mine === 0 || (!unit && Math.abs(mine) === 1)) return "";
  return unit ? `You ${mine > 0 ? "win" : "lose"} ${plural(Math.abs(mine), unit)}.` : `You get ${formatSigned(mine)}.`;
}

/** The number of a move: what is dealt and rolled is not counted. */
export const moveNumber = (history: TableEvent[], ply: number): number =>
  history.filter((event) => event.by !== "chance" && event.ply <= ply).length;
