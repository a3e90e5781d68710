// Goofspiel: the prize in the middle, the prizes everybody has won, and one's cards to bid.
import { MoveGroup } from "../../moves/move-group";
import type { TableState } from "../../api/client";
import { type BoardProps, type Drawing, displayOf } from "../drawing";
import { nearSeat } from "../../format/table";
import { nameOf, others, PlayingCard, TableTop } from "../table-top";

/** A card's own key: 1 … 9, then 0, j, q, k for 10 … 13. */
const cardKey = (card: string | null) => ({ 10: "0", 11: "j", 12: "q", 13: "k" })[Number(card)] ?? card ?? "";

export const goofspiel: Drawing = {
  Board: GoofspielBoard,
  Choose: Hand,
  verdict,
  room: () => "h-24 sm:h-28",
  keyFor: ({ card }) => cardKey(card),
  howTo: () => ({
    goal: "Win more points of prizes than the others.",
    steps: [
      "Everybody holds the same cards. A prize is turned up, and all bid one card for it at once, unseen.",
      "The highest bid takes the prize; if the highest is a tie, nobody does. Cards that were bid are gone.",
      "So spend high cards on high prizes, or lose cheaply and win the rest.",
      "A card's own number is its key; 10, 11, 12 and 13 have the keys 0, j, q and k.",
    ],
  }),
  tour: [
    { at: "middle", text: "This is the prize that is up: so many points for whoever bids the highest card." },
    { at: "moves", text: "These are your cards. Bid one: each can be used once. Its number is its key." },
    { at: "others", text: "The opponent has the same cards and bids face down. A tie gives the prize to nobody." },
    { at: "you", text: "Points and prizes you win are counted here." },
  ],
};

/** "You have 28 points, Anna 17." */
function verdict(state: TableState) {
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  if (!Array.isArray(fields.points) || state.result?.outcome === "resigned") return undefined;
  const { points: won } = fields;
  const points = [nearSeat(state), ...others(state)].map((player) => `${nameOf(state, player)} ${String(won[player])}`);
  return { text: `Points of prizes: ${points.join(", ")}.` };
}

function GoofspielBoard({ state }: BoardProps) {
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const points = Array.isArray(fields.points) ? fields.points : [];
  const prize = Number(fields.prize ?? 0);
  const { prizes = [], winners = [] } = displayOf(state, state.seat);
  const won = (player: number) => prizes.filter((_, round) => winners[round] === String(player));
  const small = prizes.length > 6 || state.players > 3;
  return (
    <TableTop
      state={state}
      place={(player) => (
        <span className="flex min-h-[calc(var(--card)*0.9)] flex-wrap items-center justify-center gap-1.5 text-sm">
          {player < Number(fields.bids ?? 0) && prize > 0 && (
            <PlayingCard small zone={`bid ${player}`} from={player === state.seat ? "hand" : undefined} />
          )}
          <span>
            <b className="font-serif text-2xl">{String(points[player] ?? 0)}</b>{" "}
            {points[player] === 1 ? "point" : "points"}
          </span>
          <span className={`flex flex-wrap justify-center gap-1 ${small ? "[--card:2.5rem]" : ""}`}>
            {won(player).map((card) => (
              <PlayingCard key={card} text={`${card}♦`} small zone={`prize ${card}`} from="prize" />
            ))}
          </span>
        </span>
      )}
      middle={
        <>
          {prize > 0 && (
            <span data-anchor="prize" className="flex flex-col items-center gap-1 text-sm">
              <span>the prize</span>
              <PlayingCard text={`${prize}♦`} zone={`prize ${prize}`} />
            </span>
          )}
          <LastRound state={state} />
        </>
      }
    />
  );
}

/** "The 4♦ went to you. You bid 3." */
function LastRound({ state }: { state: TableState }) {
  const { prizes = [], winners = [], bids = [] } = displayOf(state, state.seat);
  const round = winners.length - 1;
  const winner = Number(winners[round] ?? -1);
  if (round < 0) return null;
  const to = winner < 0 ? "to nobody: a tie" : winner === state.seat ? "to you" : `to ${nameOf(state, winner)}`;
  return (
    <p className="text-sm">
      The {prizes[round]}♦ went {to}. You had bid {bids[round]}.
    </p>
  );
}

const HAND = "flex flex-wrap justify-center";
const SMALL_CARDS = "gap-1 [--card:1.9rem] sm:gap-2 sm:[--card:3.5rem]";
const LARGE_CARDS = "gap-2 [--card:2.75rem] sm:gap-3 sm:[--card:4.5rem]";

/** One's cards, each of which bids itself when it is one's turn. */
function Hand({ state, play }: BoardProps) {
  const { cards = [] } = displayOf(state, state.seat);
  const many = cards.length > 7;
  return (
    <MoveGroup label={state.legal.length ? "Your move" : "Your cards"} className="flex items-center justify-center">
      <div data-anchor="hand" className={`${HAND} ${many ? SMALL_CARDS : LARGE_CARDS}`}>
        {cards.map((card) => {
          const move = state.legal.find((one) => one.card === card);
          return (
            <button
              key={card}
              type="button"
              disabled={!play || !move}
              aria-keyshortcuts={cardKey(card)}
              onClick={() => move && play?.(move.id)}
              className={`card ${move ? "playable" : ""} justify-center font-serif text-xl font-bold sm:text-2xl`}
            >
              <span className="sr-only">bid {card}</span>
              <span aria-hidden>{card}</span>
              {cardKey(card) !== card && (
                <span aria-hidden className="absolute right-1 bottom-0 font-mono text-xs font-normal text-[#5d5344]">
                  {cardKey(card)}
                </span>
              )}
            </button>
          );
        })}
      </div>
    </MoveGroup>
  );
}
