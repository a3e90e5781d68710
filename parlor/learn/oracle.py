"""Oracles of PSRO that train a network: DQN against the mixture of the others' strategies.

In every game the opponents are drawn from the joint distribution of the others, so that a joint mixture is answered
jointly.
"""

from __future__ import annotations

import numpy as np

from parlor.learn.dqn import Dqn
from parlor.learn.members import LEARNER, Members, members_of
from parlor.learn.network import NetworkPolicy
from parlor.learn.settings import BoltzmannSettings
from parlor.solvers.population.oracles import Task


def respond(task: Task) -> NetworkPolicy:
    """A network trained against the mixture: the same one whenever it is asked for."""
    dqn = Dqn(task.game, task.settings, task.seed, opponents(task))
    dqn.run_to(task.settings.games)
    name = "boltzmann-dqn" if isinstance(task.settings, BoltzmannSettings) else "dqn"
    return dqn.network(oracle=name, iteration=task.iteration, player=task.player)


def opponents(task: Task) -> Members:
    """The others as they are mixed: all combinations that are ever played, and the strategies in them."""
    others = task.mixture.others(task.player)
    played = np.argwhere(others > 0.0)
    shares = others[others > 0.0]
    used: dict[tuple[int, int], int] = {}
    seats = [p for p in range(task.game.players) if p != task.player]
    lineups = np.full((len(played), task.game.players), LEARNER)
    for row, combination in enumerate(played.tolist()):
        for seat, number in zip(seats, combination, strict=True):
            lineups[row, seat] = used.setdefault((seat, number), len(used))
    strategies = [task.members[seat][number] for seat, number in used]
    return members_of(task.game, lineups, shares / shares.sum(), strategies)
