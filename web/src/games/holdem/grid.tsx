// The strategy of a blueprint of hold'em: the 13 × 13 kinds of hands at a node of its betting tree.
import { type KeyboardEvent, useState } from "react";
import { useSearchParams } from "react-router";
import { type Shapes, api, ask } from "../../api/client";
import { useApiQuery } from "../../queries/use-api-query";
import { capitalized, formatPercent } from "../../format/numbers";
import { Button, Chip, Empty, Loading, ErrorMessage } from "../../ui/basic";

type StrategyGrid = Shapes["StrategyGrid"];

const SIDE = 13;
const BETS = ["#e8a33d", "#d9772b", "#c4512a", "#a83b2a"];
type Action = StrategyGrid["actions"][number];
type Cell = StrategyGrid["cells"][number];

function colours(actions: Action[]): string[] {
  let bets = 0;
  return actions.map(({ kind }) =>
    kind === "fold"
      ? "#7391ab"
      : kind === "call"
        ? "#4c9f70"
        : kind === "all-in"
          ? "#7d1f2b"
          : (BETS[bets++] ?? "#a83b2a"),
  );
}

const WEIGHTING = {
  reach: "Shares are means over all hands, weighted by how often it gets here with each of them by its own moves.",
  hands: "It never gets here by its own moves: shares are means over all hands equally.",
  buckets: "Without a board, shares are means over all buckets equally.",
};

/** One or two blueprints at the same node; the line and the board are in the address, to come back to. */
export function GridBrowser({ agents }: { agents: { id: string; name: string }[] }) {
  const [search, setSearch] = useSearchParams();
  const line = search.get("line") ?? "";
  const board = search.get("board") ?? "";
  const go = (change: Record<string, string>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    setSearch(next);
  };
  return (
    <div className="space-y-3">
      <BoardPicker board={board} onChange={(cards) => go({ board: cards })} />
      <div className={agents.length > 1 ? "grid min-w-0 gap-6 xl:grid-cols-2" : "min-w-0"}>
        {agents.map((agent) => (
          <AtNode
            key={agent.id}
            agent={agent}
            line={line}
            board={board}
            go={(to) => go({ line: to })}
            named={agents.length > 1}
          />
        ))}
      </div>
    </div>
  );
}

const RANKS = [..."AKQJT98765432"];
const SUITS = [
  { code: "s", sign: "♠", name: "spades" },
  { code: "h", sign: "♥", name: "hearts" },
  { code: "d", sign: "♦", name: "diamonds" },
  { code: "c", sign: "♣", name: "clubs" },
];
const FLOP = 3;
const MAX_BOARD = 5;

const CARD =
  "flex min-h-9 flex-col items-center justify-center rounded border bg-[#fffdf7] " +
  "text-xs leading-tight font-bold disabled:opacity-40";
const CHOSEN = "border-transparent outline-3 outline-(--ring)";

const inkOf = (suit: string) => ("hd".includes(suit) ? "text-[#b3261e]" : "text-[#26211a]");

/** The cards on the board, chosen by clicking them: up to five, in the order in which they are dealt. */
function BoardPicker({ board, onChange }: { board: string; onChange: (board: string) => void }) {
  const [cards, setCards] = useState(() =>
    Array.from({ length: Math.floor(board.length / 2) }, (_, index) => board.slice(2 * index, 2 * index + 2)),
  );
  const [open, setOpen] = useState(false);
  const put = (next: string[]) => {
    setCards(next);
    if (next.length === 0 || next.length >= FLOP) onChange(next.join(""));
  };
  const toggle = (card: string) =>
    put(cards.includes(card) ? cards.filter((one) => one !== card) : [...cards, card].slice(0, MAX_BOARD));
  return (
    <section aria-label="Board" className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-soft">Board</span>
        {cards.map((card) => (
          <Face key={card} card={card} />
        ))}
        {cards.length === 0 && <span className="text-sm">none yet</span>}
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Close" : "Choose cards"}
        </Button>
        {cards.length > 0 && (
          <Button look="quiet" onClick={() => put([])}>
            No board
          </Button>
        )}
      </div>
      {open && (
        <div className="panel w-full max-w-[40rem] space-y-1 p-2">
          {SUITS.map((suit) => (
            <div key={suit.code} role="group" aria-label={suit.name} className="grid grid-cols-13 gap-0.5 sm:gap-1">
              {RANKS.map((rank) => {
                const card = rank + suit.code;
                const chosen = cards.includes(card);
                return (
                  <button
                    key={card}
                    type="button"
                    aria-label={`${rank} of ${suit.name}`}
                    aria-pressed={chosen}
                    disabled={!chosen && cards.length >= MAX_BOARD}
                    onClick={() => toggle(card)}
                    className={`${CARD} ${chosen ? CHOSEN : "border-black/20"} ${inkOf(suit.code)}`}
                  >
                    <span>{rank}</span>
                    <span>{suit.sign}</span>
                  </button>
                );
              })}
            </div>
          ))}
          <p className="text-xs text-soft">The first three are the flop, then the turn and the river.</p>
        </div>
      )}
    </section>
  );
}

