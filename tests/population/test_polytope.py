"""The polytope of correlated equilibria: figure 2 of Li et al. (2023), and games in which it is flat."""

from __future__ import annotations

import numpy as np
import pytest

from parlor.game.errors import GameError
from parlor.policies.mixture import cce_gap, ce_gap, correlated, nash_gap
from parlor.population.empirical.polytope import constraints, faces, vertices
from parlor.population.meta import solve
from parlor.population.meta.nash import all_equilibria, symmetric_equilibria

CHICKEN = np.array([[[-5.0, 1], [-1, -1]], [[-5, -1], [1, -1]]])
BACH = np.array([[[3.0, 0], [0, 2]], [[2, 0], [0, 3]]])
DILEMMA = np.array([[[5.0, 0], [10, 1]], [[5, 10], [0, 1]]])


@pytest.mark.parametrize(("payoffs", "pure"), [(CHICKEN, (1, 2)), (BACH, (0, 3))])
def test_the_games_of_figure_2(payoffs: np.ndarray, pure: tuple[int, int]) -> None:
    corners = vertices(payoffs)
    assert len(corners) == 5
    assert sorted(map(len, faces(payoffs))) == [3] * 6  # V - E + F = 5 - 9 + 6 = 2
    found = all_equilibria(payoffs)
    assert sorted(int(one.joint.argmax()) for one in found if one.joint.max() == 1.0) == list(pure)
    assert sum(one.joint.max() < 1.0 for one in found) == 1
    for one in found:  # every equilibrium is a corner here
        assert np.isclose(corners, one.joint.ravel()).all(axis=1).any()
    half = np.zeros(4)
    half[list(pure)] = 0.5
    assert np.allclose(solve("mnce", payoffs).joint.ravel(), half, atol=1e-6)  # in turn: the fair compromise


def test_one_equilibrium_is_one_point() -> None:
    assert vertices(DILEMMA).tolist() == [[0.0, 0.0, 0.0, 1.0]]
    assert [len(one) for one in faces(DILEMMA)] == [1]


def test_where_nothing_matters_everything_is_an_equilibrium() -> None:
    assert len(vertices(np.zeros((2, 2, 2)))) == 4
    assert len(faces(np.zeros((2, 2, 2)))) == 4


def test_corners_are_equilibria_and_equilibria_lie_inside() -> None:
    rng = np.random.default_rng(3)
    for _ in range(12):
        payoffs = rng.normal(size=(2, 2, 2))
        for corner in vertices(payoffs):
            mixture = correlated(corner.reshape(2, 2))
            assert ce_gap(mixture, payoffs) < 1e-8
            assert cce_gap(mixture, payoffs) < 1e-8
        assert (constraints(payoffs) @ solve("mece", payoffs).joint.ravel() > -1e-6).all()
        assert len(all_equilibria(payoffs)) in (1, 3)
        assert all(nash_gap(one, payoffs) < 1e-8 for one in all_equilibria(payoffs))


def test_what_is_best_against_itself() -> None:
    mine = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    [only] = symmetric_equilibria(np.stack([mine, mine.T]))
    assert np.allclose(only, 1 / 3)
    stag = np.array([[2.0, 0], [1, 1]])
    assert len(list(symmetric_equilibria(np.stack([stag, stag.T])))) == 3


def test_larger_games_have_no_such_polytope() -> None:
    with pytest.raises(GameError, match="two players with two strategies each"):
        vertices(np.zeros((2, 3, 3)))
