// What people call the games: asked for once, whichever page is first to want it.
import { useCallback, useEffect, useState } from "react";
import { gameTitle } from "../format/names";
import { type GameInfo, api, ask } from "../api/client";

let known: GameInfo[] = [];
let asked: Promise<GameInfo[]> | undefined;

export function useGames(): GameInfo[] {
  const [games, setGames] = useState(known);
  useEffect(() => {
    if (known.length) return;
    let current = true;
    asked ??= ask(api.GET("/api/games"));
    asked.then(
      (answer) => {
        known = answer;
        if (current) setGames(answer);
      },
      () => (asked = undefined), // until somebody asks again it goes by its name
    );
    return () => {
      current = false;
    };
  }, []);
  return games;
}

export function useGameTitle(): (name: string) => string {
  const games = useGames();
  return useCallback((name) => gameTitle(name, games), [games]);
}
