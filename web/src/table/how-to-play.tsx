// The rules in short, in a dialog that can be opened at the table.
import { useRef, useState } from "react";
import type { TableState } from "../api/client";
import { useGameTitle, useGamesQuery } from "../queries/games";
import { drawingOf } from "../games";
import { capitalized } from "../format/numbers";
import { gameBase } from "../format/names";
import { Button, KeyHint, Loading } from "../ui/basic";

const DIALOG =
  "m-auto max-h-[90dvh] w-[min(36rem,94vw)] rounded-2xl border border-line bg-panel " +
  "p-0 text-ink shadow-2xl backdrop:bg-black/50";

/** `guide` shows the table step by step. */
export function HowToPlay({ state, guide }: { state: TableState; guide: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const gameTitle = useGameTitle();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="rounded px-2 py-2 text-sm whitespace-nowrap underline"
        onClick={() => {
          setOpen(true);
          dialog.current?.showModal();
        }}
      >
        How to play
      </button>
      <dialog
        ref={dialog}
        aria-label={`How to play ${gameTitle(state.game)}`}
        onClose={() => setOpen(false)}
        className={DIALOG}
      >
        {open && (
          <div className="space-y-3 p-5 sm:p-6">
            <h2 className="text-2xl">{gameTitle(gameBase(state.game))}</h2>
            <Rules state={state} />
            <p className="text-sm text-soft">
              Each move shows its key; <KeyHint>↓</KeyHint> and <KeyHint>→</KeyHint> go through them and{" "}
              <KeyHint>Enter</KeyHint> plays one.
            </p>
            <div className="flex flex-wrap gap-2">
              <Button look="main" onClick={() => dialog.current?.close()}>
                To the table
              </Button>
              {drawingOf(state.game).tour && state.turn !== "over" && (
                <Button
                  onClick={() => {
                    dialog.current?.close();
                    guide();
                  }}
                >
                  Show me around
                </Button>
              )}
            </div>
          </div>
        )}
      </dialog>
    </>
  );
}

function Rules({ state }: { state: TableState }) {
  const how = drawingOf(state.game).howTo?.(state);
  if (!how) return <Summary game={state.game} />;
  return (
    <>
      <p>
        <b>{how.goal}</b>
      </p>
      <ul className="list-disc space-y-2 pl-5">
        {how.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </>
  );
}

/** For a game without a description: its summary. */
function Summary({ game }: { game: string }) {
  const games = useGamesQuery();
  if (!games.data && !games.problem) return <Loading what="what the game says about itself" />;
  const info = games.data?.find((one) => one.name === game || one.name === gameBase(game));
  return (
    <p>
      {info && `${capitalized(info.summary)} `}
      There is no description of its rules here; what you see and what you can do is on the table.
    </p>
  );
}