const PUBLIC_CARD = "rounded border border-black/20 bg-[#fffdf7] px-1.5 py-0.5 font-serif text-lg font-bold";

function Face({ card }: { card: string }) {
  const suit = SUITS.find((one) => one.code === card.slice(1));
  return (
    <span className={`${PUBLIC_CARD} ${inkOf(suit?.code ?? "s")}`}>
      {card.slice(0, 1)}
      {suit?.sign}
    </span>
  );
}

function AtNode({
  agent,
  line,
  board,
  go,
  named,
}: {
  agent: { id: string; name: string };
  line: string;
  board: string;
  go: (line: string) => void;
  named: boolean;
}) {
  const grid = useApiQuery(`grid ${agent.id} ${line} ${board}`, () =>
    ask(api.GET("/api/agents/{agent}/grid", { params: { path: { agent: agent.id }, query: { line, board } } })),
  );
  const title = named && <h2 className="text-xl">{agent.name}</h2>;
  if (grid.problem) {
    return (
      <section className="space-y-3">
        {title}
        <ErrorMessage again={() => go("")} button="To the beginning">
          {grid.problem}
        </ErrorMessage>
      </section>
    );
  }
  if (grid.data?.kind !== "hands") return <Loading what="the strategy" />;
  const data = grid.data;
  const codes = data.line.map((step) => step.code);
  const hues = colours(data.actions);
  return (
    <section className="min-w-0 space-y-3" data-testid="grid">
      {title}
      <p className="text-sm text-soft">
        {data.infosets.toLocaleString("en")} information sets of {data.game}; cards by {data.cards};{" "}
        {data.buckets.toLocaleString("en")} buckets on this street.
      </p>
      <nav
        aria-label={named ? `Line of moves, ${agent.name}` : "Line of moves"}
        className="flex flex-wrap items-center gap-1 text-sm"
      >
        <button
          type="button"
          className="rounded px-1.5 py-1 underline hover:bg-raised"
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
            {(index === 0 || data.line[index - 1]?.street !== step.street) && index > 0 && <Chip>{step.street}</Chip>}
            <button
              type="button"
              className="rounded px-1.5 py-1 underline hover:bg-raised disabled:no-underline"
              onClick={() => go(codes.slice(0, index + 1).join("-"))}
              disabled={index === codes.length - 1}
            >
              {step.text}
            </button>
          </span>
        ))}
      </nav>
      <p>
        <b>{capitalized(data.position)}</b> to move,{" "}
        {data.street === "pre-flop" ? "before the flop" : `on the ${data.street}`}
        {data.board.length > 0 && <span className="ml-1.5 font-mono">{data.board.join(" ")}</span>}; pot {data.pot}.
      </p>
      <Overall actions={data.actions} hues={hues} onPick={(code) => go([...codes, code].join("-"))} />
      {data.board_needed > 0 ? (
        <Empty>
          The {data.street} has {data.board_needed} cards on the board: choose them above to see every hand.
        </Empty>
      ) : (
        <Cells cells={data.cells} actions={data.actions} hues={hues} />
      )}
      <p className="text-xs text-soft">{WEIGHTING[data.weighting]}</p>
    </section>
  );
}

const LINE =
  "flex min-h-11 w-full items-center gap-2 rounded-lg border border-line bg-panel px-3 py-1 text-left " +
  "text-sm enabled:hover:border-accent enabled:hover:bg-raised";

