"""Whom a learner meets besides itself: former versions of itself, and given strategies.

Games against former versions keep it from forgetting how to beat them: equally often each (fictitious play, Heinrich
and Silver, 2016), or the more often the worse it does against them (prioritised, Vinyals et al., 2019).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from parlor.compile import version
from parlor.game import Game
from parlor.learn.gradient.actors import NOT_OVER, Window
from parlor.learn.gradient.settings import PRIORITISED, GradientSettings
from parlor.policies.features import network_inputs
from parlor.policies.nets import Weights, policy_head
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import OpponentArrays, OpponentLineups, self_play
from parlor.policies.population import Population
from parlor.policies.search_networks import some_outputs
from parlor.policies.strategy import Strategy

FORGETTING = 0.98  # of what was got against former versions, in a round


class Past:
    """Former versions and rivals, as line-ups to draw games from.

    There is a place for every version from the beginning, so that a line-up keeps its number; the newest version takes
    the place of the oldest.
    """

    def __init__(
        self,
        game: Game,
        settings: GradientSettings,
        rivals: Sequence[Strategy],
        sizes: tuple[int, ...],
        weights: Weights,
        elsewhere: float = 0.0,
    ) -> None:
        self.game, self.settings, self.rivals, self._sizes = game, settings, list(rivals), sizes
        self._elsewhere = elsewhere  # the share of games in which given agents have the other seats
        places = settings.past_size if settings.past else 0
        self.versions = [self._network(weights)] * places
        self.kept = 0  # versions so far
        self.got = np.zeros((places, 2))  # against each version: games, and payoffs in units

    def members(self) -> OpponentArrays:
        """All line-ups: first those against versions, place by place, then those against rivals, then self-play."""
        s, players = self.settings, self.game.players
        here = 1.0 - self._elsewhere
        if here <= 0.0 or (not self.versions and not self.rivals):
            return self_play(players)
        found = OpponentLineups(self.game)
        former = s.past / here if self.kept else 0.0
        theirs = max(0.0, s.rivals_share - self._elsewhere) / here if self.rivals else 0.0
        for one, share in zip(self.versions, self._shares(), strict=True):
            for player in range(players):
                found.add({q: one for q in range(players) if q != player}, former * share / players)
        for rival in self.rivals:
            for player in range(players):
                share = theirs / len(self.rivals) / players
                if isinstance(rival, Population):
                    found.add_mixture(player, rival.members, rival.mixture, share)
                else:
                    found.add({q: rival for q in range(players) if q != player}, share)
        found.add({}, max(0.0, 1.0 - former - theirs))
        return found.arrays()

    def _shares(self) -> Any:
        """The share of games against the version in each place, among games against versions."""
        games, payoffs = self.got.T
        worse = np.ones(len(games))
        if self.settings.past_choice == PRIORITISED:
            worse = np.exp(-payoffs / np.maximum(games, 1.0))
        worse[self.kept :] = 0.0
        return worse / max(worse.sum(), 1e-9)

    def note(self, window: Window, games: int, rounds: int, weights: Weights) -> bool:
        """Count the games that ended, and keep a version if it is time; whether line-ups have changed.

        Those after so many `games` side by side are played against given agents.
        """
        s = self.settings
        if not s.past:
            return False
        self._count(window, games)
        if rounds % s.past_every:
            return False
        place = self.kept % s.past_size
        self.versions[place] = self._network(weights)
        self.got[place] = 0.0
        self.kept += 1
        return True

    def _count(self, window: Window, games: int) -> None:
        players = self.game.players
        t, g = np.nonzero(window.over[:, :games] != NOT_OVER)
        lineups = window.over[t, g]
        against = lineups < len(self.versions) * players
        place, seat = np.divmod(lineups[against], players)
        self.got *= FORGETTING
        np.add.at(self.got[:, 0], place, 1.0)
        np.add.at(self.got[:, 1], place, window.payoffs[t[against], g[against], seat])

    def _network(self, weights: Weights) -> NetworkPolicy:
        inputs = network_inputs(self.game)
        own, some = some_outputs(self._sizes, weights, 0, policy_head(self.game).outputs)
        rules, source = version(self.game), self.game.source
        return NetworkPolicy(
            self.game.name, rules, inputs.code, own, some, 1.0, 1.0, source=source, declared=inputs.digest, logits=True
        )

    def state(self) -> dict[str, Any]:
        """The versions, as arrays."""
        if not self.versions:
            return {}
        networks = np.array([one.weights for one in self.versions])
        return {"past.kept": np.int64(self.kept), "past.weights": networks, "past.got": self.got}

    def restore(self, state: Mapping[str, Any]) -> None:
        """As they were when `state` was called."""
        if not self.versions:
            return
        self.kept = int(state["past.kept"])
        self.got[:] = state["past.got"]
        self.versions = [replace(self.versions[0], weights=np.array(one)) for one in state["past.weights"]]
