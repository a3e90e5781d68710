"""Drawings of empirical games show what they should; what cannot be drawn gets a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from parlor.game import GameError
from parlor.population.empirical.empirical_figures import draw_estimates
from parlor.population.empirical.empirical_game import EmpiricalGame
from parlor.population.empirical.estimates import Estimates, estimates

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")
CHICKEN = np.array([[[-5.0, 1], [-1, -1]], [[-5, -1], [1, -1]]])
CYCLE = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def known(payoffs: np.ndarray, names: str, shared: bool = False, games: int = 0) -> Estimates:
    game = EmpiricalGame("some", len(payoffs))
    for player, n in enumerate(payoffs.shape[1:]):
        for i in range(n):
            game.add(player, names[i])
    for cell in np.ndindex(*payoffs.shape[1:]):
        u = payoffs[(slice(None), *cell)]
        if games:
            game.record(cell, games, games * u, games * (u**2 + 1))
        else:
            game.set_exact(cell, u)
    return estimates(game, shared=shared)


def drawn(game: Estimates, kind: str, folder: Path) -> str:
    return draw_estimates(game, folder / "figure.svg", kind).read_text()


def test_a_heat_map_has_names_and_intervals(tmp_path: Path) -> None:
    both = drawn(known(CHICKEN, "CS", games=400), "heat-map", tmp_path)
    for words in (">C<", ">S<", ">-5<", "± 0.098", "player 0 gets", "player 1 gets"):
        assert words in both
    one = drawn(known(np.stack([CYCLE, -CYCLE]), "rps"), "heat-map", tmp_path)
    assert "what the row gets" in one
    assert "player 1" not in one
    three = drawn(known(np.random.default_rng(1).normal(size=(3, 2, 2, 2)), "ab"), "heat-map", tmp_path)
    assert "a · b" in three


def test_a_replicator_field_has_its_rest_points(tmp_path: Path) -> None:
    square = drawn(known(CHICKEN, "CS"), "replicator", tmp_path)
    assert "player 1 plays C rather than S" in square
    assert ">pure Nash equilibrium<" in square
    assert ">mixed Nash equilibrium<" in square
    triangle = drawn(known(np.stack([CYCLE, CYCLE.T]), "rps", shared=True), "replicator", tmp_path)
    assert ">mixed Nash equilibrium<" in triangle
    assert ">pure Nash equilibrium<" not in triangle


def test_the_polytope_names_its_corners(tmp_path: Path) -> None:
    text = drawn(known(CHICKEN, "CS"), "polytope", tmp_path)
    assert drawn(known(CHICKEN, "CS"), "polytope", tmp_path) == text
    for words in (">CC<", ">CS<", ">SC<", ">SS<", "(C)CE", ">largest Nash product<"):
        assert words in text


@pytest.mark.parametrize("kind", ["replicator", "polytope", "pie"])
def test_what_cannot_be_drawn_gets_a_sentence(kind: str, tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r"two strategies each|There is no drawing 'pie'"):
        draw_estimates(known(np.stack([CYCLE, -CYCLE]), "rps"), tmp_path / "figure.svg", kind)
    assert not list(tmp_path.iterdir())
