"""Trees of searches, number by number: which edge PUCT takes, what is counted, and what a search says is best."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from parlor.search.forest import (
    Forest,
    add_leaf,
    back_up,
    best_edge,
    best_mean,
    choose_edge,
    clear,
    find_node,
    follow,
    new_forest,
    with_room,
)


def grown(
    tries: list[int], sums: list[float], priors: list[float], visits: int, total: float, span: Any = (0, 0)
) -> Forest:
    """Two trees; the second has one node with these edges, behind an edge of the first tree."""
    f = with_room(new_forest(2, 8, len(tries), 5), 20)
    clear(f, 0)
    clear(f, 1)
    find_node(f, 0, 3, 1)
    add_leaf(f, 0, [1.0], 0.0)
    find_node(f, 1, 3, len(tries))
    add_leaf(f, 1, priors, 0.0)
    f.tries[1 : 1 + len(tries)], f.sums[1 : 1 + len(sums)] = tries, sums
    f.visits[1, 0], f.totals[1, 0], f.span[1] = visits, total, span
    return f


def test_a_new_forest_is_as_large_as_the_search_may_get() -> None:
    f = new_forest(3, 10, 4, 6)
    assert f.slots.shape == f.keys.shape == (3, 32)  # more than twice the nodes, a power of two
    assert f.first.shape == f.visits.shape == f.totals.shape == (3, 11)
    assert len(f.tries) == len(f.sums) == len(f.priors) == 12
    assert f.path.shape == (3, 7, 3)  # a game has six moves at most
    assert new_forest(1, 4, 2, 6).path.shape == (1, 5, 3)
    assert new_forest(1, 16, 2, 6).slots.shape == (1, 64)


def test_room_is_made_for_what_is_missing_and_nothing_is_lost() -> None:
    f = new_forest(1, 4, 3, 5)
    f.tries[:], f.sums[:], f.priors[:], f.used[0] = [1, 2, 3], [4.0, 5.0, 6.0], [0.1, 0.2, 0.3], 2
    assert with_room(f, 1) is f
    once = with_room(f, 2)  # one is missing; it doubles
    assert len(once.tries) == len(once.sums) == len(once.priors) == 6
    assert len(with_room(f, 9).tries) == 3 + 8
    assert (once.tries[:3].tolist(), once.sums[:3].tolist()) == ([1, 2, 3], [4.0, 5.0, 6.0])
    assert once.priors.tolist() == [0.1, 0.2, 0.3, 0.0, 0.0, 0.0]
    assert once.tries.dtype == np.int64


def test_an_edge_is_chosen_by_its_mean_and_what_it_might_still_be() -> None:
    """Scores by hand with c = 2 and √9 = 3: 0.5 + 6 · 0.2 / 5 = 0.74; 0.6 + 6 · 0.1 / 5; and one that is untried."""
    # the untried one has the mean of the node, 4.5 / 9 = 0.5, and 6 · prior
    f = grown([4, 4, 0], [2.0, 2.4, 0.0], [0.2, 0.1, 0.03], 9, 4.5)
    assert choose_edge(f, 1, 0, 3, 2.0) == 0  # 0.74, 0.72, 0.68
    f.priors[3] = 0.041  # 0.746
    assert choose_edge(f, 1, 0, 3, 2.0) == 2
    assert choose_edge(f, 1, 0, 2, 2.0) == 0  # it is not among the first two
    f.totals[1, 0] = 4.4  # 0.735: a worse node makes what was not tried worse
    assert choose_edge(f, 1, 0, 3, 2.0) == 0
    f.visits[1, 0], f.totals[1, 0] = 16, 8.0  # 0.5 + 8 · (0.04, 0.02, 0.041) = 0.82, 0.76, 0.828
    assert choose_edge(f, 1, 0, 3, 2.0) == 2
    f.priors[1:4] = [0.2, 0.15, 0.0]
    f.visits[1, 0], f.totals[1, 0] = 1, 0.5
    assert choose_edge(f, 1, 0, 3, 0.5) == 1  # 0.52, 0.615
    f.tries[1:4], f.sums[1:4], f.priors[1:4] = [1, 1, 1], [1.0, 1.0, 1.0], [0.3, 0.3, 0.3]
    assert choose_edge(f, 1, 0, 3, 1.0) == 0  # the first of several


def test_values_below_zero_are_compared_as_others_are() -> None:
    f = grown([2, 2, 2], [-6.0, -4.0, -5.0], [0.1, 0.1, 0.1], 6, -15.0)
    assert choose_edge(f, 1, 0, 3, 1.0) == 1


def test_without_c_it_is_the_distance_of_values_seen() -> None:
    """Means 0 and 1, priors 0.9 and 0.1, visits 4, tried once each: 0.9 c against 1 + 0.1 c, so c = 1.25 turns it."""
    for span, chosen in (((-1.0, 0.2), 1), ((-1.0, 0.3), 0), ((2.0, 2.0), 1)):  # 1.2, 1.3, and 1 where all were equal
        assert choose_edge(grown([1, 1], [0.0, 1.0], [0.9, 0.1], 4, 2.0, span), 1, 0, 2, 0.0) == chosen
    close = grown([1, 1], [0.0, 0.7], [0.9, 0.1], 4, 2.0, (2.0, 2.0))  # 0.9 > 0.8 with c = 1
    assert choose_edge(close, 1, 0, 2, 0.0) == 0


def test_nodes_are_found_by_their_keys_even_where_these_collide() -> None:
    f = with_room(new_forest(2, 4, 2, 5), 40)  # 16 slots
    clear(f, 1)
    keys = [5, 21, 37, (1 << 40) + 5]
    for number, key in enumerate(keys):
        assert find_node(f, 1, key, 2) == -1
        assert (f.key[1], f.width[1]) == (key, 2)
        add_leaf(f, 1, [0.5, 0.5], float(number))
    assert [find_node(f, 1, key, 2) for key in keys] == [0, 1, 2, 3]
    assert find_node(f, 1, 53, 2) == -1
    assert find_node(f, 0, 5, 2) == -1  # another tree
    clear(f, 1)
    assert [find_node(f, 1, key, 2) for key in keys] == [-1] * 4
    assert (f.nodes[1], f.span[1].tolist()) == (0, [math.inf, -math.inf])
    last = [15, 31]  # the slot after the last one is the first
    for key in last:
        find_node(f, 1, key, 2)
        add_leaf(f, 1, [0.5, 0.5], 0.0)
    assert [find_node(f, 1, key, 2) for key in last] == [0, 1]
    assert f.slot[1] == 0


def test_a_leaf_becomes_a_node_with_clean_edges() -> None:
    f = with_room(new_forest(2, 4, 3, 5), 6)
    f.tries[:], f.sums[:] = 7, 7.0
    find_node(f, 1, 9, 3)
    add_leaf(f, 1, [0.2, 0.3, 0.5], 1.5)
    find_node(f, 0, 9, 2)
    add_leaf(f, 0, [0.6, 0.4, 9.0], -2.5)
    assert (f.nodes.tolist(), f.used[0], f.first[:, 0].tolist()) == ([1, 1], 5, [3, 0])
    assert (f.visits[:, 0].tolist(), f.totals[:, 0].tolist()) == ([1, 1], [-2.5, 1.5])
    assert f.priors[:5].tolist() == [0.2, 0.3, 0.5, 0.6, 0.4]
    assert (f.tries[:5].tolist(), f.sums[:5].tolist()) == ([0] * 5, [0.0] * 5)
    assert (f.tries[5], f.sums[5]) == (7, 7.0)
    find_node(f, 0, 10, 2)
    add_leaf(f, 0, [0.5, 0.5], 1.0)  # there is room for one more edge only
    assert (f.nodes[0], f.used[0]) == (1, 5)
    find_node(f, 0, 10, 1)
    add_leaf(f, 0, [1.0], 1.0)  # which is filled
    assert (f.nodes[0], f.used[0], f.first[0, 1]) == (2, 6, 5)


def test_no_more_nodes_than_there_is_room_for() -> None:
    f = with_room(new_forest(1, 1, 1, 5), 10)
    for key in range(4):
        find_node(f, 0, key, 1)
        add_leaf(f, 0, [1.0], 0.0)
    assert f.nodes[0] == 2


def three_nodes() -> Forest:
    """A root with two moves, below each a node with two: edges 0 1, 2 3 and 4 5 of the second tree."""
    f = with_room(new_forest(2, 8, 2, 5), 20)
    clear(f, 1)
    for key in (1, 2, 3):
        find_node(f, 1, key, 2)
        add_leaf(f, 1, [0.5, 0.5], 0.0)
    return f


@pytest.mark.parametrize("greedy", [False, True])
def test_what_is_counted_on_a_path(greedy: bool) -> None:
    """Root move 1, then of its node move 0, worth 4; root move 1, then move 1, worth −2; root move 0 then 0: 3."""
    f = three_nodes()
    passed = []
    for moves, value in (((1, 0), 4.0), ((1, 1), -2.0), ((0, 0), 3.0), ((1, 1), 1.0)):
        before = f.sums[:2].copy()
        f.length[1] = 0
        follow(f, 1, 0, moves[0], 2)
        follow(f, 1, 1 + moves[0], moves[1], 2)
        assert (f.length[1], f.path[1, 1].tolist()) == (2, [1 + moves[0], 2 + 2 * moves[0] + moves[1], 2])
        back_up(f, 1, value, greedy)
        passed.append(float((f.sums[:2] - before).sum()))
    assert f.tries[:6].tolist() == [1, 3, 1, 0, 1, 2]
    assert f.sums[2:6].tolist() == [3.0, 0.0, 4.0, -1.0]
    assert f.visits[1, :3].tolist() == [5, 2, 4]
    assert f.totals[1, :3].tolist() == [sum(passed), 3.0, 3.0]
    assert f.span[1].tolist() == [-2.0, 4.0]  # of what was simulated, not of what was passed up
    assert passed == ([4.0, 4.0, 3.0, 4.0] if greedy else [4.0, -2.0, 3.0, 1.0])


def test_luck_alone_is_not_passed_up() -> None:
    """A move counts that was tried at least a quarter as often as the one tried most."""
    f = three_nodes()
    f.tries[2:6], f.sums[2:6] = [8, 2, 9, 2], [4.0, 3.0, 4.5, 3.0]
    assert best_mean(f, 2, 2) == 1.5
    assert best_mean(f, 4, 2) == 0.5
    f.tries[2:6], f.sums[2:6] = [4, 1, 5, 1], [-8.0, -1.0, -10.0, -1.0]
    assert best_mean(f, 2, 2) == -1.0
    assert best_mean(f, 4, 2) == -2.0
    assert best_mean(f, 2, 4) == -2.0  # the most of all is 5


@pytest.mark.parametrize(
    ("tries", "sums", "priors", "best"),
    [
        ([1, 3, 2], [9.0, 0.0, 9.0], [0.8, 0.1, 0.1], 1),  # the most tries
        ([2, 2, 2], [1.0, 2.0, 1.5], [0.8, 0.1, 0.1], 1),  # of several the better
        ([2, 2, 2], [3.0, 2.0, 1.5], [0.1, 0.8, 0.1], 0),
        ([2, 2, 2], [1.0, 1.0, 1.0], [0.2, 0.3, 0.3], 1),  # the likelier
        ([2, 2, 2], [1.0, 1.0, 1.0], [0.2, 0.2, 0.2], 0),  # the first
        ([0, 0, 0], [0.0, 0.0, 0.0], [0.2, 0.3, 0.5], 2),
        ([2, 1, 0], [-5.0, 1.0, 0.0], [0.1, 0.4, 0.5], 0),
        ([1, 2, 2], [9.0, -3.0, -4.0], [0.1, 0.1, 0.8], 1),
    ],
)
def test_the_best_edge(tries: list[int], sums: list[float], priors: list[float], best: int) -> None:
    f = grown(tries, sums, priors, 1, 0.0)
    assert best_edge(f, 1, 3) == best
    assert best_edge(f, 0, 1) == 0
    clear(f, 1)
    assert best_edge(f, 1, 3) == 0  # an empty tree
