// @vitest-environment happy-dom
// How games end: what is shown first, why it ended so, and what somebody reads who was not there.
import { describe, expect, test } from "vitest";
import type { TableState } from "../src/api/client";
import { resultAmong } from "../src/format/table";
import { holdemVerdict, runOut } from "../src/games/holdem/ending";
import { stonesVerdict } from "../src/games/hidden-stones/steps";
import { liarsDice } from "../src/games/liars-dice";
import { oneCardVerdict, showdown } from "../src/games/poker/one-card";
import { fromNearSeat } from "../src/replay/stranger";
import { event, over, table } from "./state";

const BOARD = ["A♠", "K♠", "Q♠", "2♥", "3♥"];
const hand = (cards: string[], made: string, board = BOARD) => ({
  kind: "holdem",
  cards,
  made,
  board,
  blinds: [1, 2],
  folded: null,
  street: "river",
  history: [
    { street: "pre-flop", cards: [], moves: [{ player: 0, text: "call" }] },
    { street: "flop", cards: BOARD.slice(0, 3), moves: [{ player: 1, text: "all-in" }] },
    { street: "turn", cards: BOARD.slice(3, 4), moves: [] },
    { street: "river", cards: BOARD.slice(4), moves: [] },
  ],
});
const views = (one: unknown, other: unknown) => ({ view: one, sides: [one, other] }) as unknown as Partial<TableState>;
const allIn = table({
  ...views(hand(["J♠", "T♠"], "a royal flush"), hand(["2♣", "2♦"], "three of a kind")),
  turn: "over",
  open: true,
  result: over([50, -50]),
  names: ["You", "Anna"],
  history: Array.from({ length: 12 }, (_, ply) =>
    ply === 2 ? event({ ply, by: "chance", move: { to: 1 } as never }) : event({ ply }),
  ),
  ply: 12,
});

const boardOf = ({ view }: TableState) => (view.kind === "holdem" ? [view.board.length, view.made] : []);

test("after an all-in both show, and then the board comes street by street, telling nothing before its time", () => {
  const steps = runOut(allIn);
  expect(steps.map(({ text }) => text)).toEqual(["Showdown", "Both show their cards", "The turn"]);
  expect(steps.map(({ shown }) => boardOf(shown))).toEqual([
    [3, ""],
    [3, ""],
    [4, ""],
  ]);
  expect(steps.map(({ shown }) => shown.sides.length)).toEqual([0, 2, 2]);
  expect(steps.map(({ shown }) => shown.history.length)).toEqual([9, 10, 11]); // what was dealt to Anna comes later
  expect(holdemVerdict(allIn)?.text).toBe(
    "You have a royal flush; Anna has three of a kind. You win 50 chips (25 bb).",
  );
});

const generic = (display: object, fields: object = {}) => ({ kind: "generic", display, fields });

describe("one card each", () => {
  const dealt = (folded: string[]) =>
    table({
      ...views(generic({ cards: ["J"], folded }), generic({ cards: ["K"], folded })),
      seats: [{ seat: 0 }, { seat: 1 }] as TableState["seats"],
      result: over([-2, 2]),
      names: ["You", "Anna"],
    });

  test("cards are shown if nobody has folded", () => {
    expect(showdown(dealt(["0", "0"])).map(({ shown }) => shown.sides)).toEqual([[]]);
    expect(oneCardVerdict(dealt(["0", "0"]))?.text).toBe("You hold J, Anna holds K. You lose 2 chips.");
  });

  test("else it is told who did", () => {
    expect(showdown(dealt(["0", "1"]))).toEqual([]);
    expect(oneCardVerdict(dealt(["0", "1"]))?.text).toBe("Anna folded. You lose 2 chips.");
  });
});

test("liar's dice counts the wild face, but not for a bid on itself twice", () => {
  const bid = (count: number, face: number) =>
    liarsDice.verdict?.(
      table({
        ...views(generic({ dice: ["3", "6"] }, { dice: [0, 0, 1, 0, 0, 1] }), generic({ dice: ["3", "2"] })),
        seats: [{ seat: 0 }, { seat: 1 }] as TableState["seats"],
        result: over([1, -1]),
        names: ["You", "Anna"],
        history: [
          event({ ply: 0, text: "threes", move: { verb: "bid", details: { count, face } } as never }),
          event({ ply: 1, actor: 1, move: { verb: "liar" } as never }),
        ],
      }),
    )?.text;
  expect(bid(3, 3)).toBe("Anna called “threes” a lie: 3 dice count (6 is wild), so the bid was true.");
  expect(bid(2, 6)).toBe("Anna called “threes” a lie: 1 die counts, so the bid was a lie.");
});

test("who has a row, or that the board is full", () => {
  const ended = (payoffs: number[]) => stonesVerdict(table({ result: over(payoffs), names: ["You", "Anna"] }), "a row");
  expect([ended([1, -1]), ended([-1, 1]), ended([0, 0])].map((one) => one?.text)).toEqual([
    "You have a row.",
    "Anna has a row.",
    "The board is full.",
  ]);
});

describe("for somebody who was not there", () => {
  const seen = (payoffs: number[], kind = "zero-sum") =>
    table({ seat: null, open: true, host: 1, names: ["Carla", "Anna"], result: over(payoffs, kind, "ended") });

  test("names stand where one reads “you”", () => {
    expect(resultAmong(seen([1, -1]))).toBe("Anna lost to Carla");
    expect(resultAmong(seen([-1, 1]))).toBe("Anna won against Carla");
    expect(resultAmong(seen([0, 0]))).toBe("A draw between Anna and Carla");
    expect(resultAmong(seen([7, 3], "general-sum"))).toBe("Anna gets 3, Carla 7");
  });

  test("the game is seen from the seat of whoever made the table, but only when it is open", () => {
    const sides = [generic({ cards: ["K"] }), generic({ cards: ["J"] })] as unknown as TableState["sides"];
    expect(fromNearSeat({ ...seen([1, -1]), sides }).view).toBe(sides[1]);
    const closed = { ...seen([1, -1]), sides, open: false };
    expect(fromNearSeat(closed).view).toBe(closed.view);
  });
});
