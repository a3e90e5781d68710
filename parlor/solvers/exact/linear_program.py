"""Exact equilibria of two-player zero-sum games, by a linear program in sequence form.

Koller, Megiddo and von Stengel, *Efficient computation of equilibria for extensive two-person games* (1996). A
realisation plan x of player 0 is worth what the best response to it leaves. That is a maximum over trees of information
sets, hence a linear program with a variable v for each information set of player 1:

    maximise v(root)   subject to   E x = e,  x ≥ 0,  and for each sequence q of player 1, which ends at J,
                                    v(J) − Σ v(those that q leads to) ≤ (Aᵀ x)(q).

The plan of player 1 is the dual of the inequalities. HiGHS solves it; best responses to the answer are computed
afterwards, so that NashConv proves how exact it is.
"""

from __future__ import annotations

import importlib.util
import threading
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.parameters import Settings, setting
from parlor.policies.plans import normalised, sequence_policy, uniform_strategy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Tree, tree
from parlor.solvers.exact.fractions_of_game import PayoffFractions, exact_plans, plans_in_fractions
from parlor.solvers.solver import SolverRow

TIGHT = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
WAIT = 0.1  # seconds between two looks at whether it was interrupted


@dataclass(frozen=True)
class ExactSettings(Settings):
    """Settings of the exact solver."""

    rational: bool = setting(False, "in fractions, proved to be optimal; for small games")


def need_scipy(what: str) -> None:
    """Refuse in a sentence where SciPy is not installed."""
    if importlib.util.find_spec("scipy") is None:
        raise GameError(f"{what} needs SciPy: pip install 'parlor[population]'.")


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


class Exact:
    """A solver of one iteration: before it the policy is uniform, after it an equilibrium."""

    def __init__(self, game: Game, settings: ExactSettings) -> None:
        need_scipy("exact")
        if game.players != 2 or game.kind != "zero-sum":
            raise GameError(
                f"exact is for zero-sum games of two players, and {game.name} is "
                f"{f'for {game.players} players' if game.players != 2 else game.kind}; --concept efce has equilibria "
                f"of other games of two players, logit and cfr+ of any."
            )
        self.game, self.tree, self.rational = game, tree(game), settings.rational
        self.iterations = 0
        self.strategy = uniform_strategy(self.tree)
        self.value: Fraction | None = None  # of player 0, in fractions
        self.fractions: dict[int, list[Fraction]] = {}  # by key
        self._stopped, self._failed = False, list[BaseException]()

    def run(self, iterations: int) -> None:
        """Solve; once that is done there is nothing more to do. HiGHS hears no signals, so it works in a thread."""
        if self.iterations or iterations < 1:
            return
        thread = threading.Thread(target=self._solve, daemon=True)
        thread.start()
        while thread.is_alive() and not self._stopped:
            thread.join(WAIT)
        if self._failed:
            raise self._failed[0]

    def _solve(self) -> None:
        try:
            payoffs = PayoffFractions.of(self.tree) if self.rational else None  # which may refuse
            program = SequenceProgram.of(self.tree)
            solved = solve_program(program)
            if payoffs is not None:
                plans, self.value = exact_plans(self.tree, program, payoffs, *solved)
                self.fractions = plans_in_fractions(self.tree, plans)
                weights = np.array([float(x) for plan in plans for x in plan])
            else:
                weights = np.concatenate(solved[:2])
            self.strategy = normalised(self.tree, weights)
            self.iterations = 1
        except BaseException as error:  # raised where it can be heard
            self._failed.append(error)

    def policy(self) -> Policy:
        """The equilibrium."""
        about = {} if self.value is None else {"value": str(self.value)}
        return sequence_policy(self.tree, self.strategy).with_about(**about)

    def facts(self) -> dict[str, str]:
        """The value in fractions, if it was computed."""
        return {} if self.value is None else {"exact value": f"{self.value} for player 0"}

    def stop(self) -> None:
        """Wait no longer; what HiGHS computes is given up."""
        self._stopped = True

    def go_on(self) -> None:
        """Undo a `stop`."""
        self._stopped = False


@dataclass(frozen=True)
class FractionSolution:
    """An equilibrium in fractions."""

    game: str
    value: Fraction  # of player 0
    probabilities: dict[int, list[Fraction]]  # of the legal actions, by the key of the information set
    policy: Policy  # the same as floating-point numbers

    def __repr__(self) -> str:
        return f"<equilibrium of {self.game} in fractions: value {self.value}>"


def solve_in_fractions(game: Game | str) -> FractionSolution:
    """The exact equilibrium of a small zero-sum game of two players whose payoffs and chances are fractions."""
    solver = Exact(as_game(game), ExactSettings(rational=True))
    solver.run(1)
    assert solver.value is not None
    return FractionSolution(solver.game.name, solver.value, solver.fractions, solver.policy())


ROW = SolverRow(
    "a linear program in sequence form, for two players and zero-sum games",
    lambda game, seed, threads, settings: Exact(game, settings),
    settings=ExactSettings,
    once=True,
    made="Solved exactly, by linear programming",
)
