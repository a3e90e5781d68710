"""Workers for any tasks: threads or processes of this machine, or Ray, on this machine or on many.

    with start_pool("processes", 2) as pool:
        results = list(pool.map(function, tasks))

Results come in the order of the tasks, whoever computes them; `pool.as_completed` gives each as soon as it is there.
After an error no further task is begun if that can be helped; those that have begun are finished before it is raised.
A worker that dies is replaced and its task is repeated, so a task must be a pure function of what it is given; for
processes and Ray both must be picklable.
"""

from __future__ import annotations

import abc
import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, Self, TypeVar

from parlor.game import GameError

BACKENDS = ("threads", "processes", "ray")
RETRIES = 3  # of the task of a worker that was lost
TIMEOUT = 10.0  # seconds
POLITE = 5  # how far a process steps back behind others
ENVIRONMENT = {  # of Ray: quiet, and with time to start on a busy machine
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_gcs_server_port_wait_time_s": "300",
}

Task = TypeVar("Task")
Result = TypeVar("Result")
Numbered = Generator[tuple[int, Result], None, None]


class WorkerError(GameError):
    """A worker that failed."""


class Pool(Protocol):
    """Workers; a context manager."""

    workers: int

    def map(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
        """The results in the order of the tasks."""
        ...

    def as_completed(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Numbered[Result]:
        """The results with the numbers of their tasks, in the order in which they come."""
        ...

    def close(self) -> None:
        """Stop the workers."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


@dataclass(frozen=True)
class WorkerOptions:
    """Workers as they are asked for."""

    backend: str = "threads"
    workers: int = 1
    address: str | None = None  # of a Ray cluster

    def start(self) -> Pool:
        """Start them."""
        return start_pool(self.backend, self.workers, self.address)


def start_pool(backend: str = "threads", workers: int = 1, address: str | None = None) -> Pool:
    """Start workers."""
    check_workers(backend, workers, address, BACKENDS)
    if backend == "ray":
        return RayPool(workers, address)
    return ProcessPool(workers) if backend == "processes" else ThreadPool(workers)


def check_workers(backend: str, workers: int, address: str | None, backends: Sequence[str]) -> None:
    """Raise GameError for workers that cannot be started."""
    if backend not in backends:
        raise GameError(f"There is no backend {backend!r}; there are {', '.join(backends)}.")
    if workers < 1:
        raise GameError(f"workers must be at least 1, not {workers}.")
    if backend != "ray" and address is not None:
        raise GameError("--address is that of a Ray cluster: add --backend ray.")


class _Pool(abc.ABC):
    """A context manager that closes; whatever comes in any order can be had in that of the tasks."""

    @abc.abstractmethod
    def as_completed(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Numbered[Result]:
        """The results with the numbers of their tasks, in the order in which they come."""

    def map(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Iterator[Result]:
        """The results in the order of the tasks."""
        early: dict[int, Result] = {}
        wanted = 0
        with contextlib.closing(self.as_completed(function, tasks)) as completed:
            for number, result in completed:
                early[number] = result
                while wanted in early:
                    yield early.pop(wanted)
                    wanted += 1

    def close(self) -> None:
        """Stop the workers, if they go on when nothing is to be done."""
        return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ThreadPool(_Pool):
    """Threads of this process; a single one is the caller's."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def as_completed(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Numbered[Result]:
        """The results with the numbers of their tasks, in the order in which they come."""
        with failures():
            if self.workers == 1:
                yield from enumerate(map(function, tasks))
                return
            with ThreadPoolExecutor(self.workers) as threads:
                numbers = {threads.submit(function, task): number for number, task in enumerate(tasks)}
                errors: list[BaseException] = []
                try:
                    for future in as_completed(numbers):
                        if future.cancelled():
                            continue
                        if (error := future.exception()) is not None:
                            errors.append(error)
                            _cancel(numbers)
                        else:
                            yield numbers[future], future.result()
                finally:
                    _cancel(numbers)
                if errors:
                    raise errors[0]


class ProcessPool(_Pool):
    """Processes of this machine. They are started when they are needed, and stay."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._idle: list[WorkerProcess] = []
        self._busy: dict[WorkerProcess, int] = {}  # with which task

    def as_completed(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Numbered[Result]:
        """The results with the numbers of their tasks, as they come; of a process that died, from another one."""
        waiting = deque(range(len(tasks)))
        lost: Counter[int] = Counter()
        errors: list[Exception] = []
        with failures():
            try:
                while self._busy or (waiting and not errors):
                    if not errors:
                        self._hand_out(function, tasks, waiting)
                    for process, answer in self._answers():
                        task = self._busy.pop(process)
                        if answer is None:
                            process.kill()
                            lost[task] += 1
                            waiting.appendleft(task)
                            if lost[task] > RETRIES:
                                errors.append(WorkerError(LOST))
                            continue
                        self._idle.append(process)
                        if answer.error is not None:
                            errors.append(answer.error)
                        else:
                            yield task, answer.value
            finally:
                for process in self._busy:
                    process.kill()  # of no use to anybody: nobody waits any more
                self._busy.clear()
            if errors:
                raise errors[0]

    def _hand_out(self, function: Callable[[Task], Result], tasks: Sequence[Task], waiting: deque[int]) -> None:
        while waiting and len(self._busy) < self.workers:
            process = self._idle.pop() if self._idle else WorkerProcess()
            self._busy[process] = task = waiting.popleft()
            with contextlib.suppress(OSError):  # it has died: that is noticed when it is asked for the result
                process.pipe.send((function, tasks[task]))

    def _answers(self) -> list[tuple[WorkerProcess, TaskAnswer | None]]:
        """The next ones; nothing from a process that has died."""
        ready = wait([process.pipe for process in self._busy])
        return [(process, process.answer()) for process in list(self._busy) if process.pipe in ready]

    def close(self) -> None:
        """Stop the processes."""
        for process in self._idle:
            process.kill()
        self._idle.clear()


LOST = (
    "A worker was lost, and so were its replacements. Perhaps there is too little memory for so many; "
    "in a Python script, start processes under `if __name__ == '__main__':`."
)


@dataclass(frozen=True)
class TaskAnswer:
    """The result of a task: a value, or an error; of a generator first everything that it yields, then nothing."""

    value: Any = None
    error: Exception | None = None
    last: bool = True


class WorkerProcess:
    """A process that computes one task after the other; it is ended by `kill`, at any time."""

    def __init__(self, nice: int = 0, method: str = "spawn") -> None:
        """Start it, `nice` to others, by a start method that makes no copy of this one: its threads would hang."""
        fresh = multiprocessing.get_context(method)
        self.pipe, theirs = fresh.Pipe()
        # a context of any method has Process, but their types have it not in common
        self._process = fresh.Process(target=serve, args=(theirs, nice), daemon=True)  # type: ignore[attr-defined]
        self._process.start()
        theirs.close()  # so that ours ends when the process does

    @property
    def pid(self) -> int:
        """Its number."""
        return int(self._process.pid)

    def answer(self) -> TaskAnswer | None:
        """Its next answer; None if it has died."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return None

    def stop(self) -> None:
        """End it without waiting for the end: whoever waits for its answer gets None."""
        self._process.kill()

    def kill(self) -> None:
        """End it."""
        self._process.kill()
        self._process.join()
        self.pipe.close()


class BusyError(GameError):
    """There are too many jobs already."""


class OneJobAtATime:
    """Runs jobs one after the other, each in a polite process of its own, which is ended when it takes too long.

    A second job may wait for its turn, for `queue` seconds at most; a third one is refused.
    """

    def __init__(self, queue: float, busy: str) -> None:
        self.queue, self.busy = queue, busy
        self._turn, self._places = threading.Lock(), threading.BoundedSemaphore(2)

    def run(self, function: Callable[[Task], Result], task: Task, timeout: float) -> Result:
        """The result; BusyError if there is no place, TimeoutError after so many seconds."""
        if not self._places.acquire(blocking=False):
            raise BusyError(self.busy)
        try:
            if not self._turn.acquire(timeout=self.queue):
                raise BusyError(self.busy)
            try:
                return _run_apart(function, task, timeout)
            finally:
                self._turn.release()
        finally:
            self._places.release()


def _run_apart(function: Callable[[Task], Result], task: Task, timeout: float) -> Result:
    process = WorkerProcess(POLITE)
    try:
        with contextlib.suppress(OSError):  # it has died: there will be no answer
            process.pipe.send((function, task))
        if not process.pipe.poll(timeout):
            raise TimeoutError
        answer = process.answer()
    finally:
        process.kill()
    if answer is None:
        raise WorkerError(LOST)
    if answer.error is not None:
        raise answer.error
    found: Result = answer.value
    return found


def serve(pipe: Connection, nice: int) -> None:
    """In a new process: leave Ctrl-C to the one that started it, and end when that one ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()
    while True:
        try:
            function, task = pipe.recv()
            value = function(task)
            if isinstance(value, Generator):
                for part in value:
                    pipe.send(TaskAnswer(part, last=False))
                value = None
            answer: TaskAnswer = TaskAnswer(value)
        except EOFError:
            return
        except Exception as error:
            answer = TaskAnswer(error=error)
        try:
            pipe.send(answer)
        except Exception as error:  # it cannot be pickled
            pipe.send(TaskAnswer(error=WorkerError(f"A result cannot be sent: {error}")))


def _cancel(futures: Iterable[Future[Any]]) -> None:
    """Those that have not begun are not begun."""
    for future in futures:
        future.cancel()


@contextlib.contextmanager
def failures(mine: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """Within this, an error in a worker becomes a sentence, unless it is in the user's own code, as `mine` tells."""
    try:
        yield
    except (GameError, GeneratorExit):
        raise
    except Exception as error:
        if mine():
            raise  # the command line says where
        raise WorkerError(f"A worker failed: {type(error).__name__}: {str(error).rstrip('.')}.") from error


# ---------------------------------------------------------------------------------------------------------------- Ray


class RayPool(_Pool):
    """Processes managed by Ray, of this machine, or of the cluster at `address`."""

    def __init__(self, workers: int, address: str | None = None) -> None:
        self.workers = workers
        self.ray, self.mine = start_ray(workers, address)

    def as_completed(self, function: Callable[[Task], Result], tasks: Sequence[Task]) -> Numbered[Result]:
        """The results with the numbers of their tasks, in the order in which they come."""
        with ray_failures(self.ray):
            remote = self.ray.remote(function).options(max_retries=RETRIES)
            waiting = {remote.remote(task): number for number, task in enumerate(tasks)}
            errors: list[Exception] = []
            try:
                while waiting:
                    [task], _ = self.ray.wait(list(waiting), num_returns=1)
                    number = waiting.pop(task)
                    try:
                        result = self.ray.get(task)
                    except Exception as error:
                        errors.append(error)
                        continue
                    yield number, result
            except GeneratorExit:
                for task in waiting:
                    self.ray.cancel(task)
                raise
            if errors:
                raise errors[0]

    def close(self) -> None:
        """Stop the workers."""
        if self.mine:
            self.ray.shutdown()


def start_ray(workers: int, address: str | None) -> tuple[Any, bool]:
    """Ray, connected, and whether we have started it."""
    os.environ.update({name: value for name, value in ENVIRONMENT.items() if name not in os.environ})
    polite = signal.getsignal(signal.SIGTERM)
    try:
        import ray
    except ImportError:
        raise GameError("Ray is not installed: pip install 'parlor-games[ray]'.") from None
    mine = not ray.is_initialized()
    if mine:
        _reach(address)
        own: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
        try:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **own)
        except Exception as error:  # one that takes too long to start raises no other kind
            reason = (str(error).strip() or type(error).__name__).split("\n")[0].rstrip(".")
            what = f"The Ray cluster at {address} could not be reached" if address else "Ray could not be started"
            raise GameError(f"{what}: {reason}.") from None
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, polite)  # Ray has replaced our signal handler
    return ray, mine


def _reach(address: str | None) -> None:
    """Raise GameError if nothing answers at host:port; Ray itself would keep trying for many minutes."""
    host, colon, port = (address or "").rpartition(":")
    if not colon or not port.isdigit() or "/" in host:
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), TIMEOUT).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise GameError(f"The Ray cluster at {address} could not be reached: {reason}.") from None


@contextlib.contextmanager
def ray_failures(ray: Any) -> Iterator[None]:
    """Within this, an error in a worker of Ray, or of Ray itself, becomes a sentence."""
    try:
        yield
    except GeneratorExit:
        raise
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        if isinstance(cause, GameError):
            raise WorkerError(str(cause)) from None
        raise WorkerError(f"A worker failed: {type(cause).__name__}: {str(cause).rstrip('.')}.") from None
    except ray.exceptions.RayError as error:
        raise WorkerError(f"A worker was lost, and so were its replacements ({type(error).__name__}).") from None
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).split("\n")[0].rstrip(".")
        raise WorkerError(f"Ray failed: {reason}.") from error
