"""Provenance: the code, the libraries and the machine that something was computed with, for the heads of files."""

from __future__ import annotations

import functools
import platform
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import parlor
from parlor.versions import commit as built_from
from parlor.versions import installed

LIBRARIES = ("numpy", "numba", "jax")


@functools.cache
def code_version() -> str:
    """The version of this package with the commit of its source: of the repository, or the one it was built from."""
    package = Path(parlor.__file__).parent
    commit = ""
    try:
        if (package.parent / ".git").exists():
            command = ["git", "-C", str(package.parent), "describe", "--always", "--dirty", "--exclude", "*"]
            commit = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout.strip()
        else:
            commit = built_from()
    except (OSError, subprocess.SubprocessError):
        pass
    return f"{parlor.__version__}+{commit}" if commit else parlor.__version__


@functools.cache
def environment() -> dict[str, str]:
    """The versions of Python and of the libraries that compute, and the processor: the same for the same machine."""
    libraries = {name: version for name in LIBRARIES if (version := installed(name))}
    return {"python": platform.python_version(), **libraries, "processor": _processor()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def occasion() -> dict[str, str]:
    """The date and the command line."""
    return {"date": datetime.now(UTC).date().isoformat(), "command": shlex.join(sys.argv)}
