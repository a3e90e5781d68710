// The square of spaces: any number of them around four sides, from the corner below on the right, clockwise.
import type { CSSProperties, ReactNode } from "react";
import type { TableState } from "../../api/client";
import type { Play } from "../../moves/place";
import { capitalized, plural } from "../../format/numbers";
import { initials } from "../../format/names";
import { nameOf } from "../table-top";
import { type BoardSpace, type LeodopolyView, money, playerColour, setColour } from "./estate";

type Place = { left: number; top: number; width: number; height: number };
export const FEW = 20; // spaces, of which all can be told on the board

/** How deep the spaces are, as a share of the board. */
export const depthOf = (spaces: number) => Math.min(0.23, 1.6 / (Math.ceil(spaces / 4) + 2.2));

/** Where each space lies, in shares of the board: every side begins with a corner, and its other spaces share the rest. */
export function placesOf(spaces: number): Place[] {
  const deep = depthOf(spaces);
  const places: Place[] = [];
  for (let side = 0; side < 4; side++) {
    const count = Math.floor(spaces / 4) + Number(side < spaces % 4);
    const wide = (1 - 2 * deep) / Math.max(1, count - 1);
    for (let k = 0; k < count; k++) {
      const along = k === 0 ? 0 : deep + (k - 1) * wide; // from the side's first corner
      const size = k === 0 ? deep : wide;
      if (side === 0) places.push({ left: 1 - along - size, top: 1 - deep, width: size, height: deep });
      else if (side === 1) places.push({ left: 0, top: 1 - along - size, width: deep, height: size });
      else if (side === 2) places.push({ left: along, top: 0, width: size, height: deep });
      else places.push({ left: 1 - deep, top: along, width: deep, height: size });
    }
  }
  return places;
}

const NOWHERE = { left: 0, top: 0, width: 0, height: 0 };
/** Tokens stand at the inner edge of narrow spaces, where they hide little. */
function inward({ left, width, height }: Place = NOWHERE): string {
  if (width > height)
    return left === 0 ? "flex-wrap content-center justify-end pr-0.5" : "flex-wrap content-center justify-start pl-0.5";
  return "flex-wrap content-end justify-center pb-1.5";
}

const share = (x: number) => `${100 * x}%`;
const placed = ({ left, top, width, height }: Place): CSSProperties => ({
  left: share(left),
  top: share(top),
  width: share(width),
  height: share(height),
});

const TOKENS = "absolute flex gap-px";
const BELOW = "flex-wrap content-end items-end justify-center pb-[min(1.6%,0.6rem)]";

export function Square({
  state,
  view,
  play,
  children,
}: {
  state: TableState;
  view: LeodopolyView;
  play: Play;
  children: ReactNode;
}) {
  const places = placesOf(view.spaces.length);
  const deep = depthOf(view.spaces.length);
  return (
    <div
      data-tour="board"
      className="relative aspect-square shrink-0 overflow-hidden rounded-xl bg-[#26211a] text-[#26211a] shadow-lg"
      style={{ width: "var(--square)" }}
    >
      <ol aria-label="The board">
        {view.spaces.map((space, index) => (
          <li key={space.name + index} className="absolute p-[0.5px]" style={placed(places[index] ?? NOWHERE)}>
            <Space state={state} view={view} space={space} play={play} />
          </li>
        ))}
      </ol>
      <div aria-hidden className="pointer-events-none absolute inset-0 z-20">
        {view.spaces.map(({ name, players }, index) => (
          <span
            key={name + index}
            className={`${TOKENS} ${view.spaces.length > FEW ? inward(places[index]) : BELOW}`}
            style={placed(places[index] ?? NOWHERE)}
          >
            {players.map((p) => (
              <Token
                key={p}
                player={p}
                name={nameOf(state, p)}
                active={view.actor === p && state.turn !== "over"}
                zone={`token ${p}`}
              />
            ))}
          </span>
        ))}
      </div>
      <div
        data-tour="middle"
        className="felt absolute overflow-hidden rounded-lg! @container-[size]"
        style={placed({ left: deep + 0.006, top: deep + 0.006, width: 0.988 - 2 * deep, height: 0.988 - 2 * deep })}
      >
        {children}
      </div>
    </div>
  );
}

/** What stands for the name of a space where there is no room for it. */
const SIGNS: Record<string, string> = {
  chance: "?",
  chest: "▤",
  tax: "−",
  jail: "▦",
  "go to jail": "→▦",
  station: "═",
  utility: "✻",
};

const SPACE = "relative flex h-full w-full flex-col overflow-hidden rounded-[2px]";
const HATCHED = "bg-[repeating-linear-gradient(45deg,#0000_0_4px,#0002_4px_8px)]";

const PRICE = "leading-none whitespace-nowrap tabular-nums";
const SMALL_PRICE = "text-[calc(var(--square)*0.0165)] max-sm:text-[0.5rem]";
const LARGE_PRICE = "text-[calc(var(--square)*0.022)] max-sm:text-[0.6rem]";

const TITLE = "line-clamp-3 w-full leading-[1.05] font-semibold [overflow-wrap:anywhere]";
const SMALL_TITLE = "text-[calc(var(--square)*0.0145)] max-sm:sr-only";
const LARGE_TITLE = "text-[calc(var(--square)*0.024)] max-sm:text-[0.62rem]";

