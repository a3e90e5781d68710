"""A population for tests: best responses to the mean of what was there before."""

from pathlib import Path

import numpy as np

import parlor
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.runs.files.strategy_files import write_strategy


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


def as_run(population: Population, folder: Path) -> Path:
    """A folder as PSRO runs have it: each member in a file of its own, and a checkpoint, which is returned."""
    path = folder / "checkpoints" / "00000004.npz"
    names = [[f"../strategies/{p}-{i}.npz" for i in range(len(some))] for p, some in enumerate(population.members)]
    for some, called in zip(population.members, names, strict=True):
        for one, name in zip(some, called, strict=True):
            parlor.save(one, path.parent / name)
    (folder / "config.json").write_text('{"kind": "psro", "config": {"game": "kuhn"}}')
    head = {"config": {"game": "kuhn"}, "code": "1", "iteration": 4, "format": "a population's own entries stand"}
    write_strategy(population, path, head | {"members": names}, {"sums": np.arange(4.0)})
    return path
