"""What others answer to the games of benchmarks/meta_solvers.py: OpenSpiel, and conic solvers through CVXPY.

CVXPY is no dependency of Parlor: `python -m pip install cvxpy ecos` brings it with Clarabel, SCS, OSQP and ECOS.
OpenSpiel's replicator dynamics, regret matching and α-rank need only OpenSpiel; its largest Gini impurity and welfare,
which are part of JPSRO, need CVXPY and ECOS. Each is asked in a process of its own, so that one that takes too long can
be stopped; the seconds are those of the answer, without the start of the process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from parlor.policies.mixture import Array, normalised, product
from parlor.population.meta import META_SOLVERS

CONIC = {"nbs-joint", "mecce", "mgcce", "mwcce", "mncce", "mece", "mgce", "mwce", "mnce"}
JPSRO = {"mgcce", "mgce", "mwcce", "mwce"}
DYNAMICS = {"prd", "regret-matching", "alpha-rank"}
MARGIN = META_SOLVERS["nbs-joint"].settings().data()["margin"]


def random_game(n: int, seed: int) -> Array:
    """Two players with n strategies each, and uniform payoffs."""
    return np.random.default_rng(seed).random((2, n, n))


def objective(name: str, joint: Array, payoffs: Array) -> float:
    """What the solver maximises, in units in which 1e-4 is little: nats, shares of the range of payoffs."""
    x, scaled = joint.ravel(), normalised(payoffs).reshape(len(payoffs), -1)
    if name.startswith("me"):
        return float(-(x[x > 0] * np.log(x[x > 0])).sum())
    if name.startswith("mg"):
        return float(-x.size * (x**2).sum())  # −1 for uniform play
    if name.startswith("mw"):
        return float(payoffs.sum(axis=0).ravel() @ x)
    return float(np.log(scaled @ x + MARGIN).sum())


def constraints(name: str, payoffs: Array) -> Any:
    """The matrix A of A x ≤ 0, written down deviation by deviation; none for the bargaining solution."""
    from scipy.sparse import csr_array, vstack

    n, cells = payoffs.shape[1], np.arange(payoffs[0].size).reshape(payoffs.shape[1:])
    blocks = []
    for own, where in ((payoffs[0], cells), (payoffs[1].T, cells.T)):  # rows are the player's own strategies
        if name.endswith("cce"):
            dense = np.empty((n, cells.size))
            for played in range(n):
                dense[played, where.ravel()] = (own[played] - own).ravel()
            blocks.append(csr_array(dense))
        elif name.endswith("ce"):
            for told in range(n):
                columns = np.tile(where[told], n)
                values = (own - own[told]).ravel()
                blocks.append(csr_array((values, columns, np.arange(0, n * n + 1, n)), shape=(n, cells.size)))
    return vstack(blocks, format="csr") if blocks else None


def by_conic(name: str, payoffs: Array, engine: str) -> tuple[str, Array]:
    """The program as CVXPY states it, and what one of its solvers answers."""
    import cvxpy as cp

    scaled = normalised(payoffs)
    flat = scaled.reshape(len(payoffs), -1)
    x = cp.Variable(flat.shape[1], nonneg=True)
    goals = {
        "me": lambda: cp.sum(cp.entr(x)),
        "mg": lambda: -flat.shape[1] * cp.sum_squares(x),
        "mw": lambda: payoffs.sum(axis=0).ravel() @ x,
    }
    goal = goals.get(name[:2], lambda: cp.sum(cp.log(flat @ x + MARGIN)))()
    matrix = constraints(name, scaled)
    rules = [cp.sum(x) == 1] + ([] if matrix is None else [matrix @ x <= 0])
    problem = cp.Problem(cp.Maximize(goal), rules)
    problem.solve(solver=engine)
    if x.value is None:
        raise RuntimeError(problem.status)
    positive = np.maximum(x.value, 0.0)
    return str(problem.status), (positive / positive.sum()).reshape(payoffs.shape[1:])


def by_openspiel(name: str, payoffs: Array) -> tuple[str, Array]:
    """OpenSpiel's own; regret matching and replicator dynamics with its numbers of iterations, which are ours too."""
    sys.modules.setdefault("networkx", ModuleType("networkx"))  # α-rank imports it for drawings only
    if name in JPSRO:
        from open_spiel.python.algorithms import jpsro

        repeats = [np.ones(n, np.int64) for n in payoffs.shape[1:]]
        return "", jpsro.FLAG_TO_FUNC[name](payoffs, repeats)[0]
    from open_spiel.python.algorithms import projected_replicator_dynamics, regret_matching
    from open_spiel.python.egt import alpharank

    if name == "prd":
        return "", product(projected_replicator_dynamics.projected_replicator_dynamics(list(payoffs)))
    if name == "regret-matching":
        return "", product(regret_matching.regret_matching(list(payoffs)))
    noise = META_SOLVERS["alpha-rank"].settings().data()["noise"]
    found = alpharank.compute(list(payoffs), use_inf_alpha=True, inf_alpha_eps=noise)
    return "", np.asarray(found[2]).reshape(payoffs.shape[1:])


@dataclass(frozen=True)
class Answer:
    """What a peer answers; without a joint distribution it has failed, and says how."""

    peer: str
    seconds: float
    said: str
    joint: Array | None


def ask(peer: str, name: str, n: int, seed: int, limit: float) -> Answer:
    """Ask a peer in a process of its own, for at most so many seconds."""
    words = [sys.executable, str(Path(__file__)), peer, name, str(n), str(seed)]
    began = time.perf_counter()
    try:
        done = subprocess.run(words, capture_output=True, timeout=limit + 10, check=False)
    except subprocess.TimeoutExpired:
        return Answer(peer, limit, f"stopped after {limit:.0f} s", None)
    if done.returncode:
        last = done.stderr.decode().strip().splitlines()[-1:] or ["it died"]
        return Answer(peer, time.perf_counter() - began, last[0].rpartition(".")[2][:70], None)
    told = json.loads(done.stdout.splitlines()[-1])
    joint = None if told["joint"] is None else np.array(told["joint"]).reshape(n, n)
    return Answer(peer, told["seconds"], told["said"], joint)


def main() -> None:
    """Answer one question: the peer, the solver, n, the seed."""
    peer, name, n, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    warnings.simplefilter("ignore")
    work = by_openspiel if peer == "OpenSpiel" else partial(by_conic, engine=peer)
    work(name, random_game(3, 0))  # imports; all of them can solve that
    payoffs = random_game(n, seed)
    answer: dict[str, Any]
    began = time.perf_counter()
    try:
        said, joint = work(name, payoffs)
        answer = {"said": said, "joint": np.ravel(joint).tolist()}
    except Exception as error:
        answer = {"said": str(error).partition(".")[0][:70], "joint": None}
    print(json.dumps(answer | {"seconds": time.perf_counter() - began}))


if __name__ == "__main__" and len(sys.argv) > 1:
    main()
