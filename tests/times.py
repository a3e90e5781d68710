"""Where the time of the tests went: printed at the end of every run, by folder, with the longest tests.

Processor seconds tell more than seconds on the clock, which depend on what else runs. Those of children (servers,
browsers, commands) count when they have ended; those of Numba are part of a test's own.
"""

from __future__ import annotations

import resource
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import pytest

LONGEST = 10  # tests that are named


class Compiling:
    """How long Numba has compiled in this process: a listener of its events."""

    def __init__(self) -> None:
        events: Any = import_module("numba.core.event")
        self.timer: Any = events.TimingListener()
        events.register("numba:compile", self.timer)

    def seconds(self) -> float:
        """Until now."""
        return float(self.timer.duration) if self.timer.done else 0.0


def spent() -> tuple[float, float, float]:
    """Seconds on the clock, of this process and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), time.process_time(), children.ru_utime + children.ru_stime


@dataclass
class Row:
    """A test, or a folder of them."""

    tests: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0] * 4)  # clock, own, children, compiling

    def add(self, seconds: list[float]) -> None:
        """One more test."""
        self.tests += 1
        self.seconds = [mine + more for mine, more in zip(self.seconds, seconds, strict=True)]


class Times:
    """The plugin: measures in whoever runs tests, and prints where all reports arrive."""

    def __init__(self) -> None:
        self.compiling = Compiling()
        self.began: tuple[float, ...] = ()
        self.folders: defaultdict[str, Row] = defaultdict(Row)
        self.tests: list[tuple[str, list[float]]] = []
        self.start = time.monotonic()
        self.collected = 0.0  # processor seconds until then

    def _now(self) -> tuple[float, ...]:
        return *spent(), self.compiling.seconds()

    def pytest_collection_finish(self) -> None:
        """Everything that tests import is imported."""
        self.collected = time.process_time()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        """Look at the clocks before a test and what it uses are made."""
        self.began = self._now()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Look at the clocks again when everything is taken down."""
        report = yield
        if call.when == "teardown":
            used = [after - before for after, before in zip(self._now(), self.began, strict=True)]
            report.user_properties.append(("seconds", used))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up, here or where the workers' reports arrive."""
        seconds: Any = dict(report.user_properties).get("seconds")
        if report.when == "teardown" and seconds is not None:
            parts = report.nodeid.partition("::")[0].split("/")
            self.folders[parts[1] if len(parts) > 2 else "(top)"].add(seconds)
            self.tests.append((report.nodeid, seconds))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print, if more ran than a few."""
        if len(self.tests) < 100:
            return
        write = terminalreporter.write_line
        terminalreporter.section("where the time went", sep="-")
        write(f"{'seconds':<14}{'tests':>7}{'clock':>8}{'own':>8}{'children':>10}{'compiling':>11}")
        total = Row()
        for name, row in sorted(self.folders.items(), key=lambda pair: -sum(pair[1].seconds[1:3])):
            _write(write, name, row)
            total = Row(total.tests + row.tests, [a + b for a, b in zip(total.seconds, row.seconds, strict=True)])
        _write(write, "all", total)
        _, own, children = spent()
        write(f"In all {own + children:.0f} processor seconds, {self.collected:.0f} of them to import and collect.")
        write(f"The longest, by processor seconds (of {time.monotonic() - self.start:.0f} s on the clock in all):")
        for name, seconds in sorted(self.tests, key=lambda pair: -sum(pair[1][1:3]))[:LONGEST]:
            write(f"{sum(seconds[1:3]):6.1f}  {name}")


def _write(write: Any, name: str, row: Row) -> None:
    clock, own, children, compiling = row.seconds
    write(f"{name:<14}{row.tests:>7}{clock:>8.0f}{own:>8.0f}{children:>10.0f}{compiling:>11.0f}")
