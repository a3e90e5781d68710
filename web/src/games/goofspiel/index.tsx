// Goofspiel: the prize in the middle, the prizes everybody has won, and one's cards to bid.
import { byArrows, keyOf, type Play } from "../../parts/moves";
import type { LegalMove } from "../../api/client";
import { type BoardProps, type Drawing, displayed } from "../drawing";
import { PlayingCard, Spoken, TableTop } from "../table-top";

export const goofspiel: Drawing = {
  Board: GoofspielBoard,
  sign: { text: "♦", hue: 280 },
  howTo: () => ({
    goal: "Win more points of prizes than the others.",
    steps: [
      "Everybody holds the same cards. A prize is turned up, and all bid one card for it at once, unseen.",
      "The highest bid takes the prize; if the highest is a tie, nobody does. Cards that were bid are gone.",
      "So spend high cards on high prizes, or lose cheaply and win the rest.",
    ],
  }),
};

function GoofspielBoard({ state, play }: BoardProps) {
  const fields = state.view.kind === "generic" ? state.view.fields : {};
  const points = Array.isArray(fields.points) ? fields.points : [];
  const prize = Number(fields.prize ?? 0);
  const { prizes = [], winners = [], cards = [] } = displayed(state, state.seat);
  const won = (player: number) => prizes.filter((_, round) => winners[round] === String(player));
  return (
    <div className="space-y-4">
      <TableTop
        state={state}
        play={play}
        place={(player) => (
          <span className="flex min-h-16 flex-wrap items-center justify-center gap-2 text-sm">
            <span>
              <b className="font-serif text-2xl">{String(points[player] ?? 0)}</b> {points[player] === 1 ? "point" : "points"}
            </span>
            {won(player).map((card) => (
              <PlayingCard key={card} text={`${card}♦`} small />
            ))}
          </span>
        )}
        middle={
          <>
            {prize > 0 && (
              <span className="flex flex-col items-center gap-1 text-sm">
                <span>the prize</span>
                <PlayingCard text={`${prize}♦`} />
              </span>
            )}
            <Spoken state={state} />
          </>
        }
        choose={<Hand cards={cards} legal={state.legal} play={play} />}
      />
      {state.legal.length === 0 && cards.length > 0 && <Hand cards={cards} legal={[]} play={undefined} />}
    </div>
  );
}

/** One's cards, each of which bids itself when it is one's turn. */
function Hand({ cards, legal, play }: { cards: string[]; legal: LegalMove[]; play: Play }) {
  const yours = legal.length > 0;
  return (
    <section data-moves aria-label={yours ? "Your move" : "Your cards"} onKeyDown={byArrows}>
      <h3 className="mb-2 text-base">{yours ? "Your bid" : "Your cards"}</h3>
      <div className="flex flex-wrap gap-3">
        {cards.map((card) => {
          const index = legal.findIndex((move) => move.card === card);
          const move = legal[index];
          return (
            <button
              key={card}
              type="button"
              disabled={!play || !move}
              aria-label={`bid ${card}`}
              onClick={() => move && play?.(move.id)}
              className={`card ${play ? "playable" : ""} justify-center font-serif text-2xl font-bold [--card:3.75rem]`}
            >
              {card}
              <span aria-hidden className="absolute right-1 bottom-0.5 font-mono text-[0.65rem] font-normal opacity-50">
                {index < 0 ? "" : keyOf(index)}
              </span>
            </button>
          );
        })}
      </div>
    </section>
  );
}
