"""The findings of an agent at a decision, by a search or otherwise, for whoever looks into its mind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SearchedMove:
    """A move at the root: how often it was tried, and the mean of what came of it."""

    action: int
    visits: int
    value: float | None  # None: it was not tried


@dataclass(frozen=True)
class SearchFindings:
    """The moves at the root of a search, none if there was none, and what the agent believes of what is hidden."""

    moves: tuple[SearchedMove, ...]
    goal: str = ""  # what values of moves count, as a noun; empty: the payoff of the player who searches
    belief: tuple[tuple[int, float], ...] = ()  # codes of hidden worlds, see `parlor.game.HiddenWorlds`, with chances
