// The payoffs of an empirical game: whose, of which two players' strategies, and what the others play meanwhile.
import { useState } from "react";
import { type StrategyShare, api, ask } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { plural } from "../format/numbers";
import { playerName } from "../format/names";
import { RadioRow, Loading, Panel, ErrorMessage } from "../ui/basic";
import { HeatMap } from "./heat-map";

const MIXTURE = -1;

/** Shares by the number of the strategy; those that are not there are 0. */
export function sharesByStrategy(shares: StrategyShare[]): number[] {
  const all: number[] = [];
  for (const { strategy, share } of shares) all[strategy] = share;
  return Array.from(all, (share) => share ?? 0);
}

/** Of a saved empirical game or of a run, by its id; `version` changes when there is more of it, `upTo` shows less of it. */
export function Payoffs({
  id,
  version = "",
  upTo,
  shares,
  mixed,
}: {
  id: string;
  version?: string;
  upTo?: number[];
  shares?: number[][];
  mixed: string;
}) {
  const [whose, setWhose] = useState(0);
  const [two, setTwo] = useState<[number, number]>([0, 1]);
  const [others, setOthers] = useState<number[]>([]);
  const about = useApiQuery(`game ${id} ${version}`, () =>
    ask(api.GET("/api/empirical-games/{id}", { params: { path: { id } } })),
  );
  const players = about.data?.labels.length ?? 0;
  const chosen = Array.from({ length: players }, (_, player) =>
    two.includes(player) ? MIXTURE : (others[player] ?? MIXTURE),
  );
  const key = players ? `matrix ${id} ${version} ${two.join()} ${chosen.join()}` : "";
  const query = { rows: two[0], columns: two[1], others: chosen };
  const matrix = useApiQuery(key, () =>
    ask(api.GET("/api/empirical-games/{id}/matrix", { params: { path: { id }, query } })),
  );
  const problem = about.problem ?? matrix.problem;
  const all = Array.from({ length: players }, (_, player) => player);
  const pick = (side: 0 | 1, player: number) =>
    setTwo(([rows, columns]) =>
      side === 0 ? [player, player === columns ? rows : columns] : [player === rows ? columns : rows, player],
    );
  const thinned =
    matrix.data &&
    matrix.data.rows.length * matrix.data.columns.length <
      (matrix.data.sizes[two[0]] ?? 0) * (matrix.data.sizes[two[1]] ?? 0);
  return (
    <Panel title="Payoffs of strategies against each other">
      {problem && <ErrorMessage again={about.problem ? about.again : matrix.again}>{problem}</ErrorMessage>}
      {!about.data || !matrix.data ? (
        !problem && <Loading what="the payoffs" />
      ) : (
        <div className="space-y-3">
          <div className="flex flex-wrap items-end gap-3">
            <RadioRow
              label="Payoffs of"
              value={String(whose)}
              options={all.map((player) => ({ value: String(player), text: playerName(player) }))}
              onChange={(player) => setWhose(Number(player))}
            />
            {players > 2 && (
              <>
                <Select
                  label="Rows"
                  value={two[0]}
                  options={all.map((player) => [player, playerName(player)])}
                  onChange={(player) => pick(0, player)}
                />
                <Select
                  label="Columns"
                  value={two[1]}
                  options={all.map((player) => [player, playerName(player)])}
                  onChange={(player) => pick(1, player)}
                />
                {all
                  .filter((player) => !two.includes(player))
                  .map((player) => (
                    <Select
                      key={player}
                      label={`${playerName(player)} plays`}
                      value={chosen[player] ?? MIXTURE}
                      options={[
                        [MIXTURE, mixed],
                        ...(about.data?.labels[player] ?? []).map((label, number): [number, string] => [number, label]),
                      ]}
                      onChange={(strategy) =>
                        setOthers(all.map((one) => (one === player ? strategy : (chosen[one] ?? MIXTURE))))
                      }
                    />
                  ))}
              </>
            )}
          </div>
          <HeatMap
            matrix={matrix.data}
            player={whose}
            unit={about.data.unit}
            scale={about.data.scale}
            {...(upTo ? { upTo: [upTo[two[0]] ?? 0, upTo[two[1]] ?? 0] as [number, number] } : {})}
            {...(shares ? { shares: [shares[two[0]] ?? [], shares[two[1]] ?? []] as [number[], number[]] } : {})}
          />
          <p className="text-xs text-soft">
            {plural(about.data.known, "combination")} known
            {about.data.known < about.data.cells ? ` of ${about.data.cells.toLocaleString("en")}` : ""}
            {about.data.games
              ? `, from ${plural(about.data.games, "simulated game")}; ± is half of a 95 % interval`
              : ", exactly"}
            .{thinned && " There are more strategies than can be shown: these are some of them, at even distances."}
          </p>
        </div>
      )}
    </Panel>
  );
}

function Select({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: number;
  options: [number, string][];
  onChange: (value: number) => void;
}) {
  return (
    <label className="text-sm">
      <span className="mb-1 block text-soft">{label}</span>
      <select className="field" value={value} onChange={(e) => onChange(Number(e.target.value))}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
