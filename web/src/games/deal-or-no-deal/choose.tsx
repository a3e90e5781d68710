// What can be done: put each item on one's own side or the other's, propose that, or agree to what was proposed last.
import { type PointerEvent, type ReactNode, useCallback, useRef, useState } from "react";
import type { TableState } from "../../api/client";
import { MoveGroup } from "../../moves/move-group";
import { useKeys } from "../../moves/keys";
import { useRoving } from "../../moves/roving";
import { nearSeat } from "../../format/table";
import { plural } from "../../format/numbers";
import type { BoardProps } from "../drawing";
import { nameOf } from "../table-top";
import { type Deal, dealOf, listed, otherOf, rest, shareOf, spoken, worth } from "./deal";
import { isDrag, isOnOtherSide } from "./drag";
import { Tile } from "./item";

export function DealChoose({ state, play }: BoardProps) {
  const deal = dealOf(state);
  if (state.seat === null || deal.pool.length === 0) return null;
  return <Split key={state.id} state={state} deal={deal} play={play} />;
}

/** What oneself would keep, at first everything; it may be changed while the other thinks. */
function Split({ state, deal, play }: { state: TableState; deal: Deal; play: BoardProps["play"] }) {
  const [chosen, setChosen] = useState<number[]>();
  const kept = chosen ?? deal.pool;
  const change = useCallback(
    (type: number, by: number) =>
      setChosen(
        deal.pool.map((count, i) => (i === type ? Math.min(count, Math.max(0, (kept[i] ?? 0) + by)) : (kept[i] ?? 0))),
      ),
    [deal.pool, kept],
  );
  const move = state.legal.find(
    ({ verb, details }) => verb === "keep" && deal.items.every((item, type) => details[item] === kept[type]),
  );
  const agree = state.legal.find(({ verb }) => verb === "agree");
  useKeys(
    useCallback(
      (key) => {
        const type = ["1", "2", "3"].indexOf(key);
        if (type >= 0 && type < deal.pool.length) change(type, kept[type] === deal.pool[type] ? -(kept[type] ?? 0) : 1);
        else if (key === "o" && move && play) play(move.id);
        else return false;
        return true;
      },
      [change, deal.pool, kept, move, play],
    ),
  );
  return (
    <div className="mx-auto flex h-full max-w-5xl flex-col gap-2 sm:flex-row sm:gap-3">
      <Tray state={state} deal={deal} kept={kept} change={change} />
      <MoveGroup label="Your move" className="h-auto! shrink-0 sm:w-72">
        <Say
          state={state}
          deal={deal}
          kept={kept}
          offer={play && move ? () => play(move.id) : undefined}
          agree={play && agree ? () => play(agree.id) : undefined}
        />
      </MoveGroup>
    </div>
  );
}

// ------------------------------------------------------------------------------------------------- the two sides

type Change = (type: number, by: number) => void;

const TABLE =
  "grid min-h-0 grow grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] grid-rows-[auto_1fr_1fr_1fr] " +
  "overflow-hidden rounded-xl border border-line bg-panel text-ink";

/** A row for each type of items: the other's on the left, one's own on the right, and between them what one is worth. */
function Tray({ state, deal, kept, change }: { state: TableState; deal: Deal; kept: number[]; change: Change }) {
  const roving = useRoving<HTMLElement>();
  const other = nameOf(state, otherOf(state));
  const theirs = rest(deal, kept);
  const { ref } = roving;
  const move = (type: number, by: number) => {
    change(type, by);
    requestAnimationFrame(() => {
      // an item that was moved by the keyboard is gone from where it had the focus
      if (document.activeElement === document.body)
        ref.current?.querySelector<HTMLButtonElement>(`[data-step="${type} ${by}"]`)?.focus();
    });
  };
  return (
    <section aria-label="Who gets what" data-tour="split" data-tray className={TABLE} {...roving}>
      <Head side="theirs">
        <span className="truncate">{other}</span>
        <span>gets</span>
        <Points deal={deal} counts={theirs} player={otherOf(state)} />
      </Head>
      <span className="grid place-items-center border-x border-line px-1 text-xs text-soft">worth to you</span>
      <Head side="mine">
        <span className="max-sm:sr-only">You keep</span>
        <Points deal={deal} counts={kept} player={nearSeat(state)} />
      </Head>
      {deal.items.map((item, type) => (
        <Row
          key={item}
          deal={deal}
          type={type}
          item={item}
          other={other}
          mine={kept[type] ?? 0}
          theirs={theirs[type] ?? 0}
          value={deal.values[nearSeat(state)]?.[type]}
          change={move}
        />
      ))}
    </section>
  );
}

