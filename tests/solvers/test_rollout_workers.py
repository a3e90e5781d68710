"""Batches of training games: who plays them must not matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import parlor
from parlor.solvers.sampling.rollout_cfr import RolloutCfr
from parlor.solvers.sampling.rollouts import RolloutGames, RolloutSettings, Snapshot, Threads

SETTINGS = RolloutSettings(rollouts=3)


class Together(Threads):
    """Workers that bring a batch back only when all of it has been played."""

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[RolloutGames]:
        return iter([self.simulator.play(table, number) for number in numbers])


def learned(crew: type[Threads], threads: int) -> RolloutCfr:
    learner = RolloutCfr(parlor.load("leduc"), SETTINGS, seed=3)
    workers = crew(learner.simulator, threads)
    learner.run(60, batch=20, workers=workers)
    workers.close()
    return learner


@pytest.mark.parametrize("threads", [1, 2])
def test_the_games_of_a_batch_all_start_from_the_same_table(threads: int) -> None:
    expected, found = learned(Together, 1), learned(Threads, threads)
    assert list(found.rows()) == list(expected.rows())
    assert (found.rollouts, found.steps) == (expected.rollouts, expected.steps)
