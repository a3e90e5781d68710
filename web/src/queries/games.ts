// The games that the server offers.
import { useCallback } from "react";
import { type GameInfo, api, ask } from "../api/client";
import { gameTitle } from "../format/names";
import { useApiQuery } from "./use-api-query";

const NONE: GameInfo[] = [];

/** Asked again by whoever opens the lobby, else once. */
export const useGamesQuery = (staleTime = Infinity) =>
  useApiQuery("games", () => ask(api.GET("/api/games")), { staleTime, gcTime: Infinity });

export const useGames = () => useGamesQuery().data ?? NONE;

export function useGameTitle(): (name: string) => string {
  const games = useGames();
  return useCallback((name) => gameTitle(name, games), [games]);
}
