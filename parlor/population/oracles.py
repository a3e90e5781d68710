"""Oracles: who answers a mixture of the others' strategies with a new strategy.

An oracle is a function of its task alone, so that it can work in another process and be asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from parlor.game import Game, GameError
from parlor.game.loading.registry import Outside, Registry
from parlor.game.parameters import Settings
from parlor.learn.abr_settings import AbrOracle
from parlor.learn.dqn import BoltzmannOracle, DqnOracle
from parlor.policies.beliefs import codes_of
from parlor.policies.strategy import Strategy
from parlor.population.task import Task


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


def train(task: Task) -> Strategy:
    """A network trained against the mixture."""
    from parlor.population.network_oracles import respond

    return respond(task)


def search(task: Task) -> Strategy:
    """A network trained by search against the mixture."""
    from parlor.population.network_oracles import respond_by_search

    return respond_by_search(task)


def from_outside(code: Outside) -> OracleRow:
    """A function of a task, or a class whose instances are, as an oracle."""

    def respond(task: Task) -> Strategy:
        answer = code.call(task.settings, task)
        if not hasattr(answer, "kind") or not hasattr(answer, "game"):
            raise GameError(f"{code.name} answered {repr(answer)[:60]}, which is no strategy, such as a parlor.Policy.")
        strategy: Strategy = answer
        if strategy.game != task.game.name:
            raise GameError(f"{code.name} answered a strategy for {strategy.game}, not for {task.game.name}.")
        return strategy

    return OracleRow(code.summary, respond, code.settings("task"))


ORACLES = Registry("oracle", "exact or dqn(games=2000)", "parlor.oracles", OracleRow, from_outside)
ORACLES |= {
    "exact": OracleRow("exact best responses, in games that can be enumerated", exact, exact=True),
    "dqn": OracleRow("DQN: a network that plays the best action; any game; needs JAX", train, DqnOracle),
    "boltzmann-dqn": OracleRow("Boltzmann DQN: a network that plays a softmax; needs JAX", train, BoltzmannOracle),
    "abr": OracleRow(
        "approximate best response: networks that learn from search; needs JAX", search, AbrOracle, check=codes_of
    ),
}
