"""The correlated equilibria of a game of two players with two strategies each: a polytope that can be drawn.

Joint distributions over the four combinations are a tetrahedron. Each player, told either strategy, must not gain by
the other: four linear inequalities cut the equilibria out of it. With two strategies, coarse correlated
equilibria are the same: who chooses in advance deviates only where the other strategy is told.
"""

from __future__ import annotations

import itertools

import numpy as np

from parlor.game.errors import GameError
from parlor.policies.mixture import Array, normalised

NEAR = 1e-9


def constraints(payoffs: Array) -> Array:
    """Rows g with g · x ≥ 0 for every equilibrium x over (00, 01, 10, 11): chances, and no gain by deviating."""
    if payoffs.shape != (2, 2, 2):
        raise GameError("The polytope of correlated equilibria is drawn for two players with two strategies each.")
    mine, theirs = normalised(payoffs)
    rows = [*np.eye(4)]
    for told in range(2):
        row, column = np.zeros((2, 2)), np.zeros((2, 2))
        row[told] = mine[told] - mine[1 - told]
        column[:, told] = theirs[:, told] - theirs[:, 1 - told]
        rows += [row.ravel(), column.ravel()]
    return np.array([row for row in rows if np.abs(row).max() > NEAR])


def vertices(payoffs: Array) -> Array:
    """The corners of the polytope, [corners, 4]: where three inequalities hold with equality."""
    rows = constraints(payoffs)
    found: list[Array] = []
    for some in itertools.combinations(rows, 3):
        system = np.vstack([*some, np.ones(4)])
        if np.linalg.matrix_rank(system, NEAR) < 4:
            continue
        x = np.linalg.solve(system, [0.0, 0.0, 0.0, 1.0])
        if (rows @ x >= -NEAR).all() and not any(np.allclose(x, y, atol=1e-7) for y in found):
            found.append(np.maximum(x, 0.0))
    return np.array(found)


def faces(payoffs: Array) -> list[Array]:
    """The polygons around the polytope, corners in order; one that is flat is itself the only one."""
    corners = vertices(payoffs)
    if np.linalg.matrix_rank(corners - corners[0], 1e-7) < 3:
        return [_around(corners)]
    touching = [corners[np.abs(corners @ row) < 1e-7] for row in constraints(payoffs)]
    polygons = [some for some in touching if len(some) > 2 and np.linalg.matrix_rank(some - some[0], 1e-7) == 2]
    return [_around(some) for i, some in enumerate(polygons) if not any(_same(some, other) for other in polygons[:i])]


def _same(one: Array, other: Array) -> bool:
    return len(one) == len(other) and bool(np.allclose(one, other))


def _around(corners: Array) -> Array:
    """The corners of a polygon in order; two or one as they are."""
    if len(corners) < 3:
        return corners
    flat = corners - corners.mean(axis=0)
    _, _, axes = np.linalg.svd(flat, full_matrices=False)
    x, y = (flat @ axes[:2].T).T
    return corners[np.argsort(np.arctan2(y, x))]
