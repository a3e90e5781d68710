// @vitest-environment happy-dom
// What the coach says of a move.
import { expect, test } from "vitest";
import { costOf, costText } from "../src/mind/cost";
import type { Mind } from "../src/api/client";

const mind = (...values: [string, number | null, number?][]) =>
  ({
    chosen: { id: 0 },
    scale: "chance",
    unit: "points",
    actions: values.map(([text, value, error = 0], id) => ({ text, move: { id, text }, value, value_error: error })),
  }) as unknown as Mind;
const said = (one: Mind) => {
  const cost = costOf(one);
  return cost && costText(cost, one);
};

test("a better move is named with what it would have kept, as a chance to win", () => {
  expect(said(mind(["pass", 0.38], ["bank $3", 0.9]))).toBe("−26 %: bank $3 kept 95 %");
  expect(said({ ...mind(["call", -19], ["fold", -1]), scale: "points", unit: "chips" })).toBe(
    "−18 chips: fold was better",
  );
});

test("what may be chance is no mistake, and nothing is said of moves without a value", () => {
  expect(said(mind(["pass", 0.4, 0.2], ["bank", 0.9, 0.2]))).toBe("No better move was found");
  expect(said(mind(["pass", 0.9], ["bank", 0.4]))).toBe("No better move was found");
  expect(said(mind(["pass", null], ["bank", 0.4]))).toBeUndefined();
});
