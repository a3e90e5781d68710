"""Objectives of searches: a number from the payoffs of all players, which the player who searches maximises.

Rows of Table 2 in Li et al., *Combining tree-search, generative models, and Nash bargaining concepts in game-theoretic
reinforcement learning* (2023); for more than two players, envy is the mean over the others, and the product is that of
all. A value network of a search learns this number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from parlor.game import Floats, GameError

OWN, INEQUITY, WELFARE, NASH_PRODUCT = 0, 1, 2, 3
OWN_PAYOFF = "own"  # the name of the usual one
ENVY = 0.5  # what a point more of another costs


class Backup(NamedTuple):
    """A row: its number in kernels, and what it is."""

    number: int
    summary: str
    goal: str = ""  # what it counts, as a noun; empty: payoff


BACKUPS: Mapping[str, Backup] = {
    "own": Backup(OWN, "its own payoff"),
    "inequity": Backup(INEQUITY, "its own payoff, less half of what others get more than it", "fair worth"),
    "welfare": Backup(WELFARE, "the sum of all payoffs", "welfare"),
    "nash-product": Backup(NASH_PRODUCT, "the product of all payoffs, none below zero", "Nash product"),
}
GOALS = tuple(row.goal for row in BACKUPS.values())


def backup_of(name: str) -> Backup:
    """The row of that name."""
    if name not in BACKUPS:
        raise GameError(f"There is nothing to back up that is called {name!r}; there is: {', '.join(BACKUPS)}.")
    return BACKUPS[name]


def backed_up(payoffs: Floats, p: int, which: int) -> float:
    """The number for player `p`."""
    players = len(payoffs)
    value = payoffs[p]
    if which == INEQUITY:
        envy = 0.0
        for q in range(players):
            if payoffs[q] > payoffs[p]:
                envy += payoffs[q] - payoffs[p]
        value -= ENVY * envy / (players - 1)
    elif which == WELFARE:
        value = 0.0
        for q in range(players):
            value += payoffs[q]
    elif which == NASH_PRODUCT:
        value = 1.0
        for q in range(players):
            value *= max(payoffs[q], 0.0)
    return value


def payoffs_as(name: str, payoffs: Any, p: int) -> float:
    """The same in plain Python, by name."""
    return float(backed_up(payoffs, p, backup_of(name).number))
