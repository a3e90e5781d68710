"""A population for tests: best responses to the mean of what was there before."""

import numpy as np

import parlor
from parlor.policy import Policy
from parlor.solvers.population.population import Population


def grown(name: str, steps: int, weights: str = "uneven") -> Population:
    """After uniform play, a best response of each player to the population so far, `steps` times; then a mixture."""
    game = parlor.load(name)
    members = [[Policy.uniform(game)] for _ in range(game.players)]
    for _ in range(steps):
        policy = Population.of(members, [np.ones(len(some)) for some in members]).table
        assert policy is not None
        for player, some in enumerate(members):
            some.append(parlor.best_response(game, policy, player))
    mixed = [np.arange(len(some)) + (weights == "all") for some in members]  # the first is not played, unless all are
    return Population.of(members, mixed, algorithm="psro", iterations=steps)
