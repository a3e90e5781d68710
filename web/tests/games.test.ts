import { describe, expect, test } from "vitest";
import type { TableState } from "../src/api/client";
import { roundAxis } from "../src/games/axis";
import { looksOf, sunkOf } from "../src/games/battleship/sea";
import { cardsOf, kindOf, shortName, withArticle } from "../src/games/clue/cards";
import { sorted, trailsOf } from "../src/games/colored-trails/trails";
import { type Deal, dealOf, listed, rest, shareOf, spoken, worth } from "../src/games/deal-or-no-deal/deal";
import { isDrag, isOnOtherSide } from "../src/games/deal-or-no-deal/drag";
import { displayOf, groupEvents, repeatedText } from "../src/games/drawing";
import { money } from "../src/games/leodopoly/estate";
import { event, table } from "./state";

const generic = (display: object, fields: object = {}) =>
  ({ kind: "generic", display, fields }) as unknown as TableState["view"];

describe("what may be seen", () => {
  const state = table({ view: generic({ hand: ["K"] }), sides: [null, generic({ hand: ["Q"] })] as never });

  test("one's own display, and another's when it is open", () => {
    expect(displayOf(state, 0)).toEqual({ hand: ["K"] });
    expect(displayOf(state, null)).toEqual({ hand: ["K"] });
    expect(displayOf(state, 1)).toEqual({ hand: ["Q"] });
    expect(displayOf({ ...state, sides: [] as never }, 1)).toEqual({});
  });
});

test("events that follow each other and are alike are one line", () => {
  const events = ["card", "card", "bet", "card"].map((text) => event({ text }));
  expect(groupEvents(events, ({ text }) => text).map(repeatedText)).toEqual(["card ×2", "bet", "card"]);
});

describe("a negotiation", () => {
  const deal: Deal = {
    items: ["book", "hat", "ball"],
    pool: [1, 2, 3],
    values: [[4, 3, 0], undefined],
    offers: [
      [1, 0, 3],
      [0, 2, 1],
    ],
    left: [1, 0.9, 0.81],
    turns: 5,
    agreed: false,
    ended: false,
  };

  test("what one does not keep is for the other", () => {
    expect(rest(deal, [1, 0, 3])).toEqual([0, 2, 0]);
    expect(shareOf(deal, 0, 0)).toEqual([1, 0, 3]);
    expect(shareOf(deal, 0, 1)).toEqual([0, 2, 0]);
    expect(shareOf(deal, 1, 0)).toEqual([1, 0, 2]);
  });

  test("items are worth less with every proposal, and nothing that is hidden is told", () => {
    expect(worth(deal, [1, 2, 0], 0, 0)).toBe(10);
    expect(worth(deal, [1, 2, 0], 0, 1)).toBe(9);
    expect(worth(deal, [1, 2, 0], 0)).toBe(8.1);
    expect(worth(deal, [1, 2, 0], 1)).toBeUndefined();
  });

  test("proposals in words", () => {
    expect(listed(deal, [0, 0, 0])).toBe("nothing");
    expect(listed(deal, [1, 2, 3])).toBe("everything");
    expect(listed(deal, [1, 2, 1])).toBe("1 book, 2 hats and 1 ball");
    expect(spoken(deal, [1, 0, 0])).toBe("I keep 1 book, you get 2 hats and 3 balls.");
  });

  test("a state is read, whoever may see its values", () => {
    const view = generic({ items: ["book"], pool: [2], values: [[], [5]], offers: [[1]], turns: [0, 5], agreed: [1] });
    expect(dealOf(table({ view, sides: [] as never }))).toMatchObject({
      pool: [2],
      values: [undefined, [5]],
      offers: [[1]],
      turns: 5,
      agreed: true,
      ended: false,
    });
  });

  test("an item is dragged when the pointer has gone far enough, and lands on the side it goes to", () => {
    expect([isDrag(5, 5), isDrag(8, 0), isDrag(6, 6)]).toEqual([false, false, true]);
    const tray = { left: 100, width: 200 };
    expect([isOnOtherSide(250, tray, 1), isOnOtherSide(150, tray, 1)]).toEqual([true, false]);
    expect([isOnOtherSide(150, tray, -1), isOnOtherSide(250, tray, -1)]).toEqual([true, false]);
  });
});

