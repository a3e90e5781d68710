// The study in a few numbers.
import { formatPercent } from "../format/numbers";
import type { Overview } from "./overview";
import { ENDS, formatMoney } from "./time";

const share = (part: number, whole: number, what: string) =>
  whole ? `${formatPercent(part / whole)} of ${what}` : "none yet";

export function Numbers({ study }: { study: Overview }) {
  const { participants, episodes, pay } = study;
  const going = participants.filter((one) => !ENDS.includes(one.stage));
  const here = going.filter((one) => one.here).length;
  const over = episodes.ended + episodes.timed_out + episodes.absent;
  const tiles: [string, string, string][] = [
    [
      "Participants",
      String(participants.length),
      `${participants.filter((one) => one.stage === "done").length} finished`,
    ],
    [
      "In the study",
      String(going.length),
      here === going.length ? "all are here" : `${here} here, ${going.length - here} away`,
    ],
    ["Games", String(over), `${episodes.running} running`],
    ...(episodes.deals === null
      ? []
      : [
          ["Deals", String(episodes.deals), share(episodes.deals, episodes.ended, "games that ended")] as [
            string,
            string,
            string,
          ],
        ]),
    ["Timed out", String(episodes.timed_out), share(episodes.timed_out, over, "games")],
    ["Absent", String(episodes.absent), "somebody had left before"],
    pay.bonus === null
      ? ["Base pay due", formatMoney(pay.base, pay.currency), `to ${pay.participants}; bonus when the study is over`]
      : [
          "Pay due",
          formatMoney(pay.base + pay.bonus, pay.currency),
          `to ${pay.participants}, ${formatMoney(pay.bonus, pay.currency)} of it bonus`,
        ],
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-7">
      {tiles.map(([name, value, more]) => (
        <div key={name} className="panel flex flex-col px-4 py-3 last:col-span-2 sm:last:col-span-1">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="font-serif text-2xl whitespace-nowrap">{value}</dd>
          <dd className="text-xs text-soft">{more}</dd>
        </div>
      ))}
    </dl>
  );
}
