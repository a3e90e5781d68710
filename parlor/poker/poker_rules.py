"""The declaration of a poker game, for measurements of poker.

The stakes, who folds, which hands there are, and how a showdown would end if nobody bet any more. A game declares it
as `POKER = PokerRules(…)` beside its rules, for two players; measurements of poker (`local_best_response`,
`aivat`) call the slots below and know no game.

A *hand* is all that a player holds, by number. The expected sign of a showdown, from -1 to 1, is
exact where that is cheap and else a mean over random boards: an unbiased estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from parlor.compile import Bindings
from parlor.compile.kernel import legal, resolve
from parlor.game import Floats, Game, GameError, Ints, State

# --------------------------------------------------------------------------------------------------- slots


def stake(s: State) -> float:
    """The amount that the winner takes from the loser if all bets are called."""
    raise RuntimeError


def folds(s: State, a: int) -> bool:
    """Whether a concrete action folds."""
    raise RuntimeError


def street(s: State) -> int:
    """The number of deals before the current betting, minus one."""
    raise RuntimeError


def set_hand(s: State, p: int, hand: int) -> None:
    """Replace the hand of player `p`."""
    raise RuntimeError


def hand_of(s: State, p: int) -> int:
    """The hand of player `p`."""
    raise RuntimeError


def possible_hands(s: State, p: int, out: Floats) -> None:
    """Fill 1 for each hand that player `p` may hold, by the board and the cards of the other, and 0 for the rest."""
    raise RuntimeError


def showdown_value(s: State, r: Ints) -> float:
    """The expected sign of a showdown for player 0, all hands being known; it may write into `s`."""
    raise RuntimeError


def showdown_values(s: State, p: int, out: Floats, boards: int, r: Ints) -> None:
    """The same for player `p` against each possible hand of the other, over so many boards if there are too many."""
    q = 1 - p
    for h in range(len(out)):
        set_hand(s, q, h)
        out[h] = showdown_value(s, r) if p == 0 else -showdown_value(s, r)


def bets_to_try(s: State, moves: Ints) -> int:
    """The concrete actions that a responder tries: those of the other's own tree."""
    n = legal(s, moves)
    for i in range(n):
        moves[i] = resolve(s, moves[i])
    return n


# --------------------------------------------------------------------------------------------------- a game's own


@dataclass(frozen=True)
class PokerRules:
    """The declaration of a poker game for two; each function fills the slot of its name."""

    hands: int  # number of hands
    streets: int
    stake: Callable[[State], float]
    folds: Callable[[State, int], bool]
    street: Callable[[State], int]
    set_hand: Callable[[State, int, int], None]
    hand_of: Callable[[State, int], int]
    possible_hands: Callable[[State, int, Floats], None]
    showdown_value: Callable[[State, Ints], float]
    showdown_values: Callable[[State, int, Floats, int, Ints], None] = (
        showdown_values  # if there is a faster way than hand by hand
    )
    pot_bets: Callable[[State, Ints], int] = bets_to_try  # if any amount can be bet
    highest_stake: float = math.inf
    card_abstractions: Any = None  # how hands are put into buckets: a `parlor.poker.hands.buckets.CardAbstractions`

    @property
    def bindings(self) -> Bindings:
        """The functions that fill the slots."""
        filled: dict[Callable[..., Any], Callable[..., Any]] = {
            stake: self.stake,
            folds: self.folds,
            street: self.street,
            set_hand: self.set_hand,
            hand_of: self.hand_of,
            possible_hands: self.possible_hands,
            showdown_value: self.showdown_value,
            showdown_values: self.showdown_values,
        }
        return filled


def poker_rules(game: Game) -> PokerRules:
    """The rules that a game declares; GameError if it is no poker for two."""
    rules = game.poker
    if not isinstance(rules, PokerRules) or game.players != 2:
        raise GameError(f"This measurement is for poker between two players, and {game.name} is not that.")
    return rules
