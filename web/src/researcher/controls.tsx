// Pause, stop, and what can be taken away: the pay list and the data.
import { type ReactNode, useRef } from "react";
import { Button, Panel } from "../ui/basic";
import type { Overview, StudyRuns } from "./overview";

const LINK =
  "inline-flex min-h-10 items-center justify-center rounded-lg border border-line bg-panel px-3 py-1.5 text-sm hover:bg-raised";

export function Controls({ study, change }: { study: Overview; change: (state: StudyRuns) => void }) {
  const goesOn = study.state !== "stopped";
  return (
    <Panel>
      <div className="flex flex-wrap items-center gap-2">
        {study.state === "running" && (
          <Confirmed button="Pause" title="Pause the study?" yes="Pause" onYes={() => change("paused")}>
            Games that run go on to their end; no new one begins, and nobody is matched. Participants are told. Waiting
            times keep counting.
          </Confirmed>
        )}
        {study.state === "paused" && (
          <Button look="main" onClick={() => change("running")}>
            Go on
          </Button>
        )}
        {goesOn && (
          <Confirmed button="Stop" title="Stop the study for good?" yes="Stop for good" onYes={() => change("stopped")}>
            Nobody can come in any more. Tournaments that run are played to their end; everybody else is sent home with
            base pay. This cannot be undone.
          </Confirmed>
        )}
        {!goesOn && <p className="text-sm text-soft">The study was stopped.</p>}
        <div className="ml-auto flex gap-2">
          <a className={LINK} href="/api/researcher/pay" download>
            Pay list
          </a>
          {goesOn ? (
            <Confirmed button="Data" title="Download the data now?" yes="Download" href="/api/researcher/data">
              The study still runs: whoever looks at the data knows results before it is over. The download is recorded.
              Nobody can be recognised in the data, and games that run are left out.
            </Confirmed>
          ) : (
            <a className={LINK} href="/api/researcher/data" download>
              Data
            </a>
          )}
        </div>
      </div>
      <p className="mt-3 text-xs break-words text-soft">
        Participants come to{" "}
        <code className="select-all">
          {window.location.origin}/study?{study.parameter}=ID
        </code>
        , each with an id of their own. The pay list has these ids: it is personal data.
      </p>
    </Panel>
  );
}

/** A button that asks first; `href` is for something to download. */
export function Confirmed({
  button,
  title,
  yes,
  onYes,
  href,
  children,
}: {
  button: string;
  title: string;
  yes: string;
  onYes?: () => void;
  href?: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  return (
    <>
      <Button onClick={() => dialog.current?.showModal()}>{button}</Button>
      <dialog
        ref={dialog}
        aria-label={title}
        className="m-auto w-[min(30rem,94vw)] rounded-2xl border border-line bg-panel p-0 text-ink shadow-2xl backdrop:bg-black/50"
      >
        <div className="space-y-3 p-5 sm:p-6">
          <h2 className="text-xl">{title}</h2>
          <p>{children}</p>
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={close}>Cancel</Button>
            {href ? (
              <a
                className="inline-flex min-h-10 items-center rounded-lg bg-accent px-3 py-1.5 text-sm font-semibold text-accent-ink"
                href={href}
                download
                onClick={close}
              >
                {yes}
              </a>
            ) : (
              <Button
                look="main"
                onClick={() => {
                  close();
                  onYes?.();
                }}
              >
                {yes}
              </Button>
            )}
          </div>
        </div>
      </dialog>
    </>
  );
}
