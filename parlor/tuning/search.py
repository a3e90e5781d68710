"""Search for good parameters: optimisers that ask for the scores of points, one generation at a time.

`cma-es`: covariance matrix adaptation (Hansen, *The CMA evolution strategy: a tutorial*, 2016), from the library
`cmaes`; where options are whole numbers, with margin (Hamano, Saito, Nomura and Shirakawa, 2022), so that none of them
freezes. `coordinate`: one option at a time, a grid of values for each in turn, keeping the best; when all had their
turn, again with a grid half as wide around the best.

Points are places from 0 to 1, scores are better the higher they are. An optimiser depends on its seed and on what it
was told, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from parlor.arena.measures import MEASURES
from parlor.game import GameError
from parlor.game.parameters import Settings, setting
from parlor.tuning.options import Point, TunedParameter

WEIGHTS = ("uniform", "hard")


class PointSearch(Protocol):
    """A search in progress."""

    population: int  # points in a generation

    def ask(self) -> list[Point]:
        """The points of the next generation."""
        ...

    def tell(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Their scores."""
        ...

    @property
    def centre(self) -> Point:
        """The best point, as far as it can tell."""
        ...

    @property
    def spread(self) -> float:
        """The step size of the search around its centre."""
        ...


@dataclass(frozen=True)
class SearchPlan:
    """The setup of a search."""

    options: Sequence[TunedParameter]
    start: Point
    seed: int
    spread: float = 0.25
    population: int = 0  # points in a generation; 0 for as many as suit the method


class CmaEs:
    """CMA-ES. The centre is the mean of its distribution: less a matter of luck than the best point that was tried."""

    def __init__(self, plan: SearchPlan) -> None:
        try:
            import cmaes
        except ImportError:
            raise GameError(
                "CMA-ES needs cmaes: pip install 'parlor-games[learn]', or use --method coordinate."
            ) from None
        steps = np.array([option.grid for option in plan.options])
        settings: dict[str, Any] = {
            "mean": np.array(plan.start),
            "sigma": plan.spread,
            "bounds": np.array([[0.0, 1.0]] * len(plan.options)),
            "seed": plan.seed % 2**32,
            "population_size": plan.population or None,
            "n_max_resampling": 0,  # points outside of the ranges are moved to the edge: the best often lies there
        }
        self._whole = bool(steps.any())
        self._cma: Any = cmaes.CMAwM(steps=steps, **settings) if self._whole else cmaes.CMA(**settings)
        self.population: int = self._cma.population_size
        self._asked: Sequence[Any] = ()  # the points as the library wants to be told of them
        self._spread = plan.spread

    def ask(self) -> list[Point]:
        """Draw from the distribution."""
        drawn = [self._cma.ask() for _ in range(self.population)]
        points, self._asked = zip(*drawn, strict=True) if self._whole else (drawn, drawn)
        self._spread = float(np.std(points, axis=0).mean())
        return [[float(place) for place in point] for point in points]

    def tell(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Move and reshape the distribution."""
        self._cma.tell([(point, -score) for point, score in zip(self._asked, scores, strict=True)])

    @property
    def centre(self) -> Point:
        """The mean."""
        return [min(max(float(place), 0.0), 1.0) for place in self._cma.mean]

    @property
    def spread(self) -> float:
        """The standard deviation of the points it has drawn last, in the mean over the options."""
        return self._spread


class Coordinate:
    """One option at a time."""

    def __init__(self, plan: SearchPlan) -> None:
        self._options, self._best = plan.options, list(plan.start)
        self.population = max(plan.population, 3) if plan.population else 9
        self._turn = 0

    @property
    def spread(self) -> float:
        """Half the width of the grid: everything at first."""
        return 0.5 ** (1 + self._turn // len(self._options))

    def ask(self) -> list[Point]:
        """The best so far, and a grid of values of the option whose turn it is."""
        i = self._turn % len(self._options)
        middle = min(max(self._best[i], self.spread), 1.0 - self.spread)  # the grid stays within the range
        places = np.linspace(middle - self.spread, middle + self.spread, self.population - 1)
        return [list(self._best), *([*self._best[:i], float(place), *self._best[i + 1 :]] for place in places)]

    def tell(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Keep the best."""
        self._best = list(points[int(np.argmax(scores))])
        self._turn += 1

    @property
    def centre(self) -> Point:
        """The best so far."""
        return list(self._best)


METHODS: Mapping[str, Callable[[SearchPlan], PointSearch]] = {"cma-es": CmaEs, "coordinate": Coordinate}


@dataclass(frozen=True)
class TuneConfig(Settings):
    """The settings of a tuning run."""

    game: str = setting("", "the game, with its options")
    agent: str = setting("", "the agent; options in its name are not tuned")
    options: tuple[str, ...] = setting(
        (), "the options to tune, perhaps with their ranges: rent jeopardy=0:100 reserve=1:1000:log; if omitted, all"
    )
    against: tuple[str, ...] = setting(
        (), "the pool of opponents to begin with; if omitted, the game's own agents, or random, and the agent as it is"
    )
    measure: str = setting(
        "",
        "what is to be as high as possible: win-share, payoff, or another measure; if omitted, payoff where games are "
        "about points, else win-share",
    )
    method: tuple[str, ...] = setting(
        ("cma-es",), "how to search; with several, one after the other, and one table of both", words=tuple(METHODS)
    )
    games: int = setting(200_000, "games that a search may play; 0 for no such limit", low=0)
    minutes: float = setting(0.0, "minutes that a search may take; 0 for no such limit", low=0.0)
    generations: int = setting(0, "generations of a search; 0 for no such limit", low=0)
    games_each: int = setting(200, "games of each candidate in a generation, at least", low=2)
    final_games: int = setting(10_000, "games of each finalist, and again of each agent in the last table", low=100)
    candidates: int = setting(0, "candidates in a generation; 0 for as many as suit the method", low=0, high=1000)
    spread: float = setting(
        0.25, "how far from the start to look at first, as a part of each range", low=0.01, high=1.0
    )
    grow: bool = setting(True, "let what has improved join the pool")
    weights: str = setting("uniform", "hard: opponents that win more count more", words=WEIGHTS)
    check_every: int = setting(5, "generations between two checks whether the search has improved", low=1)
    patience: int = setting(4, "checks in a row without an improvement before a search starts again or ends", low=1)
    restarts: int = setting(
        1, "how often a search starts again from the best, with twice the candidates half as far from it", low=0
    )
    seed: int = setting(0, "the seed of all random streams of the run", low=0, high=2**63 - 1)

    def __post_init__(self) -> None:
        """Refuse invalid settings."""
        super().__post_init__()
        if self.measure:
            MEASURES.own(self.measure)
        if not self.method:
            raise GameError(f"method must be at least one of {', '.join(METHODS)}.")
        if len(set(self.method)) < len(self.method):
            raise GameError("A method is given twice.")
        if not (self.games or self.minutes or self.generations):
            raise GameError("A search needs an end: games, minutes or generations must be above 0.")
