// The API as functions. Its types are generated from openapi.json (`npm run client`); nothing here knows a game.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";

export type Shapes = components["schemas"];
export type AgentInfo = Shapes["AgentInfo"];
export type ArenaInfo = Shapes["ArenaInfo"];
export type ArenaMatch = Shapes["ArenaMatch"];
export type ArenaStanding = Shapes["ArenaStanding"];
export type ArenaStandings = Shapes["ArenaStandings"];
export type ComparedInfoset = Shapes["ComparedInfoset"];
export type TablePreview = Shapes["TablePreview"];
export type CrossTable = Shapes["CrossTable"];
export type EmpiricalGameInfo = Shapes["EmpiricalGameInfo"];
export type TableEvent = Shapes["TableEvent"];
export type GameInfo = Shapes["GameInfo"];
export type GameRecord = Shapes["GameRecord"];
export type GenericView = Shapes["GenericView"];
export type Infoset = Shapes["Infoset"];
export type Interval = Shapes["Interval"];
export type LegalMove = Shapes["LegalMove"];
export type MeasureInfo = Shapes["MeasureInfo"];
export type MetricsRow = Shapes["MetricsRow"];
export type Mind = Shapes["Mind"];
export type MindList = Shapes["MindList"];
export type MoveInfo = Shapes["MoveInfo"];
export type NewTable = Shapes["NewTable"];
export type OptionInfo = Shapes["OptionInfo"];
export type PayoffMatrix = Shapes["PayoffMatrix"];
export type RunInfo = Shapes["RunInfo"];
export type Seated = Shapes["Seated"];
export type Solution = Shapes["Solution"];
export type Setting = Shapes["AlgorithmSetting"];
export type StrategyShare = Shapes["StrategyShare"];
export type TableState = Shapes["TableState"];
export type Shown = TableState["mind"];
export type Pace = TableState["pace"];

/** What went wrong, in a sentence for the person; status 0: the server did not answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

const UNREACHABLE = "The server cannot be reached. Nothing is lost: this page reconnects by itself.";
const MAX_DELAY = 4000; // milliseconds between two tries

/** Whether to try again: the server did not answer, or its database did not. */
export const isUnreachable = (error: unknown) => error instanceof ApiError && [0, 502, 503, 504].includes(error.status);

/** Milliseconds until the next try, after so many: ever longer, and not everybody at once. */
export const retryDelay = (tries: number) => Math.min(MAX_DELAY, 250 * 2 ** tries) * (0.75 + 0.5 * Math.random());

export const api = createClient<paths>({ baseUrl: window.location.origin });

/** The answer, or a Problem. */
export async function ask<T>(request: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  let answer;
  try {
    answer = await request;
  } catch {
    throw new ApiError(0, UNREACHABLE);
  }
  if (answer.data === undefined) throw new ApiError(answer.response.status, sentence(answer.error, answer.response));
  return answer.data;
}

function sentence(error: unknown, response: Response): string {
  if (typeof error === "object" && error !== null && "detail" in error) return String(error.detail);
  return `The server answered ${response.status} ${response.statusText}.`;
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The token of a seat; a spectator has none. */
export const bearer = (token: string): Record<string, string> => (token ? { Authorization: `Bearer ${token}` } : {});
