"""What networks for Leodopoly are given: by hand, and the same from every seat. Plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from parlor.game import Game
from parlor.game.seats.observation import own_numbers
from parlor.policies.nets import policy_head
from tests.games.leodopoly.leodopoly_positions import (
    BEARPIT,
    HYDE_PARK,
    NORTH,
    SPACES,
    UNIVERSITY,
    WOODHOUSE,
    board,
    leodopoly,
    named,
    selling,
)

GAME = leodopoly("corrected")
AREAS = len(SPACES)
OWNER, POSITION, LOT, PUT_UP, RENT = (n * AREAS for n in (0, 3, 6, 7, 8))
OFFER = 14 * AREAS
EACH = OFFER + 3
PHASE = EACH + 3 * 15


def numbers(game: Game, state: Any, p: int) -> Any:
    return np.array(own_numbers(game, state, p))


def test_an_offer_is_asked_for_by_hand() -> None:
    """Player 0 puts North Lane up; player 1, who has the other space of that set, is asked what it offers."""
    position = selling(GAME, {NORTH: 0, BEARPIT: 1, WOODHOUSE: 2}, [400, 250, 500]).after("put up North Lane")
    assert position.turn == 1
    seen = numbers(GAME, position.state, 1)
    assert seen[OWNER + NORTH * 3 :][:3].tolist() == [0, 0, 1]  # the last one before me
    assert seen[OWNER + BEARPIT * 3 :][:3].tolist() == [1, 0, 0]
    assert seen[POSITION:][:3].tolist() == [1, 1, 1]  # all are on the square: the last one has gone there
    assert seen[LOT:PUT_UP].tolist() == [float(k == NORTH) for k in range(AREAS)]
    assert seen[PUT_UP:RENT].tolist() == seen[LOT:PUT_UP].tolist()
    assert seen[RENT + WOODHOUSE] == pytest.approx(20 / 500)
    me, after, before = seen[EACH:PHASE].reshape(3, 15)
    assert me[:6] == pytest.approx([250 / 500, (250 + 300) / 500, 2 / 500, 0, 1, 0])
    assert me[6:9].tolist() == [1, 1, 1]  # it completes my set; I am player 1
    assert after[6:9] == pytest.approx([0, 1 / 2, 0])
    assert before[3:9] == pytest.approx([1, 0, 0, 0, 1 / 2, 0])
    assert np.flatnonzero(seen[PHASE : PHASE + 14]).tolist() == [1]
    answered = position.after(120, 0).state  # by both, and the owner is asked
    assert numbers(GAME, answered, 0)[OFFER:EACH] == pytest.approx([0, 120 / 500, 0])


def test_it_is_the_same_from_every_seat() -> None:
    """Everybody moved one seat on: the next player now sees what I saw, but for the number of its seat."""
    owners, money, places = {NORTH: 0, HYDE_PARK: 1, UNIVERSITY: 2}, [400, 250, 500], [3, 7, 7]
    mine = board(GAME, owners, money, places).after("die 2")
    moved = board(GAME, {k: (p + 1) % 3 for k, p in owners.items()}, [500, 400, 250], [7, 3, 7], actor=1).after("die 2")
    assert (mine.turn, moved.turn) == (1, 2)  # who was at Hyde Park has paid its owner
    for p in range(2):
        one, other = numbers(GAME, mine.state, p), numbers(GAME, moved.state, p + 1)
        assert np.flatnonzero(one != other).tolist() == [EACH + 8]
    assert not np.array_equal(one, numbers(GAME, mine.state, 0))


def test_nobody_sees_the_limit_of_another() -> None:
    game = leodopoly("published")
    position = board(game, {}, [400, 250, 500]).after("die 2")
    one, other = (named_once.state for named_once in (position.after(100), position.after(7)))
    assert np.array_equal(numbers(game, one, 2), numbers(game, other, 2))
    assert numbers(game, one, 1)[-13] == pytest.approx(100 / 500)  # my own
    assert not named(position, [100, 100, 100]).state.limit[1]


def test_amounts_have_steps() -> None:
    head = policy_head(GAME)
    assert head.parts[:2].tolist() == [[0, 61], [0, 62]]
    assert head.parts[206].tolist() == [8, 61 + 6]
    assert head.parts[1501].tolist() == [61 + 25, -1]
    assert head.outputs == 61 + 25 + GAME.actions - 1501
