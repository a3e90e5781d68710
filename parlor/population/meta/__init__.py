"""Meta-strategy solvers: from the payoffs of an empirical game to a mixture of its strategies.

    from parlor.population.meta import solve
    solve("mgcce", payoffs).joint

Payoffs are a tensor [players, n1, …, nk] for 2 to 4 players. Each solver is a row of `META_SOLVERS`. None fails on a
game: where what it looks for does not exist or was not reached, it answers with the best it has, and its note says so.

Linear algebra runs on one thread. The matrices of meta-solvers are small: several threads of BLAS save little on a
machine that is idle, and on one that is busy they wait for each other (a Cholesky factorisation of 500 rows took 0.7 s
instead of 0.01). Numbers then do not depend on how many processors there are, either.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.game.errors import GameError
from parlor.game.loading.registry import Outside, Registry
from parlor.game.parameters import Settings
from parlor.policies.mixture import MAX_PLAYERS, Array, Mixture, checked, correlated, independent
from parlor.population.meta import adidas, alpha_rank, bargaining, dynamics, equilibria, nash, quantal_response
from parlor.solvers.exact.sequence_program import need_scipy


@dataclass(frozen=True)
class MetaSolver:
    """One row of `META_SOLVERS`."""

    summary: str
    paper: str
    joint: bool  # its answers are joint distributions, else one distribution a player
    guarantee: str  # what holds of an answer
    solve: Callable[[Any, Any], Mixture]  # of payoffs (or of a sampler) and settings
    settings: type[Settings] = Settings
    players: int = MAX_PLAYERS  # at most
    samples: bool = False  # it asks for single payoffs instead of all of them
    scipy: bool = False  # it needs SciPy

    @property
    def kind(self) -> str:
        """Joint or independent."""
        return "joint" if self.joint else "independent"


def from_outside(code: Outside) -> MetaSolver:
    """A function of payoffs, or a class whose instances are, as a meta-solver."""

    def solve(payoffs: Array, settings: Settings) -> Mixture:
        return _mixture(code.name, code.call(settings, payoffs), payoffs.shape[1:])

    return MetaSolver(code.summary, code.name, True, "none", solve, code.settings("payoffs"))


def _mixture(name: str, answer: Any, shape: tuple[int, ...]) -> Mixture:
    """An answer as a mixture: one itself, a list with a distribution for each player, or a joint distribution."""
    if isinstance(answer, Mixture):
        found = answer
    else:
        separate = isinstance(answer, list | tuple)
        try:
            parts = [np.array(one, np.float64) for one in (answer if separate else [answer])]
        except (TypeError, ValueError):
            parts = []
        if not parts or answer is None:
            raise _no_mixture(name, repr(answer)[:60], shape)
        if not all(one.size and np.isfinite(one).all() and one.min() >= 0.0 and one.sum() > 0.0 for one in parts):
            raise _no_mixture(name, f"{repr(answer)[:60]} (negative, all 0 or not finite)", shape)
        found = independent(parts) if separate else correlated(parts[0])
    if found.joint.shape != shape:
        raise _no_mixture(name, f"a mixture of {' × '.join(map(str, found.joint.shape))}", shape)
    return found


def _no_mixture(name: str, got: str, shape: tuple[int, ...]) -> GameError:
    sizes = " × ".join(map(str, shape))
    return GameError(
        f"{name} answered {got}, but the strategies are {sizes}: return a list with a distribution for each player, an "
        f"array {sizes} over all combinations, or a Mixture."
    )


def uniform(payoffs: Array, settings: Settings) -> Mixture:
    """Everybody plays every strategy equally often: PSRO with it is fictitious play."""
    return independent([np.ones(n) for n in payoffs.shape[1:]])


def best_welfare(payoffs: Array, settings: Settings) -> Mixture:
    """The combination with the largest sum of payoffs; of several, the first."""
    joint = np.zeros(payoffs.shape[1:])
    joint.flat[int(np.argmax(payoffs.sum(axis=0)))] = 1.0
    return correlated(joint)


@functools.cache
def _controller() -> Any:
    """Return the controller of BLAS's threads; None where threadpoolctl is not installed."""
    try:
        import scipy.linalg  # noqa: F401  its BLAS must be there to be found
        import threadpoolctl
    except ImportError:
        return None
    return threadpoolctl.ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """While it lasts, BLAS has one thread; without threadpoolctl, as many as it likes."""
    controller = _controller()
    return nullcontext() if controller is None else controller.limit(limits=1, user_api="blas")


LI = "Li et al. (2023)"
MARRIS = "Marris et al. (2021)"
ORTIZ = "Ortiz, Schapire and Kakade (2007)"
LANCTOT = "Lanctot et al. (2017)"
WORDS = {True: ("coarse correlated equilibrium", "CCE"), False: ("correlated equilibrium", "CE")}


