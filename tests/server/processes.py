"""Servers as processes of their own, which can be killed.

They are forked from a process that has imported everything already: to start Python for each of them would take
seconds. That a server can be started from the command line is tested in `test_operating.py` and `test_simulate.py`.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from parlor.cli.main import main

ROOT = Path(__file__).parent.parent.parent

_forking = multiprocessing.get_context("forkserver")
_forking.set_forkserver_preload(
    [
        "parlor.study.api.app",
        "parlor.cli.commands.server.serve",
        "parlor.cli.commands.study.serve",
        "alembic.command",
        "typeguard",
    ]
)


@contextlib.contextmanager
def parlor(arguments: Sequence[str], folder: Path = ROOT) -> Iterator[ForkServerProcess]:
    """Within this, `parlor` runs with these arguments in a folder, and says nothing."""
    process = forked(arguments, folder, Path(os.devnull), daemon=True)
    try:
        yield process
    finally:
        process.kill()
        process.join()


def forked(arguments: Sequence[str], folder: Path, log: Path, daemon: bool = False) -> ForkServerProcess:
    """Run `parlor` with these arguments in a folder; one that is no daemon may have processes of its own."""
    _be_ready_to_fork()
    process = _forking.Process(target=_run, args=(list(arguments), str(folder), str(log)), daemon=daemon)
    process.start()
    return process


def _be_ready_to_fork() -> None:
    """Start the process that forks the others, unless it runs; it imports Parlor from here."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)
    try:
        forkserver.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def _run(arguments: list[str], folder: str, log: str) -> None:
    os.chdir(folder)
    file = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    for output in (1, 2):
        os.dup2(file, output)
    sys.exit(main(arguments))
