"""Oracles: who answers a mixture of the others' strategies with a new strategy.

An oracle is a function of its task alone, so that it can work in another process and be asked again. Oracles that train
a network draw the opponents of every game from the joint distribution of the others: a joint mixture is answered
jointly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from parlor.game import Game, GameError
from parlor.game.loading.registry import Outside, Registry
from parlor.game.parameters import Settings
from parlor.learn.abr_settings import AbrOracle
from parlor.learn.dqn import BoltzmannOracle, BoltzmannSettings, Dqn, DqnOracle
from parlor.policies.beliefs import codes_of
from parlor.policies.mixture import Mixture
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import OpponentArrays, OpponentLineups
from parlor.policies.plans import Plans
from parlor.policies.strategy import Strategy


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


@dataclass(frozen=True)
class Task:
    """A task for an oracle: a response of one player to the mixture of the others."""

    game: Game
    player: int
    iteration: int
    seed: int  # of this task
    members: Sequence[Sequence[Strategy]]  # of each player
    mixture: Mixture  # over them; `mixture.others(player)` is what is answered
    settings: Any  # of the oracle's settings class
    plans: Plans | None = field(default=None, repr=False)  # of the members, where the game is enumerated


def any_game(game: Game) -> None:
    """Every game will do."""


@dataclass(frozen=True)
class OracleRow:
    """An oracle as the rest of Parlor sees it."""

    summary: str
    respond: Callable[[Task], Strategy]
    settings: type[Settings] = Settings
    exact: bool = False  # it needs the game's tree
    check: Callable[[Game], object] = any_game  # raises GameError for a game that it is not for


def exact(task: Task) -> Strategy:
    """An exact best response."""
    if task.plans is None:
        raise GameError(f"{task.game.name} is too large for exact best responses: choose another oracle.")
    policy, _ = task.plans.respond(task.player, task.mixture)
    return policy.with_about(oracle="exact", iteration=task.iteration, player=task.player)


def from_outside(code: Outside) -> OracleRow:
    """A function of a task, or a class whose instances are, as an oracle."""

    def ask(task: Task) -> Strategy:
        answer = code.call(task.settings, task)
        if not hasattr(answer, "kind") or not hasattr(answer, "game"):
            raise GameError(f"{code.name} answered {repr(answer)[:60]}, which is no strategy, such as a parlor.Policy.")
        strategy: Strategy = answer
        if strategy.game != task.game.name:
            raise GameError(f"{code.name} answered a strategy for {strategy.game}, not for {task.game.name}.")
        return strategy

    return OracleRow(code.summary, ask, code.settings("task"))


ORACLES = Registry("oracle", "exact or dqn(games=2000)", "parlor.oracles", OracleRow, from_outside)
ORACLES |= {
    "exact": OracleRow("exact best responses, in games that can be enumerated", exact, exact=True),
    "dqn": OracleRow("DQN: a network that plays the best action; any game; needs JAX", respond, DqnOracle),
    "boltzmann-dqn": OracleRow("Boltzmann DQN: a network that plays a softmax; needs JAX", respond, BoltzmannOracle),
    "abr": OracleRow(
        "approximate best response: networks that learn from search; needs JAX",
        respond_by_search,
        AbrOracle,
        check=codes_of,
    ),
}
