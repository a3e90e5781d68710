// The pages of a study server: a participant comes by a link, and is led through the study.
import { type FormEvent, lazy, useCallback, useEffect, useRef, useState } from "react";
import { Route, Routes, useSearchParams } from "react-router";
import { type Shapes, api, ask, errorText } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { Button, Empty, Panel, ErrorMessage, PagePending } from "../ui/basic";
import { useTitle } from "../ui/use-title";
import { type StoredEntry, enter, storedEntry } from "./entry";
import { Stages } from "./stages";
import { useStudy } from "./use-study";

type Info = Shapes["StudyInfo"];

const ResearcherPage = lazy(() => import("../researcher"));

export default function StudyPages() {
  return (
    <Routes>
      <Route index element={<Participant />} />
      <Route path="study" element={<Participant />} />
      <Route path="researcher" element={<ResearcherPage />} />
      <Route path="*" element={<Nowhere />} />
    </Routes>
  );
}

function Nowhere() {
  return (
    <main className="mx-auto w-full max-w-md px-3 py-8">
      <Empty>
        <h1 className="mb-2 text-xl">Nothing here</h1>
        Please open the link that you were given again.
      </Empty>
    </main>
  );
}

function Participant() {
  const [query] = useSearchParams();
  const about = useApiQuery("study", () => ask(api.GET("/api/study")));
  if (about.data)
    return (
      <Come
        info={about.data}
        linked={query.get(about.data.parameter)?.trim() ?? ""}
        signature={query.get("signature") ?? ""}
      />
    );
  return (
    <main className="mx-auto w-full max-w-md px-3 py-8">
      <PagePending what="the study" problem={about.problem} again={about.again} />
    </main>
  );
}

/** Come in by the id in the link, or by the one that is written here; whoever was here before goes on. */
function Come({ info, linked, signature }: { info: Info; linked: string; signature: string }) {
  const [kept, setKept] = useState<StoredEntry | undefined>(() => storedEntry(linked));
  const [problem, setProblem] = useState("");
  const come = useCallback((participant: string, signature: string) => {
    setProblem("");
    enter(participant, signature).then(setKept, (error: unknown) => {
      setKept(undefined);
      setProblem(errorText(error));
    });
  }, []);
  useEffect(() => {
    if (!storedEntry(linked) && linked) come(linked, signature);
  }, [linked, signature, come]);
  useTitle("", info.title);
  if (kept) return <Within key={kept.token} kept={kept} newer={setKept} again={come} />;
  if (linked && !problem) {
    return (
      <main className="mx-auto w-full max-w-md px-3 py-8">
        <PagePending what="the study" />
      </main>
    );
  }
  return (
    <Entrance info={info} linked={linked} problem={problem} come={(participant) => come(participant, signature)} />
  );
}

/** A link without an id: it is asked for. One whose id was refused: why. */
function Entrance({
  info,
  linked,
  problem,
  come,
}: {
  info: Info;
  linked: string;
  problem: string;
  come: (participant: string) => void;
}) {
  const [participant, setParticipant] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (participant.trim()) come(participant.trim());
  };
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-4 px-3 py-8">
      <h1 className="text-center text-2xl sm:text-3xl">{info.title}</h1>
      {linked ? (
        <ErrorMessage again={() => come(linked)}>{problem}</ErrorMessage>
      ) : (
        <Panel title="Who are you?">
          <form onSubmit={submit} className="grid gap-3">
            <p className="text-soft">
              The link that you followed does not say it. Please write the id by which the place that sent you knows
              you, or open your link again.
            </p>
            <label>
              Your participant id
              <input
                className="field mt-1 block w-full"
                maxLength={200}
                required
                autoComplete="off"
                value={participant}
                onChange={(event) => setParticipant(event.target.value)}
              />
            </label>
            {problem && <ErrorMessage>{problem}</ErrorMessage>}
            <Button look="main" type="submit" className="min-h-11">
              Go on
            </Button>
          </form>
        </Panel>
      )}
    </main>
  );
}

/** In the study, as long as the token is good. */
function Within({
  kept,
  newer,
  again,
}: {
  kept: StoredEntry;
  newer: (kept: StoredEntry) => void;
  again: (participant: string, signature: string) => void;
}) {
  const study = useStudy(kept.token);
  const { state, refused } = study;
  const fresh = useRef(true);
  useEffect(() => {
    if (state) fresh.current = false;
  }, [state]);
  useEffect(() => {
    if (!refused) return;
    const now = storedEntry(kept.participant);
    if (now && now.token !== kept.token) newer(now); // another window of this browser
    else if (fresh.current) again(kept.participant, kept.signature); // whoever opens the page wants to go on here
  }, [refused, kept, newer, again]);
  if (refused && state) return <Moved title={state.title} back={() => again(kept.participant, kept.signature)} />;
  if (state) return <Stages study={study} state={state} />;
  return (
    <main className="mx-auto w-full max-w-md px-3 py-8">
      <PagePending what="the study" problem={study.gone || study.problem} again={study.retry} />
    </main>
  );
}

function Moved({ title, back }: { title: string; back: () => void }) {
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md content-center gap-4 px-3 py-8">
      <h1 className="text-center text-2xl">{title}</h1>
      <Panel title="You went on in another window">
        <div className="grid gap-3">
          <p role="alert">The study is open on another device or in another window. You can close this one.</p>
          <Button onClick={back}>Go on here instead</Button>
        </div>
      </Panel>
    </main>
  );
}
