// The agents that play a game, the recommended one first.
import { useMemo } from "react";
import { type AgentInfo, api, ask } from "../api/client";
import { useApiQuery } from "./use-api-query";

const strength = ({ id, level }: AgentInfo) => level ?? (id === "random" ? 1 : 2); // who was not measured stands before random play

/** The recommended agent, then the others from strong to weak. */
export const byStrength = (agents: AgentInfo[]) =>
  agents.toSorted(
    (a, b) =>
      Number(b.recommended) - Number(a.recommended) || strength(b) - strength(a) || Number(b.newest) - Number(a.newest),
  );

export type Grade = "gentle" | "fair" | "hard" | "";
export type Graded = { agent: AgentInfo; grade: Grade };

const below = (one: AgentInfo, other: AgentInfo | undefined) =>
  other !== undefined && (one.rating_high ?? Infinity) < (other.rating_low ?? -Infinity);

/**
 * Three to begin with, of agents by their strength: gentle, fair and hard, where their ratings' intervals say so. Where
 * they do not: the recommended one, another of the game's own, and random play; nothing is said then of who is stronger.
 */
export function threeOf(agents: AgentInfo[]): Graded[] {
  const [hard, ...rest] = agents.filter((agent) => agent.newest);
  if (!hard) return [];
  const weaker = rest.filter((one) => below(one, hard)).toSorted((a, b) => (a.rating ?? 0) - (b.rating ?? 0));
  const gentle = weaker.find(({ id }) => id !== "random") ?? weaker[0];
  const fair = weaker.findLast((one) => gentle && below(gentle, one));
  if (gentle && fair)
    return [
      { agent: gentle, grade: "gentle" },
      { agent: fair, grade: "fair" },
      { agent: hard, grade: "hard" },
    ];
  const own = rest.find(({ games }) => games.length > 0) ?? rest[0];
  const simple = rest.find((one) => one !== own && one.id === "random") ?? rest.find((one) => one !== own);
  return [hard, own, simple].flatMap((agent) => (agent ? [{ agent, grade: "" as const }] : []));
}

/** The agents of a game as the server lists them; an empty name asks nothing. */
export const useAgentsQuery = (game: string) =>
  useApiQuery(game && `agents of ${game}`, () => ask(api.GET("/api/agents", { params: { query: { game } } })));

/** The same from strong to weak, as soon as they are known. */
export function useAgents(game: string): AgentInfo[] {
  const { data } = useAgentsQuery(game);
  return useMemo(() => byStrength(data ?? []), [data]);
}
