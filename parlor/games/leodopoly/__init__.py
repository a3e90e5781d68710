"""Leodopoly: a small Monopoly with one die, auctions and deals.

Khan, *AI for Board Games* (University of Leeds, 2019).
"""

from parlor.games.leodopoly.options import PLAYERS
from parlor.games.leodopoly.rules import (
    ACTIONS,
    LENGTH,
    OUTCOMES,
    STATE,
    ZERO_SUM,
    forget,
    imagine,
    key,
    legal,
    odds,
    payoff,
    play,
    start,
    turn,
)
from parlor.games.leodopoly.words import TITLE, describe, display, move, narrate, secret, show

OPPONENT = "tuned"

__all__ = [
    "ACTIONS",
    "LENGTH",
    "OPPONENT",
    "OUTCOMES",
    "PLAYERS",
    "STATE",
    "TITLE",
    "ZERO_SUM",
    "describe",
    "display",
    "forget",
    "imagine",
    "key",
    "legal",
    "move",
    "narrate",
    "odds",
    "payoff",
    "play",
    "secret",
    "show",
    "start",
    "turn",
]
