"""Numbers about mixtures, worked out by hand and from their definitions, cell by cell."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from parlor.game.errors import GameError
from parlor.policies.mixture import (
    Mixture,
    cce_gap,
    ce_gap,
    checked,
    coarse_gains,
    correlated,
    deviation_payoffs,
    entropy,
    expected_payoffs,
    gains,
    gini,
    independent,
    nash_gap,
    nash_product,
    normalised,
    own_rows,
    ranges,
    social_welfare,
)
from parlor.population.meta.program import Deviations

#: The rows' player would rather not follow any of its three signals, by 0.2, 0.9 and 0.5; the columns' player follows.
ROWS = [[0.0, 4.0], [3.0, 0.0], [1.0, 1.0]]
COLUMNS = [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]
GAME = np.array([ROWS, COLUMNS])
TOLD = correlated([[0.2, 0.1], [0.1, 0.3], [0.1, 0.2]])


def some_game() -> tuple[Any, Mixture]:
    """Three players with different numbers of strategies, and a joint distribution."""
    draw = np.random.default_rng(5)
    return draw.normal(size=(3, 2, 3, 4)), correlated(draw.random((2, 3, 4)))


def test_gaps_by_hand() -> None:
    assert ce_gap(TOLD, GAME) == pytest.approx(0.2 + 0.9 + 0.5)
    assert cce_gap(TOLD, GAME) == pytest.approx(2.4 - 1.0)  # always the first row; the columns are best as they are
    assert nash_gap(TOLD, GAME) == pytest.approx((2.4 - 1.5) + (0.8 - 0.6))  # of the marginals
    mine, theirs = gains(TOLD, GAME)
    assert mine == pytest.approx(np.array([[0, 0.2, -0.1], [0.9, 0, 0.1], [0.5, 0, 0]]))
    assert theirs == pytest.approx(np.array([[0, 0], [-0.5, 0]]))
    mine, theirs = coarse_gains(TOLD, GAME)
    assert mine == pytest.approx([1.4, 0.2, 0.0])
    assert theirs == pytest.approx([-0.5, 0.0])


def test_who_has_nothing_to_gain_does_not_make_up_for_others() -> None:
    """The columns' player would lose by any deviation, which is no gain of anybody."""
    told = correlated([[0.5, 0.0], [0.0, 0.5], [0.0, 0.0]])
    theirs = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    payoffs = np.array([ROWS, theirs])
    # told the first row, the rows' player gets 0 instead of 3; told the second, 0 instead of 4
    assert ce_gap(told, payoffs) == pytest.approx(1.5 + 2.0)
    assert cce_gap(told, payoffs) == pytest.approx(2.0)


def test_other_numbers_by_hand() -> None:
    assert expected_payoffs(TOLD, GAME) == pytest.approx([1.0, 0.8])
    assert social_welfare(TOLD, GAME) == pytest.approx(1.8)
    assert gini(TOLD) == pytest.approx(1 - (0.04 + 0.01 + 0.01 + 0.09 + 0.01 + 0.04))
    shares = (0.2, 0.1, 0.1, 0.3, 0.1, 0.2)
    assert entropy(TOLD) == pytest.approx(-sum(p * math.log(p) for p in shares))
    assert entropy(correlated([[0.5, 0.0], [0.0, 0.5]])) == pytest.approx(math.log(2))
    assert nash_product(TOLD, GAME) == pytest.approx(0.8)
    assert nash_product(TOLD, GAME, [0.5, 0.3]) == pytest.approx(0.25)
    assert nash_product(TOLD, GAME, [0.5, 0.9]) == 0.0
    assert nash_product(TOLD, GAME, [2.0, 2.0]) == 0.0, "two losses are no bargain"
    assert TOLD.others(0) == pytest.approx([0.4, 0.6])
    assert TOLD.others(1) == pytest.approx([0.3, 0.4, 0.3])
    assert ranges(GAME).tolist() == [4.0, 2.0]


def test_by_definition_among_three() -> None:
    payoffs, mixture = some_game()
    cells = list(itertools.product(range(2), range(3), range(4)))
    ce = cce = nash = 0.0
    for i, n in enumerate((2, 3, 4)):

        def instead(cell: tuple[int, ...], played: int, i: int = i) -> float:
            return float(payoffs[(i, *cell[:i], played, *cell[i + 1 :])])

        get = sum(mixture.joint[cell] * payoffs[(i, *cell)] for cell in cells)
        assert expected_payoffs(mixture, payoffs)[i] == pytest.approx(get)
        always = [sum(mixture.joint[cell] * instead(cell, b) for cell in cells) - get for b in range(n)]
        assert coarse_gains(mixture, payoffs)[i] == pytest.approx(always)
        cce += max(0.0, *always)
        for a in range(n):
            told = [cell for cell in cells if cell[i] == a]
            gain = [sum(mixture.joint[c] * (instead(c, b) - payoffs[(i, *c)]) for c in told) for b in range(n)]
            assert gains(mixture, payoffs)[i][a] == pytest.approx(gain)
            ce += max(0.0, *gain)
        alone = {cell: math.prod(mixture.marginals[j][a] for j, a in enumerate(cell)) for cell in cells}
        get = sum(alone[cell] * payoffs[(i, *cell)] for cell in cells)
        values = [sum(alone[cell] * instead(cell, b) for cell in cells) for b in range(n)]
        assert deviation_payoffs(mixture.marginals, payoffs, i) == pytest.approx(values)
        nash += max(values) - get
    assert ce_gap(mixture, payoffs) == pytest.approx(ce)
    assert cce_gap(mixture, payoffs) == pytest.approx(cce)
    assert nash_gap(mixture, payoffs) == pytest.approx(nash)


