// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import type { AgentInfo, MetricsRow } from "../src/api/client";
import { cellColour, digits, playedColour, rangeOf } from "../src/empirical-game/colour-scale";
import { sharesByStrategy } from "../src/empirical-game/payoffs";
import { defaultSeats, fitSeats } from "../src/lobby/seats";
import { byStrength } from "../src/queries/agents";
import { chartRows } from "../src/runs/curves";
import { aboutPoints, measureCurves, winCurves } from "../src/runs/series";
import { answerText, isBest, type Question } from "../src/strategy/quiz-answer";
import { answerError, toAnswers, type Question as StudyQuestion } from "../src/study/answers";

describe("seats of a new table", () => {
  test("one has the first, friends the others", () => {
    expect(defaultSeats(3)).toEqual([{ kind: "you" }, { kind: "open" }, { kind: "open" }]);
  });

  test("with another number of players one keeps a seat", () => {
    const seats = [{ kind: "open" }, { kind: "agent", agent: "random" }, { kind: "you" }] as const;
    expect(fitSeats([...seats], 2)).toEqual([{ kind: "you" }, { kind: "agent", agent: "random" }]);
    expect(fitSeats([...seats], 4)).toEqual([...seats, { kind: "open" }]);
  });
});

test("agents: the recommended one, then by level; who was not measured before random play", () => {
  const agent = (id: string, level: number | null, recommended = false) =>
    ({ id, level, recommended, newest: true }) as unknown as AgentInfo;
  const agents = [
    agent("random", null),
    agent("weak", 3),
    agent("new", null),
    agent("strong", 9),
    agent("best", 7, true),
  ];
  expect(byStrength(agents).map(({ id }) => id)).toEqual(["best", "strong", "weak", "new", "random"]);
});

describe("a heat map", () => {
  test("its colours are around zero if some win and some lose, else around the middle", () => {
    expect(
      rangeOf([
        [1, -3],
        [null, 2],
      ]),
    ).toEqual({ low: -3, middle: 0, high: 3 });
    expect(rangeOf([[1, 5]])).toEqual({ low: 1, middle: 3, high: 5 });
    expect(rangeOf([[null]])).toEqual({ low: 0, middle: 0, high: 0 });
  });

  test("what is in the middle is transparent, the ends are as strong as they may be", () => {
    const range = { low: -2, middle: 0, high: 2 };
    expect(cellColour(0, range, 0.8)[3]).toBe(0);
    expect(cellColour(2, range, 0.8)[3]).toBe(0.8);
    expect(cellColour(-1, range, 0.8)[3]).toBe(0.4);
    expect(cellColour(1, range, 1).slice(0, 3)).not.toEqual(cellColour(-1, range, 1).slice(0, 3));
    expect(cellColour(4, { low: 4, middle: 4, high: 4 }, 1)[3]).toBe(0);
  });

  test("numbers have two digits", () => {
    const range = (high: number) => ({ low: 0, middle: 0, high });
    expect([digits(range(0.05), 1), digits(range(2), 1), digits(range(30), 1), digits(range(0.05), 1000)]).toEqual([
      3, 1, 0, 0,
    ]);
  });

  test("shares by the number of the strategy", () => {
    const shares = sharesByStrategy([
      { strategy: 2, share: 0.75 },
      { strategy: 0, share: 0.25 },
    ] as never);
    expect(shares).toEqual([0.25, 0, 0.75]);
    expect(playedColour(shares)(0.75)[3]).toBe(1);
  });
});