def _equilibrium(what: str, paper: str, selection: Any, coarse: bool, settings: type[Settings]) -> MetaSolver:
    name, short = WORDS[coarse]
    return MetaSolver(
        f"the {name} with the most {what}",
        paper,
        True,
        f"{short}; no {short} has more {what}",
        equilibria.select(selection, coarse),
        settings,
        scipy=True,
    )


def _equilibria() -> dict[str, MetaSolver]:
    kinds = {
        "me": ("entropy", ORTIZ, equilibria.most_entropy, equilibria.Equilibrium),
        "mg": ("Gini impurity", MARRIS, equilibria.most_gini, equilibria.Equilibrium),
        "mw": ("welfare", MARRIS, equilibria.most_welfare, equilibria.Equilibrium),
        "mn": ("Nash product", LI, equilibria.most_nash_product, equilibria.BargainingEquilibrium),
    }
    return {
        f"{kind}{'cce' if coarse else 'ce'}": _equilibrium(what, paper, selection, coarse, settings)
        for coarse in (True, False)
        for kind, (what, paper, selection, settings) in kinds.items()
    }


META_SOLVERS = Registry("meta-solver", "nash or prd(iterations=1000)", "parlor.meta_solvers", MetaSolver, from_outside)
META_SOLVERS |= {
    "uniform": MetaSolver("every strategy equally often", "Brown (1951)", False, "none", uniform),
    "prd": MetaSolver(
        "projected replicator dynamics, averaged over time",
        LANCTOT,
        False,
        "every strategy keeps a least probability; tends to Nash in two-player zero-sum games",
        dynamics.replicator_dynamics,
        dynamics.ReplicatorDynamics,
    ),
    "regret-matching": MetaSolver(
        "exploratory regret matching, averaged over rounds",
        "Hart and Mas-Colell (2000), " + LANCTOT,
        False,
        "tends to Nash in two-player zero-sum games (play itself to a CCE in all)",
        dynamics.regret_matching,
        dynamics.RegretMatching,
    ),
    "alpha-rank": MetaSolver(
        "how often evolution by rare mutations plays each combination",
        "Omidshafiei et al. (2019), Muller et al. (2020)",
        True,
        "mass on sink components of the response graph, as the noise goes to 0",
        alpha_rank.alpha_rank,
        alpha_rank.AlphaRank,
        scipy=True,
    ),
    "adidas": MetaSolver(
        "descent of the deviation incentive, from samples of the payoffs",
        "Gemp et al. (2021)",
        False,
        "near a quantal response equilibrium, as far as the samples and the rounds go",
        adidas.adidas,
        adidas.Adidas,
        samples=True,
    ),
    "nbs": MetaSolver(
        "the largest Nash product with independent mixtures",
        LI,
        False,
        "nobody alone can raise the product",
        bargaining.nbs,
        bargaining.Bargaining,
        scipy=True,
    ),
    "nbs-joint": MetaSolver(
        "the largest Nash product",
        LI,
        True,
        "Pareto-efficient; no mixture has a larger product",
        bargaining.nbs_joint,
        bargaining.Bargaining,
        scipy=True,
    ),
    "social-welfare": MetaSolver(
        "the pure combination that is best for all together",
        LI,
        True,
        "the largest sum of payoffs",
        best_welfare,
    ),
    **_equilibria(),
    "nash": MetaSolver(
        "an exact Nash equilibrium",
        "Porter, Nudelman and Shoham (2008), Lemke and Howson (1964)",
        False,
        "Nash",
        nash.nash,
        nash.Nash,
        players=2,
        scipy=True,
    ),
    "quantal-response": MetaSolver(
        "the logit equilibrium at a temperature",
        "McKelvey and Palfrey (1995), Turocy (2005)",
        False,
        "a quantal response equilibrium at that temperature, on the branch from uniform play",
        quantal_response.quantal_response,
        quantal_response.QuantalResponse,
    ),
}


def solve(meta: str | Callable[..., Any], payoffs: Any, settings: Settings | None = None, **values: Any) -> Mixture:
    """Solve a game by a meta-solver, given by name or as a function, with its settings or some values of them."""
    name = META_SOLVERS.name(meta)
    row = META_SOLVERS.row(name)
    return solve_by(row, name, payoffs, row.settings.for_owner(name, values) if settings is None else settings)


def solve_by(row: MetaSolver, name: str, payoffs: Any, settings: Settings) -> Mixture:
    """The same by its row."""
    if row.scipy:
        need_scipy(name)
    with one_thread():
        return row.solve(payoffs if row.samples else checked(payoffs), settings)
