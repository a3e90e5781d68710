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

import threading
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.game.parameters import Settings, setting
from parlor.policies.plans import normalised, sequence_policy, uniform_strategy
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree
from parlor.solvers.exact.fractions_of_game import PayoffFractions, exact_plans, plans_in_fractions
from parlor.solvers.exact.sequence_program import SequenceProgram, need_scipy, solve_program
from parlor.solvers.solver import SolverRow

WAIT = 0.1  # seconds between two looks at whether it was interrupted


@dataclass(frozen=True)
class ExactSettings(Settings):
    """Settings of the exact solver."""

    rational: bool = setting(False, "in fractions, proved to be optimal; for small games")


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
