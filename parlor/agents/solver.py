"""Solver: computes a strategy for the whole game when it sits down.

It enumerates the game and runs CFR+ for a number of iterations that depends only on the size of the game, so that the
same rules give the same strategy. Between two players with opposed interests nobody can win from such a strategy in the
long run, but for a little that more iterations would take away. Among more players, or where interests are not opposed,
nothing is guaranteed; it is then what has held its ground against itself.
"""

from __future__ import annotations

from parlor.agents import policy_table
from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.compile.random_games import estimate_in_time
from parlor.game import Game, GameError
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree
from parlor.solvers.solve import Solve

SMALL = 2.5e6  # histories: solved in seconds
CLEARLY_LARGE = 1e10  # histories, as a few games suggest them
LIMIT = 5_000_000  # histories that are enumerated, should the estimate have been too low
WORK = 4e8  # a second or two: iterations times histories
MIN_ITERATIONS, MAX_ITERATIONS = 200, 2000  # iterations


def is_small(game: Game) -> bool:
    """Whether the game is small enough, estimated by random games in plain Python, so that nothing is compiled."""
    if "small" not in game.cache:
        few, in_time = estimate_in_time(game, 5, seconds=0.1) if game.native else (0.0, False)
        if in_time and few <= CLEARLY_LARGE:
            histories, in_time = estimate_in_time(game, 200, seconds=0.3)
        game.cache["small"] = in_time and few <= CLEARLY_LARGE and histories <= SMALL
    found: bool = game.cache["small"]
    return found


def solve_game(concrete: Game) -> Policy:
    """The strategy; computed once for a game."""
    if not is_small(concrete):
        raise GameError(f"{concrete.name} is too large to be solved when somebody sits down.")
    if "solved" not in concrete.cache:
        histories = tree(concrete, LIMIT).histories
        work = Solve(concrete, iterations=int(min(max(WORK / histories, MIN_ITERATIONS), MAX_ITERATIONS)))
        for _ in work.steps():
            pass
        concrete.cache["solved"] = work.policy()
    policy: Policy = concrete.cache["solved"]
    return policy


def make(concrete: Game, name: str) -> CompiledAgent:
    """Solve the game."""
    return policy_table.make(concrete, name, solve_game(concrete))


SPEC = AgentSpec(
    "plays by a strategy that was computed for the whole game",
    make,
    quick=True,
    name="Solver Sophie",
    made="Solves the whole game when you sit down, by counterfactual regret minimisation.",
    supports=is_small,
    computes=solve_game,
)
