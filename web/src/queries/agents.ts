// The agents that play a game, the recommended one first.

import { type AgentInfo, api, ask } from "../api/client";
import { useAnswer } from "../api/use-answer";

const strength = ({ id, level }: AgentInfo) => level ?? (id === "random" ? 1 : 2); // who was not measured stands before random play

/** The recommended agent, then the others from strong to weak. */
export const byStrength = (agents: AgentInfo[]) =>
  agents.toSorted(
    (a, b) =>
      Number(b.recommended) - Number(a.recommended) || strength(b) - strength(a) || Number(b.newest) - Number(a.newest),
  );

/** An empty name asks nothing. */
export function useAgents(game: string): AgentInfo[] {
  const agents = useAnswer(game && `agents of ${game}`, async () =>
    byStrength(await ask(api.GET("/api/agents", { params: { query: { game } } }))),
  );
  return agents.data ?? [];
}
