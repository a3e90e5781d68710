// How each game is drawn: one folder and one row a game, in the order in which they are offered. Every other game is
// drawn by its fields. A drawing is loaded when a table of its game is opened.
import type { TableEvent, GameInfo, TableState } from "../api/client";
import { resultAmong, resultText } from "../format/table";
import { capitalized } from "../format/numbers";
import { gameBase } from "../format/names";
import { type BoardProps, type Drawing, type GameRow, groupEvents, repeatedText } from "./drawing";

const ROWS: Record<string, GameRow> = {
  holdem: { sign: { text: "A♠", hue: 220 }, cover: true, load: async () => (await import("./holdem")).holdem },
  clue: { sign: { text: "?", hue: 35 }, cover: true, load: async () => (await import("./clue")).clue },
  "monopoly-deal": {
    sign: { text: "$", hue: 145 },
    cover: true,
    load: async () => (await import("./monopoly-deal")).monopolyDeal,
  },
  battleship: {
    sign: { text: "⚓", hue: 205 },
    cover: true,
    load: async () => (await import("./battleship")).battleship,
  },
  "liars-dice": {
    sign: { text: "⚄", hue: 210 },
    cover: true,
    load: async () => (await import("./liars-dice")).liarsDice,
  },
  "deal-or-no-deal": {
    sign: { text: "÷", hue: 25 },
    cover: true,
    together: true,
    load: async () => (await import("./deal-or-no-deal")).dealOrNoDeal,
  },
  leodopoly: { sign: { text: "£", hue: 5 }, load: async () => (await import("./leodopoly")).leodopoly },
  leduc: { sign: { text: "Q♥", hue: 350 }, load: async () => (await import("./leduc")).leduc },
  kuhn: { sign: { text: "K", hue: 10 }, load: async () => (await import("./kuhn")).kuhn },
  goofspiel: { sign: { text: "♦", hue: 280 }, load: async () => (await import("./goofspiel")).goofspiel },
  "phantom-tic-tac-toe": {
    sign: { text: "×○", hue: 230 },
    load: async () => (await import("./phantom-tic-tac-toe")).phantomTicTacToe,
  },
  "dark-hex": { sign: { text: "⬢", hue: 250 }, load: async () => (await import("./dark-hex")).darkHex },
  sheriff: { sign: { text: "★", hue: 40 }, load: async () => (await import("./sheriff")).sheriff },
  "colored-trails": {
    sign: { text: "⚑", hue: 120 },
    together: true,
    load: async () => (await import("./colored-trails")).coloredTrails,
  },
  "tiny-bridge": {
    sign: { text: "♠♥", hue: 340 },
    together: true,
    load: async () => (await import("./tiny-bridge")).tinyBridge,
  },
  "trade-comm": {
    sign: { text: "⇄", hue: 165 },
    together: true,
    load: async () => (await import("./trade-comm")).tradeComm,
  },
  "normal-form": { sign: { text: "⊞", hue: 260 }, load: async () => (await import("./normal-form")).normalForm },
};
const ORDER = Object.keys(ROWS);
const OTHER = { load: async () => (await import("./generic")).generic };

export const signOf = (game: string) =>
  ROWS[gameBase(game)]?.sign ?? {
    text: gameBase(game).charAt(0).toUpperCase(),
    hue: [...gameBase(game)].reduce((sum, c) => sum + 37 * c.charCodeAt(0), 0) % 360,
  };

/** The address of the drawn cover of a game, if it has one: such games are offered first. */
export const coverOf = (game: string) => (ROWS[gameBase(game)]?.cover ? `/covers/${gameBase(game)}.svg` : undefined);

/** What the others are in a game: partners where people make deals or play together. */
export const opponentWord = (game: string) => (ROWS[gameBase(game)]?.together ? "partner" : "opponent");

/** "against Careful Carla", or "with" somebody with whom one plays together. */
export const againstText = (game: string, names: string) =>
  `${ROWS[gameBase(game)]?.together ? "with" : "against"} ${names}`;

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
  drawingOf(state.game).verdict?.(state)?.heading ??
  (state.seat === null ? resultAmong(state) : state.result ? resultText(state.result, state.seat) : "");

const rank = ({ name }: GameInfo) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** The games that are drawn first. */
export const sortGames = (games: GameInfo[]) => games.toSorted((a, b) => rank(a) - rank(b));