const SIDES = { theirs: "justify-start bg-raised", mine: "justify-end bg-accent/15" } as const;

const Head = ({ side, children }: { side: keyof typeof SIDES; children: ReactNode }) => (
  <span className={`flex min-w-0 items-baseline gap-1.5 px-2 py-1 text-sm whitespace-nowrap ${SIDES[side]}`}>
    {children}
  </span>
);

function Points({ deal, counts, player }: { deal: Deal; counts: number[]; player: number }) {
  const points = worth(deal, counts, player);
  return (
    points !== undefined && (
      <b data-testid={`points ${player}`} className="whitespace-nowrap">
        {plural(points, "point")}
      </b>
    )
  );
}

function Row({
  deal,
  type,
  item,
  other,
  mine,
  theirs,
  value,
  change,
}: {
  deal: Deal;
  type: number;
  item: string;
  other: string;
  mine: number;
  theirs: number;
  value: number | undefined;
  change: Change;
}) {
  const count = deal.pool[type] ?? 0;
  const size = count > 3 ? "size-6 sm:size-8" : count > 2 ? "size-7.5 sm:size-10" : "size-8.5 sm:size-10";
  const pile = (many: number, by: number, label: string) =>
    Array.from({ length: many }, (_, i) => (
      <Piece key={i} item={item} label={label} size={size} move={() => change(type, by)} by={by} />
    ));
  return (
    <>
      <span className={`flex flex-wrap content-center items-center gap-1 px-1.5 sm:px-2 ${SIDES.theirs}`}>
        {pile(theirs, 1, `Take a ${item} from ${other}`)}
      </span>
      <span className="grid grid-cols-[auto_minmax(3.25rem,1fr)_auto] items-center border-x border-line px-0.5 sm:px-2">
        <Step
          name={`${type} -1`}
          label={`One ${item} more for ${other}`}
          off={mine === 0}
          onClick={() => change(type, -1)}
        >
          ‹
        </Step>
        <span className="px-1 text-center text-xs leading-tight">
          <span className="block truncate max-sm:max-w-16">{item}s</span>
          {value !== undefined && (
            <span className="block whitespace-nowrap text-soft">
              <b className="text-sm text-ink">{value}</b> each
            </span>
          )}
          <span className="sr-only">
            : you {mine}, {other} {theirs}
          </span>
        </span>
        <Step
          name={`${type} 1`}
          label={`One ${item} more for you`}
          off={theirs === 0}
          shortcut={String(type + 1)}
          onClick={() => change(type, 1)}
        >
          ›
        </Step>
      </span>
      <span className={`flex flex-wrap content-center items-center gap-1 px-1.5 sm:px-2 ${SIDES.mine}`}>
        {pile(mine, -1, `Give a ${item} to ${other}`)}
      </span>
    </>
  );
}

const STEP =
  "grid size-8 place-items-center rounded-md border border-line bg-panel text-lg leading-none " +
  "hover:bg-raised aria-disabled:cursor-not-allowed aria-disabled:opacity-40 sm:size-9";

/** Where there is nothing left to move it stays, so that it does not lose the focus. */
const Step = ({
  name,
  label,
  shortcut,
  off,
  onClick,
  children,
}: {
  name: string;
  label: string;
  shortcut?: string;
  off: boolean;
  onClick: () => void;
  children: ReactNode;
}) => (
  <button
    type="button"
    data-step={name}
    aria-label={label}
    aria-keyshortcuts={shortcut}
    aria-disabled={off}
    onClick={onClick}
    className={STEP}
  >
    {children}
  </button>
);

