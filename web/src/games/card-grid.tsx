// The strategy of a small game: after a line of moves, what is done with every hand, on every board.
import { type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { type Shapes, api, ask } from "../api/client";
import { useApiQuery } from "../queries/use-api-query";
import { Loading, ScrollSideways, ErrorMessage } from "../ui/basic";
import { capitalized, formatPercent } from "../format/numbers";
import { playerName } from "../format/names";

type Grid = Shapes["CardGrid"];
type Agents = { id: string; name: string }[];

const COLOURS = [
  "#7391ab",
  "#4c9f70",
  "#e8a33d",
  "#d9772b",
  "#c4512a",
  "#8b62b0",
  "#3f8fb5",
  "#9a8b2f",
  "#b0508f",
  "#5d7f3c",
  "#a83b2a",
  "#5c6ac4",
  "#7d1f2b",
];
const colour = (index: number) => COLOURS[index % COLOURS.length] as string;
/** A move that is made less often than this is not written into a cell. */
const SELDOM = 0.02;

/** One or two strategies at the same place; the line is in the address, to come back to. `draw` draws a hand or a board. */
export function CardGridBrowser({ agents, draw }: { agents: Agents; draw: (things: string[]) => ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const line = search.get("line") ?? "";
  const go = (to: string) => {
    const next = new URLSearchParams(search);
    if (to) next.set("line", to);
    else next.delete("line");
    setSearch(next);
  };
  return (
    <div className={agents.length > 1 ? "grid min-w-0 gap-6 xl:grid-cols-2" : "min-w-0"}>
      {agents.map((agent) => (
        <AtLine key={agent.id} agent={agent} line={line} go={go} named={agents.length > 1} draw={draw} />
      ))}
    </div>
  );
}

function AtLine({
  agent,
  line,
  go,
  named,
  draw,
}: {
  agent: Agents[number];
  line: string;
  go: (line: string) => void;
  named: boolean;
  draw: (things: string[]) => ReactNode;
}) {
  const grid = useApiQuery(`grid ${agent.id} ${line}`, () =>
    ask(api.GET("/api/agents/{agent}/grid", { params: { path: { agent: agent.id }, query: { line } } })),
  );
  if (grid.problem) {
    return (
      <ErrorMessage again={() => go("")} button="To the beginning">
        {grid.problem}
      </ErrorMessage>
    );
  }
  if (grid.data?.kind !== "cards") return <Loading what="the strategy" />;
  const { data } = grid;
  const codes = data.line.map((step) => step.code);
  return (
    <section className="min-w-0 space-y-3" data-testid="card-grid">
      {named && <h2 className="text-xl">{agent.name}</h2>}
      <nav
        aria-label={named ? `Line of moves, ${agent.name}` : "Line of moves"}
        className="flex flex-wrap items-center gap-1 text-sm"
      >
        <button
          type="button"
          className="rounded px-1.5 py-1 underline hover:bg-raised disabled:no-underline"
          onClick={() => go("")}
          disabled={codes.length === 0}
        >
          Beginning
        </button>
        {data.line.map((step, index) => (
          <span key={codes.slice(0, index + 1).join("-")} className="flex items-center gap-1">
            <span aria-hidden className="text-soft">
              ›
            </span>
            <button
              type="button"
              className="rounded px-1.5 py-1 underline hover:bg-raised disabled:no-underline"
              onClick={() => go(codes.slice(0, index + 1).join("-"))}
              disabled={index === codes.length - 1}
            >
              {capitalized(step.text)}
            </button>
          </span>
        ))}
      </nav>
      <p>
        <b>{playerName(data.player)}</b> to move. How often it makes each move, with what it holds:
      </p>
      <Cells grid={data} draw={draw} />
      <Next grid={data} onPick={(code) => go([...codes, code].join("-"))} />
    </section>
  );
}

const same = (a: string[], b: string[]) => a.join() === b.join();
const unique = (all: string[][]) => all.filter((one, index) => all.findIndex((other) => same(one, other)) === index);

function Cells({ grid, draw }: { grid: Grid; draw: (things: string[]) => ReactNode }) {
  const hands = unique(grid.cells.map((cell) => cell.hand));
  const boards = unique(grid.cells.map((cell) => cell.board)).toSorted((a, b) => order(hands, a) - order(hands, b));
  return (
    <ScrollSideways label="What it does with what it holds">
      <table className="border-separate border-spacing-1.5 text-sm [--card:3.25rem] sm:[--card:4.5rem]">
        {boards.some((board) => board.length > 0) && (
          <thead>
            <tr>
              <th scope="col" className="text-left text-xs font-normal text-soft">
                holds ↓ board →
              </th>
              {boards.map((board) => (
                <th key={board.join()} scope="col" className="text-center font-normal">
                  {draw(board)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {hands.map((hand) => (
            <tr key={hand.join()}>
              <th scope="row" className="pr-2 font-normal">
                {draw(hand)}
              </th>
              {boards.map((board) => (
                <td key={board.join()} className="min-w-28 align-middle sm:min-w-56">
                  <CellOf
                    grid={grid}
                    cell={grid.cells.find((cell) => same(cell.hand, hand) && same(cell.board, board))}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollSideways>
  );
}

const order = (hands: string[][], board: string[]) => hands.findIndex((hand) => same(hand, board));

function CellOf({ grid, cell }: { grid: Grid; cell: Grid["cells"][number] | undefined }) {
  if (!cell) return null;
  const said = grid.actions
    .map((action, i) => ({ text: action.text, chance: cell.chances[i] ?? 0, i }))
    .filter(({ chance }) => chance >= SELDOM);
  return (
    <div
      className={`space-y-0.5 rounded-lg bg-raised p-1.5 ${cell.reach < SELDOM ? "opacity-60" : ""}`}
      title={
        cell.reach < 1
          ? `it gets here with this hand ${formatPercent(cell.reach)} of the time, by its own moves`
          : undefined
      }
    >
      <span aria-hidden className="flex h-2.5 overflow-hidden rounded-full sm:h-3.5">
        {cell.chances.map((chance, i) => (
          <span key={grid.actions[i]?.code} style={{ width: `${100 * chance}%`, background: colour(i) }} />
        ))}
      </span>
      <ul className="text-xs leading-snug sm:text-sm">
        {said
          .toSorted((a, b) => b.chance - a.chance)
          .map(({ text, chance, i }) => (
            <li key={i}>
              {text} <span className="font-mono">{formatPercent(chance)}</span>
            </li>
          ))}
      </ul>
    </div>
  );
}

const LINE =
  "flex min-h-11 items-center gap-2 rounded-lg border border-line bg-panel px-3 py-1 text-left text-sm " +
  "enabled:hover:border-accent enabled:hover:bg-raised disabled:opacity-70";

/** What is done overall, as buttons that lead on. */
function Next({ grid, onPick }: { grid: Grid; onPick: (code: string) => void }) {
  return (
    <div className="space-y-1">
      <h2 className="text-base">And then?</h2>
      <ul className="flex flex-wrap gap-2" aria-label="Moves">
        {grid.actions.map((action, index) => (
          <li key={action.code}>
            <button
              type="button"
              disabled={action.ends}
              onClick={() => onPick(action.code)}
              title={action.ends ? "The game ends." : "Go there"}
              className={LINE}
            >
              <span aria-hidden className="size-3.5 shrink-0 rounded" style={{ background: colour(index) }} />
              <span>
                {capitalized(action.text)} <span className="font-mono text-soft">{formatPercent(action.share)}</span>
                {action.ends ? <span className="text-xs text-soft"> ends it</span> : " ›"}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