/** What is done overall, as one bar and as buttons that lead on. */
function Overall({ actions, hues, onPick }: { actions: Action[]; hues: string[]; onPick: (code: string) => void }) {
  return (
    <div className="space-y-2">
      <span aria-hidden className="flex h-4 overflow-hidden rounded-full">
        {actions.map((action, index) => (
          <span key={action.code} style={{ width: `${100 * action.share}%`, background: hues[index] }} />
        ))}
      </span>
      <ul className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap" aria-label="Moves">
        {actions.map((action, index) => (
          <li key={action.code}>
            <button
              type="button"
              disabled={action.ends}
              aria-label={`${capitalized(action.name)} ${formatPercent(action.share)} ${action.text}`}
              title={action.ends ? "The hand ends, or there are no more decisions." : "Go there"}
              onClick={() => onPick(action.code)}
              className={LINE}
            >
              <span aria-hidden className="size-4 shrink-0 rounded" style={{ background: hues[index] }} />
              <span>
                <b>{capitalized(action.name)}</b> <span className="font-mono">{formatPercent(action.share)}</span>
                <span className="block text-xs text-soft">
                  {action.text}
                  {!action.ends && <span aria-hidden> ›</span>}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const told = (cell: Cell, actions: Action[]) =>
  cell.combos
    ? actions.map((action, i) => `${action.name} ${formatPercent(cell.chances[i] ?? 0)}`).join(", ")
    : "not possible on this board";

const CELL =
  "relative block aspect-square w-full overflow-hidden bg-[#5c6166] text-[0.5rem] leading-none " +
  "sm:rounded-sm sm:text-xs aria-pressed:outline-2 aria-pressed:outline-ink";

function Cells({ cells, actions, hues }: { cells: Cell[]; actions: Action[]; hues: string[] }) {
  const [at, setAt] = useState(0);
  const most = Math.max(1e-9, ...cells.map((cell) => cell.reach));
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: SIDE, ArrowUp: -SIDE }[event.key];
    const to = at + (step ?? 0);
    if (!step || to < 0 || to >= cells.length) return;
    setAt(to);
    event.currentTarget.querySelectorAll<HTMLButtonElement>("button")[to]?.focus();
    event.preventDefault();
  };
  const chosen = cells[at];
  return (
    <div className="flex flex-wrap items-start gap-4">
      <div
        role="grid"
        aria-label="Kinds of hands"
        className="grid w-full min-w-0 max-w-[34rem] grid-cols-13 gap-px rounded-lg bg-line p-px sm:gap-0.5 sm:p-0.5"
        onKeyDown={move}
        tabIndex={-1}
      >
        {Array.from({ length: SIDE }, (_, row) => (
          <div key={row} role="row" className="contents">
            {cells.slice(SIDE * row, SIDE * (row + 1)).map((cell, column) => {
              const index = SIDE * row + column;
              return (
                <span key={cell.hand} role="gridcell" className="min-w-0">
                  <button
                    type="button"
                    tabIndex={index === at ? 0 : -1}
                    aria-label={`${cell.hand}: ${told(cell, actions)}`}
                    aria-pressed={index === at}
                    onClick={() => setAt(index)}
                    onFocus={() => setAt(index)}
                    onMouseEnter={() => setAt(index)}
                    className={CELL}
                  >
                    <span
                      aria-hidden
                      className="absolute inset-x-0 bottom-0 flex"
                      style={{
                        height: cell.combos ? `${Math.max(4, (100 * cell.reach) / most)}%` : 0,
                        opacity: cell.reach > 0 ? 1 : 0.45,
                      }}
                    >
                      {cell.chances.map((chance, i) => (
                        <span key={actions[i]?.code} style={{ width: `${100 * chance}%`, background: hues[i] }} />
                      ))}
                    </span>
                    <span className="relative font-semibold text-white [text-shadow:0_0_3px_#000,0_0_2px_#000]">
                      {cell.hand}
                    </span>
                  </button>
                </span>
              );
            })}
          </div>
        ))}
      </div>
      {chosen && (
        <div className="panel min-w-44 flex-1 basis-44 space-y-2 p-3 text-sm" aria-live="polite" data-testid="cell">
          <p className="font-serif text-2xl">{chosen.hand}</p>
          {chosen.combos === 0 ? (
            <p className="text-soft">Not possible on this board.</p>
          ) : (
            <>
              <ul className="space-y-1">
                {actions.map((action, i) => (
                  <li key={action.code} className="flex items-center gap-2">
                    <span aria-hidden className="size-3 shrink-0 rounded" style={{ background: hues[i] }} />
                    <span className="grow">{capitalized(action.name)}</span>
                    <span className="font-mono">{formatPercent(chosen.chances[i] ?? 0)}</span>
                  </li>
                ))}
              </ul>
              <p className="text-xs text-soft">
                {chosen.combos} {chosen.combos === 1 ? "hand" : "hands"}; it gets here with{" "}
                {formatPercent(chosen.reach)} of them by its own moves.
                {chosen.learned < 1 && ` ${formatPercent(1 - chosen.learned)} of them were never met here in training.`}
              </p>
            </>
          )}
        </div>
      )}
    </div>
  );
}
