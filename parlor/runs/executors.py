"""Who plays the games of a training run: threads of this process, or Ray, on this machine or on many.

Training games only read the table (see `parlor.solvers.rollouts`), so it does not matter who plays them. With Ray
the table goes to the object store once for each batch, and every worker plays its share; a worker that dies is replaced
and its games are played again, to the same result.
"""

from __future__ import annotations

import functools
import itertools
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.games import load
from parlor.solvers.rollouts import Played, RolloutSettings, Simulator, Snapshot, Threads, Workers

BACKENDS = ("threads", "ray")


class WorkerError(GameError):
    """A worker that failed."""


def start_workers(backend: str, workers: int, address: str | None, simulator: Simulator) -> Workers:
    """Start the workers."""
    if backend not in BACKENDS:
        raise GameError(f"There is no backend {backend!r}; there are {', '.join(BACKENDS)}.")
    if workers < 1:
        raise GameError(f"workers must be at least 1, not {workers}.")
    if backend == "threads":
        if address is not None:
            raise GameError("--address is that of a Ray cluster: add --backend ray.")
        return LocalWorkers(simulator, workers)
    return RayWorkers(simulator, workers, address)


class LocalWorkers(Threads):
    """Threads of this process; an error in one becomes a sentence."""

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[Played]:
        """Games from one table, in the order of their numbers."""
        return self._watched(super().ordered(table, numbers))

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[Played]:
        """Games as they are finished, each from the current table."""
        return self._watched(super().unordered(table, numbers))

    def _watched(self, games: Iterator[Played]) -> Iterator[Played]:
        try:
            yield from games
        except GameError:
            raise
        except Exception as error:
            if ".py" in self.simulator.game.name.partition("(")[0]:
                raise  # in a user's rules: the command line says where
            raise WorkerError(f"A worker failed: {type(error).__name__}: {str(error).rstrip('.')}.") from error


class RayWorkers:
    """Workers managed by Ray: processes of this machine, or of the cluster at `address`."""

    def __init__(self, simulator: Simulator, workers: int, address: str | None) -> None:
        os.environ.update({name: value for name, value in QUIET.items() if name not in os.environ})
        polite = signal.getsignal(signal.SIGTERM)
        try:
            import ray
        except ImportError:
            raise GameError("Ray is not installed: pip install 'parlor[ray]'.") from None
        self.ray = ray
        self.workers = workers
        self.mine = not ray.is_initialized()
        if self.mine:
            _reach(address)
            own: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
            try:
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
            except (ConnectionError, RuntimeError, ValueError, OSError) as error:
                reason = (str(error).strip() or type(error).__name__).split("\n")[0].rstrip(".")
                what = f"The Ray cluster at {address} could not be reached" if address else "Ray could not be started"
                raise GameError(f"{what}: {reason}.") from None
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, polite)  # Ray has replaced our signal handler
        self.task = functools.partial(
            ray.remote(play_some).options(max_retries=RETRIES).remote,
            simulator.game.name, simulator.settings, simulator.seed,
        )  # fmt: skip

    def ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[Played]:
        """Games from one table, in the order of their numbers."""
        return self._watched(self._ordered(table, numbers))

    def unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[Played]:
        """Games as they are finished, each from the current table."""
        return self._watched(self._unordered(table, numbers))

    def close(self) -> None:
        """Stop the workers."""
        if self.mine:
            self.ray.shutdown()

    def _ordered(self, table: Snapshot, numbers: Sequence[int]) -> Iterator[Played]:
        ref = self._put(table)
        share = -(-len(numbers) // self.workers)
        tasks = [self.task(ref, list(numbers[i : i + share])) for i in range(0, len(numbers), share)]
        for task in tasks:
            yield from self.ray.get(task)

    def _unordered(self, table: Callable[[], Snapshot], numbers: Sequence[int]) -> Iterator[Played]:
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

    def _watched(self, games: Iterator[Played]) -> Iterator[Played]:
        try:
            yield from games
        except self.ray.exceptions.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, GameError):
                raise WorkerError(str(cause)) from None
            raise WorkerError(f"A worker failed: {type(cause).__name__}: {str(cause).rstrip('.')}.") from None
        except self.ray.exceptions.RayError as error:
            raise WorkerError(f"A worker was lost, and so were its replacements ({type(error).__name__}).") from None
        except Exception as error:
            reason = (str(error).strip() or type(error).__name__).split("\n")[0].rstrip(".")
            raise WorkerError(f"Ray failed: {reason}.") from error


def _reach(address: str | None) -> None:
    """Raise GameError if nothing answers at host:port; Ray itself would keep trying for many minutes."""
    host, colon, port = (address or "").rpartition(":")
    if not colon or not port.isdigit() or "/" in host:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise GameError(f"The Ray cluster at {address} could not be reached: {reason}.") from None


LONGEST = 1 << 16  # words: games read fewer of a row
RETRIES = 3  # of the games of a worker that was lost
PATIENCE = 10.0  # seconds
QUIET = {
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}


@functools.lru_cache(maxsize=4)
def simulator_for(game: str, settings: RolloutSettings, seed: int) -> Simulator:
    """One simulator for each worker process and run."""
    return Simulator(load(game), settings, seed)


def play_some(
    game: str, settings: RolloutSettings, seed: int, table: tuple[Any, Any], numbers: Sequence[int]
) -> list[Played]:
    """The task of a Ray worker."""
    simulator = simulator_for(game, settings, seed)
    slots, ints = (array.copy() for array in table)  # those of the store are read-only: another type to the compiler
    return [simulator.play(Snapshot(slots, ints), number) for number in numbers]
