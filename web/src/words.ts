// The API speaks of player 0 and player 1; a person would rather read "you".
import type { Event, TableState } from "./api/client";

const VERBS = /player (\d+)( \w+)?/g;

/** "player 0 draws green" as the seat reads it: "you draw green". */
export function personal(text: string, seat: number, players: number): string {
  const turned = text.replace(VERBS, (_, number: string, verb: string | undefined) => {
    const word = verb?.trim() ?? "";
    if (Number(number) !== seat) return (players === 2 ? "the agent" : `player ${number}`) + (verb ?? "");
    if (word === "has") return "you have";
    return word.endsWith("s") ? `you ${word.slice(0, -1)}` : `you${verb ?? ""}`;
  });
  return turned.replaceAll("you's", "your").replaceAll("the agent's", "its");
}

export const first = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export function who(event: Event, players: number): string {
  if (event.by === "you") return "You";
  if (event.by === "chance") return "";
  return players === 2 ? "Agent" : `Player ${event.player}`;
}

/** "monopoly-deal(preset=paper)" for a person: "Monopoly Deal · preset paper". */
export function gameTitle(name: string): string {
  const [whole = name, abstraction] = name.split("/");
  const [base = whole, inside = ""] = whole.replace(/\)$/, "").split("(");
  const options = [inside, abstraction ? `${abstraction} abstraction` : ""].filter(Boolean).join(",");
  const title = base
    .replace(/^liars/, "liar's")
    .split("-")
    .map(first)
    .join(" ");
  return options ? `${title} · ${options.replaceAll("=", " ").replaceAll(",", ", ")}` : title;
}

export const OUTCOMES: Record<string, string> = {
  won: "You won",
  lost: "You lost",
  drawn: "A draw",
  resigned: "You resigned",
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

/** How it ended, with what each got. */
export function score(state: TableState): string {
  const mine = state.result?.payoffs[state.seat];
  return mine === undefined ? "" : signed(mine) || "0";
}
