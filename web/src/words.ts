// Small words and numbers that every page uses.
import type { Event, GameInfo, RunInfo, TableState } from "./api/client";

/** At a table players are counted from one, as seats are. */
export const playerName = (player: number | null) => `Player ${(player ?? 0) + 1}`;

export const first = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Two letters for a small place: "Careful Carl" is CC, "Random 2" R2, "Careful Carl 3" C3. */
export function initials(name: string): string {
  const words = name.split(" ");
  if (name === "You") return name;
  return words.length > 1 ? `${words[0]?.[0]}${words.at(-1)?.[0]}` : name.slice(0, 1);
}

export function who(event: Event, names: string[]): string {
  return event.actor === null ? "" : (names[event.actor] ?? playerName(event.actor));
}

/** "game(players=3)/abstraction" into its parts; `whole` is what it is an abstraction of. */
export function gameParts(name: string): {
  base: string;
  whole: string;
  options: [string, string][];
  abstraction: string;
} {
  const last = name.slice(name.lastIndexOf("/") + 1);
  const abstraction = last === name || last.endsWith(")") || last.endsWith(".py") || last.includes("(") ? "" : last;
  const whole = abstraction ? name.slice(0, -abstraction.length - 1) : name;
  const open = whole.indexOf("(");
  const base = open < 0 ? whole : whole.slice(0, open);
  const inside = open < 0 ? "" : whole.slice(open + 1, -1);
  const options = inside
    .split(",")
    .filter(Boolean)
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  return { base, whole, options, abstraction };
}

export const gameBase = (name: string) => gameParts(name).base;

/** What an option is called, from its name in the rules. */
export const optionTitle = (name: string) => first(name.replaceAll("_", " "));

/** An option with its value, for people: "3 players", "Large", "Cards 5", "Imperfect: no". */
function optionWords(name: string, value: string, game: GameInfo | undefined): string {
  const word = game?.options.find((option) => option.name === name)?.words.find((one) => one.word === value);
  if (name === "players") return `${value} players`;
  if (name === "preset") return word?.title ?? first(value);
  return word ? `${optionTitle(name).toLowerCase()}: ${yesOrNo(word)}` : `${optionTitle(name).toLowerCase()} ${value}`;
}

export const yesOrNo = ({ word, title }: { word: string; title: string }) =>
  ({ true: "yes", false: "no" })[word] ?? title.toLowerCase();

/** All options of a game with their values, as far as the game is known: those in its name, else of its preset, else the defaults. */
export function optionsOf(name: string, games: GameInfo[]): Record<string, string> {
  const { base, options } = gameParts(name);
  const game = games.find((one) => one.name === base);
  const given = Object.fromEntries(options);
  const defaults = Object.fromEntries((game?.options ?? []).map((option) => [option.name, option.default]));
  return { ...defaults, ...game?.presets[given.preset ?? defaults.preset ?? ""], ...given };
}

/** "some-game(players=3)" for a person: "Some Game · 3 players". */
export function gameTitle(name: string, games: GameInfo[]): string {
  const { base, options, abstraction } = gameParts(name);
  const game = games.find((one) => one.name === base);
  const title = game?.title ?? base.split("-").map(first).join(" ");
  const said = options.map(([option, value]) => optionWords(option, value, game));
  if (abstraction) said.push(`${abstraction} abstraction`);
  return said.length ? `${title} · ${said.join(", ")}` : title;
}

export const OUTCOMES: Record<string, string> = {
  won: "You won",
  lost: "You lost",
  drawn: "A draw",
  resigned: "You resigned",
  ended: "It is over",
};

/** How it ended for a seat: won or lost where one's gain is another's loss, else what it got and whether that was the most. */
export function ending({ outcome, kind, payoffs }: NonNullable<TableState["result"]>, seat: number | null): string {
  const mine = seat === null ? undefined : payoffs[seat];
  if (kind === "zero-sum" || outcome === "resigned" || mine === undefined) return OUTCOMES[outcome] ?? "";
  if (kind === "common-payoff") return `You all got ${short(mine)}`;
  const most = payoffs.filter((payoff) => payoff === Math.max(...payoffs)).length;
  return `You got ${short(mine)}, ${mine < Math.max(...payoffs) ? "not the most" : most > 1 ? "tied for the most" : "the most"}`;
}

export const RUN_TONES = { finished: "good", running: "warn", stopped: "bad" } as const;

/** "1 checkpoint", "2 checkpoints". */
export const plural = (n: number, what: string) => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

/** A run in words: the game and how it was learned. */
export const runTitle = ({ config }: RunInfo, gameTitle: (game: string) => string) =>
  `${gameTitle(gameParts(config.game).whole)}, learned by ${config.algorithm}`;

/** How far a run has come: by its games or iterations, or by the clock. */
export const progress = ({ steps, reached, goal, minutes, goal_minutes }: RunInfo) =>
  goal_minutes === null
    ? {
        share: reached / (goal ?? 1),
        text: `${reached.toLocaleString("en")} of ${(goal ?? 0).toLocaleString("en")} ${steps}`,
      }
    : {
        share: minutes / goal_minutes,
        text: `${reached.toLocaleString("en")} ${steps}, ${short(Math.min(minutes, goal_minutes))} of ${short(goal_minutes)} minutes`,
      };

export function percent(x: number): string {
  if (x > 0 && x < 0.0005) return "<0.1 %";
  return `${(100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0)} %`;
}

export const signed = (x: number) => (x > 0 ? "+" : x < 0 ? "−" : "") + short(Math.abs(x));

/** A number at the precision a person can use. */
export function short(x: number): string {
  const size = Math.abs(x);
  if (size !== 0 && size < 0.001) return x.toExponential(1);
  if (size >= 10_000) return Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(x);
  return String(Number(x.toPrecision(size >= 1 ? 4 : 3)));
}

/** The side that is drawn below: one's own, or to a spectator that of the first player. */
export const nearSide = (state: TableState) => state.seat ?? 0;

/** "Random", "3 × Random". */
export const counted = (name: string, n: number) => (n > 1 ? `${n} × ${name}` : name);

/** Who sits at the other seats; several of the same agent are counted. */
export function opponents(state: TableState): string {
  const names = state.seats
    .filter((seat) => seat.seat !== state.seat)
    .map((seat) => (seat.kind === "open" ? "an open seat" : seat.name));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, n]) => counted(name, n)).join(", ");
}

/** The first agent at the table. */
export const firstAgent = (state: TableState) => state.seats.find((seat) => seat.agent)?.agent ?? undefined;

/** What everybody got, the person first; nothing where winning is all there is to get. */
export function scores(state: TableState, unit?: string): string {
  const payoffs = state.result?.payoffs ?? [];
  const others = payoffs
    .map((payoff, player) => [payoff, player] as const)
    .filter(([, player]) => player !== state.seat);
  const mine = state.seat === null ? undefined : payoffs[state.seat];
  if (mine === undefined) return "";
  if (payoffs.length > 2 || state.result?.kind !== "zero-sum") {
    return `You get ${signed(mine)}${others.map(([payoff, player]) => `, ${state.names[player]} ${signed(payoff)}`).join("")}.`;
  }
  if (mine === 0 || (!unit && Math.abs(mine) === 1)) return "";
  return unit ? `You ${mine > 0 ? "win" : "lose"} ${plural(Math.abs(mine), unit)}.` : `You get ${signed(mine)}.`;
}
