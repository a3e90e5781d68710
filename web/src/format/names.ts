// Names of games, options and players as a person reads them.
import type { GameInfo } from "../api/client";
import { capitalized } from "./numbers";

/** At a table players are counted from one, as seats are. */
export const playerName = (player: number | null) => `Player ${(player ?? 0) + 1}`;

/** Two letters for a small place: "Careful Carl" is CC, "Random 2" R2, "Careful Carl 3" C3. */
export function initials(name: string): string {
  const words = name.split(" ");
  if (name === "You") return name;
  return words.length > 1 ? `${words[0]?.[0]}${words.at(-1)?.[0]}` : name.slice(0, 1);
}

/** "name(option=value)", as games and agents are named. */
export function formatGameName(name: string, options: Record<string, string>): string {
  const inside = Object.entries(options).map(([option, value]) => `${option}=${value}`);
  return inside.length ? `${name}(${inside.join(",")})` : name;
}

/** "game(players=3)/abstraction" into its parts; `whole` is what it is an abstraction of. */
export function parseGameName(name: string): {
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

export const gameBase = (name: string) => parseGameName(name).base;

/** What an option is called, from its name in the rules. */
export const optionTitle = (name: string) => capitalized(name.replaceAll("_", " "));

/** An option with its value, for people: "3 players", "Large", "Cards 5", "Imperfect: no". */
function optionText(name: string, value: string, game: GameInfo | undefined): string {
  const word = game?.options.find((option) => option.name === name)?.words.find((one) => one.word === value);
  if (name === "players") return `${value} players`;
  if (name === "preset") return word?.title ?? capitalized(value);
  return word
    ? `${optionTitle(name).toLowerCase()}: ${optionChoiceTitle(word)}`
    : `${optionTitle(name).toLowerCase()} ${value}`;
}

export const optionChoiceTitle = ({ word, title }: { word: string; title: string }) =>
  ({ true: "yes", false: "no" })[word] ?? title.toLowerCase();

/** All options of a game with their values, as far as the game is known: those in its name, else of its preset, else the defaults. */
export function optionsOf(name: string, games: GameInfo[]): Record<string, string> {
  const { base, options } = parseGameName(name);
  const game = games.find((one) => one.name === base);
  const given = Object.fromEntries(options);
  const defaults = Object.fromEntries((game?.options ?? []).map((option) => [option.name, option.default]));
  return { ...defaults, ...game?.presets[given.preset ?? defaults.preset ?? ""], ...given };
}

/** "some-game(players=3)" for a person: "Some Game · 3 players". */
export function gameTitle(name: string, games: GameInfo[]): string {
  const { base, options, abstraction } = parseGameName(name);
  const game = games.find((one) => one.name === base);
  const title = game?.title ?? base.split("-").map(capitalized).join(" ");
  const offered = Object.entries(game?.offered ?? {});
  const asOffered = options.length === offered.length && options.every(([key, value]) => game?.offered[key] === value);
  if (asOffered && !abstraction) return title;
  const texts = options.map(([option, value]) => optionText(option, value, game));
  if (abstraction) texts.push(`${abstraction} abstraction`);
  return texts.length ? `${title} · ${texts.join(", ")}` : title;
}
