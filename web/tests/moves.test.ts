import { expect, test } from "vitest";
import { goofspiel } from "../src/games/goofspiel";
import { pokerKey } from "../src/games/poker/choose";
import { amountsOf, nearestAmount } from "../src/moves/amount";
import { keyOf } from "../src/moves/keys";
import { move } from "./state";

test("moves have the keys 1 to 9, then 0, then none", () => {
  expect([0, 8, 9, 10].map(keyOf)).toEqual(["1", "9", "0", ""]);
});

test("the key of a move in poker goes by what it does", () => {
  expect(["fold", "check", "call", "bet", "raise", "deal"].map((verb) => pokerKey(move({ verb })))).toEqual([
    "f",
    "c",
    "c",
    "r",
    "r",
    "",
  ]);
});

test("a card is bid by its own key", () => {
  expect(["2", "10", "11", "12", "13", null].map((card) => goofspiel.keyFor?.(move({ card }), 0))).toEqual([
    "2",
    "0",
    "j",
    "q",
    "k",
    "",
  ]);
});

test("moves without an amount are none to choose", () => {
  expect(amountsOf([move({ verb: "fold" })])).toBeUndefined();
});

test("a range of amounts leads to the move of each", () => {
  const amounts = amountsOf([move({ id: 7, amount: 4, range: { least: 4, most: 10, step: 2, id_step: 1 } })]);
  expect(amounts).toMatchObject({ least: 4, most: 10, step: 2 });
  expect([4, 6, 10].map((value) => amounts?.id(value))).toEqual([7, 8, 10]);
  expect([5, 2, 12].map((value) => amounts?.id(value))).toEqual([undefined, undefined, undefined]);
});

test("a range and all-in beside it are one slider", () => {
  const amounts = amountsOf([
    move({ id: 1, amount: 10, range: { least: 10, most: 30, step: 10, id_step: 2 } }),
    move({ id: 9, amount: 35 }),
  ]);
  expect(amounts).toMatchObject({ least: 10, most: 35, step: 5 });
  expect([20, 35, 25].map((value) => amounts?.id(value))).toEqual([3, 9, undefined]);
});

test("what is written is moved to the nearest amount", () => {
  const amounts = { least: 4, most: 11, step: 3, id: () => undefined };
  expect([0, 5, 6, 9, 100].map((value) => nearestAmount(amounts, value))).toEqual([4, 4, 7, 10, 11]);
});