def test_mixtures_are_distributions_of_what_is_positive() -> None:
    parts = independent([[3.0, 1.0, -2.0], [1.0, 1.0]], "a note")
    assert parts.marginals[0].tolist() == [0.75, 0.25, 0.0]
    assert parts.joint.tolist() == [[0.375, 0.375], [0.125, 0.125], [0.0, 0.0]]
    assert (parts.independent, parts.note) == (True, "a note")
    joint = correlated([[3.0, -1.0], [0.0, 1.0]], "another")
    assert joint.joint.tolist() == [[0.75, 0.0], [0.0, 0.25]]
    assert [one.tolist() for one in joint.marginals] == [[0.75, 0.25], [0.75, 0.25]]
    assert (joint.independent, joint.note) == (False, "another")
    _, three = some_game()
    for i, others in enumerate([(1, 2), (0, 2), (0, 1)]):
        assert three.marginals[i] == pytest.approx(three.joint.sum(axis=others))
    explored = parts.explored(0.5)
    assert explored.marginals[0] == pytest.approx([0.375 + 1 / 6, 0.125 + 1 / 6, 1 / 6])
    assert explored.note == "a note"
    assert joint.explored(0.5).joint == pytest.approx(np.array([[0.5, 0.125], [0.125, 0.25]]))
    assert joint.explored(0.5).note == "another"


def test_payoffs_are_scaled_player_by_player() -> None:
    scaled = normalised(np.array([[[-2.0, 0.0], [1.0, 2.0]], [[7.0, 7.0], [7.0, 7.0]]]))
    assert scaled[0].tolist() == [[0.0, 0.5], [0.75, 1.0]]
    assert not scaled[1].any(), "all the same"
    both = normalised(GAME)  # from 0 to 4, and from 0 to 2
    assert both[0].tolist() == [[0.0, 1.0], [0.75, 0.0], [0.25, 0.25]]
    assert both[1].tolist() == [[0.5, 0.0], [0.0, 1.0], [0.0, 0.0]]
    assert not normalised(np.full((2, 2, 2), 1e9) + np.array([0.0, 1e-5])).any(), "rounding is no difference"


def test_own_rows_have_the_others_in_order() -> None:
    tensor = np.arange(24).reshape(2, 3, 4)
    assert own_rows(tensor, 0).tolist() == tensor.reshape(2, 12).tolist()
    assert own_rows(tensor, 1)[2].tolist() == tensor[:, 2, :].ravel().tolist()
    assert own_rows(tensor, 2)[3].tolist() == tensor[:, :, 3].ravel().tolist()


def test_two_to_four_players_with_a_strategy_each() -> None:
    assert checked([[[1]], [[2]]]).tolist() == [[[1.0]], [[2.0]]]
    assert checked(np.zeros((4, 1, 1, 1, 1))).shape == (4, 1, 1, 1, 1)
    for wrong in (np.zeros((5, 1, 1, 1, 1, 1)), np.zeros((1, 2)), np.zeros((2, 2, 0)), np.zeros((3, 2, 2)), 1.0):
        with pytest.raises(GameError, match="Payoffs must have the shape"):
            checked(wrong)
    with pytest.raises(GameError, match="finite"):
        checked([[[1.0, np.inf]], [[0.0, 0.0]]])


# -------------------------------------------------------------------------------------------------------- deviations


@pytest.mark.parametrize("coarse", [True, False])
def test_rows_are_gains_by_definition(coarse: bool) -> None:
    payoffs, mixture = some_game()
    deviations = Deviations(payoffs, coarse)
    assert deviations.count == (9 if coarse else 4 + 9 + 16)
    found = coarse_gains(mixture, payoffs) if coarse else gains(mixture, payoffs)
    expected = np.concatenate([one.ravel() for one in found])
    assert deviations.gains(mixture.joint.ravel()) == pytest.approx(expected)
    pytest.importorskip("scipy")
    everything = deviations.rows(np.arange(deviations.count))
    matrix = everything if coarse else everything.toarray()
    assert matrix @ mixture.joint.ravel() == pytest.approx(expected)
    multipliers = np.random.default_rng(6).random(deviations.count)
    assert deviations.costs(multipliers) == pytest.approx(matrix.T @ multipliers)
    some = np.array([0, 3, 5, 8])
    part = deviations.rows(some)
    assert (part if coarse else part.toarray()) == pytest.approx(matrix[some])


def test_the_worst_rows_of_each_block() -> None:
    """A block is a player, or a player and what it is told: here two strategies against three."""
    coarse, told = (Deviations(np.zeros((2, 2, 3)), one) for one in (True, False))
    assert coarse.block.tolist() == [0, 0, 1, 1, 1]
    assert told.block.tolist() == [0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    violations = np.array([0.3, 0.5, 0.2, 0.9, 0.1])
    assert coarse.worst(violations, 0.0, 1).tolist() == [1, 3]
    assert coarse.worst(violations, 0.0, 2).tolist() == [0, 1, 2, 3]
    assert coarse.worst(violations, 0.3, 2).tolist() == [1, 3]
    assert coarse.worst(violations, 1.0, 2).tolist() == []
