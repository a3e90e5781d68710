"""Tests in several processes: `--workers 3`. They are collected once; then this process forks, and hands out files.

Libraries that do the same start each worker anew, which imports and collects everything again: from a fresh clone,
where Python has no bytecode yet, that was a sixth of the whole run. A file stays with one worker, so that what its
tests share is made once. The first workers take files that compute, the others those that mostly wait (for a browser,
say), and whoever has none left of its kind takes from the other. When the long files are handed out, a worker goes on
with others of the folder that it is in: a database, what JAX has begun or loaded kernels are there already.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import traceback
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from _pytest.pathlib import cleanup_numbered_dir

WAITING = 2  # workers that prefer files that wait, if there are more; the others prefer those that compute

Place = tuple[int, int]  # a test: the number of the first one to run of a file, and that after the last


@dataclass(eq=False)
class Worker:
    """A forked process, seen from the one that hands out work."""

    number: int
    process: int
    channel: Connection
    running: int | None = None  # the test
    last: int = 0  # the end of the file it is in
    folder: Path | None = None  # of the file it was given last
    given: deque[Place] = field(default_factory=deque)  # files it was given and has not begun

    @property
    def gateway(self) -> SimpleNamespace:
        """What pytest prints where it names each test."""
        return SimpleNamespace(id=f"worker {self.number}")

    @property
    def _workerinfocache(self) -> str:
        """What it prints over the traceback of a test that failed."""
        return f"[worker {self.number}]"


class Workers:
    """The plugin: runs the collected tests."""

    def __init__(self, count: int) -> None:
        self.count = count

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> object:
        """Instead of pytest's own loop over the tests."""
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            raise session.Interrupted(f"{session.testsfailed} errors during collection")
        if session.config.option.collectonly:
            return None
        HandOut(session, self.count).run()
        return True


class HandOut:
    """The files that are left, the workers, and what they report."""

    def __init__(self, session: pytest.Session, count: int) -> None:
        self.session = session
        self.config = session.config
        self.items: Sequence[pytest.Item] = session.items
        self.count = count
        self.computing: deque[Place] = deque()
        self.waiting: deque[Place] = deque()
        for first, last in files(self.items):
            (self.waiting if waits(self.items[first]) else self.computing).append((first, last))
        self.long = {item.path for item in self.items if is_long(item)}
        self.workers: list[Worker] = []
        self.folder = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        self.forked = 0

    def run(self) -> None:
        """Until every test has run, or enough have failed."""
        try:
            for number in range(min(self.count, len(self.computing) + len(self.waiting))):
                self.workers.append(self.fork(number))
            while self.workers:
                heard = wait([worker.channel for worker in self.workers])
                for worker in [worker for worker in self.workers if worker.channel in heard]:
                    self.hear(worker)
                self._stop_if_asked()
        finally:
            for worker in self.workers:
                os.kill(worker.process, signal.SIGKILL)
                os.waitpid(worker.process, 0)

    def _stop_if_asked(self) -> None:
        if self.session.shouldfail:
            raise self.session.Failed(self.session.shouldfail)
        if self.session.shouldstop:
            raise self.session.Interrupted(self.session.shouldstop)

    def fork(self, number: int) -> Worker:
        """One more worker; in the new process, this does not return."""
        here, there = Pipe()
        self.forked += 1
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # threads of libraries that were imported do nothing yet
            process = os.fork()
        if process == 0:
            here.close()
            for other in self.workers:
                other.channel.close()
            _work(self.session, there, str(self.folder / f"worker-{self.forked}"))
        there.close()
        return Worker(number, process, here)

    def prefers_to_compute(self, worker: Worker) -> bool:
        """The first workers do."""
        return worker.number < max(1, self.count - WAITING)

    def next_file(self, worker: Worker) -> Place | None:
        """A file of the kind that the worker prefers, else one of the other kind; if it is short, of its folder."""
        kinds = (self.computing, self.waiting) if self.prefers_to_compute(worker) else (self.waiting, self.computing)
        kind = next(filter(None, kinds), None)
        if kind is None:
            return None
        place = kind[0]
        if self.items[place[0]].path not in self.long:
            near = (other for other in kind if self.items[other[0]].path.parent == worker.folder)
            place = next(near, place)
        kind.remove(place)
        worker.folder = self.items[place[0]].path.parent
        return place

    def hear(self, worker: Worker) -> None:
        """Take one message of a worker."""
        try:
            what, value = worker.channel.recv()
        except (EOFError, ConnectionError):
            self.bury(worker)
            return
        if what == "next":
            place = self.next_file(worker)
            if place is not None:
                worker.given.append(place)
            worker.channel.send(place)
        elif what == "begin":
            worker.running = value
            if worker.given and worker.given[0][0] == value:
                worker.last = worker.given.popleft()[1]
        elif what == "report":
            self.report(worker, value)
        elif what == "end":
            item, worker.running = self.items[value], None
            self.config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        else:
            raise RuntimeError(f"A worker of the tests failed:\n{value}")

    def report(self, worker: Worker, data: Any) -> None:
        """Pass on what a test came to, as if it had run here."""
        report = self.config.hook.pytest_report_from_serializable(config=self.config, data=data)
        report.node = worker
        self.config.hook.pytest_runtest_logreport(report=report)

    def bury(self, worker: Worker) -> None:
        """A worker has ended. If it was in the middle of a test, that has failed, and another goes on behind it."""
        _, status = os.waitpid(worker.process, 0)
        self.workers.remove(worker)
        left = list(worker.given)
        if worker.running is not None:
            item = self.items[worker.running]
            code = os.waitstatus_to_exitcode(status)
            how = f"The process of this test ended ({f'signal {-code}' if code < 0 else f'exit status {code}'})."
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", how, "call")
            self.report(worker, self.config.hook.pytest_report_to_serializable(config=self.config, report=report))
            if worker.running + 1 < worker.last:
                left.insert(0, (worker.running + 1, worker.last))
        if left:
            (self.computing if self.prefers_to_compute(worker) else self.waiting).extendleft(reversed(left))
            self.workers.append(self.fork(worker.number))


