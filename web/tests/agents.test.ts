// @vitest-environment happy-dom
// Which three opponents are shown first, and what is said of them.
import { expect, test } from "vitest";
import type { AgentInfo } from "../src/api/client";
import { byStrength, threeOf } from "../src/queries/agents";

const agent = (id: string, known: Partial<AgentInfo> = {}) =>
  ({ id, newest: true, recommended: false, level: null, games: [], rating: null, ...known }) as unknown as AgentInfo;
const rated = (id: string, rating_low: number, rating_high: number, known: Partial<AgentInfo> = {}) =>
  agent(id, { rating: (rating_low + rating_high) / 2, rating_low, rating_high, ...known });

const named = (agents: AgentInfo[]) => threeOf(byStrength(agents)).map(({ agent: { id }, grade }) => [id, grade]);

test("gentle, fair and hard are those whose intervals separate", () => {
  const best = rated("best", 300, 400, { recommended: true });
  const all = [rated("random", 0, 0), rated("weak", 40, 100), rated("middle", 150, 250), best];
  expect(named(all)).toEqual([
    ["weak", "gentle"],
    ["middle", "fair"],
    ["best", "hard"],
  ]);
  const blurred = [rated("random", 0, 0), rated("weak", 40, 180), rated("middle", 150, 310), best];
  expect(named(blurred).map(([, grade]) => grade)).toEqual(["", "", ""]);
});

test("without ratings nothing is said of who is stronger, and the game's own agents come before others", () => {
  const offered = [agent("random"), agent("search"), agent("careful", { games: ["kuhn"] })];
  expect(named([...offered, agent("trained", { recommended: true })])).toEqual([
    ["trained", ""],
    ["careful", ""],
    ["random", ""],
  ]);
  expect(threeOf([agent("old", { newest: false })])).toEqual([]);
});
