// Everybody who came, by the label that the data use.
import { useState } from "react";
import { Button, Chip, RadioRow, Empty, Panel, ScrollSideways } from "../ui/basic";
import type { Overview } from "./overview";
import { ENDS, STAGES, formatDuration, secondsBetween } from "./time";

const PAGE = 25;
const SORTS = [
  { value: "going", text: "In the study" },
  { value: "ended", text: "Ended" },
  { value: "all", text: "All" },
] as const;
type Which = (typeof SORTS)[number]["value"];

export function Participants({ study }: { study: Overview }) {
  const [which, setWhich] = useState<Which>("going");
  const [shown, setShown] = useState(PAGE);
  const rows = study.participants.filter(
    ({ stage }) => which === "all" || ENDS.includes(stage) === (which === "ended"),
  );
  return (
    <Panel
      title="Participants"
      aside={<RadioRow bare label="Which participants" value={which} options={SORTS} onChange={setWhich} />}
    >
      {rows.length === 0 && <Empty>{study.participants.length === 0 ? "Nobody has come yet." : "Nobody now."}</Empty>}
      {rows.length > 0 && (
        <ScrollSideways label="Participants">
          <table className="w-full text-left text-sm">
            <thead className="text-xs text-soft">
              <tr className="border-b border-line">
                {["Participant", "Condition", "Stage", "For", "Game", "Last heard of"].map((head) => (
                  <th key={head} scope="col" className="px-2 py-1.5 font-medium whitespace-nowrap">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((one) => (
                <tr key={one.participant} className="border-b border-line/60 last:border-0">
                  <th scope="row" className="px-2 py-1.5 font-mono font-medium">
                    {one.participant}
                  </th>
                  <td className="px-2 py-1.5">
                    {one.condition ?? "–"} {one.group && <span className="text-xs text-soft">{one.group}</span>}
                  </td>
                  <td className="px-2 py-1.5 whitespace-nowrap">{STAGES[one.stage]}</td>
                  <td className="px-2 py-1.5 whitespace-nowrap">
                    {ENDS.includes(one.stage) || !one.since
                      ? ""
                      : formatDuration(secondsBetween(one.since, study.now) * study.speed)}
                  </td>
                  <td className="px-2 py-1.5 whitespace-nowrap">
                    {one.episode === null ? "" : `${one.episode} of ${one.of}`}
                  </td>
                  <td className="px-2 py-1.5 whitespace-nowrap">
                    {!ENDS.includes(one.stage) && one.heard && (
                      <>
                        {formatDuration(secondsBetween(one.heard, study.now))} ago{" "}
                        {!one.here && <Chip tone="warn">away</Chip>}
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollSideways>
      )}
      {rows.length > shown && (
        <Button className="mt-3" onClick={() => setShown((n) => n + 4 * PAGE)}>
          Show more of {rows.length}
        </Button>
      )}
    </Panel>
  );
}
