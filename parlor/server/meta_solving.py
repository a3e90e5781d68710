"""Empirical games solved on request, in a process of their own that is ended when it takes too long.

python -m parlor.server.meta_solving META < payoffs.npy
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np

import parlor
from parlor.errors import GameError
from parlor.server.refusal import Refusal
from parlor.solvers.population.meta import META_SOLVERS, solve
from parlor.solvers.population.meta.mixture import Array, cce_gap, coarse_gains, expected_payoffs, nash_gap

MOST_CELLS = 10_000  # 100 strategies each of two players
PATIENCE = 20.0  # seconds for one game

_one_at_a_time = threading.Lock()
_few = threading.BoundedSemaphore(2)  # the one that is solved and one that waits: threads are for everybody


def check_solvable(meta: str, payoffs: Array) -> None:
    """Refuse what would take too long, and what cannot be solved at all."""
    if meta not in META_SOLVERS:
        raise Refusal(422, f"There is no meta-solver {meta[:60]!r}; there are: {', '.join(META_SOLVERS)}.")
    players, cells = len(payoffs), payoffs[0].size
    if players > META_SOLVERS[meta].players:
        raise Refusal(422, f"{meta} is for {META_SOLVERS[meta].players} players at most; here are {players}.")
    if cells > MOST_CELLS:
        raise Refusal(
            422,
            f"This empirical game has {cells:,} combinations; at most {MOST_CELLS:,} are solved here. "
            "`parlor empirical-game` solves larger ones.",
        )
    if unknown := int(np.isnan(payoffs).any(axis=0).sum()):
        raise Refusal(422, f"{unknown:,} of {cells:,} combinations have no payoff yet; simulate them first.")


def solved(meta: str, payoffs: Array) -> dict[str, Any]:
    """The mixture of a meta-solver, and numbers about it, as `report` makes them."""
    check_solvable(meta, payoffs)
    busy = Refusal(429, "The server is solving another game just now; try again in a few seconds.")
    if not _few.acquire(blocking=False):
        raise busy
    try:
        if not _one_at_a_time.acquire(timeout=PATIENCE):
            raise busy
        try:
            return _in_another_process(meta, payoffs)
        finally:
            _one_at_a_time.release()
    finally:
        _few.release()


def _in_another_process(meta: str, payoffs: Array) -> dict[str, Any]:
    given = io.BytesIO()
    np.save(given, payoffs)
    package = str(Path(parlor.__file__).parent.parent)
    folders = os.pathsep.join(filter(None, (package, os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "parlor.server.meta_solving", meta]
    environment = os.environ | {"PYTHONPATH": folders}
    try:
        done = subprocess.run(
            command, input=given.getvalue(), capture_output=True, timeout=PATIENCE, env=environment, check=False
        )
    except subprocess.TimeoutExpired:
        raise Refusal(422, f"{meta} took more than {PATIENCE:.0f} seconds; choose another meta-solver.") from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise Refusal(422, f"{meta} could not solve this game here; choose another meta-solver.") from None
    if "error" in answer:
        raise Refusal(422, answer["error"])
    return answer


def report(meta: str, payoffs: Array) -> dict[str, Any]:
    """The mixture of a meta-solver: shares and payoffs of all strategies, and numbers about it."""
    mixture = solve(meta, payoffs)
    gets = expected_payoffs(mixture, payoffs)
    against = [gains + own for gains, own in zip(coarse_gains(mixture, payoffs), gets, strict=True)]
    return {
        "shares": [one.tolist() for one in mixture.marginals],
        "against": [one.tolist() for one in against],
        "payoffs": gets.tolist(),
        "nash_conv": nash_gap(mixture, payoffs),
        "cce_gap": cce_gap(mixture, payoffs),
        "note": mixture.note,
    }


def main(meta: str) -> None:
    """Solve what comes in."""
    if hasattr(os, "nice"):
        os.nice(5)  # moves of running games come first
    try:
        answer = report(meta, np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False))
    except GameError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer, allow_nan=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