describe("curves of a run", () => {
  const row = (at: number, known: object): MetricsRow =>
    ({ at, wins: {}, values: {}, ...known }) as unknown as MetricsRow;

  test("wins with their intervals, or payoffs where there are any", () => {
    const by = (rate: number, payoff?: object) => ({ wins: { random: { both: { rate, low: 0, high: 1, payoff } } } });
    const won = [row(10, by(0.5)), row(20, by(0.75))];
    expect(aboutPoints(won)).toBe(false);
    expect(winCurves(won, "both", 10)).toEqual([
      {
        name: "against random",
        points: [
          { x: 10, y: 0.5, low: 0, high: 1 },
          { x: 20, y: 0.75, low: 0, high: 1 },
        ],
      },
    ]);
    const paid = [row(10, by(0.5, { value: 0.2, low: 0.1, high: 0.3 })), row(20, {})];
    expect(winCurves(paid, "both", 10)[0]?.points).toEqual([
      { x: 10, y: 2, low: 1, high: 3 },
      { x: 20, y: null, low: null, high: null },
    ]);
  });

  test("a measure has a curve for each of its lines", () => {
    const measure = {
      name: "mix",
      title: "Mix",
      lines: [
        { name: "a", called: "bet" },
        { name: "b", called: "" },
      ],
    } as never;
    const rows = [row(1, { values: { mix: { a: 1e-15, b: 2 } } }), row(2, {})];
    expect(measureCurves(rows, measure, { bet: "to bet" })).toEqual([
      {
        name: "to bet",
        points: [
          { x: 1, y: 0 },
          { x: 2, y: null },
        ],
      },
      {
        name: "Mix",
        points: [
          { x: 1, y: 2 },
          { x: 2, y: null },
        ],
      },
    ]);
  });

  test("curves share the rows of a chart, in order; a logarithm shows nothing that is not positive", () => {
    const curves = [
      {
        name: "a",
        points: [
          { x: 2, y: 1 },
          { x: 0, y: 0 },
        ],
      },
      { name: "b", points: [{ x: 2, y: 3, low: 2, high: 4 }] },
    ];
    expect(chartRows(curves, false, false)).toEqual([
      { x: 0, y0: 0 },
      { x: 2, y0: 1, y1: 3, band1: [2, 4] },
    ]);
    expect(chartRows(curves, true, false)[0]).toEqual({ x: 0, y0: null });
    expect(chartRows(curves, false, true).map(({ x }) => x)).toEqual([2]);
  });
});

test("in a quiz the move that is made most is right, within rounding", () => {
  const question = {
    moves: [
      { text: "bet", probability: 0.502 },
      { text: "check", probability: 0.498 },
      { text: "fold", probability: 0 },
    ],
  } as unknown as Question;
  expect([0, 1, 2].map((guess) => isBest(question, guess))).toEqual([true, true, false]);
  expect(answerText(question, 0)).toBe("It does so 50 % of the time.");
  expect(answerText(question, 2)).toBe("It would choose bet 50 % of the time, and fold 0 %.");
});

describe("answers of a study", () => {
  const question = (known: object): StudyQuestion =>
    ({ id: "q", kind: "number", required: true, least: 18, most: 120, ...known }) as unknown as StudyQuestion;

  test.each([
    [{}, undefined, "Please answer this question."],
    [{}, "  ", "Please answer this question."],
    [{ required: false }, "", ""],
    [{ kind: "slider" }, undefined, "Please choose a position."],
    [{}, "x", "Please write a number."],
    [{}, "17", "Please write a number from 18 to 120."],
    [{}, "18", ""],
    [{}, "120", ""],
    [{ most: null }, "3", "Please write a number that is at least 18."],
    [{ least: null }, "300", "Please write a number that is at most 120."],
    [{ kind: "text" }, "yes", ""],
  ])("%o answered by %s: %s", (known, given, error) => expect(answerError(question(known), given)).toBe(error));

  test("numbers are sent as numbers, texts trimmed, and nothing that is empty", () => {
    const questions = [question({ id: "age" }), question({ id: "why", kind: "text" }), question({ id: "more" })];
    expect(toAnswers(questions, { age: " 30", why: " so ", more: " " })).toEqual({ age: 30, why: "so" });
  });
});
