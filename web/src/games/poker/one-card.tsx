// Poker with one card each, perhaps one on the board, the chips everybody has put in, and the pot.
import { type BoardProps, displayOf } from "../drawing";
import { Chips, PlayingCard, Pot, Spoken, TableTop } from "../table-top";

export function OneCardBoard({ state }: BoardProps) {
  const { board = [], chips = [], folded = [] } = displayOf(state, state.seat);
  return (
    <TableTop
      state={state}
      place={(player) => (
        <span className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
          <span className={folded[player] === "1" ? "opacity-50" : ""}>
            <PlayingCard text={displayOf(state, player).cards?.[0]} zone={`card ${player}`} from="pot" />
          </span>
          <span className="flex flex-col items-center gap-1">
            <Chips count={Number(chips[player] ?? 0)} zone={`chips ${player}`} words="in" />
            {folded[player] === "1" && <span className="rounded-full bg-black/35 px-2 text-sm">folded</span>}
          </span>
        </span>
      )}
      middle={
        <>
          <span className="flex items-center gap-3">
            {board[0] && <PlayingCard text={board[0]} zone="board" from="pot" />}
            <Pot chips={chips.reduce((sum, count) => sum + Number(count), 0)} />
          </span>
          <Spoken state={state} most={6} />
        </>
      }
    />
  );
}
