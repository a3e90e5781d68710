"""Oracles of PSRO that train a network: DQN against the mixture of the others' strategies.

In every game the opponents are drawn from the joint distribution of the others, so that a joint mixture is answered
jointly.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.learn.dqn import Dqn
from parlor.learn.members import LEARNER, Members, members_of
from parlor.learn.network import NetworkPolicy
from parlor.learn.settings import BoltzmannSettings
from parlor.solvers.population.meta.mixture import Mixture
from parlor.solvers.population.oracles import Task


def respond(task: Task) -> NetworkPolicy:
    """A network trained against the mixture: the same one whenever it is asked for."""
    dqn = Dqn(task.game, task.settings, task.seed, opponents(task))
    dqn.run_to(task.settings.games)
    name = "boltzmann-dqn" if isinstance(task.settings, BoltzmannSettings) else "dqn"
    return dqn.network(oracle=name, iteration=task.iteration, player=task.player)


def opponents(task: Task) -> Members:
    """The others as they are mixed: all combinations that are ever played, and the strategies in them."""
    used: dict[tuple[int, int], int] = {}
    lineups, shares = combinations(task.mixture, task.player, used)
    strategies = [task.members[seat][number] for seat, number in used]
    return members_of(task.game, lineups, shares, strategies)


def combinations(mixture: Mixture, player: int, used: dict[tuple[int, int], int]) -> tuple[Any, Any]:
    """Line-ups of the others of `player` as they are mixed, and their shares.

    `used` numbers the strategies in them, by seat and number; those that are new are added.
    """
    others = mixture.others(player)
    played = np.argwhere(others > 0.0)
    shares = others[others > 0.0]
    players = mixture.joint.ndim
    lineups = np.full((len(played), players), LEARNER)
    for row, combination in enumerate(played.tolist()):
        for seat, number in zip([p for p in range(players) if p != player], combination, strict=True):
            lineups[row, seat] = used.setdefault((seat, number), len(used))
    return lineups, shares / shares.sum()
