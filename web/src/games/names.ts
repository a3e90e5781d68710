// Names of moves that are short for whoever types them, as a person says them.
import { gameBase } from "../words";

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const number = (digits: string) => NUMBERS[Number(digits)] ?? digits;

/** Bids of liar's dice: "1-4" is "one four", "2-6" is "two sixes". */
const bids = (text: string) =>
  text
    .replace(/(\d+-\d+) (?=\d+-)/g, "$1, ")
    .replace(/\b(\d+)-(\d+)\b/g, (_, many: string, face: string) => `${number(many)} ${number(face)}${many === "1" ? "" : face === "6" ? "es" : "s"}`);

const WORDS: Record<string, (text: string) => string> = { "liars-dice": bids };

export const inWords = (text: string, game: string) => WORDS[gameBase(game)]?.(text) ?? text;
