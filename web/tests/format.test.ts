import { describe, expect, test } from "vitest";
import type { GameInfo } from "../src/api/client";
import { formatGameName, gameTitle, initials, optionsOf, parseGameName } from "../src/format/names";
import { capitalized, formatNumber, formatPercent, formatSigned, formatTimeLimit, plural } from "../src/format/numbers";
import { actorName, countedNames, opponentNames, payoffText, resultText } from "../src/format/table";
import { formatDuration, secondsBetween } from "../src/researcher/time";
import { progress } from "../src/runs/progress";
import { formatMoney, formatPoints } from "../src/study/format";
import { formatClock, formatRoughly } from "../src/study/time";
import { event, over, table } from "./state";

describe("numbers", () => {
  test.each([
    [0, "0"],
    [1 / 3, "0.333"],
    [12.3456, "12.35"],
    [0.00012, "1.2e-4"],
    [9999, "9999"],
    [12_345, "12.3K"],
    [-2_500_000, "-2.5M"],
  ])("%f is told as %s", (x, text) => expect(formatNumber(x)).toBe(text));

  test.each([
    [1.5, "+1.5"],
    [-1.5, "−1.5"],
    [0, "0"],
  ])("%f with its sign is %s", (x, text) => expect(formatSigned(x)).toBe(text));

  test.each([
    [0, "0 %"],
    [0.0004, "<0.1 %"],
    [0.05, "5.0 %"],
    [0.0994, "9.9 %"],
    [0.5, "50 %"],
    [1, "100 %"],
  ])("a share of %f is %s", (x, text) => expect(formatPercent(x)).toBe(text));

  test("nouns follow their number", () => {
    expect(plural(1, "game")).toBe("1 game");
    expect(plural(2000, "game")).toBe("2,000 games");
    expect(capitalized("all-in")).toBe("All-in");
    expect(formatPoints(1)).toBe("1 point");
    expect(formatPoints(6.5)).toBe("6.5 points");
    expect(formatMoney(3, "USD")).toBe("$3.00");
  });
});

