"""Networks by hand: outputs of weights that are set, features, parts of networks, and what a network plays."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor import GameError
from parlor.compile import version
from parlor.learn.network_search import evaluation
from parlor.policies import features as module
from parlor.policies.feature_vectors import WORD
from parlor.policies.features import Features, encode_slowly, features, sample
from parlor.policies.nets import apply, forward_slowly, initial_weights, parameters, shape, softmax
from parlor.policies.network import NetworkPolicy, remember, tabulated
from parlor.policies.search_networks import SearchNetworks, some_outputs
from parlor.sequence_form.tree import tree
from tests.search import plainly
from tests.search.plainly import PLEDGES, dealt

uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")

#: Three inputs, two units, two units, two outputs: matrices row by row, each followed by its biases.
DEEP = np.array([1, -1, 2, 0.5, 0, 3, 0.5, -2, 1, 2, -1, 1, 0.25, 0, 1, -3, 2, 0.5, 0.125, -0.5], np.float32)


def test_outputs_by_hand() -> None:
    """Inputs 0 and 1: (1 + 2 + ½, −1 + ½ − 2 → 0); (3.5 + ¼, 7); (3.75 + 2 · 7 + ⅛, −3 · 3.75 + ½ · 7 − ½)."""
    layers, out, sizes = np.zeros((2, 3), np.float32), np.zeros(2, np.float32), (3, 2, 2, 2)
    assert parameters(sizes) == len(DEEP) == 20
    # input 2 alone: (½, 1); (½ − 1 + ¼ → 0, 1 + 1); (4 + ⅛, 1 − ½). None: (½, 0); (¾, 1); (2 + ¾ + ⅛, ½ − 2¼ − ½)
    for active, expected in (((0, 1), (17.875, -8.25)), ((2,), (4.125, 0.5)), ((), (2.875, -2.25))):
        forward_slowly(np.array(sizes), DEEP, np.array([*active, 9]), len(active), layers, out)
        assert out.tolist() == pytest.approx(expected)
        x = np.zeros((1, 3), np.float32)
        x[0, list(active)] = 1.0
        assert apply(sizes, DEEP, x)[0].tolist() == pytest.approx(expected)
    shallow = np.array([1, 2, 3, 4, 0.5, -0.5], np.float32)  # without hidden layers nothing is cut off
    forward_slowly(np.array((2, 2)), shallow, np.array([1]), 1, layers, out)
    assert out.tolist() == [3.5, 3.5]
    forward_slowly(np.array((2, 2)), -shallow, np.array([0, 1]), 2, layers, out)
    assert out.tolist() == apply((2, 2), -shallow, np.ones((1, 2)))[0].tolist() == [-4.5, -5.5]


def test_sizes_and_first_weights() -> None:
    """Bounds √(6 / inputs), of the first layer for at most 64 inputs; a tenth of it in the last; biases are 0."""
    assert shape(7, [5, 4], 3) == (7, 5, 4, 3)
    assert parameters((7, 5, 4, 3)) == 7 * 5 + 5 + 5 * 4 + 4 + 4 * 3 + 3
    sizes = (100, 50, 40, 30)
    weights = initial_weights(sizes, 1)
    assert weights.dtype == np.float32
    at = 0
    for n, m, bound in ((100, 50, (6 / 64) ** 0.5), (50, 40, (6 / 50) ** 0.5), (40, 30, 0.1 * (6 / 40) ** 0.5)):
        matrix, bias = weights[at : at + n * m], weights[at + n * m : at + n * m + m]
        assert 0.98 * bound < np.abs(matrix).max() <= bound
        assert abs(matrix.mean()) < 0.1 * bound
        assert not bias.any()
        at += n * m + m
    assert at == len(weights)
    small = initial_weights((9, 300, 2), 1)[: 9 * 300]
    assert 0.98 < np.abs(small).max() / (6 / 9) ** 0.5 <= 1.0
    assert not np.array_equal(initial_weights(sizes, 2), weights)
    assert np.array_equal(initial_weights(sizes, 1), weights)


def test_softmax_by_hand() -> None:
    out = np.full(4, 9.0)
    softmax(np.array([1.0, 3.0, 2.0, 99.0]), 3, 2.0, out)
    total = math.exp(-1.0) + 1.0 + math.exp(-0.5)
    assert out.tolist() == pytest.approx([math.exp(-1.0) / total, 1.0 / total, math.exp(-0.5) / total, 9.0])
    softmax(np.array([-5.0, -1.0, -1.0]), 3, 0.0, out)
    assert out.tolist() == [0.0, 1.0, 0.0, 9.0]
    softmax(np.array([1e4, 0.0]), 2, 1.0, out)  # no number is too large
    assert out[:2].tolist() == [1.0, 0.0]


# --------------------------------------------------------------------------------------------------- features


def test_numbers_become_ones() -> None:
    """A player as a bit, a number with a feature for each of three values, a number of five bits."""
    code, active = np.array([[0, 2, 0], [2, 3, 1], [5, 5, 0]]), np.zeros(10, np.int64)
    for numbers, ones in (
        ((2, 0, 0), [1, 2]),
        ((1, 2, 0b10110), [0, 4, 6, 7, 9]),
        ((1, 3, 32), [0]),
        ((1, -1, 1), [0, 5]),
    ):
        assert active[: encode_slowly(code, np.array(numbers), active)].tolist() == ones
    assert Features(code).size == 10


def test_features_of_a_game_that_declares_its_numbers() -> None:
    """The player, its card, cards dealt, moves, and the three moves made."""
    found = features(PLEDGES)
    assert found.code.tolist() == [
        [0, 2, 0], [2, 4, 1], [6, 3, 1], [9, 4, 1], [13, 3, 1], [16, 3, 1], [19, 3, 1],
    ]  # fmt: skip
    position = dealt(2, 3, 2, 1)
    assert found.active(PLEDGES, position, 0) == [0, 2 + 2, 6 + 2, 9 + 2, 13 + 2, 16 + 1, 19]
    assert found.active(PLEDGES, position, 1) == [1, 2 + 3, 6 + 2, 9 + 2, 13 + 2, 16 + 1, 19]


def test_what_random_games_show() -> None:
    """The standard deviation of payoffs of both players, and decisions with a choice: 2, and one more half the time."""
    found = sample(replace(PLEDGES))
    payoffs = []
    for c0, w0 in ((1, 0.25), (2, 0.75)):
        for c1, w1 in ((1, 0.5), (2, 0.3), (3, 0.2)):
            for m0 in (0, 2):
                for m1, m2, w in ((1, 1, 0.25), (2, 0, 1 / 12), (2, 1, 1 / 12), (2, 2, 1 / 12)):
                    state = dealt(c0, c1, m0, m1, m2).state
                    payoffs += [(PLEDGES.rules.payoff(state, p), w0 * w1 * w) for p in (0, 1)]
    values, weights = np.array(payoffs).T
    mean = (values * weights).sum() / 2
    assert weights.sum() == pytest.approx(2.0)
    assert found.scale == pytest.approx(math.sqrt(((values - mean) ** 2 * weights).sum() / 2), rel=0.05)
    assert found.decisions == pytest.approx(2.5, abs=0.05)
    assert found.seen[:5].tolist() == [3, 3, 2, 3, 2]


def test_widths_in_a_game_too_large_to_walk_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bit more than random games needed; none where nothing was seen; all where it was negative."""
    monkeypatch.setattr(
        module,
        "sample",
        lambda game: module.FeatureSample(np.array([3, 0b101, 0b10, 0, -1]), 1.0, 1.0, np.zeros((0, 2))),
    )
    assert module._sampled_widths(PLEDGES, [2, 1, 1]) == [4, 0, WORD]


