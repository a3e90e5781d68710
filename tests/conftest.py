"""What all tests share: property tests are repeatable and may take the time to compile; slow tests are marked."""

import signal
from pathlib import Path

import pytest
from hypothesis import settings

HERE = Path(__file__).parent
SLOW = tuple(
    str(HERE / line) for line in (HERE / "slow.txt").read_text().splitlines() if line and not line.startswith("#")
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what `slow.txt` lists, so that `make test-fast` can leave it out."""
    for item in items:
        if f"{item.path}::{item.name.partition('[')[0]}".startswith(SLOW):
            item.add_marker(pytest.mark.slow)


settings.register_profile("parlor", deadline=None, derandomize=True)
settings.load_profile("parlor")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background, where Ctrl-C is not heard
    signal.signal(signal.SIGINT, signal.default_int_handler)
