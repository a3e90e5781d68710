// Questions, all on one page: the test, the questionnaire, and the decisions that are made with sliders.
import { type FormEvent, type ReactNode, useState } from "react";
import { type Given, type Question, answerError, toAnswers } from "./answers";
import { store, read } from "./entry";
import { Onward } from "./frame";
import { Slider } from "./slider";
import type { Study } from "./use-study";

const MAX_LENGTH = 4000; // characters of an answer

/** Whoever reloads the page finds what they had written. */
export function Questions({
  study,
  stage,
  questions,
  button,
}: {
  study: Study;
  stage: string;
  questions: Question[];
  button: string;
}) {
  const [given, setGiven] = useState<Given>(() => read<Given>(`.${stage}`) ?? {});
  const [tried, setTried] = useState(false);
  const missing = questions.filter((question) => answerError(question, given[question.id]));
  const set = (id: string, answer: string | number) => {
    const next = { ...given, [id]: answer };
    setGiven(next);
    store(`.${stage}`, next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!missing[0]) return study.answer(toAnswers(questions, given));
    document.getElementById(missing[0].id)?.querySelector<HTMLElement>("input, textarea")?.focus();
  };
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {questions.map((question, index) => (
        <Ask
          key={question.id}
          question={question}
          number={index + 1}
          given={given[question.id]}
          set={(answer) => set(question.id, answer)}
          problem={tried ? answerError(question, given[question.id]) : ""}
        />
      ))}
      <Onward
        study={study}
        before={
          tried && missing.length > 0 ? (
            <p role="alert" className="text-sm text-bad">
              {missing.length === 1 ? "One question is" : `${missing.length} questions are`} not answered yet.
            </p>
          ) : undefined
        }
      >
        {button}
      </Onward>
    </form>
  );
}

const ANSWER =
  "flex min-h-11 items-center gap-3 rounded-lg border border-line px-3 py-2 " +
  "hover:bg-raised has-checked:border-accent has-checked:bg-accent/10 " +
  "has-focus-visible:outline-3 has-focus-visible:outline-(--ring)";

function Ask({
  question,
  number,
  given,
  set,
  problem,
}: {
  question: Question;
  number: number;
  given: string | number | undefined;
  set: (answer: string | number) => void;
  problem: string;
}) {
  const { id, kind, text, required, answers, pairs } = question;
  const words = (
    <>
      <span className="mr-2 text-soft">{number}.</span>
      {text}
      {!required && <span className="ml-2 text-sm font-normal text-soft">(you may leave this out)</span>}
    </>
  );
  const flaw = {
    "aria-invalid": problem ? true : undefined,
    "aria-describedby": problem ? `${id}-problem` : undefined,
  };
  const said = problem && (
    <p id={`${id}-problem`} className="mt-2 text-sm text-bad">
      {problem}
    </p>
  );
  if (kind === "choice") {
    return (
      <Box id={id} flawed={problem !== ""} group legend={words}>
        <div className="grid gap-1.5">
          {answers.map((answer) => (
            <label key={answer} className={ANSWER}>
              <input
                type="radio"
                name={id}
                className="size-4 shrink-0 outline-none"
                checked={given === answer}
                onChange={() => set(answer)}
                {...flaw}
              />
              <span>{answer}</span>
            </label>
          ))}
        </div>
        {said}
      </Box>
    );
  }
  if (kind === "slider") {
    return (
      <Box id={id} flawed={problem !== ""} group legend={`Line ${number}`}>
        <Slider
          pairs={pairs}
          label={`Line ${number}`}
          position={typeof given === "number" ? given : undefined}
          set={set}
          flaw={flaw}
        />
        {said}
      </Box>
    );
  }
  return (
    <Box id={id} flawed={problem !== ""} legend={<label htmlFor={`${id}-field`}>{words}</label>}>
      {kind === "number" ? (
        <input
          id={`${id}-field`}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          className="field w-40"
          value={given ?? ""}
          onChange={(event) => set(event.target.value)}
          {...flaw}
        />
      ) : (
        <textarea
          id={`${id}-field`}
          rows={4}
          maxLength={MAX_LENGTH}
          className="field block w-full resize-y"
          value={given ?? ""}
          onChange={(event) => set(event.target.value)}
          {...flaw}
        />
      )}
      {said}
    </Box>
  );
}

/** A question with its answer; a `group` has more than one thing to choose from. */
function Box({
  id,
  flawed,
  group = false,
  legend,
  children,
}: {
  id: string;
  flawed: boolean;
  group?: boolean;
  legend: ReactNode;
  children: ReactNode;
}) {
  const look = `panel min-w-0 p-4 sm:p-5 ${flawed ? "border-bad!" : ""}`;
  if (!group) {
    return (
      <div id={id} className={look}>
        <p className="mb-3 font-semibold">{legend}</p>
        {children}
      </div>
    );
  }
  return (
    <fieldset id={id} className={look}>
      <legend className="float-left mb-3 w-full font-semibold">{legend}</legend>
      <div className="clear-both">{children}</div>
    </fieldset>
  );
}
