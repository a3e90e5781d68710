// Tiny Bridge: the hands around the table, the auction in columns, and a box of bids.
import { lazy } from "react";
import type { LegalMove, TableState } from "../../api/client";
import { MoveGroup } from "../../moves/move-group";
import { capitalized, formatNumber } from "../../format/numbers";
import { type BoardProps, type Drawing, displayOf, faceDown } from "../drawing";
import { nameOf, PlayingCard, TableTop } from "../table-top";

const TRUMPS = ["♥", "♠", "NT"];
const LEVELS = [1, 2];
const BIDS = LEVELS.flatMap((level) => TRUMPS.map((trumps) => `${level}${trumps}`));
const HEARTS = LEVELS.map((level) => `${level}♥`);
const KEYS: Record<string, string> = { pass: "0", double: "d", redouble: "r" };
const TEAM = 2; // partners sit two seats apart

/** Bids are numbered from the lowest, a pass is 0, doubles have letters. */
const callKey = ({ verb, details }: LegalMove) =>
  KEYS[verb] ?? String((Number(details.level) - 1) * TRUMPS.length + TRUMPS.indexOf(String(details.trumps)) + 1);

export const tinyBridge: Drawing = {
  Board: BridgeBoard,
  Choose: Box,
  room: (state) => (state.players > TEAM ? "h-46" : "h-34"),
  keyFor: callKey,
  unit: "point",
  verdict,
  reveal: faceDown("All cards are shown"),
  series: { games: 4, unit: "deal" },
  Strategy: lazy(() => import("./grid").then(({ Grid }) => ({ default: Grid }))),
  howTo: ({ players }) => ({
    goal:
      players > TEAM
        ? "Win points with your partner, who sits opposite, against the other two."
        : "Win as many points as you can with your partner; the other two only pass.",
    steps: [
      "There are eight cards, the jack, queen, king and ace of hearts and of spades; everybody holds two.",
      "A bid says how many of the two tricks you and your partner will make, and which suit is trumps (NT: " +
        "none). Each bid must be higher than the last; spades are above hearts, and no trumps above both.",
      `When ${players > TEAM ? "all others pass" : "your partner passes"}, the last bid is the ` +
        "contract. The cards are not played: it counts what perfect play would " +
        `make${players > TEAM ? "" : ", on average over the cards that the other two may hold"}.`,
      "A made contract of one trick pays 10, and 10 more for the other trick; of two " +
        "tricks 30, or 35 without trumps. Each trick too few costs 20.",
      ...(players > TEAM
        ? ["A double of the others' bid makes it count twice, a redouble of their double four times."]
        : []),
    ],
  }),
  tour: [
    { at: "you", text: "These are your two cards. Aces are the highest, and spades the higher suit." },
    { at: "others", text: "The other hands are hidden. Your bids are all that tells your partner about yours." },
    { at: "moves", text: "Bid tricks and trumps, or pass. 2♠ says: with spades as trumps we make both tricks." },
    { at: "middle", text: "The auction so far. The last bid counts when nobody bids higher." },
  ],
};

/** The contract: the last bid, who made it and how often it was doubled. */
function contract(state: TableState) {
  const [bid, by, times] = displayOf(state, state.seat).contract ?? [];
  return bid ? { bid, by: Number(by), doubled: { 2: ", doubled", 4: ", redoubled" }[Number(times)] ?? "" } : undefined;
}

function verdict(state: TableState) {
  if (!state.result || state.result.outcome === "resigned") return undefined;
  const last = contract(state);
  if (!last) return { heading: "All passed", text: "Nobody gets anything." };
  const points = state.result.payoffs[last.by] ?? 0;
  const who = nameOf(state, last.by);
  const text =
    state.players > TEAM
      ? `${who} and partner ${points >= 0 ? "made it and get" : "failed and lose"} ${formatNumber(Math.abs(points))} points.`
      : `On average over the other cards this is worth ${formatNumber(points)} points to both of you.`;
  const { outcome } = state.result;
  const won = outcome === "won" ? "You won: " : outcome === "lost" ? "You lost: " : "";
  return {
    heading:
      state.players > TEAM
        ? `${won}${last.bid} by ${who}${last.doubled}`
        : `${last.bid}: ${formatNumber(points)} points`,
    text,
  };
}

const mate = (state: TableState, player: number) =>
  state.seat !== null && player !== state.seat && (player - state.seat) % 2 === 0 && state.players > TEAM;

