// Battleship: the other's sea, at which one shoots, and one's own, on which one places ships and is shot at.
import { type CSSProperties, useCallback, useState } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { KeyHint } from "../../ui/basic";
import { keyOf, useKeys } from "../../moves/keys";
import { MoveGroup } from "../../moves/move-group";
import { nearSeat } from "../../format/table";
import { type BoardProps, displayOf } from "../drawing";
import { nameOf, TurnLine } from "../table-top";
import { type Cell, type Look, looksOf, seaOf, sunkOf } from "./sea";

const SAID: Record<Look, string> = { water: "", ship: "your ship", miss: "missed", hit: "hit", sunk: "sunk" };

export function Battle({ state, play }: BoardProps) {
  const near = nearSeat(state);
  const { width, height } = seaOf(state);
  const cell = {
    "--tall": `min(4.5rem, (100cqw - 3rem) / ${width + 1}, (100cqh - 12rem) / ${2 * height + 2})`,
    "--wide": `min(7.5rem, (100cqw - 6rem) / ${2 * width + 2}, (100cqh - 9rem) / ${height + 1})`,
  };
  return (
    <div
      className="felt flex h-full flex-col items-center justify-between gap-1 p-2 [--cell:var(--tall)] sm:p-4 sm:[--cell:var(--wide)]"
      style={cell as CSSProperties}
    >
      <div className="flex min-h-0 w-full grow flex-col items-center justify-evenly gap-1 sm:flex-row sm:gap-6">
        <Sea state={state} owner={1 - near} play={play} />
        <Sea state={state} owner={near} play={play} />
      </div>
      <div data-tour="middle">
        <TurnLine state={state} />
      </div>
      <p className="sr-only">{state.picture}</p>
    </div>
  );
}

const OWNER = "max-w-full truncate rounded-full px-3 py-0.5 text-sm";

/** A sea with its name; if something can be done there, its cells are buttons. */
function Sea({ state, owner, play }: BoardProps & { owner: number }) {
  const mine = owner === nearSeat(state);
  const { sizes, most, fired } = seaOf(state);
  const active = state.legal.length > 0 && state.legal[0]?.verb === (mine ? "place" : "shoot");
  const sunk = sunkOf(state, owner);
  const left = most - fired(owner).length;
  const cells = active ? (
    mine ? (
      <Placing state={state} play={play} />
    ) : (
      <Shooting state={state} owner={owner} play={play} />
    )
  ) : (
    <Cells state={state} looks={looksOf(state, owner)} />
  );
  return (
    <section
      aria-label={mine ? "Your sea" : `The sea of ${nameOf(state, owner)}`}
      data-side={mine ? "own" : "other"}
      data-tour={mine ? "you" : "others"}
      className="flex min-w-0 flex-col items-center gap-1"
    >
      <span className={`${OWNER} ${state.player === owner ? "bg-white/90 font-semibold text-black" : "bg-black/25"}`}>
        {nameOf(state, owner)}
      </span>
      {active ? <MoveGroup label="Your move">{cells}</MoveGroup> : cells}
      {!(active && mine) && (
        <span className="h-7 text-sm opacity-90">
          {sizes.length - sunk} of {sizes.length} ships afloat, {left} {left === 1 ? "shot" : "shots"} left
        </span>
      )}
    </section>
  );
}

function Shooting({ state, owner, play }: BoardProps & { owner: number }) {
  return (
    <Cells
      state={state}
      looks={looksOf(state, owner)}
      play={play}
      moveAt={(cell) => state.legal.find(({ details }) => Number(details.cell) === cell)}
    />
  );
}

/** The next ship follows the pointer; r turns it. */
function Placing({ state, play }: BoardProps) {
  const [down, setDown] = useState(false);
  const [over, setOver] = useState<number>();
  const size = Number(state.legal[0]?.details.size ?? 1);
  const turnable = size > 1 && new Set(state.legal.map(({ details }) => details.direction)).size > 1;
  useKeys(
    useCallback(
      (key) => {
        if (key !== "r" || !turnable) return false;
        setDown(!down);
        return true;
      },
      [down, turnable],
    ),
  );
  const { width } = seaOf(state);
  const moveAt = (cell: number) => {
    const here = state.legal.filter(({ details }) => Number(details.cell) === cell);
    return here.find(({ details }) => details.direction === (down ? "down" : "across")) ?? here[0];
  };
  const shown = over === undefined ? undefined : moveAt(over);
  const step = shown?.details.direction === "down" ? width : 1;
  const preview = shown && play ? Array.from({ length: size }, (_, i) => Number(shown.details.cell) + i * step) : [];
  return (
    <div className="flex flex-col items-center gap-1">
      <Cells
        state={state}
        looks={looksOf(state, nearSeat(state))}
        play={play}
        moveAt={moveAt}
        preview={preview}
        hover={setOver}
      />
      <button
        type="button"
        disabled={!play || !turnable}
        onClick={() => setDown(!down)}
        className="flex h-7 items-center gap-2 rounded-full bg-black/40 px-3 text-sm enabled:hover:bg-black/60 disabled:invisible"
      >
        {down ? "The ship lies down ↓" : "The ship lies across →"} <KeyHint>r</KeyHint>
      </button>
    </div>
  );
}

