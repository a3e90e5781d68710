// A game as the reader sees it: the board, chips and paths that are known, offers, and an offer that is being put together.
import { create } from "zustand";
import type { TableState } from "../../api/client";
import { displayOf } from "../drawing";

export const RESPONDER = 2;
export const FLAG = 4; // among the pieces; players are 1, 2, 3

export type Offer = { gives: string[]; gets: string[] };

export type Player = { chips: string[]; path: number[]; score: number; left: number; missing: number };

export type Trails = {
  tiles: string[];
  pieces: number[];
  /** Players whose chips are seen. */
  players: (Player | undefined)[];
  /** Offers of the two proposers that are seen. */
  offers: (Offer | undefined)[];
  /** Moves so far, the deal among them. */
  moves: number;
  /** The proposer whose offer was accepted; -1: neither. */
  accepted: number | undefined;
};

/** What the responder sees is everything: when the game is open, that is what everybody sees. */
export function trailsOf(state: TableState): Trails {
  const own = displayOf(state, state.seat);
  const all = state.open ? displayOf(state, RESPONDER) : {};
  const display = all.tiles ? all : own;
  const numbers = (name: string) => (display[name] ?? []).map(Number);
  const [answer] = numbers("answer");
  return {
    tiles: display.tiles ?? [],
    pieces: numbers("pieces"),
    players: [0, 1, RESPONDER].map((player) => {
      const [score = 0, left = 0, missing = 0] = numbers(`score${player}`);
      return (
        display[`chips${player}`] && {
          chips: display[`chips${player}`] ?? [],
          path: numbers(`path${player}`),
          score,
          left,
          missing,
        }
      );
    }),
    offers: [0, 1].map((player) => {
      const [gives = "", gets = ""] = display[`offer${player}`] ?? [];
      return gives ? { gives: [...gives], gets: [...gets] } : undefined;
    }),
    moves: numbers("moves")[0] ?? 0,
    accepted: answer === undefined ? undefined : answer - 1,
  };
}

export const sorted = (letters: string[], order: string[]) =>
  letters.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));

/** Paths that an offer would open, drawn on the board while it is put together: by player. */
export type Preview = { table: string; paths: Record<number, number[]> };

const usePreviewed = create<{ preview: Preview | undefined }>(() => ({ preview: undefined }));

export const showPreview = (preview: Preview | undefined): void => usePreviewed.setState({ preview });

export const usePreview = (table: string) =>
  usePreviewed(({ preview }) => (preview?.table === table ? preview.paths : undefined));
