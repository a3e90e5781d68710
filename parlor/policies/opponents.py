"""Whom a best response is learned against: line-ups of strategies, some of them mixed in populations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from parlor.game import Game
from parlor.policies.members import LEARNER, Members, members_of
from parlor.policies.mixture import Mixture
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy


class OpponentLineups:
    """Line-ups that are put together one by one; each different strategy is in the bundle once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rows: list[list[int]] = []
        self.shares: list[float] = []
        self._places: dict[int, int] = {}
        self._strategies: list[Strategy] = []

    def add(self, seats: dict[int, Strategy], share: float) -> None:
        """Strategies by seat; the learner sits in all others."""
        row = [LEARNER] * self.game.players
        for seat, strategy in seats.items():
            if id(strategy) not in self._places:
                self._places[id(strategy)] = len(self._strategies)
                self._strategies.append(strategy)
            row[seat] = self._places[id(strategy)]
        self.rows.append(row)
        self.shares.append(share)

    def add_mixture(
        self, player: int, members: Sequence[Sequence[Strategy]], mixture: Mixture, share: float = 1.0
    ) -> None:
        """All that the others of `player` ever play, as they are mixed jointly; together they have a share."""
        others = mixture.others(player)
        played, shares = np.argwhere(others > 0.0), others[others > 0.0]
        seats = [p for p in range(self.game.players) if p != player]
        for combination, chance in zip(played.tolist(), (shares / shares.sum() * share).tolist(), strict=True):
            self.add({q: members[q][number] for q, number in zip(seats, combination, strict=True)}, chance)

    def members(self) -> Members:
        """All of them in one bundle."""
        return members_of(self.game, np.array(self.rows), np.array(self.shares), self._strategies)


def against_all(game: Game, strategies: Sequence[Strategy]) -> Members:
    """The learner in each seat as often, and against each of these strategies as often."""
    found, share = OpponentLineups(game), 1.0 / (game.players * len(strategies))
    for player in range(game.players):
        for one in strategies:
            if isinstance(one, Population):
                found.add_mixture(player, one.members, one.mixture, share)
            else:
                found.add({q: one for q in range(game.players) if q != player}, share)
    return found.members()


def shares_by_seat(members: Members) -> Any:
    """[players, line-ups] how often each is played where the learner is a certain player; rows of others are 0."""
    shares = np.where(members.lineups.T == LEARNER, members.shares, 0.0)
    totals = shares.sum(axis=1, keepdims=True)
    return shares / np.where(totals > 0.0, totals, 1.0)
