// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import { over, result, table } from "./state";

beforeEach(() => {
  localStorage.clear();
  vi.resetModules(); // a page that is opened again reads what is kept
});

const seats = () => import("../src/store/seats");
const kept = (name: string) => JSON.parse(localStorage.getItem(`parlor.${name}`) ?? "null") as { id: string }[];
const ids = (list: { id: string }[]) => list.map(({ id }) => id);

describe("seats", () => {
  test("a seat is kept, found again, and updated in its place", async () => {
    const store = await seats();
    store.keepSeat(table({ id: "a" }), "secret a");
    store.keepSeat(table({ id: "b" }), "secret b");
    store.keepSeat(table({ id: "a", ply: 5 }), "secret a");
    expect(ids(kept("seats"))).toEqual(["b", "a"]);
    expect(store.seatAt("a")).toMatchObject({ token: "secret a", ply: 5, outcome: "" });
    vi.resetModules();
    expect((await seats()).seatAt("a")).toMatchObject({ token: "secret a", ply: 5 });
  });

  test("who only watches has none", async () => {
    const store = await seats();
    store.keepSeat(table({ seat: null }), "");
    store.keepSeat(table(), "");
    expect(store.useSeats.getState()).toEqual([]);
  });

  test("finished ones are dropped at last, running ones never", async () => {
    const store = await seats();
    for (let i = 0; i < 3; i++) store.keepSeat(table({ id: `running ${i}` }), "t");
    for (let i = 0; i < 205; i++) store.keepSeat(table({ id: `over ${i}`, result: over([1, -1]) }), "t");
    const all = ids(store.useSeats.getState());
    expect(all.filter((id) => id.startsWith("running"))).toHaveLength(3);
    expect(all.filter((id) => id.startsWith("over"))).toHaveLength(200);
    expect(all[0]).toBe("over 204");
  });

  test("a seat is put away with its token, and comes back", async () => {
    const store = await seats();
    store.keepSeat(table({ id: "a" }), "secret");
    store.binSeat("a");
    expect([ids(kept("seats")), ids(kept("bin"))]).toEqual([[], ["a"]]);
    expect(store.seatAt("a")?.token).toBe("secret");
    store.keepSeat(table({ id: "a", ply: 2 }), "secret"); // it stays in the bin
    expect(ids(kept("seats"))).toEqual([]);
    store.restoreSeat("a");
    expect([ids(kept("seats")), ids(kept("bin"))]).toEqual([["a"], []]);
    store.dropSeat("a");
    expect(store.seatAt("a")).toBeUndefined();
  });

  test("a table after a move was taken back takes the place of the old one", async () => {
    const store = await seats();
    store.keepSeat(table({ id: "old" }), "t");
    store.keepSeat(table({ id: "new", undone: 1, branch_of: { table: "old", ply: 2 } as never }), "t");
    expect(ids(kept("seats"))).toEqual(["new"]);
    store.keepSeat(table({ id: "old", replaced_by: "new" }), "t"); // a late answer
    expect(ids(kept("seats"))).toEqual(["new"]);
  });

  test("what an old browser kept is read", async () => {
    localStorage.setItem("parlor.seats", JSON.stringify([{ id: "a", token: "t", agent: "Random", outcome: "won" }]));
    const store = await seats();
    expect(store.seatAt("a")).toMatchObject({ opponents: [{ name: "Random", agent: null }], branch: false });
    expect(store.useResults.getState()).toMatchObject([{ id: "a", outcome: "won", payoff: null }]);
  });

  test("what cannot be read is as if there were nothing", async () => {
    localStorage.setItem("parlor.seats", "{");
    expect((await seats()).useSeats.getState()).toEqual([]);
  });

  test("another window's change is seen", async () => {
    const store = await seats();
    localStorage.setItem("parlor.seats", JSON.stringify([{ id: "b", token: "t" }]));
    window.dispatchEvent(new StorageEvent("storage", { key: "parlor.seats" }));
    expect(store.seatAt("b")?.token).toBe("t");
  });

  test("a browser without storage remembers until the page is closed", async () => {
    const store = await seats();
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new Error("full");
    });
    store.keepSeat(table({ id: "a" }), "t");
    vi.restoreAllMocks();
    expect(store.seatAt("a")?.token).toBe("t");
  });
});