/** A space: its set, its name, what it costs or brings in, who owns it and what stands there. */
function Space({
  state,
  view,
  space,
  play,
}: {
  state: TableState;
  view: LeodopolyView;
  space: BoardSpace;
  play: Play;
}) {
  const { name, cost, rent, owner, players } = space;
  const owned = owner >= 0;
  const here = players.length ? ` here: ${players.map((p) => nameOf(state, p)).join(", ")}` : "";
  const said = [...saidOf(state, view, space)].join(", ");
  const about = state.legal.filter((move) => move.card === name);
  const [move] = about;
  const pick = play && about.length === 1 && move && PICKED.includes(move.verb) ? move : undefined;
  const many = view.spaces.length > FEW;
  const inside = (
    <>
      <Band space={space} />
      <span className="flex min-h-0 grow flex-col items-center gap-[3%] px-px pt-[3%] text-center">
        <span className={`${TITLE} ${many ? SMALL_TITLE : LARGE_TITLE}`}>{name}</span>
        {many && (
          <span aria-hidden className="text-[0.6rem] leading-none sm:hidden">
            {SIGNS[space.kind] ?? (cost ? "" : name.slice(0, 4))}
          </span>
        )}
        {cost > 0 && (
          <span aria-hidden className={`${PRICE} ${many ? SMALL_PRICE : LARGE_PRICE}`}>
            {owned ? (
              <b>
                {space.mortgaged ? "mortg." : money(view, rent)}
                {space.set && "★"}
              </b>
            ) : (
              <>
                {money(view, cost)}
                {!many && <span className="text-[#675c4d]"> / {money(view, rent)}</span>}
              </>
            )}
          </span>
        )}
      </span>
      <span className="sr-only">
        {said && ` ${said};`}
        {here}
      </span>
      {owned && (
        <span aria-hidden className="h-[12%] min-h-1 w-full shrink-0" style={{ background: playerColour(owner) }} />
      )}
    </>
  );
  const lot = view.lot === name && cost > 0;
  const look = `${SPACE} ${lot ? "bg-[#ffe9a8]" : "bg-[#fffdf7]"} ${space.mortgaged ? HATCHED : ""}`;
  const style = owned && !space.mortgaged ? { background: tinted(owner, lot) } : undefined;
  if (!pick) {
    return (
      <div title={`${name}${said && `: ${said}`}`} className={look} style={style}>
        {inside}
      </div>
    );
  }
  return (
    <button
      type="button"
      tabIndex={-1}
      style={style}
      title={capitalized(pick.text)}
      className={`${look} playable z-20`}
      onClick={() => play?.(pick.id)}
    >
      {inside}
    </button>
  );
}

const PICKED = ["put up", "get", "give"]; // moves that are made on the board too

/** What is to be said about a property. */
function* saidOf(
  state: TableState,
  view: LeodopolyView,
  { cost, rent, owner, set, houses, hotel, mortgaged }: BoardSpace,
): Generator<string> {
  if (cost === 0) return;
  if (owner < 0) yield `costs ${money(view, cost)}`;
  yield `rent ${money(view, rent)}`;
  if (set) yield "full set";
  if (hotel) yield "a hotel";
  if (houses) yield plural(houses, "house");
  if (mortgaged) yield "mortgaged";
  if (owner >= 0) yield `of ${nameOf(state, owner)}`;
}

/** The colour of its set, on which houses stand. */
function Band({ space: { group, houses, hotel } }: { space: BoardSpace }) {
  if (group === 0) return null;
  return (
    <span
      aria-hidden
      className="flex h-[18%] min-h-1.5 w-full shrink-0 items-center justify-center gap-px border-b border-black/25"
      style={{ background: setColour(group) }}
    >
      {Array.from({ length: houses }, (_, i) => (
        <span key={i} className="aspect-square h-[70%] max-w-[20%] border border-white bg-[#1f7a35]" />
      ))}
      {hotel && <span className="h-[75%] w-1/2 border border-white bg-[#c62828]" />}
    </span>
  );
}

/** Paper with a little of the owner's colour. */
const tinted = (owner: number, lot: boolean) =>
  `color-mix(in srgb, ${playerColour(owner)} 14%, ${lot ? "#ffe9a8" : "#fffdf7"})`;

const TOKEN = "grid shrink-0 place-items-center rounded-full border-2 font-bold text-white shadow";
const SIZES = "size-[max(1.1rem,calc(var(--square)*0.045))] text-[max(0.5rem,calc(var(--square)*0.018))]";

/** The token of a player, which travels from space to space. */
export function Token({
  player,
  name,
  active = false,
  zone,
  className = "",
}: {
  player: number;
  name: string;
  active?: boolean;
  zone?: string;
  className?: string;
}) {
  return (
    <span
      aria-hidden
      title={name}
      data-zone={zone}
      className={`${TOKEN} ${active ? "border-[#ffd66b]" : "border-white"} ${className || SIZES}`}
      style={{ background: playerColour(player) }}
    >
      {initials(name)}
    </span>
  );
}
