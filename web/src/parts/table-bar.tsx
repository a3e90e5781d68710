// The bar over a table: what is played against whom, and what one may want at any time.
import { Link } from "react-router";
import type { TableState } from "../api/client";
import { useGameTitle } from "../api/use-games";
import { useTaste } from "../store";
import { opponents } from "../words";
import { Button, Chip } from "./basic";
import { HowToPlay } from "./how-to-play";
import { toggleMuted } from "./sound";

export function TableBar({ state, guide, side, setSide }: { state: TableState; guide: () => void; side: boolean; setSide: (open: boolean) => void }) {
  const gameTitle = useGameTitle();
  const { muted } = useTaste();
  return (
    <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line bg-panel px-2 sm:gap-2 sm:px-4">
      <Link to="/" className="flex shrink-0 items-center gap-2 rounded p-1 font-serif text-xl" aria-label="Parlor, to the start">
        <img src="/icon.svg" alt="" width={28} height={28} />
      </Link>
      <h1 className="min-w-0 truncate text-lg">{gameTitle(state.game)}</h1>
      <span className="hidden min-w-0 gap-2 truncate sm:flex">
        <Chip>against {opponents(state.agent.name, state.players)}</Chip>
        <Chip>seat {state.seat + 1} of {state.players}</Chip>
        {state.branch_of && (
          <Link to={`/table/${state.branch_of.table}/replay?ply=${state.branch_of.ply}`} className="rounded-full">
            <Chip tone="warn">branch from ply {state.branch_of.ply}</Chip>
          </Link>
        )}
        {state.imported && <Chip>imported</Chip>}
      </span>
      <span className="ml-auto flex shrink-0 items-center">
        <HowToPlay state={state} guide={guide} />
        <Button look="quiet" className="px-2!" aria-pressed={muted} aria-label={muted ? "Sound is off" : "Sound is on"} title={muted ? "Sound is off" : "Sound is on"} onClick={() => toggleMuted(muted)}>
          <svg aria-hidden viewBox="0 0 24 24" className="size-5" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
            <path d="M4 9v6h4l5 4V5L8 9z" fill="currentColor" />
            <path d={muted ? "m17 9 5 6m0-6-5 6" : "M17 9a4 4 0 0 1 0 6m2.5-8.5a8 8 0 0 1 0 11"} />
          </svg>
        </Button>
        <Button className="lg:hidden" aria-expanded={side} onClick={() => setSide(!side)}>
          {side ? "Table" : "More"}
        </Button>
      </span>
    </header>
  );
}