describe("Battleship", () => {
  // 3 by 2 cells; the reader's ship lies on the first two, the other's is hidden
  const state = (open = false) =>
    table({
      view: generic(
        { grid: [3, 2], sizes: [2], shots: [4], mine: [1, 1, 0, 0, 0, 0] },
        {
          shot: [
            [6, 5],
            [1, 3, 2, 2],
          ],
          result: [
            [2, 1],
            [2, 1, 3, 3],
          ],
        },
      ),
      sides: [null, open ? generic({ grid: [3, 2], mine: [0, 0, 1, 0, 0, 1] }) : null] as never,
    });
  const looks = (owner: number, open = false) => looksOf(state(open), owner).map(({ look }) => look);

  test("one's own sea shows ships, and what was hit", () => {
    expect(looks(0)).toEqual(["sunk", "sunk", "miss", "water", "water", "water"]);
  });

  test("the other's sea shows what one's shots have said, until it is open", () => {
    expect(looks(1)).toEqual(["water", "water", "water", "water", "miss", "hit"]);
    expect(looks(1, true)).toEqual(["water", "water", "ship", "water", "miss", "hit"]);
  });

  test("a ship is closed between its cells only", () => {
    const [first, second] = looksOf(state(), 0);
    expect(first).toMatchObject({ left: false, right: true, up: false, down: false });
    expect(second).toMatchObject({ left: true, right: false });
  });

  test("a cell that is shot at twice sinks no second ship", () => {
    expect([sunkOf(state(), 0), sunkOf(state(), 1)]).toEqual([1, 0]);
  });
});

test("Clue's cards are numbered through suspects, weapons and rooms", () => {
  const deck = { suspects: ["Miss Scarlet", "Professor Plum"], weapons: ["Knife"], rooms: ["Hall", "Study"] };
  expect(["suspect", "weapon", "room"].map((kind) => cardsOf(deck, kind as "room"))).toEqual([[0, 1], [2], [3, 4]]);
  expect([1, 2, 3].map((card) => kindOf(deck, card))).toEqual(["suspect", "weapon", "room"]);
  expect([shortName(deck, 1), withArticle(deck, 1), withArticle(deck, 2)]).toEqual([
    "Plum",
    "Professor Plum",
    "the Knife",
  ]);
});

test("Colored Trails: the responder's view is everybody's when the game is open", () => {
  const own = { tiles: ["R", "G"], pieces: ["1"], chips0: ["R"], score0: [5, 1, 0], path0: ["0"], moves: [2] };
  const all = { ...own, chips1: ["G"], offer1: ["RG", "B"], answer: [2] };
  const closed = trailsOf(table({ view: generic(own) }));
  expect(closed).toMatchObject({ moves: 2, accepted: undefined, offers: [undefined, undefined] });
  expect(closed.players.map((player) => player?.chips)).toEqual([["R"], undefined, undefined]);
  const open = trailsOf(table({ view: generic(own), open: true, sides: [null, null, generic(all)] as never }));
  expect(open).toMatchObject({ accepted: 1, offers: [undefined, { gives: ["R", "G"], gets: ["B"] }] });
  expect(sorted(["B", "R", "G"], ["R", "G", "B"])).toEqual(["R", "G", "B"]);
});

test("money below zero has its sign before the currency", () => {
  expect([1500, -20].map((amount) => money({ currency: "£" }, amount))).toEqual(["£1,500", "−£20"]);
});

describe("an axis has round numbers around all values, and zero", () => {
  test.each([
    [
      [3, 8],
      [0, 2, 4, 6, 8],
    ],
    [
      [-1, 1],
      [-1, -0.5, 0, 0.5, 1],
    ],
    [
      [0, 0],
      [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1],
    ],
    [
      [120, 47],
      [0, 50, 100, 150],
    ],
  ])("%o: %o", (values, ticks) => {
    const axis = roundAxis(values);
    expect(axis.ticks).toEqual(ticks);
    expect([axis.least, axis.most]).toEqual([ticks[0], ticks.at(-1)]);
  });
});