# --------------------------------------------------------------------------------------------------- parts of networks

#: One hidden unit; three actions and the value.
HEADED = np.array([1.0, 2.0, 0.5, 10.0, 20.0, 30.0, 40.0, 0.1, 0.2, 0.3, 0.4], np.float32)


def test_policy_and_value_of_a_planner() -> None:
    search_networks = SearchNetworks((2, 1, 4), HEADED, 5.0, "own", "exact", 10, 1.0)
    assert search_networks.policy[0] == (2, 1, 3)
    assert search_networks.policy[1].tolist() == pytest.approx([1.0, 2.0, 0.5, 10.0, 20.0, 30.0, 0.1, 0.2, 0.3])
    assert search_networks.value[0] == (2, 1, 1)
    assert search_networks.value[1].tolist() == pytest.approx([1.0, 2.0, 0.5, 40.0, 0.4])
    sizes, weights = some_outputs((1, 2, 3), np.arange(13, dtype=np.float32), 1, 3)
    assert (sizes, weights.tolist()) == ((1, 2, 2), [0, 1, 2, 3, 5, 6, 8, 9, 11, 12])
    for wrong in (HEADED[1:], HEADED * np.float32("nan")):
        with pytest.raises(GameError, match="policy-value network has"):
            SearchNetworks((2, 1, 4), wrong, 1.0, "own", "exact", 10, 1.0)


