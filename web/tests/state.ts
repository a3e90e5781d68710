// States of tables and results, of which a test says only what it is about.
import type { LegalMove, TableEvent, TableState } from "../src/api/client";
import type { Result } from "../src/store/results";

export const table = (known: Partial<TableState> = {}): TableState =>
  ({
    id: "a",
    game: "kuhn",
    seat: 0,
    players: 2,
    ply: 0,
    since: 0,
    turn: "you",
    history: [],
    legal: [],
    names: ["You", "Careful"],
    seats: [
      { seat: 0, kind: "person", name: "You", you: true, agent: null, left: false },
      { seat: 1, kind: "agent", name: "Careful", you: false, agent: { id: "careful" }, left: false },
    ],
    sides: [null, null],
    created: "2026-01-01T00:00:00Z",
    branch_of: null,
    replaced_by: null,
    undone: 0,
    imported: false,
    seed_chosen: false,
    result: null,
    open: false,
    ...known,
  }) as unknown as TableState;

export const event = (known: Partial<TableEvent>): TableEvent =>
  ({ ply: 0, by: "agent", actor: 1, text: "", move: null, told: [], ...known }) as unknown as TableEvent;

export const move = (known: Partial<LegalMove>): LegalMove =>
  ({ id: 0, verb: "", amount: null, range: null, details: {}, text: "", ...known }) as unknown as LegalMove;

export const over = (payoffs: number[], kind = "zero-sum", outcome = "won") =>
  ({ payoffs, kind, outcome, resigned_by: null }) as unknown as NonNullable<TableState["result"]>;

export const result = (known: Partial<Result> = {}): Result => ({
  id: "a",
  game: "kuhn",
  opponents: [{ name: "Random", agent: "random" }],
  outcome: "won",
  payoff: 1,
  ended: "2026-01-01T12:00:00Z",
  kind: "zero-sum",
  aside: "",
  ...known,
});
