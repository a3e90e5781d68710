// The agent's mind: what it knew, the probability of each action, what it had learned, what it chose.
import { type ReactNode, useMemo, useState } from "react";
import { type TableEvent, type LegalMove, type Mind, type MoveInfo, api, ask, bearer } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { drawingOf } from "../games";
import { capitalized, formatPercent, formatNumber, formatSigned } from "../format/numbers";
import { ShareBar, Button, Chip, RadioRow, Empty, Loading, ScrollSideways, ErrorMessage } from "../ui/basic";
import type { SeatContext } from "../moves/place";
import { Beliefs, Searched } from "./search";

const POLL_MS = 400; // milliseconds until it is asked again, while it is worked out

const WHOSE = [
  { value: "agent", text: "Its decisions" },
  { value: "you", text: "In your place" },
] as const;

/** The decisions so far, one at a time. */
export function MindBrowser({
  place,
  history,
  open,
  onReplay,
}: {
  place: SeatContext;
  history: TableEvent[];
  open: boolean;
  onReplay?: (ply: number) => void;
}) {
  const list = useApiQuery(`minds ${place.id} ${history.length} ${open}`, () =>
    ask(api.GET("/api/tables/{table}/mind", { params: { path: { table: place.id } }, headers: bearer(place.token) })),
  );
  const [whose, setWhose] = useState<"agent" | "you">("agent");
  const [picked, setPicked] = useState<number>();
  const plies = useMemo(
    () => (list.data?.plies ?? []).filter((ply) => history[ply]?.by === whose),
    [list.data, history, whose],
  );
  const index =
    picked === undefined
      ? plies.length - 1
      : Math.max(
          0,
          plies.findLastIndex((ply) => ply <= picked),
        );
  const ply = plies[index];
  if (list.problem) return <ErrorMessage again={list.again}>{list.problem}</ErrorMessage>;
  if (!list.data) return <Loading what="its mind" />;
  if (list.data.why) return <Empty>{list.data.why}</Empty>;
  return (
    <div className="space-y-3">
      <RadioRow
        label={whose === "agent" ? "What did it think?" : "What would it do here?"}
        value={whose}
        options={WHOSE}
        onChange={(value) => {
          setWhose(value);
          setPicked(undefined);
        }}
      />
      {ply === undefined ? (
        <Empty>{whose === "agent" ? "It has not decided anything yet." : "You have not decided anything yet."}</Empty>
      ) : (
        <>
          <div className="flex items-center justify-between gap-2">
            <Button aria-label="Earlier decision" disabled={index <= 0} onClick={() => setPicked(plies[index - 1])}>
              ←
            </Button>
            <span className="text-center text-xs text-soft">
              decision {index + 1} of {plies.length}
              {onReplay && (
                <button type="button" className="ml-2 underline hover:text-ink" onClick={() => onReplay(ply)}>
                  show it
                </button>
              )}
            </span>
            <Button
              aria-label="Later decision"
              disabled={index >= plies.length - 1}
              onClick={() => setPicked(index + 1 >= plies.length - 1 ? undefined : plies[index + 1])}
            >
              →
            </Button>
          </div>
          <MindAt key={ply} place={place} ply={ply} open={open} />
        </>
      )}
    </div>
  );
}

/** The mind at one ply, asked for again while more of it is worked out. */
export const useMind = (
  { id, token }: Pick<SeatContext, "id" | "token">,
  ply: number,
  open: boolean,
  outside: boolean,
) =>
  useApiQuery(
    `mind ${id} ${ply} ${open} ${outside}`,
    () =>
      ask(
        api.GET("/api/tables/{table}/mind/{ply}", {
          params: { path: { table: id, ply }, query: { outside } },
          headers: bearer(token),
        }),
      ),
    { refetchInterval: ({ state }) => (state.data && !state.data.done ? POLL_MS : false) },
  );

