// What is right in a quiz about a strategy, and how it is said.
import type { Shapes } from "../api/client";
import { formatPercent } from "../format/numbers";

export type Question = Shapes["QuizQuestion"];

const most = ({ moves }: Question) => Math.max(...moves.map((one) => one.probability));

/** Whether it makes no other move more often. */
export const isBest = (question: Question, index: number) =>
  (question.moves[index]?.probability ?? 0) >= most(question) - 0.005;

export function answerText(question: Question, guess: number): string {
  const best = question.moves.find((one) => one.probability === most(question));
  const mine = question.moves[guess];
  if (!best || !mine) return "";
  const often = best.probability > 0.995 ? "always" : `${formatPercent(best.probability)} of the time`;
  return isBest(question, guess)
    ? `It does so ${often}.`
    : `It would choose ${best.text} ${often}, and ${mine.text} ${formatPercent(mine.probability)}.`;
}