/** An item that goes to the other side by a click, or where it is dragged. */
function Piece({
  item,
  label,
  size,
  move,
  by,
}: {
  item: string;
  label: string;
  size: string;
  move: () => void;
  by: number;
}) {
  const start = useRef<{ x: number; y: number; dragged: boolean }>(undefined);
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    const from = start.current;
    if (!from) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    from.dragged ||= isDrag(x, y);
    if (from.dragged) Object.assign(event.currentTarget.style, { translate: `${x}px ${y}px`, zIndex: "30" });
  };
  const drop = (event: PointerEvent<HTMLButtonElement>, landed: boolean) => {
    const box = event.currentTarget.closest("[data-tray]")?.getBoundingClientRect();
    Object.assign(event.currentTarget.style, { translate: "", zIndex: "" });
    if (landed && box && start.current?.dragged && isOnOtherSide(event.clientX, box, by)) move();
  };
  return (
    <button
      type="button"
      aria-label={label}
      className={`arrive relative cursor-grab touch-none rounded-md hover:brightness-95 ${size}`}
      onPointerDown={(event) => {
        start.current = { x: event.clientX, y: event.clientY, dragged: false };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onPointerUp={(event) => drop(event, true)}
      onPointerCancel={(event) => drop(event, false)}
      onClick={() => {
        if (!start.current?.dragged) move();
        start.current = undefined;
      }}
    >
      <Tile item={item} className="size-full" />
    </button>
  );
}

// ------------------------------------------------------------------------------------------------- saying it

function Say({
  state,
  deal,
  kept,
  offer,
  agree,
}: {
  state: TableState;
  deal: Deal;
  kept: number[];
  offer: (() => void) | undefined;
  agree: (() => void) | undefined;
}) {
  const me = nearSeat(state);
  const last = deal.offers.length - 1;
  const answering = last >= 0 && state.turn === "you";
  const got = shareOf(deal, last, me);
  const useless = deal.offers.length === deal.turns - 1;
  return (
    <div className="flex h-full gap-2 sm:flex-col sm:justify-center">
      <p aria-live="polite" className="sr-only">
        {`${spoken(deal, kept)} ${plural(worth(deal, kept, me) ?? 0, "point")}`}
      </p>
      <Big shortcut="o" look="main" onClick={offer}>
        <span className="text-sm">Propose</span>
        <span className="line-clamp-3 text-xs font-normal">
          {useless
            ? "no turn is left for an answer: there would be no deal"
            : `“${spoken(deal, kept)}” – ${plural(worth(deal, kept, me) ?? 0, "point")} for you`}
        </span>
      </Big>
      <Big shortcut="a" look="plain" onClick={agree}>
        <span className="text-sm">Agree</span>
        <span className="line-clamp-3 text-xs font-normal">
          {answering
            ? `you get ${listed(deal, got)} – ${plural(worth(deal, got, me, last) ?? 0, "point")}`
            : last < 0
              ? "nothing has been proposed yet"
              : "it is not your turn"}
        </span>
      </Big>
    </div>
  );
}

const LOOKS = {
  main: "border-transparent bg-accent text-accent-ink",
  plain: "border-accent bg-panel text-accent",
} as const;

const BUTTON =
  "relative flex h-20 min-w-0 flex-1 flex-col items-center justify-center rounded-lg border-2 px-2 " +
  "leading-tight font-semibold hover:brightness-110 disabled:opacity-45 sm:w-full";

function Big({
  shortcut,
  look,
  onClick,
  children,
}: {
  shortcut: string;
  look: keyof typeof LOOKS;
  onClick: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut}
      disabled={!onClick}
      onClick={onClick}
      className={`${BUTTON} ${LOOKS[look]}`}
    >
      {children}
      <kbd
        aria-hidden
        className="absolute top-1 right-1.5 hidden rounded border border-current/40 px-1 font-mono text-xs font-normal sm:inline"
      >
        {shortcut}
      </kbd>
    </button>
  );
}
