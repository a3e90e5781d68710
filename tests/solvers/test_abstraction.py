"""Policies of abstractions in the full game."""

from pathlib import Path

import pytest

import parlor
from parlor import GameError
from parlor.game.loading import load


def test_a_lossless_abstraction_costs_nothing() -> None:
    game, abstract = load("leduc"), load("leduc/ranks")
    policy = parlor.solve(abstract, "cfr+", iterations=200).policy
    lifted = parlor.lift(game, abstract, policy)
    assert len(lifted) == 936
    assert parlor.exploitability(game, lifted) == pytest.approx(parlor.exploitability(abstract, policy), abs=1e-12)


def test_a_lossy_abstraction_costs_something(tmp_path: Path) -> None:
    """Kuhn poker for someone who cannot tell queen and king apart."""
    source = (Path(__file__).parents[2] / "parlor/games/kuhn/rules.py").read_text()
    path = tmp_path / "blurred.py"
    path.write_text(
        source + "\ndef blurred(s, p):\n    return ((p * 8 + min(s.card[p], 2)) * 16 + s.moves) * 128 + s.bets\n"
        "\nABSTRACTIONS = {'blurred': {'key': blurred}}\n"
    )
    game, abstract = load(str(path)), load(f"{path}/blurred")
    policy = parlor.solve(abstract, "cfr+", iterations=1000).policy
    assert parlor.exploitability(abstract, policy) < 0.001
    assert parlor.exploitability(game, parlor.lift(game, abstract, policy)) > 0.02


def test_games_that_do_not_fit_are_refused() -> None:
    policy = parlor.solve(load("kuhn"), iterations=10).policy
    with pytest.raises(GameError, match="kuhn is not an abstraction of leduc,"):
        parlor.lift(load("leduc"), load("kuhn"), policy)
