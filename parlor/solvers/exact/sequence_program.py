"""The linear program of a two-player zero-sum game, see `linear_program.py`, and HiGHS, which solves it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.sequence_form.tree import Floats, Tree

TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def need_scipy(what: str) -> None:
    """Refuse in a sentence where SciPy is not installed."""
    if importlib.util.find_spec("scipy") is None:
        raise GameError(f"{what} needs SciPy: pip install 'parlor-games[solve]'.")


@dataclass(frozen=True)
class SequenceProgram:
    """The matrices of the program; sequences of each player are counted from its empty one."""

    payoffs: Any  # [S0, S1] of player 0, times chance; sparse
    plans: Any  # [1 + I0, S0] E; the first row: the empty sequence is played
    responses: Any  # [S1, 1 + I1] Fᵀ

    @staticmethod
    def of(t: Tree) -> SequenceProgram:
        """The program of a tree."""
        from scipy.sparse import csr_array

        sizes = np.diff(t.bounds)
        entries, own = t.entries_of(0)
        other = t.other[entries, 0].astype(np.int64) - t.bounds[1]
        payoffs = csr_array((t.weight[entries], (own, other)), (sizes[0], sizes[1]))
        return SequenceProgram(payoffs, flow(t, 0), flow(t, 1).T.tocsr())


def flow(t: Tree, player: int) -> Any:
    """The constraints of a player's realisation plans: the first row sums to 1, the others to 0."""
    from scipy.sparse import csr_array

    low, high = t.infoset_bounds[player : player + 2].tolist()
    base, top = t.bounds[player : player + 2].tolist()
    counts, rows = t.counts[low:high], np.arange(1, high - low + 1)
    at = [np.zeros(1, np.int64), np.repeat(rows, counts), rows]
    actions = np.arange(1, top - base)  # all sequences but the empty one, infoset by infoset
    to = [np.zeros(1, np.int64), actions, t.parent[low:high].astype(np.int64) - base]
    signs = [np.ones(1), np.ones(len(actions)), -np.ones(len(rows))]
    return csr_array((np.concatenate(signs), (np.concatenate(at), np.concatenate(to))), (high - low + 1, top - base))


def solve_program(program: SequenceProgram) -> tuple[Floats, Floats, Floats, Any]:
    """The plans of both players, the slacks of the inequalities, and the reduced costs of the first plan."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, hstack

    scale = float(np.abs(program.payoffs.data).max(initial=0.0)) or 1.0
    first, second = program.payoffs.shape
    free = program.responses.shape[1]
    above = hstack([-program.payoffs.T / scale, program.responses], format="csr")
    equal = hstack([program.plans, csr_array((program.plans.shape[0], free))], format="csr")
    cost = np.zeros(first + free)
    cost[first] = -1.0
    found = linprog(
        cost, above, np.zeros(second), equal, np.append(1.0, np.zeros(program.plans.shape[0] - 1)),
        [(0.0, None)] * first + [(None, None)] * free, method="highs", options=TIGHT,
    )  # fmt: skip
    if found.status != 0:
        raise GameError(f"HiGHS did not solve the linear program: {str(found.message).split(chr(10))[0]}")
    plan, other = np.maximum(found.x[:first], 0.0), np.maximum(-found.ineqlin.marginals, 0.0)
    return plan, other, found.ineqlin.residual, found.lower.marginals[:first]
