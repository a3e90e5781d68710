"""A PostgreSQL of one's own for the tests and the benchmark: started from what is installed, gone afterwards.

PostgreSQL refuses to run as root, so root starts it as another user. It listens at a socket in a short temporary folder
and nowhere else, and does not wait for the disk.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any


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

    def create(self, name: str) -> str:
        """A new database, as a URL."""
        self._run("createdb", "-h", str(self.folder), "-U", "parlor", "-T", "template0", name)
        return f"postgresql://parlor@/{name}?host={self.folder}"

    def remove(self) -> None:
        """Stop and delete everything."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    """Within this, a PostgreSQL runs."""
    server = Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()
