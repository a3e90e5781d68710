// What an agent that searches went by: its moves with how often each was tried and what came of it, and its beliefs.
import type { Mind } from "../api/client";
import { capitalized, formatPercent, formatNumber, formatSigned } from "../format/numbers";
import { ShareBar, Chip } from "../ui/basic";

const MAX_MOVES = 6; // moves that are listed

export function Searched({ mind, search }: { mind: Mind; search: NonNullable<Mind["search"]> }) {
  const shown = search.moves.slice(0, MAX_MOVES);
  const made = search.moves.find(({ move }) => move.id === mind.chosen?.id);
  if (made && !shown.includes(made)) shown.push(made);
  const rest = search.visits - shown.reduce((sum, { visits }) => sum + visits, 0);
  const points = mind.scale === "points" || search.goal !== "";
  const worth = (value: number) => (points ? formatSigned(Number(value.toFixed(2))) : formatPercent((1 + value) / 2));
  return (
    <table data-testid="search" className="w-full text-sm">
      <caption className="pb-1 text-left text-xs text-soft">
        What it tried in {search.visits.toLocaleString("en")} simulated games
      </caption>
      <thead>
        <tr className="text-left text-xs text-soft">
          <th scope="col" className="font-normal">
            how often
          </th>
          <th scope="col" className="w-24 pl-2 text-right font-normal">
            {search.goal || (points ? `its ${mind.unit}` : "chance to win")}
          </th>
        </tr>
      </thead>
      {shown.map(({ move, text, visits, value }) => {
        const chosen = move.id === mind.chosen?.id;
        return (
          <tbody key={move.name}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={2}
                className={`pt-1.5 text-left leading-snug ${chosen ? "font-semibold" : "font-normal"}`}
              >
                {capitalized(text)}
                {chosen && (
                  <span className="ml-1.5">
                    <Chip tone="good">chosen</Chip>
                  </span>
                )}
              </th>
            </tr>
            <tr>
              <td>
                <ShareBar share={visits / search.visits} label={visits.toLocaleString("en")} strong={chosen} />
              </td>
              <td className="pl-2 text-right font-mono text-xs">{value === null ? "–" : worth(value)}</td>
            </tr>
          </tbody>
        );
      })}
      {rest > 0 && (
        <tbody className="text-soft">
          <tr>
            <th scope="rowgroup" colSpan={2} className="pt-1.5 text-left font-normal">
              Anything else
            </th>
          </tr>
          <tr>
            <td>
              <ShareBar share={rest / search.visits} label={rest.toLocaleString("en")} tone="b" />
            </td>
            <td className="pl-2 text-right font-mono text-xs">–</td>
          </tr>
        </tbody>
      )}
    </table>
  );
}

type Belief = Mind["beliefs"][number];

/** Each as bars: numbers side by side, with their mean, anything else below each other. */
export function Beliefs({ beliefs, title }: { beliefs: Belief[]; title: string }) {
  return (
    <section aria-label={title} data-testid="beliefs" className="space-y-2.5">
      <h4 className="text-xs text-soft">{title}</h4>
      {beliefs.map((belief) => (
        <div key={belief.name}>
          <p className="text-sm">
            {capitalized(belief.name)}
            {belief.mean !== null && (
              <span className="text-soft">
                : <b className="text-ink">{formatNumber(Number(belief.mean.toFixed(1)))}</b> on average
              </span>
            )}
          </p>
          {belief.mean === null ? <Listed belief={belief} /> : <Columns belief={belief} />}
        </div>
      ))}
    </section>
  );
}

function Listed({ belief }: { belief: Belief }) {
  return (
    <ul className="space-y-1 text-sm">
      {belief.values.map(({ text, probability }) => (
        <li key={text} className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-2">
          <span>{capitalized(text)}</span>
          <ShareBar share={probability} label={formatPercent(probability)} />
        </li>
      ))}
    </ul>
  );
}

function Columns({ belief }: { belief: Belief }) {
  const most = Math.max(1e-9, ...belief.values.map(({ probability }) => probability));
  return (
    <ul className="flex items-end gap-1">
      {belief.values.map(({ text, probability }) => (
        <li
          key={text}
          title={formatPercent(probability)}
          className="min-w-0 max-w-12 flex-1 text-center text-[0.65rem] leading-tight"
        >
          <span aria-hidden className="flex h-9 flex-col justify-end">
            <span className="truncate text-soft">{probability >= 0.095 ? formatPercent(probability) : ""}</span>
            <span
              className="mt-px block rounded-t-sm bg-bar"
              style={{ height: `${Math.max(probability > 0 ? 4 : 0, (62 * probability) / most)}%` }}
            />
          </span>
          <b className="block border-t border-line">{text}</b>
          <span className="sr-only">: {formatPercent(probability)}</span>
        </li>
      ))}
    </ul>
  );
}
