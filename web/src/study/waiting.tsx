// The waiting room: who is here, and honestly how long it may take.
import { type Shapes } from "../api/client";
import { Button } from "../ui/basic";
import { Mute } from "../table/mute";
import { playStartSound } from "../table/sound";
import { Heading } from "./frame";
import { formatClock, formatRoughly, useSecondsUntil } from "./time";
import type { StudyState } from "./use-study";

export function Waiting({ state, room }: { state: StudyState; room: Shapes["WaitingRoom"] }) {
  const waited = -(useSecondsUntil(room.since, state.speed) ?? 0);
  const left = useSecondsUntil(state.deadline, state.speed);
  const together = room.wanted > 1;
  return (
    <article className="panel space-y-5 p-4 text-center sm:p-8">
      <Heading>{together ? "Waiting for the others" : "Your first game is being prepared"}</Heading>
      {together && (
        <>
          <p aria-hidden className="flex flex-wrap justify-center gap-2.5">
            {Array.from({ length: room.wanted }, (_, index) => (
              <Person key={index} here={index < room.here} />
            ))}
          </p>
          <p role="status" className="text-lg">
            <b>{room.here}</b> of <b>{room.wanted}</b> people are here, you among them.
          </p>
        </>
      )}
      <dl className="mx-auto grid w-fit grid-cols-[auto_auto] gap-x-4 gap-y-1 text-left">
        <dt className="text-soft">It will take</dt>
        <dd data-testid="estimate">
          {room.estimate === null ? "we do not know how long" : formatRoughly(room.estimate)}
        </dd>
        <dt className="text-soft">You have waited</dt>
        <dd className="font-mono">{formatClock(Math.max(0, waited))}</dd>
        {left !== undefined && (
          <>
            <dt className="text-soft">At most</dt>
            <dd>
              <span className="font-mono">{formatClock(left)}</span> more
            </dd>
          </>
        )}
      </dl>
      {together && (
        <p className="mx-auto max-w-prose text-soft">
          The first game begins by itself when everybody is here. If that takes longer than{" "}
          {formatRoughly(room.longest)}, you need not wait any more and get your base pay.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-center gap-2 text-sm">
        <span>You may look at other windows meanwhile, but please leave this one open: there will be a sound.</span>
        <span className="flex items-center">
          <Button onClick={playStartSound}>Try the sound</Button>
          <Mute />
        </span>
      </div>
    </article>
  );
}

const Person = ({ here }: { here: boolean }) => (
  <svg
    viewBox="0 0 24 24"
    className={`size-9 ${here ? "text-accent" : "text-line"}`}
    fill={here ? "currentColor" : "none"}
    stroke="currentColor"
    strokeWidth="2"
  >
    <circle cx="12" cy="8" r="4.5" />
    <path d="M3.5 21c.8-4.6 4-7 8.5-7s7.7 2.4 8.5 7z" strokeLinejoin="round" />
  </svg>
);
