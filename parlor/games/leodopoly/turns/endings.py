"""The end of a game, and its winners."""

from __future__ import annotations

from parlor.game import State
from parlor.games.leodopoly.estate import score
from parlor.games.leodopoly.options import BY_MONEY, EXTENDED, LAST_PLAYER, PLAYERS, TIES_SHARED, WINNER
from parlor.games.leodopoly.state import FINISHED


def finish(s: State) -> None:
    """End the game: the highest score wins; where more than money counts, bankrupt players cannot win."""
    s.phase = FINISHED
    best = 0
    for p in range(PLAYERS):
        if (WINNER == BY_MONEY and not LAST_PLAYER) or not is_bankrupt(s, p):
            total = score(s, p)
            if total > best:
                best, s.won = total, 0
            if total == best:
                s.won |= 1 << p


def is_bankrupt(s: State, p: int) -> bool:
    """Whether a player has gone bankrupt."""
    if EXTENDED:
        return s.gone >> p & 1 > 0
    return s.bankrupt == p + 1


def payoff(s: State, p: int) -> float:
    """One for the winner; those who tie share it, or get nothing."""
    if s.won >> p & 1 == 0:
        return 0.0
    winners = 0
    for q in range(PLAYERS):
        winners += s.won >> q & 1
    if winners > 1 and not TIES_SHARED:
        return 0.0
    return 1.0 / winners