describe("times", () => {
  test.each([
    [null, "none"],
    [15, "15 seconds"],
    [60, "1 minute"],
    [120, "2 minutes"],
    [3600, "an hour"],
  ])("a limit of %s seconds is %s", (seconds, text) => expect(formatTimeLimit(seconds)).toBe(text));

  test.each([
    [65, "1:05"],
    [0, "0:00"],
    [-3, "0:00"],
    [600, "10:00"],
  ])("a clock at %i s shows %s", (seconds, text) => expect(formatClock(seconds)).toBe(text));

  test.each([
    [10, "a few seconds"],
    [40, "less than a minute"],
    [70, "about a minute"],
    [150, "about 3 minutes"],
  ])("%i s are roughly %s", (seconds, text) => expect(formatRoughly(seconds)).toBe(text));

  test.each([
    [-4, "0 s"],
    [99, "99 s"],
    [100, "2 min"],
    [11_100, "3 h 05 min"],
  ])("%i s last %s", (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  test("seconds between two times", () => {
    expect(secondsBetween("2026-01-01T00:00:00Z", "2026-01-01T00:01:30Z")).toBe(90);
  });
});

describe("names of games", () => {
  const games = [
    {
      name: "leduc",
      title: "Leduc Hold'em",
      presets: { large: { ranks: "5" } },
      options: [
        { name: "players", default: "2", words: [] },
        { name: "preset", default: "", words: [{ word: "large", title: "Large" }] },
        { name: "ranks", default: "3", words: [] },
        { name: "imperfect", default: "true", words: [{ word: "false", title: "No" }] },
      ],
    },
  ] as unknown as GameInfo[];

  test.each([
    ["kuhn", "kuhn", "kuhn", [], ""],
    ["kuhn(players=3)", "kuhn", "kuhn(players=3)", [["players", "3"]], ""],
    [
      "holdem(stack=20,ante=1)/ehs",
      "holdem",
      "holdem(stack=20,ante=1)",
      [
        ["stack", "20"],
        ["ante", "1"],
      ],
      "ehs",
    ],
    ["my/folder/game.py", "my/folder/game.py", "my/folder/game.py", [], ""],
    ["openspiel:tiny(a=b/c)", "openspiel:tiny", "openspiel:tiny(a=b/c)", [["a", "b/c"]], ""],
  ])("%s is taken apart", (name, base, whole, options, abstraction) => {
    expect(parseGameName(name)).toEqual({ base, whole, options, abstraction });
  });

  test("what is put together can be taken apart", () => {
    const name = formatGameName("leduc", { players: "3", ranks: "4" });
    expect(name).toBe("leduc(players=3,ranks=4)");
    expect(Object.fromEntries(parseGameName(name).options)).toEqual({ players: "3", ranks: "4" });
    expect(formatGameName("leduc", {})).toBe("leduc");
  });

  test("titles say what was chosen in words", () => {
    expect(gameTitle("leduc(players=3,preset=large)", games)).toBe("Leduc Hold'em · 3 players, Large");
    expect(gameTitle("leduc(imperfect=false,ranks=4)", games)).toBe("Leduc Hold'em · imperfect: no, ranks 4");
    expect(gameTitle("liars-dice/small", games)).toBe("Liars Dice · small abstraction");
  });

  test("options are those in the name, else of the preset, else the defaults", () => {
    expect(optionsOf("leduc", games).ranks).toBe("3");
    expect(optionsOf("leduc(preset=large)", games).ranks).toBe("5");
    expect(optionsOf("leduc(preset=large,ranks=4)", games).ranks).toBe("4");
  });

  test("initials", () => {
    expect(["Careful Carl", "Random 2", "Careful Carl 3", "You", "Anna"].map(initials)).toEqual([
      "CC",
      "R2",
      "C3",
      "You",
      "A",
    ]);
  });
});

describe("who plays and how it ended", () => {
  test("opponents that are alike are counted, open seats are named", () => {
    expect(countedNames(["Random", "Anna", "Random"])).toBe("2 × Random, Anna");
    const seats = [...table().seats, { ...table().seats[1], seat: 2, kind: "open", name: "" }] as never;
    expect(opponentNames(table({ seats }))).toBe("Careful, an open seat");
  });

  test("an actor has a name, chance has none", () => {
    expect(actorName(event({ actor: 1 }), ["You", "Anna"])).toBe("Anna");
    expect(actorName(event({ actor: 2 }), ["You", "Anna"])).toBe("Player 3");
    expect(actorName(event({ actor: null }), ["You"])).toBe("");
  });

  test.each([
    [over([1, -1]), 0, "You won"],
    [over([3, 5], "general-sum", "lost"), 0, "You got 3, the other more"],
    [over([5, 5], "general-sum", "drawn"), 0, "You got 5, no less than anybody"],
    [over([6, 5], "general-sum"), 0, "You got 6, the most"],
    [over([2, 2], "common-payoff"), 0, "You all got 2"],
    [over([0, 1], "general-sum", "resigned"), 0, "You resigned"],
    [over([6, 5], "general-sum", "ended"), null, "It is over"],
  ])("%o for seat %s: %s", (ended, seat, text) => expect(resultText(ended, seat)).toBe(text));

  test("payoffs are told where there is more than winning", () => {
    expect(payoffText(table({ result: over([1, -1]) }))).toBe("");
    expect(payoffText(table({ result: over([4, -4]) }))).toBe("You get +4.");
    expect(payoffText(table({ result: over([-4, 4]) }), "chip")).toBe("You lose 4 chips.");
    expect(payoffText(table({ result: over([3, 5], "general-sum") }))).toBe("You get +3, Careful +5.");
    expect(payoffText(table({ seat: null, result: over([1, -1]) }))).toBe("");
  });
});

test("a run says how far it is by its steps or by the clock", () => {
  const run = { steps: "games", reached: 500, goal: 2000, minutes: 3, goal_minutes: null } as never;
  expect(progress(run)).toEqual({ share: 0.25, text: "500 of 2,000 games" });
  const timed = { steps: "iterations", reached: 500, goal: null, minutes: 3, goal_minutes: 4 } as never;
  expect(progress(timed)).toEqual({ share: 0.75, text: "500 iterations, 3 of 4 minutes" });
});
