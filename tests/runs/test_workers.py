"""Workers for any tasks: the same results from all of them, and a dead one is replaced."""

import math
import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from parlor.game import GameError
from parlor.runs import workers
from parlor.runs.workers import BusyError, OneJobAtATime, Pool, WorkerError, start_pool


def squared(number: int) -> int:
    return number * number


def refuse(number: int) -> int:
    if number == 2:
        raise GameError("Two is too many.")
    return number


def fail(number: int) -> int:
    return 1 // number


def die_once(task: tuple[Path, int]) -> int:
    """The worker of the third task is killed, the first time."""
    once, number = task
    if number == 3 and not once.exists():
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.fixture(scope="module")
def processes() -> Iterator[Pool]:
    with start_pool("processes", 2) as pool:
        yield pool


@pytest.fixture(params=["one", "threads", "processes"])
def pool(request: pytest.FixtureRequest, processes: Pool) -> Pool:
    return processes if request.param == "processes" else start_pool("threads", 1 if request.param == "one" else 3)


def test_results_come_in_order_and_errors_as_sentences(pool: Pool) -> None:
    assert list(pool.map(squared, range(20))) == [number * number for number in range(20)]
    assert list(pool.map(squared, [])) == []
    with pytest.raises(GameError, match=r"^Two is too many\.$"):
        list(pool.map(refuse, [1, 2, 3]))
    with pytest.raises(WorkerError, match=r"^A worker failed: ZeroDivisionError: .*\.$"):
        list(pool.map(fail, [0]))
    some = pool.map(squared, range(20))
    assert next(some) == 0
    some.close()  # type: ignore[attr-defined]
    assert list(pool.map(squared, [7])) == [49]


def wait_for_the_other(task: tuple[Path, int]) -> int:
    """The first task is over when the second one is; the third is wrong."""
    folder, number = task
    if number == 2:
        raise GameError("Two is too many.")
    if number == 1:
        (folder / "done").touch()
    while not (folder / "done").exists():
        time.sleep(0.001)
    return number


def test_results_can_be_had_as_they_come_and_what_has_begun_is_finished(tmp_path: Path, processes: Pool) -> None:
    for pool in (start_pool("threads", 2), processes):
        folder = tmp_path / type(pool).__name__
        folder.mkdir()
        came: list[tuple[int, int]] = []
        with pytest.raises(GameError, match=r"^Two is too many\.$"):
            came.extend(pool.as_completed(wait_for_the_other, [(folder, i) for i in range(3)]))
        assert sorted(came) == [(0, 0), (1, 1)]
        assert dict(pool.as_completed(squared, range(9))) == {i: i * i for i in range(9)}


def test_the_task_of_a_killed_process_is_repeated(tmp_path: Path, processes: Pool) -> None:
    tasks = [(tmp_path / "killed", number) for number in range(6)]
    assert list(processes.map(die_once, tasks)) == list(range(6))
    assert (tmp_path / "killed").exists()


@pytest.mark.slow
def test_a_process_that_always_dies_gets_a_sentence(monkeypatch: pytest.MonkeyPatch, processes: Pool) -> None:
    monkeypatch.setattr(workers, "RETRIES", 1)
    with pytest.raises(WorkerError, match=r"^A worker was lost, and so were its replacements\."):
        list(processes.map(die, range(3)))
    assert list(processes.map(squared, [5])) == [25]


def test_workers_that_do_not_exist() -> None:
    for wrong, sentence in (
        (("gpu", 1, None), "There is no backend 'gpu'; there are threads, processes, ray."),
        (("threads", 0, None), "workers must be at least 1, not 0."),
        (("threads", 1, "10.0.0.1:6379"), "--address is that of a Ray cluster: add --backend ray."),
    ):
        with pytest.raises(GameError) as error:
            start_pool(*wrong)
        assert str(error.value) == sentence


@pytest.mark.slow
def test_one_job_at_a_time_one_that_waits_and_no_third() -> None:
    jobs = OneJobAtATime(30.0, "Somebody else is served.")
    assert jobs.run(math.sqrt, 9.0, 60.0) == 3.0
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        jobs.run(math.sqrt, -1.0, 60.0)
    with pytest.raises(TimeoutError):
        jobs.run(time.sleep, 60.0, 0.1)
    with ThreadPoolExecutor(2) as threads:
        first, second = (threads.submit(jobs.run, time.sleep, 0.5, 60.0) for _ in range(2))
        while jobs._places._value:
            time.sleep(0.01)
        with pytest.raises(BusyError, match="Somebody else is served"):
            jobs.run(math.sqrt, 4.0, 60.0)
        assert first.result() is second.result() is None
    with pytest.raises(WorkerError, match="A worker was lost"):
        jobs.run(os._exit, 1, 60.0)
    assert jobs.run(math.sqrt, 4.0, 60.0) == 2.0
