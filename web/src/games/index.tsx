// How each game is drawn: one folder and one row a game, in the order in which they are offered. Every other game is
// drawn by its fields. A drawing is loaded when a table of its game is opened.
import type { TableEvent, GameInfo, TableState } from "../api/client";
import { resultText } from "../format/table";
import { capitalized } from "../format/numbers";
import { gameBase } from "../format/names";
import { type BoardProps, type Drawing, type GameRow, groupEvents, repeatedText } from "./drawing";

const ROWS: Record<string, GameRow> = {
  "monopoly-deal": { sign: { text: "$", hue: 145 }, load: async () => (await import("./monopoly-deal")).monopolyDeal },
  kuhn: { sign: { text: "K", hue: 10 }, load: async () => (await import("./kuhn")).kuhn },
  leduc: { sign: { text: "Q♥", hue: 350 }, load: async () => (await import("./leduc")).leduc },
  "liars-dice": { sign: { text: "⚄", hue: 210 }, load: async () => (await import("./liars-dice")).liarsDice },
  goofspiel: { sign: { text: "♦", hue: 280 }, load: async () => (await import("./goofspiel")).goofspiel },
  battleship: { sign: { text: "⚓", hue: 205 }, load: async () => (await import("./battleship")).battleship },
  "phantom-tic-tac-toe": {
    sign: { text: "×○", hue: 230 },
    load: async () => (await import("./phantom-tic-tac-toe")).phantomTicTacToe,
  },
  "dark-hex": { sign: { text: "⬢", hue: 250 }, load: async () => (await import("./dark-hex")).darkHex },
  sheriff: { sign: { text: "★", hue: 40 }, load: async () => (await import("./sheriff")).sheriff },
  "normal-form": { sign: { text: "⊞", hue: 260 }, load: async () => (await import("./normal-form")).normalForm },
  "trade-comm": { sign: { text: "⇄", hue: 165 }, load: async () => (await import("./trade-comm")).tradeComm },
  "colored-trails": {
    sign: { text: "⚑", hue: 120 },
    load: async () => (await import("./colored-trails")).coloredTrails,
  },
  "tiny-bridge": { sign: { text: "♠♥", hue: 340 }, load: async () => (await import("./tiny-bridge")).tinyBridge },
  leodopoly: { sign: { text: "£", hue: 5 }, load: async () => (await import("./leodopoly")).leodopoly },
  "deal-or-no-deal": {
    sign: { text: "÷", hue: 25 },
    load: async () => (await import("./deal-or-no-deal")).dealOrNoDeal,
  },
  clue: { sign: { text: "?", hue: 35 }, load: async () => (await import("./clue")).clue },
  holdem: { sign: { text: "A♠", hue: 220 }, load: async () => (await import("./holdem")).holdem },
};
const ORDER = Object.keys(ROWS);
const OTHER = { load: async () => (await import("./generic")).generic };

export const signOf = (game: string) =>
  ROWS[gameBase(game)]?.sign ?? {
    text: gameBase(game).charAt(0).toUpperCase(),
    hue: [...gameBase(game)].reduce((sum, c) => sum + 37 * c.charCodeAt(0), 0) % 360,
  };

const loaded = new Map<string, Drawing>();
const coming = new Map<string, Promise<void>>();

/** The drawing of a game; a component that asks for it is drawn when it has come. */
export function drawingOf(game: string): Drawing {
  const base = gameBase(game);
  const drawing = loaded.get(base);
  if (drawing) return drawing;
  if (!coming.has(base)) {
    const row = ROWS[base] ?? OTHER;
    const wait = row.load().then((drawn) => void loaded.set(base, drawn));
    wait.catch(() => coming.delete(base)); // asked for again by whoever tries again
    coming.set(base, wait);
  }
  throw coming.get(base); // what React's Suspense waits for
}

/** A board for itself, of a height of its own. */
export function GameBoard(props: BoardProps) {
  return (
    <div className="h-[min(36rem,78dvh)]">
      <Board {...props} />
    </div>
  );
}

/** A board that fills what is around it. */
export function Board(props: BoardProps) {
  const { Board: Drawn } = drawingOf(props.state.game);
  return (
    <div className="board h-full">
      <Drawn {...props} />
    </div>
  );
}

/** Outcomes of chance that follow each other, in one line. */
export const outcomesOf = (game: string, events: TableEvent[], seat: number | null) =>
  drawingOf(game).outcomes?.(events, seat) ??
  groupEvents(events, (event) => event.text)
    .map(repeatedText)
    .join("; ");

/** A move in words, and what came of it. */
export function eventText(game: string, event: TableEvent): string {
  const after = drawingOf(game).after?.(event);
  return after ? `${event.text}. ${capitalized(after)}` : event.text;
}

/** How a game has ended for the reader, in the game's own words if it has any; empty while it goes on. */
export const verdictOf = (state: TableState) =>
  drawingOf(state.game).verdict?.(state)?.heading ?? (state.result ? resultText(state.result, state.seat) : "");

const rank = ({ name }: GameInfo) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** The games that are drawn first. */
export const sortGames = (games: GameInfo[]) => games.toSorted((a, b) => rank(a) - rank(b));
