"""Clue: who did it, with what, and where? Suggest, refute, and deduce the three cards in the file.

Without a board, every suggestion is allowed in every turn: Martin, *Monte Carlo counterfactual regret minimization
applied to Clue* (2020).
"""

from parlor.games.clue.belief import imagine
from parlor.games.clue.options import PLAYERS
from parlor.games.clue.rules import (
    ACTIONS,
    LENGTH,
    OUTCOMES,
    STATE,
    ZERO_SUM,
    key,
    legal,
    odds,
    payoff,
    play,
    start,
    turn,
)
from parlor.games.clue.words import TITLE, describe, display, move, secret, show

__all__ = [
    "ACTIONS",
    "LENGTH",
    "OUTCOMES",
    "PLAYERS",
    "STATE",
    "TITLE",
    "ZERO_SUM",
    "describe",
    "display",
    "imagine",
    "key",
    "legal",
    "move",
    "odds",
    "payoff",
    "play",
    "secret",
    "show",
    "start",
    "turn",
]