/** The mind at one ply, requested when it is shown; from `outside`, what one's own seat could have expected. */
export function MindAt({
  place,
  ply,
  open,
  outside = false,
}: {
  place: SeatContext;
  ply: number;
  open: boolean;
  outside?: boolean;
}) {
  const mind = useMind(place, ply, open, outside);
  if (mind.problem)
    return mind.status === 0 || mind.status >= 500 ? (
      <ErrorMessage again={mind.again}>{mind.problem}</ErrorMessage>
    ) : (
      <Empty>{mind.problem}</Empty>
    );
  if (mind.data?.ply !== ply) return <Loading what="its mind" />;
  const { done } = mind.data;
  const empty = !done && mind.data.moves.length === 0 && !mind.data.sentence;
  const both =
    open && !outside && mind.data.detail === "inside" && mind.data.thought && !mind.data.own && place.seat !== null;
  return (
    <div className="space-y-3">
      {!empty && <MindView mind={mind.data} place={place} />}
      {!done && (
        <p className="text-sm text-soft" role="status" data-testid="still-thinking">
          {empty ? "Still thinking about it …" : "Still thinking: what may come of it is being worked out …"}
        </p>
      )}
      {both && <FromYourSeat place={place} ply={ply} open={open} />}
    </div>
  );
}

/** What it thought and what one could have expected of it are two things: the second is asked for when it is wanted. */
function FromYourSeat({ place, ply, open }: { place: SeatContext; ply: number; open: boolean }) {
  const [shown, setShown] = useState(false);
  if (shown) return <MindAt place={place} ply={ply} open={open} outside />;
  return (
    <button type="button" className="text-sm underline hover:text-accent" onClick={() => setShown(true)}>
      What could you expect of it?
    </button>
  );
}

/** Whose view this is: its own, its advice at a decision of somebody else, or that of one's own seat. */
function label({ detail, own, thought, agent }: Mind): string {
  if (detail === "outside") return "What you could expect, from your seat";
  return thought && !own ? "What it thought in its own seat" : `What ${agent.name} would do here`;
}

function MindView({ mind, place }: { mind: Mind; place: SeatContext }) {
  const inside = mind.detail === "inside";
  const { Mind: Drawn } = drawingOf(place.game);
  return (
    <div className="space-y-2.5" data-testid={inside ? "mind" : "expected"}>
      <h3 className="text-xs tracking-wide text-soft uppercase">{label(mind)}</h3>
      <p className="leading-snug">
        {mind.sentence || (mind.chosen ? `Chosen: ${mind.chosen.text}.` : "It chose in secret.")}
      </p>
      {mind.beliefs.length > 0 && (
        <Beliefs
          beliefs={mind.beliefs}
          title={inside ? "What it believes" : "What it may believe, as far as you have seen"}
        />
      )}
      {inside && Drawn ? <Drawn mind={mind} place={place} /> : !mind.search && <Expected mind={mind} />}
      {mind.search && <Searched mind={mind} search={mind.search} />}
      {mind.terms && <Terms terms={mind.terms} />}
      {mind.note && <p className="text-xs text-soft">{mind.note}</p>}
      {inside && <Details mind={mind} />}
    </div>
  );
}

const VALUE = "py-1 pl-2 text-right font-mono whitespace-nowrap";

