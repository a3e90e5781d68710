"""What all tests share: property tests are repeatable and may take their time; the longest files come first."""

import gc
import os
import signal
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

from parlor.compile.cache import cache_folder
from tests.changed import Changed
from tests.times import Times
from tests.workers import Workers


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--workers`, for `make test`, and `--changed`, for `make test-changed`."""
    parser.addoption("--changed", action="store_true", help="leave out test files that passed and have not changed")
    parser.addoption("--workers", type=int, default=0, help="run the tests in so many processes")


def pytest_configure(config: pytest.Config) -> None:
    """Our own plugins."""
    config.pluginmanager.register(Times())
    if config.getoption("changed"):
        config.pluginmanager.register(Changed())
    if config.getoption("workers"):
        config.pluginmanager.register(Workers(config.getoption("workers")))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files."""
    seconds: defaultdict[Path, float] = defaultdict(float)
    for item in items:
        marked = [mark.kwargs.get("seconds", 0) for mark in item.iter_markers("slow")]
        seconds[item.path] = max([seconds[item.path], *marked])
        if item.path.parent.name == "browser":
            item.add_marker("waits")
    items.sort(key=lambda item: -seconds[item.path])
    gc.collect()
    gc.freeze()  # modules and tests stay until the end: nobody need look through them for garbage


gc.set_threshold(20_000, 20, 20)  # the usual one looks for garbage after every 700 objects

#: The first as training does before it imports JAX; the second, because compiling takes longer than running here.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0")
#: What JAX has compiled is shared by all processes of the tests, as kernels are.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(cache_folder() / "jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES", "-1")

settings.register_profile("parlor", deadline=None, derandomize=True)
settings.load_profile("parlor")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background, where Ctrl-C is not heard
    signal.signal(signal.SIGINT, signal.default_int_handler)
