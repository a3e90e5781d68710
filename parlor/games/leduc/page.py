"""Leduc hold'em as JSON: payoffs are chips, moves have reasons, and a strategy is a grid of ranks, without suits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parlor.page.card_grid import CardGrid, Part, card_grid
from parlor.page.display import Display
from parlor.page.poker import card_face_down, two_raises


def ranks(name: str) -> Part:
    """Cards without their suits."""

    def part(things: Mapping[str, Sequence[str]]) -> Sequence[str]:
        return [card[:-1] for card in things.get(name, ())]

    return part


DISPLAY = Display(
    blocked=two_raises,
    hidden=card_face_down,
    unit="chips",
    strategy=card_grid(ranks("cards"), ranks("board")),
    strategy_type=CardGrid,
    strategy_of="policy",
)
