import { describe, expect, test } from "vitest";
import { groupBy, mean, rating, sessions, summarize, wilson } from "../src/record/statistics";
import { opponentsOf, resultOf } from "../src/store/results";
import { over, result, table } from "./state";

describe("what a finished table says", () => {
  test("its outcome, payoff and opponents", () => {
    const state = table({ result: over([2, -2]), game: "leduc" });
    expect(resultOf(state, "now")).toEqual({
      id: "a",
      game: "leduc",
      opponents: [{ name: "Careful", agent: "careful" }],
      outcome: "won",
      payoff: 2,
      ended: "now",
      kind: "zero-sum",
      aside: "",
    });
  });

  test("nothing while it runs, for who watches, and where another table has taken its place", () => {
    expect(resultOf(table(), "now")).toBeUndefined();
    expect(resultOf(table({ seat: null, result: over([1, -1]) }), "now")).toBeUndefined();
    expect(resultOf(table({ replaced_by: "b", result: over([1, -1]) }), "now")).toBeUndefined();
  });

  test.each([
    [{ undone: 1 }, "a move was taken back"],
    [{ imported: true }, "it came from a file"],
    [{ branch_of: { table: "b", ply: 1 } }, "it continues another game"],
    [{ seed_chosen: true }, "the deal was chosen"],
    [{ seats: table().seats.map((seat) => ({ ...seat, left: seat.you })) }, "an agent played for you"],
  ])("%o does not count: %s", (known, why) => {
    expect(resultOf(table({ ...(known as object), result: over([1, -1]) }), "now")?.aside).toBe(why);
  });

  test("opponents in words", () => {
    const random = { name: "Random", agent: "random" };
    expect(opponentsOf({ opponents: [random, random] })).toBe("2 × Random");
    expect(opponentsOf({ opponents: [] })).toBe("nobody");
  });
});

describe("statistics", () => {
  test("Wilson's interval: 8 of 10", () => {
    const { value, low, high } = wilson(8, 10);
    expect([value, low, high].map((x) => Number(x.toFixed(4)))).toEqual([0.8, 0.4902, 0.9433]);
  });

  test("it stays within 0 and 1, and says nothing of no games", () => {
    expect(wilson(0, 5)).toMatchObject({ value: 0, low: 0 });
    expect(wilson(5, 5)).toMatchObject({ value: 1, high: 1 });
    expect(wilson(0, 0)).toMatchObject({ low: 0, high: 1 });
  });

  test("a mean has Student's interval: t = 2.7764 with four degrees of freedom", () => {
    const { value, low, high } = mean([1, 2, 3, 4, 5]);
    expect(value).toBe(3);
    expect(high - value).toBeCloseTo(2.7764 * Math.sqrt(2.5 / 5), 4);
    expect(value - low).toBeCloseTo(high - value, 12);
  });

  test("few values all the same say nothing of their error", () => {
    expect(mean([1, 1, 1])).toEqual({ value: 1, low: -Infinity, high: Infinity });
    expect(mean(Array.from({ length: 30 }, () => 1))).toEqual({ value: 1, low: 1, high: 1 });
  });

  test("a summary counts a draw as half", () => {
    const games = [result(), result({ outcome: "drawn", payoff: 0 }), result({ outcome: "resigned", payoff: -1 })];
    expect(summarize(games)).toMatchObject({ games: 3, won: 1, drawn: 1, lost: 1, total: 0, share: { value: 0.5 } });
    expect(summarize([result({ payoff: null })]).payoff).toBeNull();
  });

  test("groups keep the order of their first", () => {
    expect(groupBy(["b1", "a1", "b2"], (name) => name.charAt(0))).toEqual([
      ["b", ["b1", "b2"]],
      ["a", ["a1"]],
    ]);
  });

  test("a pause of more than half an hour ends a session", () => {
    const at = (time: string) => result({ id: time, ended: `2026-01-01T${time}:00Z` });
    const found = sessions([at("15:00"), at("12:30"), at("12:00"), at("13:01")]);
    expect(found.map((games) => games.map(({ id }) => id))).toEqual([["15:00"], ["13:01"], ["12:00", "12:30"]]);
  });
});

describe("a rating", () => {
  const known = new Map([
    ["random", 0],
    ["careful", 200],
  ]);
  const games = (outcomes: string, agent = "random") =>
    [...outcomes].map((letter, i) =>
      result({
        id: String(i),
        opponents: [{ name: agent, agent }],
        outcome: letter === "w" ? "won" : letter === "d" ? "drawn" : "lost",
        payoff: letter === "w" ? 1 : letter === "d" ? 0 : -1,
      }),
    );

  test("who does as well as an agent is as strong", () => {
    expect(rating(games("wl"), known)?.value).toBeCloseTo(0, 6);
    expect(rating(games("wldd", "careful"), known)?.value).toBeCloseTo(200, 6);
  });

  test("winning is better than losing, and more games say more", () => {
    const [won, lost] = [rating(games("www"), known), rating(games("lll"), known)];
    expect(won?.value).toBeCloseTo(-(lost?.value ?? 0), 6);
    expect(won?.value).toBeGreaterThan(0);
    const [few, many] = [rating(games("wl"), known), rating(games("wlwlwlwlwlwl"), known)];
    expect((many?.high ?? 0) - (many?.low ?? 0)).toBeLessThan((few?.high ?? 0) - (few?.low ?? 0));
  });

  test("games against people and mixed tables do not count", () => {
    const person = result({ opponents: [{ name: "Anna", agent: null }] });
    const mixed = result({
      opponents: [
        { name: "", agent: "random" },
        { name: "", agent: "careful" },
      ],
    });
    expect(rating([person, mixed], known)).toBeUndefined();
    expect(rating([...games("w"), person], known)?.games).toBe(1);
  });
});
