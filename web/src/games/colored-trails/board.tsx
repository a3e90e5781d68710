// The board with its coloured tiles, the players and the flag, and the paths that they can take; around it everybody's chips.
import type { ReactNode } from "react";
import type { TableState } from "../../api/client";
import { nearSeat } from "../../format/table";
import { plural } from "../../format/numbers";
import type { BoardProps } from "../drawing";
import { TurnLine, nameOf, others } from "../table-top";
import { Chips, Shape, colourOf } from "./chip";
import { FLAG, type Offer, RESPONDER, type Trails, trailsOf, usePreview } from "./trails";

const SIDE = 4;
const LINES = ["#fff7d6", "#ffffff", "#101014"]; // of the paths, by player, each dashed in its own way
const DASHES = ["", "6 4", "2 4"];

export function TrailsBoard({ state }: BoardProps) {
  const trails = trailsOf(state);
  return (
    <div className="felt flex h-full flex-col gap-2 p-2 sm:flex-row sm:p-3">
      <div
        data-tour="middle"
        className="flex min-h-0 flex-col items-center justify-center gap-1.5 max-sm:h-[52%] sm:grow"
      >
        <Board state={state} trails={trails} />
        <TurnLine state={state} />
      </div>
      <div className="flex min-h-0 flex-col justify-evenly gap-1.5 overflow-y-auto sm:w-72 sm:gap-2">
        <div data-tour="others" className="flex flex-col gap-1.5 sm:gap-2">
          {others(state).map((player) => (
            <Place key={player} state={state} trails={trails} player={player} />
          ))}
        </div>
        <div data-tour="you">
          <Place state={state} trails={trails} player={nearSeat(state)} />
        </div>
      </div>
      <p className="sr-only">{state.picture}</p>
    </div>
  );
}

const center = (place: number) => [(place % SIDE) * 100 + 50, Math.floor(place / SIDE) * 100 + 50] as const;

/** Sixteen tiles; a line for each path, a little beside the others. */
function Board({ state, trails }: { state: TableState; trails: Trails }) {
  const preview = usePreview(state.id);
  const paths = trails.players.map((player, i) => preview?.[i] ?? player?.path ?? []);
  return (
    <svg
      role="img"
      aria-label={told(state, trails)}
      viewBox="0 0 400 400"
      className="min-h-0 w-full max-w-[min(100%,32rem)] grow"
    >
      {trails.tiles.map((letter, place) => {
        const [x, y] = center(place);
        return (
          <g key={place}>
            <rect x={x - 48} y={y - 48} width={96} height={96} rx={10} style={{ fill: colourOf(letter).paint }} />
            <svg x={x + 14} y={y - 44} width={30} height={30}>
              <Shape letter={letter} className="opacity-90" />
            </svg>
          </g>
        );
      })}
      {paths.map(
        (path, player) =>
          path.length > 1 && (
            <polyline
              key={player}
              points={path
                .map((place) =>
                  center(place)
                    .map((at) => at + (player - 1) * 7)
                    .join(),
                )
                .join(" ")}
              fill="none"
              stroke={LINES[player]}
              strokeWidth={6}
              strokeDasharray={DASHES[player]}
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          ),
      )}
      {trails.pieces.map(
        (piece, place) => piece > 0 && <Piece key={place} state={state} piece={piece} place={place} />,
      )}
    </svg>
  );
}

function Piece({ state, piece, place }: { state: TableState; piece: number; place: number }) {
  const [x, y] = center(place);
  if (piece === FLAG) {
    return (
      <g transform={`translate(${x} ${y})`} stroke="#101014" strokeWidth={3} strokeLinejoin="round">
        <path d="M-12 36 V-34" strokeWidth={6} strokeLinecap="round" />
        <path d="M-12 -34 L26 -20 L-12 -5 Z" fill="#fff" />
      </g>
    );
  }
  const mine = piece - 1 === state.seat;
  return (
    <g transform={`translate(${x} ${y})`}>
      <circle r={26} fill={mine ? "#ffd66b" : "#f4f1ea"} stroke="#101014" strokeWidth={4} />
      <text textAnchor="middle" dy={10} fontSize={28} fontWeight={700} fill="#101014">
        {signOf(piece - 1)}
      </text>
    </g>
  );
}

/** Proposers are 1 and 2, the responder is R. */
export const signOf = (player: number) => (player === RESPONDER ? "R" : String(player + 1));

function told(state: TableState, { tiles, pieces }: Trails): string {
  const rows = Array.from({ length: SIDE }, (_, row) =>
    tiles
      .slice(row * SIDE, row * SIDE + SIDE)
      .map((letter) => colourOf(letter).name)
      .join(", "),
  );
  const where = (piece: number) => {
    const place = pieces.indexOf(piece);
    return `row ${Math.floor(place / SIDE) + 1}, column ${(place % SIDE) + 1}`;
  };
  if (tiles.length === 0) return "No board yet";
  const players = [0, 1, RESPONDER].map((p) => `${nameOf(state, p)}: ${where(p + 1)}`);
  return `The board, row by row: ${rows.join("; ")}. ${players.join(". ")}. The flag: ${where(FLAG)}.`;
}

/** A player with its chips, where these are seen, how far it gets with them, and its offer. */
function Place({ state, trails, player }: { state: TableState; trails: Trails; player: number }) {
  const known = trails.players[player];
  const offer = trails.offers[player];
  const over = state.turn === "over";
  const offered = player !== RESPONDER && trails.moves > player + 1;
  return (
    <section
      aria-label={nameOf(state, player)}
      data-side={player === nearSeat(state) ? "own" : "other"}
      className={`rounded-lg px-2 py-1 sm:py-1.5 ${state.player === player ? "bg-black/45 ring-1 ring-[#ffd66b]" : "bg-black/25"}`}
    >
      <p className="flex items-baseline gap-1.5 text-sm">
        <b className="grid size-5 shrink-0 place-items-center self-center rounded-full bg-[#f4f1ea] text-xs text-black">
          {signOf(player)}
        </b>
        <span className="truncate font-semibold">{nameOf(state, player)}</span>
        <span className="ml-auto shrink-0 text-xs opacity-90">{player === RESPONDER ? "responder" : "proposer"}</span>
      </p>
      <div className="flex min-h-7 items-center justify-between gap-2">
        {known ? (
          <Chips letters={known.chips} className="size-5 sm:size-6" />
        ) : (
          <span className="text-xs opacity-90">chips that you do not see</span>
        )}
        {known && (
          <span className="shrink-0 text-right text-xs leading-tight opacity-95">{reach(known.missing, over)}</span>
        )}
      </div>
      {offered && (
        <OfferLine offer={offer} seen={trails.players[player] !== undefined} accepted={trails.accepted === player} />
      )}
    </section>
  );
}

const reach = (missing: number, over: boolean): ReactNode =>
  missing === 0 ? "reaches the flag" : `${over ? "" : "now "}${plural(missing, "step")} short`;

function OfferLine({ offer, seen, accepted }: { offer: Offer | undefined; seen: boolean; accepted: boolean }) {
  if (!offer)
    return <p className="text-xs opacity-90">{seen ? "offers nothing" : "has made an offer that you do not see"}</p>;
  return (
    <p
      className={`flex flex-wrap items-center gap-1 text-xs ${accepted ? "rounded bg-[#dcefe2] px-1 font-semibold text-[#17301f]" : ""}`}
    >
      offers <Chips letters={offer.gives} className="size-4.5" /> for{" "}
      <Chips letters={offer.gets} className="size-4.5" />
      {accepted && "– accepted"}
    </p>
  );
}
