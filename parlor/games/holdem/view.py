"""What a player sees of a hand."""

from __future__ import annotations

from dataclasses import dataclass

from parlor.game import State
from parlor.games.holdem.bets import ACTOR, BASE, FOLDED, IN, STREET, is_settled, least_raise, to_call
from parlor.games.holdem.options import STACKS
from parlor.games.holdem.rules import HAND, HANDS, book


@dataclass(frozen=True)
class View:
    """One's own cards and all that lies or was done in the open. Chips are those of the hand, blinds included."""

    player: int
    hole: tuple[int, ...]
    board: tuple[int, ...]
    moves: tuple[int, ...]
    street: int
    actor: int  # who bets next; nothing is said by it when the hand is over
    chips: tuple[int, int]  # put in
    behind: tuple[int, int]  # not yet put in
    street_chips: tuple[int, int]  # put in during this street
    to_call: int
    least_raise: int  # chips of the hand; 0 if the actor cannot raise
    folded: int  # -1, or who has
    settled: bool  # nothing more can be bet

    @property
    def pot(self) -> int:
        """All chips that were put in."""
        return sum(self.chips)


def view(s: State, p: int) -> View:
    """The only door to a state."""
    b = book(s)
    settled = is_settled(b)
    return View(
        player=p,
        hole=tuple(s.hole[p][: min(max(s.dealt - HAND * p, 0), HAND)]),
        board=tuple(s.board[: max(s.dealt - HANDS, 0)]),
        moves=tuple(s.moves[: s.made]),
        street=b[STREET],
        actor=b[ACTOR],
        chips=(b[IN], b[IN + 1]),
        behind=(STACKS[0] - b[IN], STACKS[1] - b[IN + 1]),
        street_chips=(b[IN] - b[BASE], b[IN + 1] - b[BASE]),
        to_call=0 if settled else to_call(b),
        least_raise=0 if settled else least_raise(b),
        folded=b[FOLDED] - 1,
        settled=settled,
    )
