"""Parlor: games of imperfect information, written once in plain Python, solved at native speed.

import parlor

game = parlor.load("leduc")
policy, report = parlor.solve(game, "cfr+", iterations=1000)
parlor.save(policy, "leduc.json")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from parlor.agents.agent import CompiledAgent as CompiledAgent
    from parlor.agents.registry import policy_agent as policy_agent
    from parlor.arena.match import Match as Match
    from parlor.contract import check as check
    from parlor.game import CHANCE as CHANCE
    from parlor.game import OVER as OVER
    from parlor.game import Game as Game
    from parlor.game import GameError as GameError
    from parlor.game import Position as Position
    from parlor.game.loading import GAMES as GAMES
    from parlor.game.loading import game_of as game_of
    from parlor.game.loading import load as load
    from parlor.game.loading.matrix import matrix_game as matrix_game
    from parlor.game.moves import Move as Move
    from parlor.game.seats.observation import Event as Event
    from parlor.game.seats.observation import Observation as Observation
    from parlor.game.seats.play import Agent as Agent
    from parlor.game.seats.play import Record as Record
    from parlor.game.seats.python_agent import PythonAgent as PythonAgent
    from parlor.games.from_namespace import game_from as game_from
    from parlor.interop.openspiel_bot import from_openspiel_bot as from_openspiel_bot
    from parlor.interop.openspiel_policy import policy_from_openspiel as policy_from_openspiel
    from parlor.interop.openspiel_policy import policy_to_openspiel as policy_to_openspiel
    from parlor.interop.pettingzoo_policy import from_pettingzoo_policy as from_pettingzoo_policy
    from parlor.policies.plans import tree_policy as tree_policy
    from parlor.policies.policy import Policy as Policy
    from parlor.policies.population import Population as Population
    from parlor.policies.strategy import Strategy as Strategy
    from parlor.population.empirical.empirical_game_files import load_empirical_game as load_empirical_game
    from parlor.population.empirical.empirical_games import empirical_game as empirical_game
    from parlor.population.run.run import psro as psro
    from parlor.runs.by_name import payoff_tensor as payoff_tensor
    from parlor.runs.by_name import play_game as play_game
    from parlor.runs.by_name import play_match as play_match
    from parlor.runs.by_name import replay as replay
    from parlor.runs.by_name import tabulate as tabulate
    from parlor.runs.files.game_files import save_game as save_game
    from parlor.runs.files.strategy_files import load_policy as load_policy
    from parlor.runs.files.strategy_files import load_strategy as load_strategy
    from parlor.runs.files.strategy_files import save as save
    from parlor.runs.saved_agents import load_agent as load_agent
    from parlor.runs.training import train as train
    from parlor.search.belief import Belief as Belief
    from parlor.search.belief import believe as believe
    from parlor.search.belief import sample_worlds as sample_worlds
    from parlor.search.belief import worlds as worlds
    from parlor.sequence_form.enumeration import TooLarge as TooLarge
    from parlor.sequence_form.tree import Tree as Tree
    from parlor.sequence_form.tree import tree as tree
    from parlor.solvers.abstraction import lift as lift
    from parlor.solvers.best_response import best_response as best_response
    from parlor.solvers.best_response import evaluate as evaluate
    from parlor.solvers.best_response import exploitability as exploitability
    from parlor.solvers.best_response import nash_conv as nash_conv
    from parlor.solvers.best_response import reaches as reaches
    from parlor.solvers.best_response import sequence_strategy as sequence_strategy
    from parlor.solvers.cfr import Cfr as Cfr
    from parlor.solvers.exact.correlated import correlated_equilibrium as correlated_equilibrium
    from parlor.solvers.exact.likelihood import estimate_rationality as estimate_rationality
    from parlor.solvers.exact.linear_program import solve_in_fractions as solve_in_fractions
    from parlor.solvers.policy_words import with_words as with_words
    from parlor.solvers.sampling.mccfr import Mccfr as Mccfr
    from parlor.solvers.solve import ALGORITHMS as ALGORITHMS
    from parlor.solvers.solve import Solve as Solve
    from parlor.solvers.solve import solve as solve
    from parlor.solvers.tree_cfr.iteration import Lock as Lock
    from parlor.tuning.run import tune as tune

# Where each public name lives. They are imported when first used, so that `import parlor` and the command line start
# at once.
_HOMES = {
    "parlor.agents.agent": ("CompiledAgent",),
    "parlor.agents.registry": ("policy_agent",),
    "parlor.runs.files.game_files": ("save_game",),
    "parlor.interop.openspiel_bot": ("from_openspiel_bot",),
    "parlor.interop.pettingzoo_policy": ("from_pettingzoo_policy",),
    "parlor.arena.match": ("Match",),
    "parlor.contract": ("check",),
    "parlor.game": ("CHANCE", "OVER", "Game", "GameError", "Position"),
    "parlor.game.loading": ("GAMES", "game_of", "load"),
    "parlor.games.from_namespace": ("game_from",),
    "parlor.game.loading.matrix": ("matrix_game",),
    "parlor.game.moves": ("Move",),
    "parlor.game.seats.observation": ("Event", "Observation"),
    "parlor.game.seats.play": ("Agent", "Record"),
    "parlor.policies.plans": ("tree_policy",),
    "parlor.policies.policy": ("Policy",),
    "parlor.game.seats.python_agent": ("PythonAgent",),
    "parlor.population.run.run": ("psro",),
    "parlor.population.empirical.empirical_game_files": ("load_empirical_game",),
    "parlor.population.empirical.empirical_games": ("empirical_game",),
    "parlor.runs.by_name": ("payoff_tensor", "play_game", "play_match", "replay", "tabulate"),
    "parlor.runs.saved_agents": ("load_agent",),
    "parlor.runs.files.strategy_files": ("load_policy", "load_strategy", "save"),
    "parlor.runs.training": ("train",),
    "parlor.tuning.run": ("tune",),
    "parlor.search.belief": ("Belief", "believe", "sample_worlds", "worlds"),
    "parlor.solvers.abstraction": ("lift",),
    "parlor.solvers.best_response": (
        "best_response",
        "evaluate",
        "exploitability",
        "nash_conv",
        "reaches",
        "sequence_strategy",
    ),
    "parlor.solvers.cfr": ("Cfr",),
    "parlor.solvers.exact.correlated": ("correlated_equilibrium",),
    "parlor.solvers.exact.likelihood": ("estimate_rationality",),
    "parlor.solvers.exact.linear_program": ("solve_in_fractions",),
    "parlor.solvers.sampling.mccfr": ("Mccfr",),
    "parlor.solvers.solve": ("ALGORITHMS", "Solve", "solve"),
    "parlor.solvers.tree_cfr.iteration": ("Lock",),
    "parlor.interop.openspiel_policy": ("policy_from_openspiel", "policy_to_openspiel"),
    "parlor.sequence_form.enumeration": ("TooLarge",),
    "parlor.sequence_form.tree": ("Tree", "tree"),
    "parlor.solvers.policy_words": ("with_words",),
    "parlor.policies.population": ("Population",),
    "parlor.policies.strategy": ("Strategy",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
__all__ = sorted(_HOME)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'parlor' has no attribute {name!r}")
