"""The list of the paper's twelve games: each is the same game under both names."""

import pytest

from experiments.psro.games import COMMON_PAYOFF, GENERAL_SUM, PSRO_GAMES, SHERIFF_AS_PRINTED
from parlor.game.loading import load

pytestmark = pytest.mark.slow

ALL = {**PSRO_GAMES, "sheriff as printed": SHERIFF_AS_PRINTED}


def test_there_are_twelve() -> None:
    assert len(PSRO_GAMES) == 12


@pytest.mark.parametrize("name", ALL)
def test_both_names_are_of_one_game(name: str) -> None:
    pytest.importorskip("pyspiel")
    row = ALL[name]
    ours, theirs = load(row.game), load(f"openspiel:{row.openspiel}")
    kind = row.kind if row.kind in (COMMON_PAYOFF, GENERAL_SUM) else "zero-sum"
    assert ours.kind == kind
    assert ours.players == theirs.players
    mine, other = ours.start(), theirs.start()
    while not mine.over:  # always the last of what can happen
        assert mine.turn == other.turn
        assert len(mine.actions) == len(other.actions)
        mine, other = mine.after(mine.actions[-1]), other.after(other.actions[-1])
    assert mine.payoffs == pytest.approx(other.payoffs)
