// The API speaks of player 0 and player 1; a person would rather read "you".
import type { Event, RunInfo, TableState } from "./api/client";

const VERBS = /player (\d+)( \w+)?/g;

/** Players are counted from one, as seats are. */
export const playerName = (player: number | null) => `Player ${(player ?? 0) + 1}`;
export const numbered = (text: string) => text.replace(/player (\d+)/g, (_, player: string) => `player ${Number(player) + 1}`);

/** "player 0 draws green" as the seat reads it: "you draw green". */
export function personal(text: string, seat: number, players: number): string {
  const turned = text.replace(VERBS, (_, number: string, verb: string | undefined) => {
    const word = verb?.trim() ?? "";
    if (Number(number) !== seat) return (players === 2 ? "the agent" : `player ${Number(number) + 1}`) + (verb ?? "");
    if (word === "has") return "you have";
    return word.endsWith("s") ? `you ${word.slice(0, -1)}` : `you${verb ?? ""}`;
  });
  return turned.replaceAll("you's", "your").replaceAll("the agent's", "its");
}

/** "AddToPropertySet", as an abstraction calls it, in words; other names as they are. */
export const spaced = (name: string) =>
  /^([A-Z][a-z]+){2,}$/.test(name) ? name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : name;

export const first = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function who(event: Event, players: number): string {
  if (event.by === "you") return "You";
  if (event.by === "chance") return "";
  return players === 2 ? "Agent" : playerName(event.player);
}

/** "monopoly-deal(preset=paper)" without its options. */
export const gameBase = (name: string) => name.split("(")[0] ?? name;

/** "monopoly-deal(preset=paper)" for a person: "Monopoly Deal · preset paper". */
export function gameTitle(name: string): string {
  const [whole = name, abstraction] = name.split("/");
  const [base = whole, inside = ""] = whole.replace(/\)$/, "").split("(");
  const options = [inside, abstraction ? `${abstraction} abstraction` : ""].filter(Boolean).join(",");
  const title = base
    .replace(/^liars/, "liar's")
    .replace(/^holdem/, "hold'em")
    .replace(/^openspiel:/, "")
    .split(/[-_]/)
    .map(first)
    .join(" ");
  const said = options.replace(/\bplayers=(\d+)/, "$1 players").replaceAll("=", " ").replaceAll(",", ", ");
  return said ? `${title} · ${said}` : title;
}

export const OUTCOMES: Record<string, string> = {
  won: "You won",
  lost: "You lost",
  drawn: "A draw",
  resigned: "You resigned",
};

/** How far a training run has come: by its games, or by the clock. */
export const progress = ({ games, minutes, config }: RunInfo) =>
  config.games
    ? { share: games / config.games, text: `${games.toLocaleString("en")} of ${config.games.toLocaleString("en")} games` }
    : { share: minutes / config.minutes, text: `${games.toLocaleString("en")} games, ${short(Math.min(minutes, config.minutes))} of ${short(config.minutes)} minutes` };

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

/** Who sits at the other seats: all of them are one agent. */
export const opponents = (name: string, players: number) => (players > 2 ? `${players - 1} × ${name}` : name);

/** What everybody got, the person first. */
export function scores(state: TableState): string {
  const payoffs = state.result?.payoffs ?? [];
  const others = payoffs.map((payoff, player) => [payoff, player] as const).filter(([, player]) => player !== state.seat);
  const mine = payoffs[state.seat];
  if (mine === undefined) return "";
  const rest = payoffs.length > 2 ? others.map(([payoff, player]) => `, ${playerName(player).toLowerCase()} ${signed(payoff)}`) : [];
  return `You get ${signed(mine)}${rest.join("")}.`;
}
