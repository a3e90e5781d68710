// What would it do? A situation from a game that the strategy played with itself; the person guesses, and sees the answer.
import { useState } from "react";
import { api, ask } from "../api/client";
import { answerText, isBest } from "./quiz-answer";
import { useApiQuery } from "../queries/use-api-query";
import { capitalized, formatPercent } from "../format/numbers";
import { ShareBar, Button, Loading, ErrorMessage } from "../ui/basic";

type Score = { asked: number; right: number };

const seedNow = () => Math.floor(Math.random() * 2 ** 40);
const place = (id: string) => `parlor.quiz ${id}`;

function scoreOf(id: string): Score {
  try {
    return { asked: 0, right: 0, ...(JSON.parse(localStorage.getItem(place(id)) ?? "{}") as Partial<Score>) };
  } catch {
    return { asked: 0, right: 0 };
  }
}

function keepScore(id: string, score: Score): void {
  try {
    localStorage.setItem(place(id), JSON.stringify(score));
  } catch {
    // a browser without storage: the score lasts until the page is closed
  }
}

export function Quiz({ agent }: { agent: { id: string; name: string } }) {
  const [seed, setSeed] = useState(seedNow);
  const [score, setScore] = useState(() => scoreOf(agent.id));
  const [guess, setGuess] = useState<number>();
  const asked = useApiQuery(`quiz ${agent.id} ${seed}`, () =>
    ask(api.GET("/api/agents/{agent}/quiz", { params: { path: { agent: agent.id }, query: { seed } } })),
  );
  if (asked.problem) return <ErrorMessage again={asked.again}>{asked.problem}</ErrorMessage>;
  if (!asked.data || asked.stale) return <Loading what="a situation" />;
  const question = asked.data;
  const choose = (index: number) => {
    if (guess !== undefined) return;
    setGuess(index);
    const next = { asked: score.asked + 1, right: score.right + Number(isBest(question, index)) };
    setScore(next);
    keepScore(agent.id, next);
  };
  const show = (next: Score) => {
    setScore(next);
    keepScore(agent.id, next);
  };
  return (
    <section aria-label="Quiz" className="panel max-w-2xl space-y-3 p-4" data-testid="quiz">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-xl">What would {agent.name} do?</h2>
        <p className="text-sm text-soft" data-testid="score">
          {score.right} of {score.asked} right
          {score.asked > 0 && (
            <button
              type="button"
              className="ml-2 underline hover:text-ink"
              onClick={() => show({ asked: 0, right: 0 })}
            >
              start anew
            </button>
          )}
        </p>
      </div>
      <p className="rounded-lg bg-raised px-3 py-2">{capitalized(question.picture)}.</p>
      {question.said.length > 0 && (
        <p className="text-sm text-soft">{question.said.map(capitalized).slice(-12).join(" · ")}</p>
      )}
      <ul className="space-y-1.5" aria-label="Possible moves">
        {question.moves.map((one, index) => (
          <li key={one.text} className="grid grid-cols-[minmax(0,1fr)_9rem] items-center gap-2">
            <Button
              className={`justify-start text-left ${guess === index ? "border-2! border-ink! font-semibold" : ""}`}
              aria-pressed={guess === index}
              disabled={guess !== undefined && guess !== index}
              onClick={() => choose(index)}
            >
              {capitalized(one.text)}
            </Button>
            {guess !== undefined && (
              <ShareBar
                share={one.probability}
                label={formatPercent(one.probability)}
                strong={isBest(question, index)}
              />
            )}
          </li>
        ))}
      </ul>
      {guess !== undefined && (
        <div className="flex flex-wrap items-center gap-3" aria-live="polite">
          <p data-testid="answer">
            <b className={isBest(question, guess) ? "text-good" : "text-bad"}>
              {isBest(question, guess) ? "Right." : "No."}
            </b>{" "}
            {answerText(question, guess)}
          </p>
          <Button
            look="main"
            onClick={() => {
              setGuess(undefined);
              setSeed(seedNow());
            }}
          >
            Next situation
          </Button>
        </div>
      )}
    </section>
  );
}
