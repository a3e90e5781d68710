"""Hidden numbers as symbols, and a belief over them, by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from parlor import GameError, load
from parlor.policies.field_belief import FieldBelief, first_weights, likelihood_slowly, weight_count
from parlor.policies.hidden_numbers import hidden_numbers, hidden_slots, read_hidden
from parlor.policies.nets import parameters

#: A number from 4 to 6, one that is always 9, and one of two bits.
CODE = np.array([[0, 3, 1, 4], [3, 0, 1, 9], [3, 2, 0, 0]])


def hidden(name: str, player: int, *moves: str) -> list[int]:
    game = load(name)
    position, out = game.start().after(*moves), [0] * 40
    return out[: hidden_slots(game)[read_hidden](position.state, player, out)]


def test_the_others_follow_from_the_next_seat_on() -> None:
    cards = ("Q to player 0", "K to player 1", "J to player 2")
    assert hidden("kuhn(players=3)", 0, *cards) == [4, 2]
    assert hidden("kuhn(players=3)", 1, *cards) == [2, 3]
    assert hidden("kuhn(players=3)", 2, *cards) == [3, 4]


def test_rows_of_numbers_keep_their_order() -> None:
    """Dice: how many of the other's show 1, 2, …"""
    game = load("liars-dice(dice=2)")
    state, out = game.start().state.copy(), [0] * 12
    state.dice[0], state.dice[1] = [0, 0, 2, 0, 0, 0], [1, 0, 0, 0, 0, 1]
    assert hidden_slots(game)[read_hidden](state, 0, out) == 6
    assert out[:6] == [1, 0, 0, 0, 0, 1]


def test_small_numbers_have_a_symbol_and_large_ones_bits() -> None:
    assert hidden_numbers(load("kuhn")).code.tolist() == [[0, 3, 1, 1]]  # the cards 1 to 3
    bridge = hidden_numbers(load("tiny-bridge")).code  # two of eight cards, as a set
    assert bridge[0].tolist()[1:3] in ([6, 0], [7, 0], [8, 0])


def test_probabilities_sum_to_one() -> None:
    """Over 3 values · 4 pairs of bits, whatever the weights are; numbers outside count as the nearest."""
    random = np.random.default_rng(5)
    units, weights = 6, random.normal(0.0, 0.7, 5 * 13).astype(np.float32)
    context = random.normal(0.0, 1.0, units).astype(np.float32)

    def log(*numbers: int) -> float:
        return likelihood_slowly(CODE, np.array(numbers), 5, weights, 0, context.copy())

    found = {(a, b): log(a, 9, b) for a, b in itertools.product((4, 5, 6), range(4))}
    assert math.isclose(sum(map(math.exp, found.values())), 1.0, rel_tol=1e-5)
    assert len({round(one, 6) for one in found.values()}) == 12
    assert (log(3, 9, 2), log(8, 9, 7)) == (found[4, 2], found[6, 3])


def test_by_hand() -> None:
    """One unit: 1 of the context, and V adds ln 2 for 5; U and b favour 5 by ln 3, and a first bit by U = 1."""
    v, u, b = [0.0, math.log(2.0), 0.0, 5.0, 0.0], [0.0, math.log(3.0), 0.0, 1.0, 0.0], [0.0] * 5
    weights = np.array([*v, *u, *b], np.float32)
    found = likelihood_slowly(CODE, np.array([5, 9, 1]), 5, weights, 0, np.ones(1, np.float32))
    bit = 2.0 * math.e / (1.0 + 2.0 * math.e)  # its logit is 1 + ln 2; the second bit has none
    assert math.isclose(found, math.log(3.0 / 5.0 * bit * 0.5), rel_tol=1e-6)
    found = likelihood_slowly(CODE, np.array([4, 9, 0]), 5, weights, 0, np.ones(1, np.float32))
    assert math.isclose(found, math.log(1.0 / 5.0 / (1.0 + math.e) * 0.5), rel_tol=1e-6)


def test_both_voices_agree_at_first() -> None:
    sizes = (7, 16, 8)
    weights = first_weights(sizes, 5, 3)
    assert len(weights) == weight_count(sizes, 5) == parameters(sizes) + 5 * 17
    assert not weights[: 7 * 16].reshape(7, 16)[6].any()


def test_parts_must_fit() -> None:
    game = load("kuhn")
    code, seen = hidden_numbers(game).code, np.array([[0, 4, 1]])
    with pytest.raises(GameError, match="weights where"):
        FieldBelief("kuhn", "", seen, code, (5, 4), np.zeros(3, np.float32))
    with pytest.raises(GameError, match="5 inputs, which its features do not fill"):
        FieldBelief("kuhn", "", np.array([[0, 3, 1]]), code, (5, 4), np.zeros(weight_count((5, 4), 3), np.float32))
    with pytest.raises(GameError, match="plays no moves"):
        FieldBelief("kuhn", "", seen, code, (5, 4), np.zeros(weight_count((5, 4), 3), np.float32))(game.start())
