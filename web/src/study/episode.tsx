// A game: the whole window is the table, and above it the clock. Nothing else is there.
import { Suspense, useEffect } from "react";
import type { Shapes } from "../api/client";
import { useTable } from "../table/use-table";
import { Loading, ErrorMessage } from "../ui/basic";
import { Mute } from "../table/mute";
import { PlayArea } from "../table/play-area";
import { Overlay } from "../table/result";
import { useSounds } from "../table/sound";
import { useTitle } from "../ui/use-title";
import { Clock } from "./clock";
import { asParticipant } from "./table";
import { useSecondsUntil } from "./time";
import type { Study, StudyState } from "./use-study";

export function Episode({
  study,
  state,
  episode,
}: {
  study: Study;
  state: StudyState;
  episode: Shapes["StudyEpisode"];
}) {
  const table = useTable(episode.table, episode.token);
  const shown = table.state && asParticipant(table.state);
  const left = useSecondsUntil(state.deadline, state.speed);
  const { look } = study;
  const over = shown?.turn === "over" || table.lost;
  const gone = study.gone || table.gone;
  useSounds(shown);
  useTitle(shown?.turn === "you" ? "Your turn" : `Game ${episode.number}`, state.title);
  useEffect(() => {
    if (over) look(); // the score
  }, [over, look]);
  return (
    <div className="flex h-dvh min-h-140 flex-col">
      <header className="sticky top-0 z-40 flex h-12 shrink-0 items-center gap-2 border-b border-line bg-panel px-3 sm:px-5">
        <h1 className="text-lg whitespace-nowrap">
          Game {episode.number} <span className="text-soft">of {episode.of}</span>
        </h1>
        <span className="ml-auto flex items-center gap-1">
          {state.deadline && <Clock key={state.deadline} deadline={state.deadline} speed={state.speed} />}
          <Mute />
        </span>
      </header>
      <main className="relative grid min-h-0 grow grid-cols-[minmax(0,1fr)]">
        <Suspense fallback={<Loading what="the game" />}>
          {shown ? (
            <PlayArea
              table={table}
              state={shown}
              below={(moves) =>
                over ? <p className="py-2 text-center">The game is over. Your score comes in a moment.</p> : moves
              }
            />
          ) : (
            <Loading what="the game" />
          )}
        </Suspense>
        {left !== undefined && left <= 0 && !over && (
          <Overlay>
            <p role="status" className="panel px-6 py-4 text-xl font-semibold shadow-2xl">
              The time is up.
            </p>
          </Overlay>
        )}
        {gone && (
          <div className="absolute inset-x-0 top-0 z-40 p-2">
            <ErrorMessage again={study.gone ? study.retry : table.retry} button="Try now">
              <b>Connection lost.</b> {gone} {table.busy ? "Your move will be sent then." : "The clock goes on."}
            </ErrorMessage>
          </div>
        )}
      </main>
    </div>
  );
}