def test_leaves_are_valued_in_points() -> None:
    assert evaluation((2, 1, 4), HEADED, 5.0, "native") is None
    evaluate = evaluation((2, 1, 4), HEADED, 5.0, "numpy")
    assert evaluate is not None
    logits, values = evaluate(np.array([[1.0, 0.0], [0.0, 1.0]], np.float32))
    assert logits == pytest.approx(np.array([[15.1, 30.2, 45.3], [25.1, 50.2, 75.3]]))
    assert values == pytest.approx(np.array([(60.0 + 0.4) * 5, (100.0 + 0.4) * 5]))


# --------------------------------------------------------------------------------------------------- as a strategy


def linear(outputs: int, **rows: list[float]) -> Any:
    """Weights without a hidden layer; by feature, as fNUMBER, and the biases."""
    matrix = np.zeros((22, outputs), np.float32)
    for name, row in rows.items():
        if name != "bias":
            matrix[int(name[1:])] = row
    return np.concatenate([matrix.ravel(), np.array(rows.get("bias", [0.0] * outputs), np.float32)])


def network(weights: Any, sizes: tuple[int, ...], **more: Any) -> NetworkPolicy:
    remember(PLEDGES)
    return NetworkPolicy(
        PLEDGES.name, version(PLEDGES), features(PLEDGES).code, sizes, weights, source=PLEDGES.source, **more
    )


def test_a_network_values_its_legal_moves_and_plays_them() -> None:
    """Values by action ids; card 2 adds to the last; a scale turns them into points."""
    weights = linear(3, f4=[0.0, 0.0, 1.0], f1=[0.0, 5.0, 0.0], bias=[0.25, 0.5, -0.25])
    one = network(weights, (22, 3), scale=4.0)
    assert one.values(dealt(2, 1)) == pytest.approx({"0": 1.0, "2": 3.0})
    assert one.values(dealt(1, 1)) == pytest.approx({"0": 1.0, "2": -1.0})
    assert one.values(dealt(1, 2, 0)) == pytest.approx({"1": 22.0, "2": 3.0})  # of player 1, whose feature is 1
    assert one(dealt(2, 1)) == {"0": 0.0, "2": 1.0}
    soft = one.with_temperature(0.5)  # in the units of outputs: a difference of ½ is e
    assert soft(dealt(2, 1)) == pytest.approx({"0": 1 / (1 + math.e), "2": math.e / (1 + math.e)})
    table = soft.table
    assert table is not None
    for position in (dealt(2, 1), dealt(1, 3), dealt(1, 2, 0), dealt(2, 3, 2), dealt(2, 1, 0, 2), dealt(1, 1, 2, 1)):
        assert table(position) == pytest.approx(soft(position))
    assert len(table) == len(soft) == 16
    assert len(one) == 0


def test_a_network_of_what_follows_values_what_its_player_sees_then() -> None:
    """Features 13 to 15 are its first move, 19 to 21 its last, 16 to 18 the answer; it sees its own card."""
    weights = linear(1, f15=[2.0], f21=[-1.0], f20=[1.5], f18=[3.0], f1=[0.5], f4=[0.125], bias=[0.25])
    one = network(weights, (22, 1), scale=2.0, afterstates=True)
    assert one.values(dealt(2, 1)) == pytest.approx({"0": 0.75, "2": 4.75})
    assert one.values(dealt(1, 2, 0)) == pytest.approx({"1": 1.75, "2": 7.75})
    assert one.values(dealt(1, 1, 0, 2)) == pytest.approx({"0": 6.5, "1": 9.5, "2": 4.5})
    position = dealt(1, 1, 0, 2)
    assert one(position) == {"0": 0.0, "1": 1.0, "2": 0.0}
    assert position.state.moves == 2
    assert tabulated(one, tree(PLEDGES))(position) == one(position)


def test_what_a_network_says_about_itself() -> None:
    one = network(linear(3), (22, 3), scale=1.0, about={"games": 3})
    assert one.describe() == f"network for {PLEDGES.name}: 22-3, greedy"
    assert one.with_temperature(0.5).describe().endswith("softmax at 0.5")
    assert one.with_about(seed=1).about == {"games": 3, "seed": 1}
    assert bool(one)
    with pytest.raises(GameError, match="inputs, which its features do not fill"):
        replace(one, code=one.code[1:])