type CellsProps = {
  state: TableState;
  looks: Cell[];
  play?: BoardProps["play"];
  moveAt?: (cell: number) => LegalMove | undefined;
  preview?: number[];
  hover?: (cell: number | undefined) => void;
};

const TARGET =
  "enabled:cursor-crosshair enabled:hover:brightness-150 " +
  "enabled:focus-visible:outline-3 enabled:focus-visible:outline-[#ffd66b]";

const SQUARE = "grid size-[var(--cell)] place-items-center";

/** The grid, with letters above the columns and numbers beside the rows. */
function Cells({ state, looks, play, moveAt, preview = [], hover }: CellsProps) {
  const { width } = seaOf(state);
  const letters = Array.from({ length: width }, (_, column) => "ABCDEFGHIJ".charAt(column));
  return (
    <div
      className="grid gap-[2px] font-mono text-[calc(var(--cell)*0.3)]"
      style={{ gridTemplateColumns: `calc(var(--cell) * 0.5) repeat(${width}, var(--cell)) calc(var(--cell) * 0.5)` }}
      onPointerLeave={() => hover?.(undefined)}
    >
      <span />
      {letters.map((letter) => (
        <span key={letter} aria-hidden className="text-center opacity-80">
          {letter}
        </span>
      ))}
      <span />
      {looks.map((one, cell) => {
        const { look } = one;
        const name = `${letters[cell % width]}${Math.floor(cell / width) + 1}`;
        const move = moveAt?.(cell);
        const key = move ? keyOf(state.legal.indexOf(move)) : "";
        const words = move ? `${move.verb === "place" ? "Place" : "Shoot at"} ${name}` : name;
        const drawn = `${SQUARE} ${PAINT[look]} ${preview.includes(cell) ? "outline-3 outline-[#ffd66b] brightness-150" : ""}`;
        const inside = (
          <>
            <span className="sr-only">{SAID[look] ? `${words}: ${SAID[look]}` : words}</span>
            <Mark look={look} />
          </>
        );
        return (
          <span key={name} className="contents">
            {cell % width === 0 && (
              <span aria-hidden className="self-center pr-1 text-right opacity-80">
                {Math.floor(cell / width) + 1}
              </span>
            )}
            {moveAt ? (
              <button
                type="button"
                disabled={!play || !move}
                aria-keyshortcuts={key || undefined}
                title={move && name}
                onClick={() => move && play?.(move.id)}
                onPointerEnter={() => hover?.(cell)}
                onFocus={() => hover?.(cell)}
                onBlur={() => hover?.(undefined)}
                style={shapeOf(one)}
                className={`${drawn} ${TARGET}`}
              >
                {inside}
              </button>
            ) : (
              <span style={shapeOf(one)} className={drawn}>
                {inside}
              </span>
            )}
            {cell % width === width - 1 && <span />}
          </span>
        );
      })}
    </div>
  );
}

const PAINT: Record<Look, string> = {
  water: "bg-[#16527d]",
  miss: "bg-[#16527d]",
  ship: "bg-[#c3ccd2] text-[#c3ccd2]",
  hit: "bg-[#b8443c] text-[#b8443c]",
  sunk: "bg-[#4a1512] text-[#4a1512]",
};

/** A ship is round at its ends and closed between its cells. */
function shapeOf({ look, left, right, up, down }: Cell): CSSProperties {
  const ship = look !== "water" && look !== "miss";
  const round = (...joined: boolean[]) => (joined.some(Boolean) ? "0" : ship ? "38%" : "15%");
  const gaps = [right && "2px 0 0 0 currentColor", down && "0 2px 0 0 currentColor"].filter(Boolean).join(", ");
  return {
    borderRadius: [round(left, up), round(right, up), round(right, down), round(left, down)].join(" "),
    boxShadow: gaps || undefined,
  };
}

function Mark({ look }: { look: Look }) {
  if (look === "miss")
    return <span aria-hidden className="size-[38%] rounded-full border-[calc(var(--cell)*0.06)] border-white/75" />;
  if (look === "hit" || look === "sunk") {
    return (
      <svg aria-hidden viewBox="0 0 10 10" className="size-[62%] stroke-white" strokeWidth="1.6" strokeLinecap="round">
        <path d="M1.5 1.5 L8.5 8.5 M8.5 1.5 L1.5 8.5" />
      </svg>
    );
  }
  return null;
}

/** What is to be done now; it is done on the board. */
export function Orders({ state }: BoardProps) {
  const { sizes } = seaOf(state);
  const [move] = state.legal;
  const near = nearSeat(state);
  const placed = new Set(displayOf(state, near).mine?.filter((ship) => ship !== "0")).size;
  const what =
    move?.verb === "place"
      ? `Place ship ${placed + 1} of ${sizes.length} on your sea: ` +
        `${Number(move.details.size) === 1 ? "one cell" : `${move.details.size} cells`}.`
      : move
        ? `Shoot at a cell of the sea of ${nameOf(state, 1 - near)}.`
        : `${state.player === null ? "" : `${nameOf(state, state.player)} thinks …`}`;
  return <p className="grid h-full place-items-center text-center text-sm text-soft">{what}</p>;
}