describe("results", () => {
  test("a game counts once, and what an old one lacks is added with its own time", async () => {
    localStorage.setItem("parlor.results", JSON.stringify([result({ id: "a", payoff: null, ended: "before" })]));
    const store = await seats();
    store.keepSeat(table({ id: "a", result: over([2, -2]) }), "t");
    store.keepSeat(table({ id: "a", result: over([9, -9]) }), "t");
    expect(store.useResults.getState()).toMatchObject([{ id: "a", payoff: 2, ended: "before" }]);
  });

  test("a record goes to another browser as a file, and adds what is missing there", async () => {
    const here = await seats();
    here.keepSeat(table({ id: "a", result: over([1, -1]) }), "t");
    const file = here.exportRecord();
    localStorage.clear();
    vi.resetModules();
    const there = await seats();
    there.keepSeat(table({ id: "b" }), "t");
    expect(there.importRecord(file)).toEqual({ seats: 1, results: 1 });
    expect(there.importRecord(file)).toEqual({ seats: 0, results: 0 });
    expect(ids(there.useSeats.getState())).toEqual(["b", "a"]);
  });

  test.each(["no json", "null", "{}", '{"format": "parlor record 1", "seats": [{}], "results": []}'])(
    "%s is no record",
    async (text) => {
      const store = await seats();
      expect(() => store.importRecord(text)).toThrow("not a record that was saved here");
    },
  );
});

test("a series counts a table once, ends after its games, and can begin anew", async () => {
  const { addToTally, forgetTally } = await import("../src/store/tallies");
  const score = () => (kept("tallies") as unknown as Record<string, { games: number; sums: number[] }>).holdem;
  addToTally("holdem", "a", [3, -3], 2);
  addToTally("holdem", "a", [3, -3], 2);
  addToTally("holdem", "b", [-1, 1], 2);
  expect(score()).toMatchObject({ games: 2, sums: [2, -2] });
  addToTally("holdem", "c", [5, -5], 2);
  expect(score()).toMatchObject({ games: 1, sums: [5, -5] });
  forgetTally("holdem");
  addToTally("holdem", "c", [5, -5], 2);
  expect(score()).toMatchObject({ games: 0, sums: [] });
});

test("preferences add to the defaults, and the theme is shown", async () => {
  localStorage.setItem("parlor.taste", JSON.stringify({ seconds: 3 }));
  const { setPreferences, usePreferences } = await import("../src/store/preferences");
  setPreferences({ theme: "dark" });
  expect(usePreferences.getState()).toMatchObject({ seconds: 3, theme: "dark", muted: false });
  expect(document.documentElement.dataset.theme).toBe("dark");
  setPreferences({ theme: "system" });
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

describe("Clue's notebook", () => {
  const marks = () => (kept("clue.notes") as unknown as { tables: { id: string; marks: object }[] }).tables;

  test("a card that is picked again is put back", async () => {
    const { pick, picksAt, setPicks } = await import("../src/games/clue/notebook");
    pick("a", "suspect", 2);
    pick("a", "room", 15);
    pick("a", "suspect", 3);
    expect(picksAt("a")).toEqual({ accuse: false, suspect: 3, room: 15 });
    pick("a", "room", 15);
    expect(picksAt("a")).toEqual({ accuse: false, suspect: 3 });
    expect(picksAt("b")).toEqual({ accuse: false });
    setPicks("a");
    expect(picksAt("a")).toEqual({ accuse: false });
  });

  test("marks are of a table, and go on where it is continued", async () => {
    const { setMark } = await import("../src/games/clue/notebook");
    setMark(table({ id: "a" }), "7 2", "yes");
    setMark(table({ id: "b", branch_of: { table: "a", ply: 3 } as never }), "7 file", "no");
    expect(marks()).toEqual([
      { id: "b", marks: { "7 2": "yes", "7 file": "no" } },
      { id: "a", marks: { "7 2": "yes" } },
    ]);
  });
});