def files(items: Sequence[pytest.Item]) -> Iterator[Place]:
    """The tests of each file, in their order."""
    for _, group in groupby(range(len(items)), key=lambda number: items[number].path):
        numbers = list(group)
        yield numbers[0], numbers[-1] + 1


def waits(item: pytest.Item) -> bool:
    """Whether a file mostly waits."""
    return item.get_closest_marker("waits") is not None


def is_long(item: pytest.Item) -> bool:
    """Whether a test says that its file takes many seconds: those come first."""
    return any("seconds" in mark.kwargs for mark in item.iter_markers("slow"))


# ---------------------------------------------------------------------------------------------- in the forked process


def _work(session: pytest.Session, channel: Connection, folder: str) -> None:
    """Run files until there are none left, and end this process."""
    status = 1
    try:
        config = session.config
        plugins = config.pluginmanager
        for name in ("terminalreporter", "junitxml", "lfplugin", "nfplugin", "stepwiseplugin"):
            if (plugin := plugins.getplugin(name)) is not None:
                plugins.unregister(plugin)
        plugins.register(_Reporter(config, channel))
        config._tmp_path_factory._given_basetemp = type(config.rootpath)(folder)  # type: ignore[attr-defined]
        config._tmp_path_factory._basetemp = None  # type: ignore[attr-defined]
        capture: Any = plugins.getplugin("capturemanager")
        capture.stop_global_capturing()  # its files are shared with the others
        capture.start_global_capturing()
        capture.suspend_global_capture()
        atexit.unregister(cleanup_numbered_dir)  # the first process removes old folders
        _run(session, channel)
        atexit._run_exitfuncs()
        status = 0
    except BaseException:
        channel.send(("broken", traceback.format_exc()))
    finally:
        os._exit(status)


def _run(session: pytest.Session, channel: Connection) -> None:
    def ask() -> Place | None:
        channel.send(("next", None))
        place: Place | None = channel.recv()
        return place

    place = ask()
    while place is not None:
        following = None
        for number in range(*place):
            is_last = number + 1 == place[1]
            following = ask() if is_last else None
            after = number + 1 if not is_last else following[0] if following else None
            item, nextitem = session.items[number], None if after is None else session.items[after]
            channel.send(("begin", number))
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=nextitem)
            channel.send(("end", number))
            if session.shouldfail or session.shouldstop:
                return
        place = following


class _Reporter:
    """Sends reports to the process that hands out work."""

    def __init__(self, config: pytest.Config, channel: Connection) -> None:
        self.config, self.channel = config, channel

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Each phase of each test."""
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.channel.send(("report", data))
