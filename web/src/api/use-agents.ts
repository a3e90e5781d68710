// The agents that play a game, the recommended one first.
import { byStrength } from "../lobby/agents";
import { type AgentInfo, api, ask } from "./client";
import { useAnswer } from "./use-answer";

/** An empty name asks nothing. */
export function useAgents(game: string): AgentInfo[] {
  const agents = useAnswer(game && `agents of ${game}`, async () =>
    byStrength(await ask(api.GET("/api/agents", { params: { query: { game } } }))),
  );
  return agents.data ?? [];
}
