"""`rollout-cfr`: regret minimisation by rollouts, see `parlor.solvers.sampling.rollout_cfr`.

Executors, which play the games of a training run: threads of this process, or Ray, on one machine or many.

Training games only read the table (see `parlor.solvers.sampling.rollouts`), so it does not matter who plays them. With
Ray the table goes to the object store once for each batch, and every worker plays its share; a worker that dies is
replaced and its games are played again, to the same result.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game.loading import load
from parlor.game.parameters import setting
from parlor.policies.policy import Policy
from parlor.runs.learners.learner import NONE, ORDERED, UNORDERED, Entry, Job, LearnerRow
from parlor.runs.measures import INFOSETS, POLICY, REGRET, MetricColumn
from parlor.runs.workers import RETRIES, WorkerError, check_workers, failures, ray_failures, start_ray
from parlor.solvers.sampling.rollout_cfr import RolloutCfr, Row
from parlor.solvers.sampling.rollouts import RolloutGames, RolloutSettings, RolloutWorkers, Simulator, Snapshot, Threads

__all__ = ["BACKENDS", "LocalWorkers", "RayWorkers", "WorkerError", "start_workers"]

BACKENDS = ("threads", "ray")
LONGEST = 1 << 16  # words: games read fewer of a row


def start_workers(backend: str, workers: int, address: str | None, simulator: Simulator) -> RolloutWorkers:
    """Start the workers."""
    check_workers(backend, workers, address, BACKENDS)
    return LocalWorkers(simulator, workers) if backend == "threads" else RayWorkers(simulator, workers, address)


class LocalWorkers(Threads):
    """Threads of this process; an error in one becomes a sentence."""

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games from one table, in the order of their numbers."""
        return self._watched(super().ordered(table, numbers))

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games as they are finished, each from the current table."""
        return self._watched(super().unordered(table, numbers))

    def _watched(self, games: Iterator[RolloutGames]) -> Iterator[RolloutGames]:
        with failures(lambda: ".py" in self.simulator.game.name.partition("(")[0]):
            yield from games


class RayWorkers:
    """Workers managed by Ray: processes of this machine, or of the cluster at `address`."""

    def __init__(self, simulator: Simulator, workers: int, address: str | None) -> None:
        self.workers = workers
        self.ray, self.mine = start_ray(workers, address)
        self.task = functools.partial(
            self.ray.remote(play_some).options(max_retries=RETRIES).remote,
            simulator.game.name, simulator.settings, simulator.seed,
        )  # fmt: skip

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games from one table, in the order of their numbers."""
        return self._watched(self._ordered(table, numbers))

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[RolloutGames]:
        """Games as they are finished, each from the current table."""
        return self._watched(self._unordered(table, numbers))

    def close(self) -> None:
        """Stop the workers."""
        if self.mine:
            self.ray.shutdown()

    def _ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[RolloutGames]:
        ref = self._put(table)
        share = -(-len(numbers) // self.workers)
        tasks = [self.task(ref, list(numbers[i : i + share])) for i in range(0, len(numbers), share)]
        for task in tasks:
            yield from self.ray.get(task)

    def _unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[RolloutGames]:
        waiting = iter(numbers)
        busy = [self.task(self._put(table()), [n]) for n in itertools.islice(waiting, self.workers)]
        while busy:
            done, busy = self.ray.wait(busy, num_returns=1)
            yield from self.ray.get(done[0])
            busy += [self.task(self._put(table()), [n]) for n in itertools.islice(waiting, 1)]

    def _put(self, table: Snapshot) -> Any:
        used = np.flatnonzero(table.slots)
        end = int((table.slots[used] >> 32).max()) + LONGEST if len(used) else 1
        return self.ray.put((table.slots, table.ints[:end]))

    def _watched(self, games: Iterator[RolloutGames]) -> Iterator[RolloutGames]:
        with ray_failures(self.ray):
            yield from games


@functools.lru_cache(maxsize=4)
def simulator_for(game: str, settings: RolloutSettings, seed: int) -> Simulator:
    """One simulator for each worker process and run."""
    return Simulator(load(game), settings, seed)


def play_some(
    game: str, settings: RolloutSettings, seed: int, table: tuple[Any, Any], numbers: Sequence[int]
) -> list[RolloutGames]:
    """The task of a Ray worker."""
    simulator = simulator_for(game, settings, seed)
    slots, ints = (array.copy() for array in table)  # those of the store are read-only: another type to the compiler
    return [simulator.play(Snapshot(slots, ints), number) for number in numbers]


@dataclass(frozen=True)
class RolloutCfrSettings(RolloutSettings):
    """The settings of the solver, and the size of batches."""

    batch: int = setting(10, "games that start from the same table, when batch-ordered", low=1)


class RolloutLearner:
    """Plays its games with workers of its own."""

    def __init__(self, job: Job) -> None:
        simulator = Simulator(job.game, job.settings, job.seed)
        self.workers = start_workers(job.backend, job.workers, job.address, simulator)
        self.solver = RolloutCfr(job.game, job.settings, job.seed)
        self.batch = {NONE: 1, ORDERED: job.settings.batch, UNORDERED: None}[job.parallel]

    @property
    def games(self) -> int:
        """Games learned from so far."""
        return self.solver.games

    def run_to(self, games: int) -> None:
        """Continue until so many games have been learned from."""
        self.solver.run(games - self.games, self.batch, self.workers)

    def policy(self) -> Policy:
        """The average of the recent policies."""
        return self.solver.policy()

    def statistics(self) -> dict[str, Any]:
        """Regrets, updates and probabilities."""
        found = self.solver.statistics()
        names: dict[int, str] = {}
        if (read := self.solver.game.words.decode_key) is not None:
            for row in self.solver.rows():
                names |= dict(zip(row.actions, read(row.key)["actions"], strict=True))
        return found | {"policy": {names.get(a, str(a)): share for a, share in found["policy"].items()}}

    def work(self) -> dict[str, int]:
        """Rollouts and steps."""
        return {"rollouts": self.solver.rollouts, "steps": self.solver.steps}

    def entries(self) -> Iterator[Entry]:
        """The rows of the table."""
        return (dict(vars(row)) for row in self.solver.rows())

    def restore(self, entries: Iterable[Mapping[str, Any]], games: int) -> None:
        """Restore the rows."""
        names = Row.__dataclass_fields__
        rows = ({name: entry[name] for name in names} for entry in entries)
        self.solver.restore((Row(**row) for row in rows), games)

    def close(self) -> None:
        """Stop the workers."""
        self.workers.close()


def _step(settings: RolloutCfrSettings, parallel: str) -> int:
    return settings.batch if parallel == ORDERED else 1


ROW = LearnerRow(
    "evaluates every action of every decision by rollouts; for games too large for anything else",
    RolloutCfrSettings,
    RolloutLearner,
    (ORDERED, UNORDERED, NONE),
    BACKENDS,
    step=_step,
    measures={
        "regret": REGRET,
        "infosets": INFOSETS,
        "updates": MetricColumn(
            "Quantiles of updates per information set",
            scale="log",
            lines={"100": "most", "90": "90 %", "75": "75 %", "50": "median", "25": "25 %", "0": "least"},
        ),
        "policy": POLICY,
    },
)
