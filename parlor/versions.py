"""The versions of what results depend on, found without importing it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import parlor

#: The versions of Numba that the fast pipeline of `parlor.compile` is tested with; with others Numba's own compiles.
TESTED_NUMBA = ("0.62", "0.63", "0.64", "0.65", "0.66", "0.67", "0.68")

BUILT_FROM = "commit.txt"  # in an installed package: the commit, see setup.py


def is_tested(numba: str) -> bool:
    """Whether a version of Numba is one of those that the fast pipeline is tested with."""
    return ".".join(numba.split(".")[:2]) in TESTED_NUMBA


def installed(package: str) -> str:
    """The version of an installed package, by the name of the folder with its metadata; empty if there is none."""
    for folder in sys.path:
        with suppress(OSError):  # not a folder
            for name in os.listdir(folder):
                if name.startswith(f"{package}-") and name.endswith(".dist-info"):
                    return name.removesuffix(".dist-info").partition("-")[2]
    return ""


def commit() -> str:
    """The commit that the source is checked out at, or that an installed package was built from; empty if unknown."""
    package = os.path.dirname(parlor.__file__)
    git = os.path.join(os.path.dirname(package), ".git")
    try:
        if not os.path.exists(git):
            return _first_line(os.path.join(package, BUILT_FROM))
        if os.path.isfile(git):  # of a worktree
            git = _first_line(git).partition(" ")[2]
        head = _first_line(os.path.join(git, "HEAD"))
        if not head.startswith("ref: "):
            return head[:8]
        name, shared = head[5:], git
        with suppress(OSError):
            shared = os.path.join(git, _first_line(os.path.join(git, "commondir")))
        with suppress(OSError):
            return _first_line(os.path.join(shared, name))[:8]
        with open(os.path.join(shared, "packed-refs")) as packed:
            return next((line[:8] for line in packed if line.rstrip().endswith(f" {name}")), "")
    except OSError:
        return ""


def _first_line(path: str) -> str:
    with open(path) as file:
        return file.readline().strip()


def described() -> str:
    """The answer to `parlor --version`."""
    numba, jax, at = installed("numba"), installed("jax"), commit()
    how = "the fast pipeline" if is_tested(numba) else "its own pipeline, which is slower"
    span = f"{TESTED_NUMBA[0]} to {TESTED_NUMBA[-1]}"
    lines = [
        f"parlor {parlor.__version__}{f', commit {at}' if at else ''}",
        f"Python {'.'.join(map(str, sys.version_info[:3]))}, NumPy {installed('numpy')}, JAX {jax or 'not installed'}",
        f"Numba {numba}, compiling with {how} (the fast one is tested with {span})",
    ]
    return "\n".join(lines)
