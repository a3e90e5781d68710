// The researcher's page: who is where in the study, how games end, pause and stop, pay list and data.
import { useState } from "react";
import { api, ask, errorText } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { Chip, Empty, Loading, ErrorMessage } from "../ui/basic";
import { ThemeSwitch } from "../layout/header";
import { SignOut } from "../layout/sign-in";
import { useTitle } from "../ui/use-title";
import { Conditions, Stages } from "./balance";
import { Controls } from "./controls";
import { Log } from "./log";
import { Numbers } from "./numbers";
import type { Overview, StudyRuns } from "./overview";
import { Participants } from "./participants";
import { Results } from "./results";
import { Tournaments } from "./tournaments";

const POLL_MS = 3000; // milliseconds between looks
const TONES = { running: "good", paused: "warn", stopped: "bad" } as const;

export default function ResearcherPage() {
  const { data, problem, status, again } = useApiQuery("overview", () => ask(api.GET("/api/researcher")), {
    refetchInterval: POLL_MS,
  });
  useTitle(data ? `${data.title}: researcher` : "Researcher");
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-20 border-b border-line bg-panel">
        <div className="mx-auto flex min-h-13 max-w-7xl items-center gap-2 px-3 py-1.5 sm:px-5">
          <h1 className="min-w-0 grow truncate text-lg sm:text-xl">{data?.title ?? "Study"}</h1>
          {data && <Chip tone={TONES[data.state]}>{data.state}</Chip>}
          <SignOut />
          <ThemeSwitch />
        </div>
      </header>
      <main className="mx-auto w-full max-w-7xl grow space-y-4 px-3 py-4 sm:px-5">
        {problem &&
          (status === 404 && !data ? (
            <Empty>{problem} Start one with: parlor study serve FILE</Empty>
          ) : (
            <ErrorMessage again={again}>{problem}</ErrorMessage>
          ))}
        {data ? <Watch study={data} again={again} /> : !problem && <Loading what="the study" />}
      </main>
    </div>
  );
}

function Watch({ study, again }: { study: Overview; again: () => void }) {
  const [problem, setProblem] = useState("");
  async function change(state: StudyRuns) {
    setProblem("");
    try {
      await ask(api.PUT("/api/researcher/state", { body: { state } }));
    } catch (error) {
      setProblem(errorText(error));
    }
    again();
  }
  return (
    <>
      {study.speed !== 1 && (
        <p className="rounded-lg border border-warn/40 bg-warn-bg px-4 py-2 text-sm text-warn">
          A rehearsal: the study’s time passes {study.speed} times as fast. The data say so.
        </p>
      )}
      {problem && <ErrorMessage>{problem}</ErrorMessage>}
      <Numbers study={study} />
      <Controls study={study} change={(state) => void change(state)} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Stages study={study} />
        <Conditions study={study} />
      </div>
      <Tournaments study={study} />
      <Participants study={study} />
      <Results state={study.state} />
      <Log study={study} />
    </>
  );
}
