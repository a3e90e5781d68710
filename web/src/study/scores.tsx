// What the games have brought: after each of them, and in all.
import { useState } from "react";
import { type Shapes } from "../api/client";
import { Heading, Onward } from "./frame";
import { formatClock, useSecondsUntil } from "./time";
import type { Study, StudyState } from "./use-study";
import { STATUSES, formatMoney, formatPoints } from "./format";

export function Score({ study, state }: { study: Study; state: StudyState }) {
  const last = state.scores.at(-1);
  const left = useSecondsUntil(state.deadline, state.speed);
  const [ready, setReady] = useState(false);
  const more = state.step + 1 < state.steps;
  const bonus = state.pay && formatMoney(state.pay.bonus, state.pay.currency);
  return (
    <article className="panel space-y-4 p-4 sm:p-7">
      <Heading>{last ? `Game ${last.number}: ${formatPoints(last.points)}` : "Your score"}</Heading>
      {last && STATUSES[last.status] && <p>{STATUSES[last.status]}</p>}
      <Games scores={state.scores} />
      {bonus && (
        <p className="text-lg">
          Your bonus so far: <b data-testid="bonus">{bonus}</b>
        </p>
      )}
      <p role="status" className="text-soft">
        {more ? "The next game begins" : "It goes on"} by itself
        {left !== undefined && left > 0 ? (
          <>
            , in at most <span className="font-mono">{formatClock(left)}</span>
          </>
        ) : (
          " in a moment"
        )}
        .{ready && !study.busy && left !== undefined && left > 0 && " The others are not ready yet."}
      </p>
      {!ready && (
        <Onward
          study={study}
          onClick={() => {
            setReady(true);
            study.answer({});
          }}
        >
          Go on now
        </Onward>
      )}
    </article>
  );
}

export function Bonus({ study, state }: { study: Study; state: StudyState }) {
  return (
    <article className="panel space-y-4 p-4 sm:p-7">
      <Heading>That was the last game</Heading>
      <Games scores={state.scores} />
      {state.pay && <Pay pay={state.pay} />}
      <p className="text-soft">Some questions are left; then you get your code.</p>
      <Onward study={study} onClick={() => study.answer({})}>
        Go on
      </Onward>
    </article>
  );
}

function Games({ scores }: { scores: Shapes["EpisodeScore"][] }) {
  const total = scores.reduce((sum, { points }) => sum + points, 0);
  return (
    <table className="w-full max-w-md border-collapse text-left">
      <thead className="sr-only">
        <tr>
          <th scope="col">Game</th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      <tbody>
        {scores.map(({ number, points, status }) => (
          <tr key={number} className="border-b border-line">
            <th scope="row" className="py-1.5 font-normal">
              Game {number}
              {status !== "ended" && (
                <span className="ml-2 text-sm text-soft">{status === "absent" ? "not played" : "time was up"}</span>
              )}
            </th>
            <td className="py-1.5 text-right">{formatPoints(points)}</td>
          </tr>
        ))}
        <tr className="font-semibold">
          <th scope="row" className="py-1.5">
            Together
          </th>
          <td className="py-1.5 text-right">{formatPoints(total)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** Base pay, bonus, and both. */
export function Pay({ pay: { base, bonus, points, currency } }: { pay: Shapes["StudyPay"] }) {
  const rows: [string, number][] =
    bonus > 0
      ? [
          ["For taking part", base],
          [`Bonus for ${formatPoints(points)}`, bonus],
        ]
      : [];
  return (
    <dl data-testid="pay" className="grid max-w-md grid-cols-[1fr_auto] gap-x-6 gap-y-1">
      {rows.map(([what, amount]) => (
        <div key={what} className="contents">
          <dt>{what}</dt>
          <dd className="text-right">{formatMoney(amount, currency)}</dd>
        </div>
      ))}
      <dt className="text-lg font-semibold">You get</dt>
      <dd className="text-right text-lg font-semibold">{formatMoney(base + bonus, currency)}</dd>
    </dl>
  );
}
