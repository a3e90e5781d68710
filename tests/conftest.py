"""What all tests share: property tests are repeatable and may take the time to compile; slow tests are marked."""

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent


def listed(name: str) -> list[str]:
    """The paths in a list of tests."""
    lines = (HERE / name).read_text().splitlines()
    return [str(HERE / line) for line in lines if line and not line.startswith("#")]


SLOW = tuple(listed("slow.txt"))
FIRST = {path: number for number, path in enumerate(listed("first.txt"))}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `slow.txt` lists, so that `make test-fast` can leave it out; begin with the longest files."""
    for item in items:
        if f"{item.path}::{item.name.partition('[')[0]}".startswith(SLOW):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: FIRST.get(str(item.path), len(FIRST)))
    gc.collect()
    gc.freeze()  # modules and tests stay until the end: nobody need look through them for garbage


gc.set_threshold(20_000, 20, 20)  # the usual one looks for garbage after every 700 objects

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # as training does before it imports JAX

settings.register_profile("parlor", deadline=None, derandomize=True)
settings.load_profile("parlor")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background, where Ctrl-C is not heard
    signal.signal(signal.SIGINT, signal.default_int_handler)
