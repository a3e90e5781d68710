"""A server to be killed: `parlor serve` in a process that was forked from one that has imported everything."""

from __future__ import annotations

import multiprocessing
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.context import ForkServerProcess

import parlor.study.api.app  # noqa: F401  (for the process that is forked)
from parlor.cli.main import main

_forks = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload([__name__])


def _serve(*arguments: str) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    main(["serve", *arguments])


@contextmanager
def process(database: str, port: int) -> Iterator[ForkServerProcess]:
    """Within this, one that answers at the port, unless it is killed."""
    server = _forks.Process(target=_serve, args=("--port", str(port), "--database-url", database, "--requests", "0"))
    server.start()
    try:
        for _ in range(1200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except ConnectionRefusedError:
                assert server.is_alive(), "it does not start"
                time.sleep(0.05)
        yield server
    finally:
        kill(server)


def kill(server: ForkServerProcess) -> None:
    """At once, as by kill -9."""
    server.kill()
    server.join()
