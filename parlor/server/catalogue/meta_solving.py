"""Empirical games solved and ranked on request, in a process of their own that is ended when it takes too long.

python -m parlor.server.catalogue.meta_solving solve META < payoffs.npz
python -m parlor.server.catalogue.meta_solving rank RANKING < estimates.npz
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from parlor.game.errors import GameError
from parlor.policies.mixture import Array, cce_gap, coarse_gains, expected_payoffs, nash_gap
from parlor.population.empirical.estimates import Estimates
from parlor.population.empirical.rankings import find_ranking, rank
from parlor.population.meta import META_SOLVERS, solve
from parlor.server.operations.jobs import BUSY, Busy, JobQueue, be_nice, run_module
from parlor.server.refusal import Refusal

MAX_CELLS = 10_000  # 100 strategies each of two players
TIMEOUT = 20.0  # seconds for one game
ESTIMATES = ("means", "errors", "correlation", "shared", "mirrored")  # what goes to the other process
#: What comes back of each strategy, and where it stands in a ranking.
ROW = {"score": "scores", "low": "low", "high": "high", "place": "places", "best_place": "best_places"}
ROW |= {"worst_place": "worst_places"}

_queue = JobQueue(TIMEOUT)


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
    return _in_turn("solve", meta, {"payoffs": payoffs})


def ranked(by: str, game: Estimates) -> dict[str, Any]:
    """The ranking of each player's strategies, as `rank_here` has it; of a complete game."""
    try:
        find_ranking(by)
    except GameError as error:
        raise Refusal(422, str(error)) from None
    check_solvable(game.means)
    return _in_turn("rank", by, {name: np.asarray(getattr(game, name)) for name in ESTIMATES})


def _in_turn(what: str, how: str, arrays: dict[str, Array]) -> dict[str, Any]:
    """Wait for the one before, not for long."""
    try:
        with _queue.turn():
            return _in_another_process(what, how, arrays)
    except Busy:
        raise Refusal(429, BUSY) from None


def _in_another_process(what: str, how: str, arrays: dict[str, Array]) -> dict[str, Any]:
    given = io.BytesIO()
    np.savez(given, **arrays)  # type: ignore[arg-type]
    try:
        done = run_module("parlor.server.catalogue.meta_solving", (what, how), TIMEOUT, given.getvalue())
    except subprocess.TimeoutExpired:
        raise Refusal(422, f"{how} took more than {TIMEOUT:.0f} seconds; choose another.") from None
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise Refusal(422, f"{how} could not be computed for this game here; choose another.") from None
    if "error" in answer:
        raise Refusal(422, answer["error"])
    return answer


def solve_here(meta: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The mixture of a meta-solver: shares and payoffs of all strategies, and numbers about it."""
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


def rank_here(by: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """A ranking of each player's strategies, or of those that all share: a row of numbers for each."""
    means = arrays["means"]
    labels = [[str(i) for i in range(n)] for n in means.shape[1:]]
    sides = bool(arrays["shared"]), bool(arrays["mirrored"])
    game = Estimates("", labels, means, arrays["errors"], arrays["correlation"], *sides)
    players = []
    for one in rank(game, by, game.enough):
        columns = (getattr(one, name).tolist() for name in ROW.values())
        players.append([dict(zip(ROW, row, strict=True)) for row in zip(*columns, strict=True)])
    return {"players": players, "uncertain": game.uncertain}


def main(what: str, how: str) -> None:
    """Solve or rank what comes in."""
    be_nice()
    work = {"solve": solve_here, "rank": rank_here}[what]
    try:
        answer = work(how, np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False))
    except GameError as error:
        answer = {"error": str(error)}
    print(json.dumps(answer, allow_nan=False))


if __name__ == "__main__":
    main(*sys.argv[1:])
