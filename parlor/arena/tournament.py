"""A tournament: all pairs of agents, on duplicate deals with every line-up.

Between two players the cross table has the win rate of the row's agent against the column's, with its interval. Among
more it has the win share of the row's agent alone against copies of the column's, so that both orders are played: one
against many of the other is not the reverse of many against one.

A rating puts the agents of a game for two on one scale: the strengths that make the results most likely (Bradley and
Terry, 1952), 400 points being odds of ten to one as in chess; a draw is half a win, and one drawn game a pair is added,
so that an agent that never loses is not infinitely strong. Among more players there is none: the model is of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any

import numpy as np

from parlor.agents.registry import concrete_game
from parlor.arena.batch import VarianceReduction
from parlor.arena.match import Match, play_match
from parlor.arena.statistics import Estimate
from parlor.game import Game, GameError
from parlor.game.seats.play import Playable, as_agent

#: Called with the number of the pair and its games so far; returns false to stop there.
OnProgress = Callable[[int, int], bool]


def pairs(players: int, agents: int) -> list[tuple[int, int]]:
    """The pairs that are matched in a game of so many players: among more than two, in both orders."""
    return list((combinations if players == 2 else permutations)(range(agents), 2))


@dataclass(frozen=True)
class Tournament:
    """The matches of all `pairs` that have been played, in that order."""

    game: str
    agents: tuple[str, ...]
    matches: dict[tuple[int, int], Match]
    units: Mapping[str, float] = field(default_factory=dict)  # of payoffs: how many of each a point is
    players: int = 2

    def match(self, i: int, j: int) -> Match | None:
        """The match of two agents, seen from the first; None if it was not played."""
        if (i, j) in self.matches:
            return self.matches[i, j]
        return self.matches[j, i].turned() if self.players == 2 and (j, i) in self.matches else None

    @property
    def in_points(self) -> bool:
        """Whether payoffs say more than who won."""
        return any(match.in_points for match in self.matches.values())

    def _mean(self, i: int, of: Callable[[Match], Estimate]) -> float:
        played = [m for j in range(len(self.agents)) if j != i and (m := self.match(i, j)) is not None]
        return sum(of(m).value for m in played) / len(played) if played else math.nan

    def mean_rate(self, i: int) -> float:
        """The mean of an agent's win rates against all others; among more than two players, of its win shares."""
        return self._mean(i, lambda match: match.score)

    def mean_payoff(self, i: int) -> float:
        """The mean of an agent's payoffs against all others."""
        return self._mean(i, lambda match: match.payoff)

    def ratings(self) -> list[float]:
        """A rating for each agent, with mean 0, nan for one that has not played; none among more than two players."""
        if self.players != 2:
            return []
        n = len(self.agents)
        score = np.zeros((n, n))  # what row took from column
        for (i, j), match in self.matches.items():
            score[i, j] = match.wins + match.draws / 2 + 0.5
            score[j, i] = match.losses + match.draws / 2 + 0.5
        games = score + score.T
        strength = np.ones(n)
        for _ in range(2000):  # minorise and maximise (Hunter, 2004)
            share = (games / (strength[:, None] + strength[None, :])).sum(axis=1)
            strength = np.where(share > 0.0, score.sum(axis=1) / np.maximum(share, 1e-12), 1.0)
            strength /= np.exp(np.log(strength).mean())
        return [float(400.0 * x) for x in np.where(games.any(axis=1), np.log10(strength), math.nan)]

    def row(self) -> dict[str, Any]:
        """All results as plain numbers, for JSON."""
        names = range(len(self.agents))
        return {
            "game": self.game,
            "players": self.players,
            "in_points": self.in_points,
            "agents": list(self.agents),
            "mean_rates": [self.mean_rate(i) for i in names],
            "mean_payoffs": [self.mean_payoff(i) for i in names],
            "ratings": self.ratings(),
            "matches": [match.row() for match in self.matches.values()],
        }


def play_tournament(
    game: Game,
    agents: Sequence[Playable],
    games: int = 1000,
    seed: int = 0,
    threads: int = 1,
    on_progress: OnProgress | None = None,
    variance_reduction: VarianceReduction | None = None,
) -> Tournament:
    """Play `games` games between every two agents; every pair plays the same deals. See `play_match`."""
    if len(agents) < 2:
        raise GameError("A tournament needs at least two agents.")
    concrete, seated = concrete_game(game), [as_agent(agent) for agent in agents]
    matches: dict[tuple[int, int], Match] = {}
    going = True
    for number, (i, j) in enumerate(pairs(concrete.players, len(seated))):

        def report(done: int, number: int = number) -> bool:
            nonlocal going
            going = on_progress is None or on_progress(number, done)
            return going

        match = play_match(
            game, [seated[i], seated[j]], games, seed, threads=threads, on_progress=report,
            variance_reduction=variance_reduction,
        )  # fmt: skip
        if match.games:
            matches[i, j] = match
        if not going:
            break
    names = tuple(agent.name for agent in seated)
    return Tournament(concrete.name, names, matches, concrete.units, concrete.players)
