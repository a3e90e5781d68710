"""Following the branch of logit equilibria: from uniform play, by steps along it and Newton's method.

Points are (logits, rationality). At rationality 0 all play uniformly; the branch from there is followed, also where it
turns back for a while, to the rationality that is asked for (McKelvey and Palfrey, 1995; Turocy, 2005).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

PRECISE = 1e-10  # of logits, relative to the largest
SHORTEST = 1e-9  # step


class HomotopyCurve(Protocol):
    """The function that is zero along the branch."""

    def residual(self, point: Array) -> Array:
        """Logits less what they should be."""
        ...

    def jacobian(self, point: Array) -> Array:
        """Of the residual, by logits and rationality: [n, n + 1]."""
        ...


def correct(curve: HomotopyCurve, point: Array, direction: Array) -> tuple[Array, bool]:
    """Newton's method in the plane through a point across a direction."""
    plane = float(direction @ point)
    for _ in range(8):
        residual = curve.residual(point)
        if np.abs(residual).max(initial=0.0) <= PRECISE * (1.0 + abs(point[-1])):
            return point, True
        system = np.vstack([curve.jacobian(point), direction])
        right = np.append(-residual, plane - direction @ point)
        try:
            point = point + np.linalg.solve(system, right)
        except np.linalg.LinAlgError:
            break
        if not np.isfinite(point).all():
            break
    return point, False


class Branch:
    """The branch, as far as it has been followed."""

    def __init__(self, curve: HomotopyCurve, unknowns: int, goal: float) -> None:
        self.curve, self.goal = curve, goal
        self.point = np.zeros(unknowns + 1)
        self.reached = self.lost = False
        self._upwards = np.append(np.zeros(unknowns), 1.0)
        self._direction, self._length = self._upwards, 0.1

    def step(self) -> None:
        """A step towards the goal, or a shorter one next time; at the end it is `reached` or `lost`."""
        try:
            tangent = np.linalg.solve(np.vstack([self.curve.jacobian(self.point), self._direction]), self._upwards)
        except np.linalg.LinAlgError:
            self.lost = True
            return
        tangent /= np.linalg.norm(tangent)
        predicted = self.point + self._length * tangent
        if predicted[-1] >= self.goal:
            crossing = self.point + (self.goal - self.point[-1]) / tangent[-1] * tangent
            found, self.reached = correct(self.curve, crossing, self._upwards)
            good = self.reached
        else:
            found, good = correct(self.curve, predicted, tangent)
            good = good and float((found - self.point) @ tangent) > 0
        if good:
            self.point, self._direction, self._length = found, tangent, self._length * 1.5
        else:
            self._length /= 2
            self.lost = self._length < SHORTEST
