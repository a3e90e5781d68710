"""Oracles of PSRO that train a network, DQN or approximate best response, against the mixture of the others.

In every game the opponents are drawn from the joint distribution of the others, so that a joint mixture is answered
jointly.
"""

from __future__ import annotations

from parlor.learn.dqn import BoltzmannSettings, Dqn
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import OpponentArrays, OpponentLineups
from parlor.population.task import Task


def respond(task: Task) -> NetworkPolicy:
    """A network trained against the mixture: the same one whenever it is asked for."""
    dqn = Dqn(task.game, task.settings, task.seed, opponents(task))
    dqn.run_to(task.settings.games)
    name = "boltzmann-dqn" if isinstance(task.settings, BoltzmannSettings) else "dqn"
    return dqn.network(oracle=name, iteration=task.iteration, player=task.player)


def respond_by_search(task: Task) -> NetworkPolicy:
    """The same by approximate best response."""
    from parlor.learn.abr import Abr

    abr = Abr(task.game, task.settings, task.seed, opponents(task))
    abr.run_to(task.settings.episodes)
    return abr.strategy(oracle="abr", iteration=task.iteration, player=task.player)


def opponents(task: Task) -> OpponentArrays:
    """The others as they are mixed: all combinations that are ever played, and the strategies in them."""
    found = OpponentLineups(task.game)
    found.add_mixture(task.player, task.members, task.mixture)
    return found.arrays()
