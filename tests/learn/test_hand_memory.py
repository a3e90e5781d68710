"""What networks learn from, place by place: rings, buffers, batches, and the chances of codes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load
from parlor.game.rng import below, seed_stream
from parlor.learn.buffers import (
    MAX_VISITS,
    Buffers,
    BufferSizes,
    draw_batches,
    new_buffers,
    restore,
    saved,
    settle,
    words,
    write_decision,
    write_state,
    write_value,
)
from parlor.learn.experience import LAST, draw_batch, new_ring, pack, spread
from parlor.learn.experience import write_decision as remember_decision
from parlor.policies.beliefs import HEADS, LEARNED, BeliefNetwork, Codes, codes_of, mask_outputs, project_heads
from tests.search import plainly
from tests.search.plainly import PLEDGES

uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")


# --------------------------------------------------------------------------------------------------- bits


def test_bits_in_words_of_63() -> None:
    assert [words(bits) for bits in (0, 1, 63, 64, 126, 127)] == [1, 1, 1, 2, 2, 3]
    packed = np.full(3, 77, np.int64)
    pack(np.array([0, 62, 63, 125, 130, 5]), 5, packed)
    assert packed.tolist() == [1 | 1 << 62, 1 | 1 << 62, 1 << 4]
    out = np.zeros(140, np.uint8)
    spread(packed, out)
    assert np.flatnonzero(out).tolist() == [0, 62, 63, 125, 130]


# --------------------------------------------------------------------------------------------------- the ring of DQN


def test_a_decision_in_the_ring() -> None:
    ring = new_ring(2, 70, 65)
    assert (ring.seen.shape, ring.legal.shape, ring.after.tolist()) == ((2, 2), (2, 2), [LAST, LAST])
    ring.after[1], ring.payoff[1], ring.seen[1], ring.legal[1] = 0, 5.0, 7, 7
    assert remember_decision(ring, np.array([3]), 1, np.array([1]), 1, 0) == 0
    assert remember_decision(ring, np.array([1, 64, 9]), 2, np.array([2, 64, 5]), 3, 1) == 1
    assert (ring.seen[1].tolist(), ring.legal[1].tolist()) == ([2, 2], [4 | 32, 2])
    assert (ring.action[1], ring.after[1], ring.payoff[1], ring.count[0]) == (64, LAST, 0.0, 2)
    assert remember_decision(ring, np.array([0]), 1, np.array([0, 1]), 2, 1) == 0
    assert ring.action.tolist() == [1, 64]


@pytest.mark.parametrize("steps", [1, 2, 3])
def test_transitions_over_some_decisions(steps: int) -> None:
    """A game of three decisions, paid 2.5, and one of one decision, paid −1: places are drawn by the stream."""
    ring = new_ring(6, 5, 3)
    for number in range(4):
        remember_decision(ring, np.array([number]), 1, np.array([number % 3, 2]), 2, 0)
    ring.after[:2], ring.payoff[2:4] = [1, 2], [2.5, -1.0]
    batch, r = draw_batch(ring, 5, 3, 3, 8, 5, 6, steps), [0] * 4
    seed_stream(r, 5, 6)
    assert batch.payoff.dtype == np.float32
    for k in range(3):
        for b in range(8):
            i = below(r, 4)
            assert np.flatnonzero(batch.seen[k, b]).tolist() == [i]
            assert batch.action[k, b] == i % 3
            goes_to = i + steps if i < 3 and i + steps < 3 else None
            assert np.flatnonzero(batch.after[k, b]).tolist() == ([] if goes_to is None else [goes_to])
            assert np.flatnonzero(batch.legal[k, b]).tolist() == ([] if goes_to is None else sorted({goes_to % 3, 2}))
            assert batch.payoff[k, b] == (0.0 if goes_to is not None else 2.5 if i < 3 else -1.0)


# --------------------------------------------------------------------------------------------------- buffers


def filled() -> Buffers:
    """Three places: four states, the first of which is gone, and two decisions."""
    buffers = new_buffers(3, 5, 3, 4)
    for game in range(3):
        write_state(buffers, np.array([game, 9]), 1, 10 + game)
    write_value(buffers, np.array([3, 4, 9]), 2, 0.75)
    write_decision(buffers, np.array([1]), 1, np.array([0, 2, 1]), 2, np.array([5, 9, 3]), np.array([1, 3, 0]), 2, 3)
    write_decision(
        buffers, np.array([2]), 1, np.array([1, 2]), 2, np.array([7, MAX_VISITS + 5, 0]), np.array([0]), 1, 0
    )
    return buffers


def test_what_is_written_where() -> None:
    buffers = filled()
    assert buffers.count.tolist() == [4, 2]
    assert buffers.states[:, 0].tolist() == [8 | 16, 2, 4]
    assert (buffers.target.tolist(), buffers.game.tolist()) == ([0.75, 0.0, 0.0], [-1, 11, 12])
    assert buffers.decisions[:, 0].tolist() == [2, 4, 0]
    assert buffers.legal[:, 0].tolist() == [1 | 4, 2 | 4, 0]
    assert buffers.visits.tolist() == [[5, 0, 3], [0, MAX_VISITS, 0], [0, 0, 0]]  # of legal moves only
    assert (buffers.possible[:, 0].tolist(), buffers.code.tolist()) == ([2 | 8, 1, 0], [3, 0, 0])


def test_a_round_that_is_over_gives_its_states_what_came_of_them() -> None:
    buffers = filled()
    settle(buffers, np.arange(20, dtype=np.float32) / 2)
    assert buffers.target.tolist() == [0.75, 5.5, 6.0]  # what was known already stays
    assert buffers.game.tolist() == [-1, -1, -1]
    settle(buffers, np.zeros(20, np.float32))
    assert buffers.target.tolist() == [0.75, 5.5, 6.0]


def test_batches_are_drawn_from_each_buffer() -> None:
    """Three draws for each entry: a state, a decision for the policy, a decision for the belief."""
    buffers, r = filled(), [0] * 4
    settle(buffers, np.arange(20, dtype=np.float32))
    batch, hidden = draw_batches(buffers, BufferSizes(5, 3, 4), 2, 10, 7, 8)
    seed_stream(r, 7, 8)
    seen: dict[str, list[int]] = {"seen": [], "decisions": [], "hidden": []}
    for k in range(2):
        for b in range(10):
            i, j, h = below(r, 3), below(r, 2), below(r, 2)
            assert np.flatnonzero(batch["seen"][k, b]).tolist() == [[3, 4], [1], [2]][i]
            assert batch["target"][k, b] == [0.75, 11.0, 12.0][i]
            assert np.flatnonzero(batch["decisions"][k, b]).tolist() == [[1], [2]][j]
            assert np.flatnonzero(batch["legal"][k, b]).tolist() == [[0, 2], [1, 2]][j]
            assert batch["shares"][k, b].tolist() == pytest.approx([[5 / 8, 0.0, 3 / 8], [0.0, 1.0, 0.0]][j])
            assert np.flatnonzero(hidden["seen"][k, b]).tolist() == [[1], [2]][h]
            assert np.flatnonzero(hidden["possible"][k, b]).tolist() == [[1, 3], [0]][h]
            assert hidden["code"][k, b] == [3, 0][h]
            for name, value in zip(seen, (i, j, h), strict=True):
                seen[name].append(value)
    assert all(len(set(drawn)) > 1 for drawn in seen.values())
    assert seen["decisions"] != seen["hidden"]


def test_what_is_saved_is_what_is_filled() -> None:
    buffers, again = filled(), new_buffers(3, 5, 3, 4)
    state = saved(buffers)
    assert {name: len(array) for name, array in state.items()} == {
        "buffers.states": 3, "buffers.target": 3, "buffers.game": 3, "buffers.decisions": 2, "buffers.legal": 2,
        "buffers.visits": 2, "buffers.possible": 2, "buffers.code": 2, "buffers.count": 2,
    }  # fmt: skip
    restore(again, state)
    for one, two in zip(buffers, again, strict=True):
        assert np.array_equal(one, two)


# --------------------------------------------------------------------------------------------------- beliefs


def test_chances_of_codes_are_a_softmax_over_those_that_may_be() -> None:
    outputs, found = np.array([[1.0, 9.0, 0.0, 2.0], [0.0, 0.5, 0.0, 0.0]]), np.zeros((2, 3))
    mask_outputs(outputs, np.array([[0, 2, 3], [1, 3, 0]]), np.array([3, 2]), found)
    total = math.e + 1.0 + math.e**2
    assert found[0].tolist() == pytest.approx([math.e / total, 1.0 / total, math.e**2 / total])
    share = math.exp(0.5) / (1.0 + math.exp(0.5))
    assert found[1].tolist() == pytest.approx([share, 1.0 - share, 0.0])


def test_heads_are_multiplied_and_go_to_the_nearest_code() -> None:
    """Heads of 2 and 3 values, ¼ ¾ and ½ ⅜ ⅛; possible are 0 0, 1 2 and 0 2: of six pairs three are no code."""
    codes = Codes(4, np.array([[0, 0], [1, 2], [1, 1], [0, 2]]))
    assert (codes.heads, codes.outputs(HEADS), codes.outputs(LEARNED)) == ((2, 3), 5, 4)
    assert codes.combinations.tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    outputs = np.log(np.array([[0.25, 0.75, 0.5, 0.375, 0.125]])) + 3.0
    found, chances = np.zeros((1, 4)), np.zeros(5)
    project_heads(
        outputs, np.array([[0, 1, 3, 0]]), np.array([3]), np.array(codes.heads), codes.numbers, codes.combinations,
        chances, found,
    )  # fmt: skip
    # 0 0 and 1 0 to the first; 0 1 is as far from 0 0 as from 0 2, and goes to the first too; 1 1 to 1 2
    first = 0.25 * 0.5 + 0.75 * 0.5 + 0.25 * 0.375
    assert found[0].tolist() == pytest.approx([first, 0.75 * 0.125 + 0.75 * 0.375, 0.25 * 0.125, 0.0])


def test_a_belief_network_weighs_by_its_kind() -> None:
    codes = codes_of(PLEDGES, HEADS)
    assert codes.numbers.tolist() == [[0, 0], [0, 1], [1, 0]]
    assert (codes.count, codes.heads) == (3, (2, 2))
    for kind, outputs, expected in (
        (LEARNED, [0.0, math.log(3.0), 0.0], [0.25, 0.75]),
        (HEADS, [0.0, 0.0, 0.0, math.log(3.0)], [1 / 8 + 1 / 8, 3 / 8 + 3 / 8]),  # 1 0 is nearer to 0 0, 1 1 to 0 1
    ):
        sizes = (1, len(outputs))
        network = BeliefNetwork(kind, sizes, np.zeros(2 * len(outputs), np.float32))
        found = network.weigh(np.array([outputs]), np.array([[0, 1, 0]]), np.array([2]), codes)
        assert found[0].tolist() == pytest.approx([*expected, 0.0])
    with pytest.raises(GameError, match="no belief network of the kind 'none'"):
        BeliefNetwork("none", (1, 1), np.zeros(2, np.float32))
    with pytest.raises(GameError, match="has 3 weights where 2 are needed"):
        BeliefNetwork(LEARNED, (1, 1), np.zeros(3, np.float32))
    with pytest.raises(GameError, match="not finite"):
        BeliefNetwork(LEARNED, (1, 1), np.array([np.nan, 0.0], np.float32))


def test_codes_without_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GameError, match="has no codes"):
        codes_of(load("goofspiel"))
    assert codes_of(PLEDGES).numbers.shape == (3, 2)
    monkeypatch.setattr("parlor.policies.beliefs.MAX_COMBINATIONS", 3)
    with pytest.raises(GameError, match="too many combinations"):
        codes_of(PLEDGES, HEADS)
    codes_of(PLEDGES, LEARNED)


def test_empty_buffers_are_no_place_to_write() -> None:
    empty: Any = new_buffers(0, 0, 0, 0)
    assert [len(array) for array in empty] == [0] * 8 + [2]
