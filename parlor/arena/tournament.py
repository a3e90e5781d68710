"""A tournament: everyone against everyone, on duplicate deals with both seatings.

The cross table has the win rate of the row's agent against the column's, with its interval. A rating puts the agents on
one scale: the strengths that make the results most likely (Bradley and Terry, 1952), 400 points being odds of ten to
one as in chess; a draw is half a win, and one drawn game a pair is added, so that who never loses is not infinitely
good.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from parlor.agents import concrete_game
from parlor.arena.match import Match, play_match
from parlor.game import Game, GameError
from parlor.play import Playable, as_agent

#: Told which pair is playing and how many games it has played; false to stop there.
OnProgress = Callable[[int, int], bool]


@dataclass(frozen=True)
class Tournament:
    """The matches of all pairs that have played, in the order (0, 1), (0, 2), …"""

    game: str
    agents: tuple[str, ...]
    matches: dict[tuple[int, int], Match]
    units: Mapping[str, float] = field(default_factory=dict)  # of payoffs: how many of each a point is

    def match(self, i: int, j: int) -> Match | None:
        """The match of two agents, seen from the first; None if it was not played."""
        if (i, j) in self.matches:
            return self.matches[i, j]
        return self.matches[j, i].turned() if (j, i) in self.matches else None

    def _of(self, i: int) -> list[Match]:
        return [m for j in range(len(self.agents)) if j != i and (m := self.match(i, j)) is not None]

    def mean_rate(self, i: int) -> float:
        """The mean of an agent's win rates against all others."""
        played = self._of(i)
        return sum(m.rate.value for m in played) / len(played) if played else math.nan

    def mean_payoff(self, i: int) -> float:
        """The mean of what an agent got from a game against all others."""
        played = self._of(i)
        return sum(m.payoff.value for m in played) / len(played) if played else math.nan

    def ratings(self) -> list[float]:
        """A number for each agent's strength, with mean 0."""
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
        return [float(400.0 * x) for x in np.log10(strength)]

    def row(self) -> dict[str, Any]:
        """All of it as plain numbers, for machines."""
        names = range(len(self.agents))
        return {
            "game": self.game,
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
    aivat: bool = False,
) -> Tournament:
    """Play `games` games between every two agents; every pair plays the same deals. Of `calm` see `play_match`."""
    if len(agents) < 2:
        raise GameError("A tournament needs at least two agents.")
    seated = [as_agent(agent) for agent in agents]
    matches: dict[tuple[int, int], Match] = {}
    going = True
    for number, (i, j) in enumerate(combinations(range(len(seated)), 2)):

        def told(done: int, number: int = number) -> bool:
            nonlocal going
            going = on_progress is None or on_progress(number, done)
            return going

        match = play_match(game, [seated[i], seated[j]], games, seed, threads=threads, on_progress=told, aivat=aivat)
        if match.games:
            matches[i, j] = match
        if not going:
            break
    concrete = concrete_game(game)
    return Tournament(concrete.name, tuple(agent.name for agent in seated), matches, concrete.units)
