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

from parlor.game import GameError
from parlor.tuning.options import Point, TunedParameter


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
