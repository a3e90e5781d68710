"""Settings say everything about themselves, and refuse what makes no sense."""

import math
from dataclasses import dataclass
from typing import Any

import pytest

from parlor.game import GameError, option
from parlor.game.parameters import Settings, declared, setting


@dataclass(frozen=True)
class Mine(Settings):
    rate: float = setting(0.1, "how fast it learns", low=0.0, high=1.0)
    games: int = setting(10, "how many", low=1)
    style: str = setting("bold", "how it plays", words=("bold", "shy"))
    sizes: tuple[int, ...] = setting((3,), "of its layers", low=1, items=int)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"rate": 1.5}, "rate must be between 0 and 1, not 1.5."),
        ({"rate": math.nan}, "rate must be between 0 and 1, not nan."),
        ({"games": 0}, "games must be at least 1, not 0."),
        ({"style": "loud"}, "style must be one of bold, shy, not 'loud'."),
        ({"sizes": (4, 0)}, "sizes must be at least 1, not 0."),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=f"^{sentence.replace('.', '[.]')}$"):
        Mine(**values)


def test_a_default_outside_of_its_own_bounds_is_refused() -> None:
    with pytest.raises(GameError, match=r"^values must be between 1 and 20, not 40[.]$"):
        option("values", 40, 1, 20)


def test_they_survive_json_and_wrong_types_do_not() -> None:
    mine = Mine(games=3, sizes=(4, 5))
    assert mine.data() == {"rate": 0.1, "games": 3, "style": "bold", "sizes": [4, 5]}
    assert Mine.read(mine.data()) == mine
    assert Mine.read({"games": 3, "sizes": [4, 5]}) == mine
    for wrong in ({"games": 3.5}, {"games": True}, {"style": 3}, {"sizes": 4}):
        with pytest.raises(GameError, match="must be"):
            Mine.read(wrong)


def test_a_setting_says_what_it_is() -> None:
    rate, _, style, sizes = declared(Mine)
    assert (rate.name, rate.kind, rate.default, rate.low, rate.high) == ("rate", "float", 0.1, 0.0, 1.0)
    assert (style.words, sizes.kind) == (("bold", "shy"), "ints")
