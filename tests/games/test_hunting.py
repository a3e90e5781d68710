"""The hunter of Battleship: it looks where ships can be, and pursues what it has hit."""

import numpy as np

from parlor.game import Position
from parlor.game.loading import load
from parlor.games.battleship.agents.hunting import VALUES, hunting_probabilities

GAME = load("battleship(preset=small)")
PLACED = [place for place in ("A1", "B2-C2", "A4-C4") for _ in range(2)]  # the same for both sides


def weights(position: Position) -> dict[str, float]:
    """What the hunter thinks of each shot, in plain Python."""
    value = np.array([setting.default for setting in VALUES.values()])
    out = [0.0] * len(position.actions)
    hunting_probabilities(
        [position.state], 0, position.turn, position.actions, len(out), out, [], (4, 4, [1, 2, 3], value)
    )
    assert abs(sum(out) - 1.0) < 1e-9
    return dict(zip(position.legal, out, strict=True))


def after(*shots: str) -> Position:
    """The first player has shot so, and the other always elsewhere."""
    position = GAME.start().after(*(f"place {cells}" for cells in PLACED))
    for shot, other in zip(shots, ("D1", "C1", "D2", "D3", "B1"), strict=False):
        position = position.after(f"shoot {shot}", f"shoot {other}")
    return position


def test_at_first_the_middle_is_likelier_than_the_corners() -> None:
    found = weights(after())
    assert found["shoot B2"] > found["shoot A2"] > found["shoot A1"]


def test_a_hit_is_pursued_until_the_ship_is_sunk() -> None:
    found = weights(after("B4"))  # a hit at the edge
    assert sum(found[f"shoot {cell}"] for cell in ("A4", "C4", "B3")) > 0.9
    found = weights(after("B4", "C4"))  # two in a row: one of the ends
    assert found["shoot A4"] + found["shoot D4"] > 0.95
    found = weights(after("B4", "C4", "A4"))  # sunk: the rest lies elsewhere
    assert found["shoot D4"] < 0.1


def test_ships_are_placed_anywhere() -> None:
    assert len(set(weights(GAME.start()).values())) == 1
