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

/** The agents of a game as the server lists them; an empty name asks nothing. */
export const useAgentsQuery = (game: string) =>
  useApiQuery(game && `agents of ${game}`, () => ask(api.GET("/api/agents", { params: { query: { game } } })));

/** The same from strong to weak, as soon as they are known. */
export function useAgents(game: string): AgentInfo[] {
  const { data } = useAgentsQuery(game);
  return useMemo(() => byStrength(data ?? []), [data]);
}
