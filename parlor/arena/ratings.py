"""Ratings: how strong agents and people are, on one scale for each game.

Random play has the rating 0, and 400 points more are ten times the odds of winning, as in chess. A result between two
gives the difference of their ratings:

- where games are won or lost, from the share of wins: ten wins for each loss are 400 points. Among n players one plays
  alone against copies of the other, and equals win one game in n; the odds are counted from there (Plackett and Luce);
- where games are about points, as in poker, from the mean payoff divided by its deviation: who is ahead after a
  session of 100 games, by the logistic curve that is next to the normal one.

The ratings are those that fit all differences best, each weighted by its precision. No scale fits all pairs, whatever
the number of games (rock beats scissors); so every difference is taken as uncertain by some points more, and by more
where it is large: how much somebody wins from the weak says little about who wins among the strong. Bradley and Terry,
*Rank analysis of incomplete block designs* (1952).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlor.arena.statistics import Estimate, Z

ANCHOR = "random"  # the agent whose rating is 0
SCALE = 400.0 / math.log(10.0)  # points for each unit of the logarithm of the odds
SESSION = 100  # games
LOGISTIC = 1.702  # the logistic curve of so many times x is next to the normal one of x
MISFIT = 30.0  # points by which results between equals deviate from any scale
LEVELS = 10


@dataclass(frozen=True)
class Result:
    """The result of one in some games against another, or alone against copies of the other."""

    games: int
    share: float  # of the wins, a tie being split evenly
    players: int = 2
    payoff: float | None = None  # the mean a game, if games are about points
    deviation: float = 0.0  # of the payoff, from game to game
    error: float | None = None  # the standard error of the share, or of the mean payoff; None: games are independent

    @property
    def difference(self) -> float:
        """In points of rating."""
        if self.payoff is not None:
            return SCALE * LOGISTIC * math.sqrt(SESSION) * self.payoff / max(self.deviation, 1e-9)
        share = self._share
        return SCALE * math.log(share * (self.players - 1) / (1.0 - share))

    @property
    def uncertainty(self) -> float:
        """The standard error of the difference."""
        if self.payoff is not None:
            error = self.deviation / math.sqrt(self.games) if self.error is None else self.error
            # the mean of few games says little, even if they were all alike
            error = max(error, self.deviation / self.games)
            return SCALE * LOGISTIC * math.sqrt(SESSION) * error / max(self.deviation, 1e-9)
        share = self._share
        variance = share * (1.0 - share)
        error = math.sqrt(variance / (self.games + 1)) if self.error is None else self.error
        return SCALE * max(error, 0.5 / (self.games + 1)) / variance

    @property
    def weight(self) -> float:
        """The weight of the difference: the higher, the more precise it is, and the closer the two are.

        Odds of k to 1 say as little as in the model of Bradley and Terry, in proportion to p (1 - p).
        """
        misfit = MISFIT * math.cosh(self.difference / (2.0 * SCALE))
        return 1.0 / (self.uncertainty**2 + misfit**2)

    @property
    def _share(self) -> float:
        """With one drawn game added, so that who never loses is not infinitely strong."""
        return (self.share * self.games + 1.0 / self.players) / (self.games + 1)


def results_of(table: Mapping[str, Any]) -> list[tuple[str, str, Result]]:
    """The results in a cross table, as `parlor compare --json` writes it: one, the other, and what the first got."""
    found = []
    for match in table["matches"]:
        players, share = match["players"], match["measures"]["win-share"]
        payoff = match["payoff"]["value"]
        other = match["by_agent"][1]["payoff"]["value"]
        opposed = abs(payoff + (players - 1) * other) <= 1e-6 * (1.0 + abs(payoff))
        in_points = table["in_points"] and opposed
        if match["games"] < 1 or (in_points and not match.get("deviation")):
            continue
        of = match["payoff"] if in_points else share
        width = math.inf if of["low"] is None or of["high"] is None else of["high"] - of["low"]
        error = width / (2 * Z) if math.isfinite(width) and width > 0.0 else None
        points = {"payoff": payoff, "deviation": match["deviation"]} if in_points else {}
        result = Result(match["games"], share["value"], players, error=error, **points)
        found.append((match["agent"], match["against"], result))
    return found


def ratings(results: Sequence[tuple[str, str, Result]], anchor: str = ANCHOR) -> dict[str, Estimate]:
    """The rating of everybody whose results are connected to those of `anchor`; nobody's if it has not played."""
    names = _connected(results, anchor)
    if anchor not in names:
        return {}
    place = {name: i for i, name in enumerate(sorted(names - {anchor}))} | {anchor: len(names) - 1}
    n = len(names)
    precision, evidence = np.zeros((n, n)), np.zeros(n)
    for one, other, result in results:
        if one not in names or one == other:
            continue
        weight = result.weight
        i, j = place[one], place[other]
        precision[[i, j], [i, j]] += weight
        precision[[i, j], [j, i]] -= weight
        evidence[i] += weight * result.difference
        evidence[j] -= weight * result.difference
    covariance = np.linalg.inv(precision[:-1, :-1])  # without the anchor, whose rating is known
    values = [*(covariance @ evidence[:-1]).tolist(), 0.0]
    reach = [*(Z * np.sqrt(covariance.diagonal())).tolist(), 0.0]
    return {name: Estimate(values[i], values[i] - reach[i], values[i] + reach[i]) for name, i in place.items()}


def performance(results: Sequence[tuple[float, Result]]) -> Estimate | None:
    """The rating of somebody who got these results against others of known ratings; None without any games."""
    played = [(rating, result) for rating, result in results if result.games > 0]
    if not played:
        return None
    weights = [result.weight for _, result in played]
    found = [rating + result.difference for rating, result in played]
    value = sum(w * x for w, x in zip(weights, found, strict=True)) / sum(weights)
    reach = Z / math.sqrt(sum(weights))
    return Estimate(value, value - reach, value + reach)


def level(rating: float, best: float) -> int:
    """A rating on the scale from 1, random play, to 10, the best rating that was measured."""
    share = rating / best if best > 0.0 else 0.0
    return 1 + round((LEVELS - 1) * min(max(share, 0.0), 1.0))


def hardest_to_beat(results: Sequence[tuple[str, str, Result]]) -> list[str]:
    """Everybody, the one whose worst result is best first."""
    worst: dict[str, float] = {}
    for one, other, result in results:
        if one != other:
            worst[one] = min(worst.get(one, math.inf), result.difference)
            if result.players == 2:
                worst[other] = min(worst.get(other, math.inf), -result.difference)
    return sorted(worst, key=lambda name: -worst[name])


def _connected(results: Sequence[tuple[str, str, Result]], anchor: str) -> set[str]:
    names = {anchor} if any(anchor in pair[:2] for pair in results) else set()
    while more := {name for pair in results if names & set(pair[:2]) for name in pair[:2]} - names:
        names |= more
    return names
