import { describe, expect, test } from "vitest";
import { plyIn } from "../src/replay/position";
import { mergeState } from "../src/table/merge-state";
import { event, table } from "./state";

const history = (n: number, from = 0) =>
  Array.from({ length: n }, (_, i) => event({ ply: from + i, text: `${from + i}` }));

describe("what is new at a table", () => {
  const known = table({ ply: 3, history: history(3) });

  test("a whole state replaces what was known", () => {
    const next = table({ since: 0, ply: 1, history: history(1) });
    expect(mergeState(known, next)).toBe(next);
    expect(mergeState(undefined, next)).toBe(next);
  });

  test("news are added, those known twice once", () => {
    const texts = (since: number, n: number) =>
      mergeState(known, table({ since, ply: since + n, history: history(n, since) }))?.history.map(({ text }) => text);
    expect(texts(3, 2)).toEqual(["0", "1", "2", "3", "4"]);
    expect(texts(2, 2)).toEqual(["0", "1", "2", "3"]);
    expect(mergeState(known, table({ since: 3, ply: 4, history: history(1, 3) }))?.since).toBe(0);
  });

  test("with a gap all of it must be read", () => {
    expect(mergeState(known, table({ since: 4, ply: 5, history: history(1, 4) }))).toBeUndefined();
    expect(mergeState(undefined, table({ since: 1, ply: 2, history: history(1, 1) }))).toBeUndefined();
  });
});

describe("where a replay begins", () => {
  const at = (query: string, known = table({ ply: 10, turn: "over" })) => plyIn(new URLSearchParams(query), known);

  test("where the address says, within the game", () => {
    expect([at("ply=3"), at("ply=-2"), at("ply=99"), at("ply=2.7"), at("ply=x"), at("")]).toEqual([3, 0, 10, 2, 10, 0]);
  });

  test("of a game that goes on, before the last decision", () => {
    const going = table({
      ply: 4,
      history: [
        event({ ply: 0, by: "chance" }),
        event({ ply: 1, by: "you" }),
        event({ ply: 2 }),
        event({ ply: 3, by: "chance" }),
      ],
    });
    expect(at("", going)).toBe(2);
    expect(at("", table({ ply: 1, history: [event({ by: "chance" })] }))).toBe(0);
  });
});
