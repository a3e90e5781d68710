"""A PostgreSQL of one's own for the tests and the benchmark: started from what is installed, gone afterwards.

PostgreSQL refuses to run as root, so root starts it as another user. It listens at a socket in a short temporary folder
and nowhere else, and does not wait for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from parlor.server.tables.store import Store


class Missing(Exception):
    """There is no PostgreSQL to start; says what to do."""


def binaries() -> Path:
    """The folder of initdb and postgres: where Debian keeps them, or on the path."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (folder / "initdb").exists():
            return folder
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    raise Missing("PostgreSQL is not installed: apt-get install postgresql (make services does it for root)")


class Postgres:
    """A server that can be stopped and started again."""

    def __init__(self) -> None:
        self.bin = binaries()
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self.process: subprocess.Popen[bytes] | None = None
        self._as: dict[str, Any] = {}
        if os.getuid() == 0:
            user = next(u for u in pwd.getpwall() if u.pw_name in ("postgres", "nobody"))
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        data = self.folder / "data"
        self._run("initdb", "-D", str(data), "-U", "parlor", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.bin / program), *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, **self._as)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr}")

    def start(self) -> None:
        """Start and wait until it answers."""
        data, options = self.folder / "data", ("listen_addresses=", "fsync=off", "max_connections=60")
        command = [str(self.bin / "postgres"), "-D", str(data), "-k", str(self.folder)]
        command += [part for option in options for part in ("-c", option)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log, **self._as)
        for _ in range(300):
            with contextlib.suppress(RuntimeError):
                self._run("pg_isready", "-h", str(self.folder))
                return
            time.sleep(0.1)
        raise RuntimeError(f"PostgreSQL does not start: {(self.folder / 'log').read_text()}")

    def stop(self) -> None:
        """Stop at once, breaking connections."""
        if self.process is not None:
            self.process.send_signal(2)  # fast shutdown
            self.process.wait(30)
            self.process = None

    def crash(self) -> None:
        """Stop as if the power had failed."""
        if self.process is not None:
            self.process.send_signal(3)  # immediate shutdown, which abandons everything
            self.process.wait(30)
            self.process = None

    def kill(self) -> None:
        """Kill every process of it at once; then start it again."""
        assert self.process is not None
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True)
        for pid in (self.process.pid, *map(int, found.stdout.split())):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self.start()

    def create(self, name: str, schema: bool = True) -> str:
        """A new database, as a URL: without games, or with nothing in it."""
        template = self._template if schema else "template0"
        self._run("createdb", "-h", str(self.folder), "-U", "parlor", "-T", template, name)
        return f"postgresql://parlor@/{name}?host={self.folder}"

    @functools.cached_property
    def _template(self) -> str:
        """A database of which others are copies: migrating each of them would take longer."""
        migrate(self.create("parlor", schema=False))
        return "parlor"

    def remove(self) -> None:
        """Stop and delete everything."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def migrate(database: str) -> None:
    """Make the schema, as a server does that starts."""

    async def work() -> None:
        store = Store(database)
        await store.open()
        await store.close()

    with ThreadPoolExecutor(1) as thread:  # here a browser's event loop may run
        thread.submit(asyncio.run, work()).result()


def without_games(path: Path) -> str:
    """A new database of SQLite, as a URL."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(_migrated())
    return f"sqlite:///{path}"


@functools.cache
def _migrated() -> bytes:
    """The file of which others are copies."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "parlor.db")
        migrate(f"sqlite:///{file}")
        return file.read_bytes()


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    """Within this, a PostgreSQL runs."""
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()
