// Answers to questions, as they are written and as they are sent.
import type { Shapes } from "../api/client";
import type { Answers } from "./use-study";

export type Question = Shapes["StudyQuestion"];
export type Given = Record<string, string | number | undefined>;

/** What is wrong with an answer, in a sentence; empty if nothing is. */
export function answerError({ kind, required, least, most }: Question, given: string | number | undefined): string {
  const empty = given === undefined || String(given).trim() === "";
  if (empty) return required ? (kind === "slider" ? "Please choose a position." : "Please answer this question.") : "";
  if (kind !== "number") return "";
  const number = Number(given);
  if (!Number.isFinite(number)) return "Please write a number.";
  if (least !== null && most !== null && (number < least || number > most))
    return `Please write a number from ${least} to ${most}.`;
  if (least !== null && number < least) return `Please write a number that is at least ${least}.`;
  if (most !== null && number > most) return `Please write a number that is at most ${most}.`;
  return "";
}

/** The answers as the server takes them: without what is empty. */
export function toAnswers(questions: Question[], given: Given): Answers {
  const answers: Answers = {};
  for (const { id, kind } of questions) {
    const answer = given[id];
    if (answer === undefined || String(answer).trim() === "") continue;
    answers[id] = kind === "number" ? Number(answer) : typeof answer === "string" ? answer.trim() : answer;
  }
  return answers;
}
