"""Functions of a game and its agents that take their names as well: these are the ones that `parlor` offers."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from parlor.agents.registry import concrete_game
from parlor.arena import match
from parlor.game import Game
from parlor.game.loading import as_game, matrix
from parlor.game.seats import play
from parlor.game.seats.play import Playable
from parlor.policies.policy import Policy
from parlor.runs.saved_agents import load_agent
from parlor.solvers import tabulate as tabulation

P = ParamSpec("P")
Result = TypeVar("Result")


def with_game(function: Callable[Concatenate[Game, P], Result]) -> Callable[Concatenate[Game | str, P], Result]:
    """The function of a game, which takes the name of one, too."""

    def named(game: Game | str, *args: P.args, **more: P.kwargs) -> Result:
        return function(as_game(game), *args, **more)

    functools.update_wrapper(named, function)
    return named  # type: ignore[return-value]  # its arguments may also be given by keyword


def with_agents(
    function: Callable[Concatenate[Game, Sequence[Playable], P], Result],
) -> Callable[Concatenate[Game | str, Sequence[Playable | str], P], Result]:
    """The function of a game and agents, which takes the names of both, too."""

    def named(game: Game | str, agents: Sequence[Playable | str], *args: P.args, **more: P.kwargs) -> Result:
        game = as_game(game)
        return function(game, [agent_of(agent, game) for agent in agents], *args, **more)

    functools.update_wrapper(named, function)
    return named  # type: ignore[return-value]  # its arguments may also be given by keyword


def agent_of(agent: Playable | str, game: Game) -> Playable:
    """An agent, or the agent of that name."""
    return load_agent(agent, concrete_game(game)) if isinstance(agent, str) else agent


play_game = with_agents(play.play_game)
play_match = with_agents(match.play_match)
payoff_tensor = with_game(matrix.payoff_tensor)
replay = with_game(play.replay)


def tabulate(game: Game | str, agent: Playable | str, *, every_history: bool = True) -> Policy:
    """The same as `parlor.solvers.tabulate.tabulate`; the agent may be named."""
    game = as_game(game)
    return tabulation.tabulate(game, agent_of(agent, game), every_history=every_history)
