// A board on which two put stones and do not see each other's: squares, or hexagons in rows that lean to the right.
import type { CSSProperties } from "react";
import type { TableState } from "../../api/client";
import { nearSeat } from "../../format/table";
import { keyOf } from "../../moves/keys";
import { MoveGroup } from "../../moves/move-group";
import { type BoardProps, displayOf } from "../drawing";
import { nameOf, TurnLine } from "../table-top";

type Shape = "square" | "hexagon";
type Stone = { player: number; unseen: boolean } | undefined;

const OWN = "1";
const MET = "2";

/** What the reader knows of each cell; when the game is open, also the stones that nobody has run into. */
function stonesOf(state: TableState): { width: number; stones: Stone[] } {
  const near = nearSeat(state);
  const { grid = [], known = [] } = displayOf(state, near);
  const open = displayOf(state, 1 - near).known;
  const stones = known.map((one, cell): Stone => {
    if (one === OWN) return { player: near, unseen: false };
    if (one === MET) return { player: 1 - near, unseen: false };
    return open?.[cell] === OWN ? { player: 1 - near, unseen: true } : undefined;
  });
  return { width: Number(grid[0] ?? 1), stones };
}

const SIDES = ["top and bottom", "left and right"];
const CELL = "grid shrink-0 place-items-center bg-[#e9d8a6] text-black";
const TARGET =
  "enabled:cursor-crosshair enabled:hover:brightness-90 " +
  "enabled:focus-visible:outline-3 enabled:focus-visible:outline-[#ffd66b]";
const HEXAGON = "polygon(50% 0, 100% 25%, 100% 75%, 50% 100%, 0 75%, 0 25%)";

export function StonesBoard({ state, play, shape }: BoardProps & { shape: Shape }) {
  const near = nearSeat(state);
  const { width, stones } = stonesOf(state);
  const rows = Math.max(1, Math.ceil(stones.length / width));
  const lean = shape === "hexagon" ? (rows - 1) / 2 : 0;
  const size = { "--cell": `min(6rem, (100cqw - 3rem) / ${width + lean}, (100cqh - 11rem) / ${rows})` };
  return (
    <div
      className="felt flex h-full flex-col items-center justify-between gap-2 p-2 sm:p-4"
      style={size as CSSProperties}
    >
      <Player state={state} player={1 - near} shape={shape} tour="others" />
      <MoveGroup label="The board">
        <div className="flex flex-col gap-[2px]">
          {Array.from({ length: rows }, (_, row) => (
            <div
              key={row}
              className="flex gap-[2px]"
              style={{ marginLeft: shape === "hexagon" ? `calc(var(--cell) * ${row / 2})` : undefined }}
            >
              {stones.slice(row * width, (row + 1) * width).map((stone, column) => (
                <Cell
                  key={column}
                  state={state}
                  play={play}
                  shape={shape}
                  stone={stone}
                  name={`${"abcdefghijklm".charAt(column)}${row + 1}`}
                  cell={row * width + column}
                />
              ))}
            </div>
          ))}
        </div>
      </MoveGroup>
      <div data-tour="middle">
        <TurnLine state={state} />
      </div>
      <Player state={state} player={near} shape={shape} tour="you" />
      <p className="sr-only">{state.picture}</p>
    </div>
  );
}

type CellProps = BoardProps & { shape: Shape; stone: Stone; name: string; cell: number };

function Cell({ state, play, shape, stone, name, cell }: CellProps) {
  const move = state.legal.find(({ details }) => Number(details.cell) === cell);
  const key = move ? keyOf(state.legal.indexOf(move)) : "";
  const whose = stone ? `: a stone of ${nameOf(state, stone.player)}` : "";
  return (
    <button
      type="button"
      disabled={!play || !move}
      aria-keyshortcuts={key || undefined}
      title={move && name}
      onClick={() => move && play?.(move.id)}
      className={`${CELL} ${TARGET}`}
      style={{
        width: "var(--cell)",
        height: "var(--cell)",
        clipPath: shape === "hexagon" ? HEXAGON : undefined,
      }}
    >
      <span className="sr-only">{move ? `Try ${name}` : `${name}${whose}`}</span>
      {stone && <Mark player={stone.player} shape={shape} faint={stone.unseen} />}
    </button>
  );
}

/** A cross and a ring on squares, black and white stones on hexagons; faint where the reader has not known of it. */
function Mark({ player, shape, faint }: { player: number; shape: Shape; faint: boolean }) {
  const pale = faint ? "opacity-45" : "";
  if (shape === "hexagon") {
    const paint = player === 0 ? "bg-black" : "bg-white";
    return <span aria-hidden className={`size-[58%] rounded-full border-2 border-black ${paint} ${pale}`} />;
  }
  return (
    <svg
      aria-hidden
      viewBox="0 0 10 10"
      className={`size-[62%] fill-none ${player === 0 ? "stroke-[#8f2d1f]" : "stroke-[#1d4e79]"} ${pale}`}
      strokeWidth="1.5"
      strokeLinecap="round"
    >
      {player === 0 ? <path d="M1.5 1.5 L8.5 8.5 M8.5 1.5 L1.5 8.5" /> : <circle cx="5" cy="5" r="3.6" />}
    </svg>
  );
}

/** A player with its mark; of hexagons also the sides that it connects. */
function Player({ state, player, shape, tour }: { state: TableState; player: number; shape: Shape; tour: string }) {
  const turn = state.player === player ? "bg-white/90 font-semibold text-black" : "bg-black/25";
  return (
    <span data-tour={tour} className={`flex max-w-full items-center gap-2 rounded-full px-3 py-0.5 text-sm ${turn}`}>
      <span className="grid size-5 place-items-center rounded bg-[#e9d8a6]">
        <Mark player={player} shape={shape} faint={false} />
      </span>
      <span className="truncate">
        {nameOf(state, player)}
        {shape === "hexagon" && `: ${SIDES[player]}`}
      </span>
    </span>
  );
}

/** What is to be done now; it is done on the board. */
export function Tries({ state }: BoardProps) {
  const again = state.legal.length > 0 ? "Try a cell of the board." : "";
  return <p className="grid h-full place-items-center text-center text-sm text-soft">{again}</p>;
}
