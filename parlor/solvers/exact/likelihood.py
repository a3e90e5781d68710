"""The rationality that explains recorded play best: maximum likelihood along the branch of logit equilibria.

McKelvey and Palfrey (1995): of all λ on the branch from uniform play, the one under whose equilibrium the recorded
moves are most likely. The interval is that of the likelihood ratio: of λ whose log-likelihood is at most 1.92 less.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from parlor.game import CHANCE, Game, GameError
from parlor.game.loading import as_game
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Tree, tree
from parlor.solvers.exact.branch import Branch, correct
from parlor.solvers.exact.logit import LogitCurve, policy_at

LESS = 1.920729410347062  # half of the 95 % quantile of chi-squared with one degree of freedom
HIGHEST = 1000.0  # λ, over the range of payoffs
STEPS = 5000
HALVINGS = 60
GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class RationalityEstimate:
    """A λ with its interval and what it predicts."""

    rationality: float
    low: float  # of the 95 % interval
    high: float  # infinite, if the likelihood does not fall again
    log_likelihood: float
    uniform: float  # the log-likelihood if everybody plays at random
    moves: int  # at which there was a choice
    games: int
    policy: Policy  # the equilibrium

    def __repr__(self) -> str:
        return (
            f"<rationality {self.rationality:.4g} ({self.low:.4g} to {self.high:.4g}) of {self.moves:,} moves in "
            f"{self.games:,} games: log-likelihood {self.log_likelihood:.2f}, at random {self.uniform:.2f}>"
        )


def estimate_rationality(game: Game | str, games: Iterable[Sequence[str]]) -> RationalityEstimate:
    """Fit λ to games that were played: the moves of each by name, outcomes of chance among them."""
    game = as_game(game)
    t, played = tree(game), list(games)
    counts = _counts(t, played)
    if not counts.any():
        raise GameError("No recorded game has a move at which there was a choice.")
    curve = LogitCurve(t)
    spread = float(np.ptp(curve.gains)) or 1.0

    def likelihood(point: Floats) -> float:
        return float(counts @ curve.log_strategy(point[:-1]))

    points = _followed(curve, HIGHEST / spread)
    along = [likelihood(point) for point in points]
    best = int(np.argmax(along))
    peak, point = max(
        (_highest(curve, likelihood, *points[i : i + 2]) for i in (best - 1, best) if 0 <= i < len(points) - 1),
        key=lambda found: found[0],
    )
    bound = peak - LESS
    low = _crossing(curve, likelihood, bound, [point, *points[best - 1 :: -1]] if best else [point])
    high = _crossing(curve, likelihood, bound, [point, *points[best + 1 :]])
    return RationalityEstimate(
        rationality=float(point[-1]),
        low=0.0 if low is None else low,
        high=float("inf") if high is None else high,
        log_likelihood=peak,
        uniform=along[0],
        moves=int(counts.sum()),
        games=len(played),
        policy=policy_at(curve, point),
    )


def _counts(t: Tree, games: Sequence[Sequence[str]]) -> Floats:
    """The number of times that each action was played, of those with alternatives."""
    starts = np.cumsum(t.counts) - t.counts
    places = dict(zip(t.keys.tolist(), zip(starts.tolist(), t.counts.tolist(), strict=True), strict=True))
    found = np.zeros(int(t.counts.sum()))
    for number, moves in enumerate(games, 1):
        position = t.game.start()
        for move in moves:
            before = position
            try:
                position = position.after(move)
            except GameError as error:
                raise GameError(f"Game {number} is not one of {t.game.name}: {error}") from None
            if before.turn != CHANCE:
                first, count = places[before.key(before.turn)]
                found[first + before.legal.index(position.last)] += count > 1
    return found


def _followed(curve: LogitCurve, goal: float) -> list[Floats]:
    branch = Branch(curve, len(curve.tree.rows), goal)
    points = [branch.point]
    for _ in range(STEPS):
        if branch.reached or branch.lost:
            break
        branch.step()
        if branch.point is not points[-1]:
            points.append(branch.point)
    if len(points) == 1:
        raise GameError("The branch of logit equilibria could not be followed from uniform play.")
    return points


def _between(curve: LogitCurve, one: Floats, other: Floats, share: float) -> Floats:
    """A point of the branch between two that are near."""
    across = (other - one) / np.linalg.norm(other - one)
    found, good = correct(curve, one + share * (other - one), across)
    return found if good else one + share * (other - one)


def _highest(
    curve: LogitCurve, likelihood: Callable[[Floats], float], one: Floats, other: Floats
) -> tuple[float, Floats]:
    """The most likely point between two, by the golden section."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        values = [likelihood(_between(curve, one, other, share)) for share in (left, right)]
        low, high = (low, right) if values[0] >= values[1] else (left, high)
    found = max((_between(curve, one, other, share) for share in (0.0, (low + high) / 2, 1.0)), key=likelihood)
    return likelihood(found), found


def _crossing(
    curve: LogitCurve, likelihood: Callable[[Floats], float], bound: float, points: Sequence[Floats]
) -> float | None:
    """The λ at which the likelihood first falls to a bound on the way along points; None if it never does."""
    for one, other in itertools.pairwise(points):
        if likelihood(other) <= bound and np.linalg.norm(other - one) > 0:
            low, high = 0.0, 1.0
            for _ in range(HALVINGS):
                middle = (low + high) / 2
                low, high = (
                    (low, middle) if likelihood(_between(curve, one, other, middle)) <= bound else (middle, high)
                )
            return float(_between(curve, one, other, high)[-1])
    return None
