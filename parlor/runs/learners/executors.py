"""Executors, which play the games of a training run: threads of this process, or Ray, on one machine or many.

Training games only read the table (see `parlor.solvers.sampling.rollouts`), so it does not matter who plays them. With
Ray the table goes to the object store once for each batch, and every worker plays its share; a worker that dies is
replaced and its games are played again, to the same result.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from parlor.game.loading import load
from parlor.runs.workers import RETRIES, WorkerError, check_workers, failures, ray_failures, start_ray
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
