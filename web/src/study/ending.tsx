// The end, whichever it is: thanks, what one gets, the code, and the way back to where one came from.
import { useEffect } from "react";
import { CopyField } from "../ui/copy";
import { leave } from "./entry";
import { Heading, Paragraphs } from "./frame";
import { Pay } from "./scores";
import type { StudyState } from "./use-study";

/** What is said where the study says nothing else. */
const WORDS: Partial<Record<StudyState["stage"], { title: string; text: string }>> = {
  done: { title: "Thank you", text: "You have finished the study." },
  failed: {
    title: "Thank you for your time",
    text: "Not enough of your answers were right, so you cannot take part in the games.",
  },
  declined: { title: "Goodbye", text: "You have chosen not to take part. You can close this window." },
  unmatched: {
    title: "No group was found",
    text: "Not enough people came while you were waiting. That is not your fault: you get your base pay.",
  },
  stopped: { title: "The study has ended", text: "It was ended before your games could begin." },
};

export function Ending({ state }: { state: StudyState }) {
  const words = WORDS[state.stage] ?? { title: "Thank you", text: "" };
  const { screen, pay, code, completion_url } = state;
  useEffect(leave, []);
  return (
    <article className="panel space-y-5 p-4 sm:p-8">
      <Heading>{screen?.title || words.title}</Heading>
      <Paragraphs text={screen?.text || words.text} />
      {pay && pay.base + pay.bonus > 0 && <Pay pay={pay} />}
      {code && (
        <section className="space-y-2 rounded-lg bg-raised p-4">
          <h2 className="text-lg">Your completion code</h2>
          <CopyField label="Completion code" text={code} button="Copy the code" />
          <p className="text-sm text-soft">It shows that you have taken part. Keep it until you have been paid.</p>
        </section>
      )}
      {completion_url ? (
        <p>
          <a
            href={completion_url}
            rel="noreferrer"
            className="inline-flex min-h-11 items-center rounded-lg bg-accent px-5 font-semibold text-accent-ink hover:brightness-110"
          >
            Finish and go back
          </a>
        </p>
      ) : (
        code && <p className="text-soft">You can close this window when you have copied the code.</p>
      )}
    </article>
  );
}