/** Its evaluation taken apart: each term as it is, and by how much it would change. */
function Terms({ terms: { unit, situations, terms, values } }: { terms: NonNullable<Mind["terms"]> }) {
  const amount = (x: number) => `${Math.round(x) < 0 ? "−" : ""}${unit}${whole(x)}`;
  const [now, ...after] = situations;
  const best = Math.max(...values.slice(1));
  return (
    <ScrollSideways label="What it counts">
      <table data-testid="terms" className="w-full border-collapse text-xs">
        <caption className="pb-1 text-left text-soft">
          What it counts{after.length > 0 && ", and how that would change"}
        </caption>
        <thead>
          <tr className="border-b border-line align-bottom text-soft">
            <th scope="col" className="py-1 text-left font-normal">
              term
            </th>
            {[now, ...after].map((name) => (
              <th key={name} scope="col" className="py-1 pl-2 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {terms.map(({ name, about, values: [first = 0, ...rest] }) => (
            <tr key={name} className="border-b border-line/50">
              <th scope="row" className="py-1 text-left font-medium">
                {name}
                {about && <span className="block text-[0.65rem] leading-tight font-normal text-soft">{about}</span>}
              </th>
              <td className="pl-2 text-right font-mono whitespace-nowrap">{amount(first)}</td>
              {rest.map((value, index) => (
                <td key={after[index]} className={`pl-2 text-right font-mono whitespace-nowrap ${tone(value - first)}`}>
                  {change(value - first)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="py-1 text-left">
              in all
            </th>
            {values.map((value, index) => (
              <td
                key={situations[index]}
                className={`${VALUE} ${index > 0 && value === best ? "underline decoration-2 underline-offset-2" : ""}`}
              >
                {amount(value)}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </ScrollSideways>
  );
}

const whole = (x: number) => Math.round(Math.abs(x)).toLocaleString("en");
const change = (x: number) => (Math.round(x) === 0 ? "·" : `${x < 0 ? "−" : "+"}${whole(x)}`);
const tone = (x: number) => (Math.round(x) === 0 ? "text-soft" : x > 0 ? "text-good" : "text-bad");

function Details({ mind }: { mind: Mind }) {
  return (
    <details className="rounded-lg border border-line px-3 py-2">
      <summary className="text-sm text-soft">Details</summary>
      <div className="mt-2 space-y-3">
        {mind.infoset && (
          <div>
            <h4 className="text-xs text-soft">{mind.own ? "What it would see in your place" : "What it saw"}</h4>
            <p className="text-sm">{capitalized(mind.infoset)}</p>
          </div>
        )}
        {(mind.visits ?? mind.reach ?? mind.value) !== null && (
          <dl className="grid auto-cols-fr grid-flow-col gap-2 text-center text-sm">
            {mind.visits !== null && <Fact name="times it has learned here">{formatNumber(mind.visits)}</Fact>}
            {mind.reach !== null && <Fact name="how often this comes up">{formatPercent(mind.reach)}</Fact>}
            {mind.value !== null && (
              <Fact name={mind.scale === "chance" ? "chance to win" : `expected ${mind.unit}`}>
                <Worth value={mind.value} error={mind.value_error} mind={mind} />
              </Fact>
            )}
          </dl>
        )}
        {mind.facts.length > 0 && (
          <dl className="space-y-1 text-sm">
            {mind.facts.map((fact) => (
              <div key={fact.name}>
                <dt className="text-xs text-soft">{capitalized(fact.name)}</dt>
                <dd>{capitalized(fact.text)}</dd>
              </div>
            ))}
          </dl>
        )}
        {mind.actions.length > 0 && <Actions mind={mind} />}
        {mind.value_kind && <p className="text-xs text-soft">{KINDS[mind.value_kind]}</p>}
      </div>
    </details>
  );
}

const KINDS = {
  exact: "What to expect if all play on as it would, computed exactly.",
  rollouts:
    "What to expect if all play on as it would, from games played on in possible worlds; ± is the standard error.",
};

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="rounded-lg bg-raised px-2 py-1">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="font-mono">{children}</dd>
    </div>
  );
}

function Worth({ value, error, mind }: { value: number; error: number | null; mind: Mind }) {
  if (mind.scale === "chance") {
    return (
      <span className="whitespace-nowrap">
        {formatPercent((1 + value) / 2)}
        {error !== null && error > 0 && <span className="text-soft"> ±{(50 * error).toFixed(0)}</span>}
      </span>
    );
  }
  const digits = error ? Math.min(3, Math.max(1, Math.ceil(-Math.log10(error)))) : 3;
  const size = Math.abs(value).toFixed(digits);
  const sign = Number(size) === 0 ? "" : value > 0 ? "+" : "−";
  return (
    <span className="whitespace-nowrap">
      {sign}
      {size}
      {error !== null && error > 0 && <span className="text-soft"> ±{error.toFixed(digits)}</span>}
    </span>
  );
}

/** Of each action, the name in one row and what is known about it below. */
function Actions({ mind }: { mind: Mind }) {
  const learned = mind.actions.some((action) => action.regret !== null);
  const valued = mind.actions.some((action) => action.value !== null);
  const most = Math.max(1e-12, ...mind.actions.map((action) => Math.abs(action.regret ?? 0)));
  const columns = 1 + Number(valued) + Number(learned);
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="text-left text-xs text-soft">
          <th scope="col" className="font-normal">
            how often
          </th>
          {valued && (
            <th scope="col" className="w-28 pl-2 text-right font-normal">
              {mind.scale === "chance" ? "chance to win" : mind.unit}
            </th>
          )}
          {learned && (
            <th scope="col" className="w-20 pl-2 text-right font-normal">
              regret
            </th>
          )}
        </tr>
      </thead>
      {mind.actions.map((action) => {
        const chosen = action.move.id === mind.chosen?.id;
        return (
          <tbody key={`${action.text} ${action.move.id}`} className={chosen ? "font-semibold" : ""}>
            <tr>
              <th scope="rowgroup" colSpan={columns} className="pt-2 text-left font-[inherit]">
                {capitalized(action.text)}
                {action.move.text !== action.text && (
                  <span className="ml-1.5 text-xs font-normal text-soft">{action.move.text}</span>
                )}
                {chosen && (
                  <span className="ml-1.5">
                    <Chip tone="good">chosen</Chip>
                  </span>
                )}
              </th>
            </tr>
            <tr className="align-top">
              <td className="pt-0.5">
                <ShareBar share={action.probability} label={formatPercent(action.probability)} strong={chosen} />
              </td>
              {valued && (
                <td className="pl-2 text-right font-mono text-xs">
                  {action.value === null ? "–" : <Worth value={action.value} error={action.value_error} mind={mind} />}
                </td>
              )}
              {learned && (
                <td className="pl-2 text-right font-mono text-xs">
                  {action.regret === null ? "–" : formatSigned(action.regret)}
                  <span
                    aria-hidden
                    className="mt-1 ml-auto block h-1 rounded bg-bar-b"
                    style={{ width: `${(100 * Math.abs(action.regret ?? 0)) / most}%` }}
                  />
                </td>
              )}
            </tr>
          </tbody>
        );
      })}
    </table>
  );
}

const MAX_MOVES = 6; // moves, before those it never makes are left out

function Expected({ mind }: { mind: Mind }) {
  return (
    <ul className="space-y-1.5 text-sm">
      {(mind.moves.length > MAX_MOVES ? mind.moves.filter((one) => one.probability > 0.005) : mind.moves).map(
        ({ move, range, text, probability }) => {
          const chosen = mind.chosen !== null && isOf(mind.chosen, move, range);
          return (
            <li key={move.name} className="grid grid-cols-[minmax(0,1fr)_8rem] items-center gap-2">
              <span className={chosen ? "font-semibold" : ""}>{capitalized(text)}</span>
              <ShareBar share={probability} label={formatPercent(probability)} strong={chosen} />
            </li>
          );
        },
      )}
    </ul>
  );
}

/** Whether a move is this one, or one of the range that it begins. */
function isOf(move: MoveInfo, first: MoveInfo, range: LegalMove["range"]): boolean {
  if (!range || move.amount === null) return move.id === first.id;
  return move.verb === first.verb && move.amount >= range.least && move.amount <= range.most;
}
