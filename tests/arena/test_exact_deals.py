"""Deals of a cell are numbered: however they are split, each is played once."""

from __future__ import annotations

import numpy as np
import pytest

import parlor
from parlor.agents.registry import make_agent
from parlor.game.seats.play import as_agent
from parlor.population.empirical.cells import play_cell, play_lineups, seatings


@pytest.mark.parametrize("drawn", [False, True])
def test_deals_in_parts_are_the_deals_of_the_whole(drawn: bool) -> None:
    game, labels = parlor.load("kuhn(players=3)"), ("random", "random", "shy")
    agents = [make_agent("random", game), make_agent("random", game), as_agent(lambda o: o.legal[0])]
    whole = play_cell(game, agents, labels, 12, seed=3, drawn=drawn)
    parts = [play_cell(game, agents, labels, n, 3, first, drawn) for first, n in ((0, 5), (5, 1), (6, 6))]
    assert whole.games == sum(part.games for part in parts) == 12 * (3 if drawn else 1)
    for name, sums in whole.sums.items():
        assert sum(part.sums[name] for part in parts) == pytest.approx(sums)
        assert sum(part.squares[name] for part in parts) == pytest.approx(whole.squares[name])


def test_a_deal_is_the_same_in_every_order_of_its_cell() -> None:
    game, labels = parlor.load("kuhn(players=3)"), ("a", "b", "c")
    orders = seatings(labels, True)
    same = [as_agent(lambda o: o.legal[0]) for _ in labels]  # who plays alike gets in a seat what anybody gets there
    payoffs = play_lineups(game, same, np.tile(orders, (4, 1)), 7, 2 * len(orders), len(orders))
    by_deal = payoffs.reshape(4, len(orders), 3)
    assert (by_deal == by_deal[:, :1]).all()
    assert len({tuple(row) for row in by_deal[:, 0]}) > 1  # but not every deal is
