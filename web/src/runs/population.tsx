// What a PSRO run has besides its curves: the mixture after any iteration, and the payoffs of all strategies so far.
import { useState } from "react";
import { type RunInfo, type StrategyShare, api, ask } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { formatPercent, plural } from "../format/numbers";
import { playerName } from "../format/names";
import { ShareBar, Button, Loading, Panel, ErrorMessage } from "../ui/basic";
import { Payoffs, sharesByStrategy } from "../empirical-game/payoffs";

const MIN_SHARE = 0.01; // strategies that are played less have no bar of their own

export function Population({ run, first, last }: { run: RunInfo; first: number; last: number }) {
  const [chosen, choose] = useState<number>();
  const at = Math.min(chosen ?? last, last);
  const mixture = useApiQuery(`mixture ${run.id} ${at}`, () =>
    ask(api.GET("/api/runs/{run}/mixture", { params: { path: { run: run.id }, query: { at } } })),
  );
  const shown = mixture.data;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title={`Mixture after iteration ${at}`}>
        <div className="mb-3 flex items-center gap-3">
          <input
            type="range"
            aria-label="Iteration"
            aria-valuetext={`after iteration ${at}`}
            className="h-9 min-w-24 grow"
            min={first}
            max={last}
            value={at}
            onChange={(e) => choose(Number(e.target.value))}
          />
          <Button disabled={chosen === undefined} onClick={() => choose(undefined)}>
            Newest
          </Button>
        </div>
        {mixture.problem && <ErrorMessage again={mixture.again}>{mixture.problem}</ErrorMessage>}
        {!shown ? (
          !mixture.problem && <Loading what="the mixture" />
        ) : (
          <>
            <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
              {shown.players.map((shares, player) => (
                <Shares key={player} title={playerName(player)} shares={shares} of={shown.strategies[player] ?? 0} />
              ))}
            </div>
            {shown.note && <p className="mt-3 text-sm text-soft">{shown.note}</p>}
          </>
        )}
      </Panel>
      {run.checkpoints.length > 0 && (
        <Payoffs
          id={run.id}
          version={String(run.checkpoints.at(-1)?.at)}
          mixed="its newest mixture"
          {...(shown ? { upTo: shown.strategies, shares: shown.players.map(sharesByStrategy) } : {})}
        />
      )}
    </div>
  );
}

function Shares({ title, shares, of }: { title: string; shares: StrategyShare[]; of: number }) {
  const shown = shares.filter((one) => one.share > MIN_SHARE);
  const rest = 1 - shown.reduce((sum, one) => sum + one.share, 0);
  return (
    <div>
      <h3 className="mb-1 text-sm text-soft">
        {title}: {shown.length} of {plural(of, "strategy").replace("strategys", "strategies")}
      </h3>
      <ul aria-label={`Mixture of ${title}`} className="space-y-1 text-sm">
        {shown.map((one) => (
          <li key={one.strategy} className="grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-2">
            <span className="truncate" title={one.label}>
              {one.label}
            </span>
            <ShareBar share={one.share} label={formatPercent(one.share)} />
          </li>
        ))}
        {rest > 0.0005 && <li className="text-xs text-soft">all others together {formatPercent(rest)}</li>}
      </ul>
    </div>
  );
}