function BridgeBoard({ state }: BoardProps) {
  const { seats = [] } = displayOf(state, state.seat);
  return (
    <TableTop
      state={state}
      place={(player) => {
        const { cards = [] } = displayOf(state, player);
        const hand = player === state.seat || state.turn === "over" ? cards : [];
        return (
          <span className="flex flex-col items-center gap-1">
            {player !== state.seat && <Seat name={seats[player]} partner={mate(state, player)} />}
            <span className="flex gap-1">
              {[0, 1].map((card) => (
                <PlayingCard key={card} text={hand[card]} zone={`hand ${player} ${card}`} />
              ))}
            </span>
            {player === state.seat && <Seat name={seats[player]} partner={false} />}
          </span>
        );
      }}
      middle={<Auction state={state} />}
    />
  );
}

function Seat({ name = "", partner }: { name: string | undefined; partner: boolean }) {
  return <span className="text-xs opacity-90">{partner ? `${name}, your partner` : name}</span>;
}

/** A column for each seat, the first caller's first; of a long auction the last rounds. */
function Auction({ state }: { state: TableState }) {
  const { said = [], seats = [] } = displayOf(state, state.seat);
  const rounds = Math.ceil(said.length / state.players);
  const shown = Array.from({ length: Math.min(rounds, 4) }, (_, index) => rounds - Math.min(rounds, 4) + index);
  const last = contract(state);
  return (
    <>
      <table aria-label="Auction" className="text-sm">
        <thead>
          <tr>
            {seats.map((seat) => (
              <th key={seat} scope="col" className="px-2 text-xs font-normal opacity-90 sm:px-4">
                {seat}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((round) => (
            <tr key={round}>
              {seats.map((seat, p) => {
                const call = said[round * state.players + p];
                return (
                  <td key={seat} className="px-1 py-px text-center">
                    {call ? <Call call={call} /> : ""}
                  </td>
                );
              })}
            </tr>
          ))}
          {rounds === 0 && (
            <tr>
              <td colSpan={seats.length} className="text-center opacity-90">
                no call yet
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {last && state.turn === "over" && (
        <p className="text-sm">
          Contract: <b>{last.bid}</b> by {nameOf(state, last.by)}
          {last.doubled}
        </p>
      )}
    </>
  );
}

function Call({ call }: { call: string }) {
  const look = HEARTS.includes(call)
    ? "bg-[#fffdf7] font-semibold text-[#b3261e]"
    : BIDS.includes(call)
      ? "bg-[#fffdf7] font-semibold text-[#26211a]"
      : "bg-black/25";
  return <span className={`arrive inline-block min-w-9 rounded-md px-1.5 ${look}`}>{call}</span>;
}

/** All calls at their places, those that cannot be made now dimmed, with the reason. */
function Box({ state, play }: BoardProps) {
  const why = (verb: string) => state.blocked.find((one) => one.verb === verb)?.reason;
  const others = state.players > TEAM ? ["pass", "double", "redouble"] : ["pass"];
  return (
    <MoveGroup label="Your move" className="flex flex-col justify-center gap-1.5">
      <div className={`grid gap-1.5 ${others.length > 1 ? "grid-cols-3" : ""}`}>
        {others.map((verb) => {
          const move = state.legal.find((one) => one.verb === verb);
          return <CallButton key={verb} text={capitalized(verb)} move={move} why={why(verb)} play={play} />;
        })}
      </div>
      <div className="grid grid-cols-3 gap-1.5">
        {LEVELS.flatMap((level) =>
          TRUMPS.map((trumps) => {
            const move = state.legal.find(
              ({ verb, details }) => verb === "bid" && Number(details.level) === level && details.trumps === trumps,
            );
            return (
              <CallButton
                key={`${level}${trumps}`}
                text={`${level}${trumps}`}
                move={move}
                why={why("bid")}
                play={play}
                red={trumps === "♥"}
              />
            );
          }),
        )}
      </div>
    </MoveGroup>
  );
}

const BID = "flex min-h-9 items-center justify-center gap-2 rounded-lg border-2 px-2 font-semibold";
const ABLE = "border-accent bg-panel hover:bg-raised";

function CallButton({
  text,
  move,
  why,
  play,
  red = false,
}: {
  text: string;
  move: LegalMove | undefined;
  why: string | undefined;
  play: BoardProps["play"];
  red?: boolean;
}) {
  const able = play && move;
  return (
    <button
      type="button"
      disabled={!able}
      title={move ? undefined : why}
      aria-keyshortcuts={move && callKey(move)}
      onClick={() => move && play?.(move.id)}
      className={`${BID} ${able ? `${ABLE} ${red ? "text-bad" : "text-ink"}` : "border-dashed border-line text-soft"}`}
    >
      {text}
      {able && (
        <kbd
          aria-hidden
          className="hidden rounded border border-line px-1 font-mono text-xs font-normal text-soft sm:inline"
        >
          {callKey(move)}
        </kbd>
      )}
    </button>
  );
}
