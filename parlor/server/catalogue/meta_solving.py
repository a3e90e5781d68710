"""Empirical games solved and ranked on request, in a process of their own that is ended when it takes too long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from parlor.game.errors import GameError
from parlor.policies.mixture import Array, cce_gap, coarse_gains, expected_payoffs, nash_gap
from parlor.population.empirical.estimates import Estimates
from parlor.population.empirical.rankings import find_ranking, rank
from parlor.population.meta import META_SOLVERS, solve
from parlor.runs.workers import BusyError, OneJobAtATime, WorkerError
from parlor.server.catalogue.seating import BUSY
from parlor.server.refusal import Refusal

MAX_CELLS = 10_000  # 100 strategies each of two players
TIMEOUT = 20.0  # seconds for one game
ESTIMATES = ("means", "errors", "correlation", "shared", "mirrored")  # what goes to the other process
#: What comes back of each strategy, and where it stands in a ranking.
ROW = {"score": "scores", "low": "low", "high": "high", "place": "places", "best_place": "best_places"}
ROW |= {"worst_place": "worst_places"}

Question = tuple[str, Mapping[str, Any]]  # a meta-solver or a ranking, and arrays

_jobs = OneJobAtATime(TIMEOUT, BUSY)


def check_solvable(payoffs: Array) -> None:
    """Refuse what would take too long, and what is not complete."""
    cells = payoffs[0].size
    if cells > MAX_CELLS:
        raise Refusal(
            422,
            f"This empirical game has {cells:,} combinations; at most {MAX_CELLS:,} are solved here. "
            "`parlor empirical-game` solves larger ones.",
        )
    if unknown := int(np.isnan(payoffs).any(axis=0).sum()):
        raise Refusal(422, f"{unknown:,} of {cells:,} combinations have no payoff yet; simulate them first.")


def solved(meta: str, payoffs: Array) -> dict[str, Any]:
    """The mixture of a meta-solver, `prd` or `prd(iterations=1000)`, and numbers about it, as `solve_here` has them."""
    try:
        name, _ = META_SOLVERS.read(meta, own=True)
    except GameError as error:
        raise Refusal(422, str(error)) from None
    if len(payoffs) > META_SOLVERS[name].players:
        sentence = f"{name} is for {META_SOLVERS[name].players} players at most; here are {len(payoffs)}."
        raise Refusal(422, sentence)
    check_solvable(payoffs)
    return _apart(solve_here, meta, {"payoffs": payoffs})


def ranked(by: str, game: Estimates) -> dict[str, Any]:
    """The ranking of each player's strategies, as `rank_here` has it; of a complete game."""
    try:
        find_ranking(by)
    except GameError as error:
        raise Refusal(422, str(error)) from None
    check_solvable(game.means)
    return _apart(rank_here, by, {name: np.asarray(getattr(game, name)) for name in ESTIMATES})


def _apart(work: Callable[[Question], dict[str, Any]], how: str, arrays: dict[str, Array]) -> dict[str, Any]:
    """Do the work in another process, after the one before."""
    try:
        return _jobs.run(work, (how, arrays), TIMEOUT)
    except BusyError as error:
        raise Refusal(429, str(error)) from None
    except WorkerError:
        raise Refusal(422, f"{how} could not be computed for this game here; choose another.") from None
    except GameError as error:
        raise Refusal(422, str(error)) from None
    except TimeoutError:
        raise Refusal(422, f"{how} took more than {TIMEOUT:.0f} seconds; choose another.") from None
    except Exception:
        raise Refusal(422, f"{how} could not be computed for this game here; choose another.") from None


def solve_here(asked: Question) -> dict[str, Any]:
    """The mixture of a meta-solver: shares and payoffs of all strategies, and numbers about it."""
    meta, arrays = asked
    payoffs = arrays["payoffs"]
    name, settings = META_SOLVERS.read(meta, own=True)
    mixture = solve(name, payoffs, settings)
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


def rank_here(asked: Question) -> dict[str, Any]:
    """A ranking of each player's strategies, or of those that all share: a row of numbers for each."""
    by, arrays = asked
    means = arrays["means"]
    labels = [[str(i) for i in range(n)] for n in means.shape[1:]]
    sides = bool(arrays["shared"]), bool(arrays["mirrored"])
    game = Estimates("", labels, means, arrays["errors"], arrays["correlation"], *sides)
    players = []
    for one in rank(game, by, game.enough):
        columns = (getattr(one, name).tolist() for name in ROW.values())
        players.append([dict(zip(ROW, row, strict=True)) for row in zip(*columns, strict=True)])
    return {"players": players, "uncertain": game.uncertain}
