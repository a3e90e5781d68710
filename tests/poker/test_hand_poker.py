"""Poker's machinery against slow second computations: sampling over public trees with pruning, rounding, ranges, suits.

All of it in plain Python; the kernels are called as ordinary functions.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from parlor.agents.registry import make_agent, policy_agent
from parlor.game.loading import load
from parlor.game.rng import below, seed_stream, uniform
from parlor.poker import blueprint as blueprints
from parlor.poker.blueprint import Blueprint, is_learned, read_row, round_rows
from parlor.poker.hands import buckets as card_buckets
from parlor.poker.hands.buckets import suitless_name
from parlor.poker.hands.cards import DECK, RANKS
from parlor.poker.hands.equity import Equity, _up_to_suits, count_cases
from parlor.poker.hands.hand_ranges import hands_in
from parlor.poker.hands.hand_strength import KEYS, MASKS
from parlor.poker.hands.isomorphism import (
    CLASS_OF_HAND,
    CLASSES,
    HAND_CARDS,
    RENAMED,
    RENAMINGS,
    _next_board,
    board_place,
    class_index,
    class_name,
    hand_class,
    hand_index,
    renaming_of,
    sort_boards,
)
from parlor.poker.measures.local_best_response import Response, ResponseWorkspace, local_best_response
from parlor.poker.measures.local_best_response_kernel import sort_acts
from parlor.poker.public_mccfr import SPARED, PublicMccfr, _depth
from parlor.poker.public_tree import Layout, PublicTree, public_tree
from parlor.policies.policy import Policy
from tests.poker.listed_deals import draw_listed, listed_deals

# ------------------------------------------------------------------------------------------- sampling over public trees


@functools.cache
def plain_tree(name: str) -> PublicTree:
    return public_tree(load(name), compiled=False)


def sampled_by_hand(tree: PublicTree, iterations: int, seed: int, linear: bool, prune: float) -> dict[Any, list[float]]:
    """External sampling once more, by recursion: (node, bucket) -> regrets and weights."""
    dealer = listed_deals(tree)
    limit = prune * max(abs(stake) for stake in (*tree.folds.tolist(), *tree.shows.tolist()))
    rows: dict[Any, list[float]] = {}
    stream, held = [0, 0, 0, 0], [0] * (2 * tree.streets)

    def row_of(node: int) -> list[float]:
        bucket = held[tree.player[node] * tree.streets + tree.street[node]]
        return rows.setdefault((node, bucket), [0.0] * (2 * int(tree.count[node])))

    def rounded(number: float) -> float:
        return float(np.float32(number))

    for iteration in range(iterations):
        seed_stream(stream, seed, iteration)
        winner = draw_listed(stream, held, dealer.data)
        weight = iteration + 1.0 if linear else 1.0
        pruning = limit > 0.0 and below(stream, SPARED) > 0

        def value(node: int, traverser: int, sunk: bool) -> float:
            if node < 0:
                return float((1 - 2 * traverser) * (tree.folds[~node] + winner * tree.shows[~node]))  # noqa: B023
            n, row = int(tree.count[node]), row_of(node)
            children = [int(tree.child[tree.first[node] + i]) for i in range(n)]
            positive = [max(regret, 0.0) for regret in row[:n]]
            total = sum(positive)
            if tree.player[node] != traverser:
                u = uniform(stream)
                chances = [part / total for part in positive] if total else [1.0 / n] * n
                for i in range(n):
                    row[n + i] = rounded(row[n + i] + weight * chances[i])  # noqa: B023
                if not total:
                    return value(children[int(u * n)], traverser, sunk)
                pick, left = 0, u * total
                for i in range(n):
                    if positive[i] > 0.0:
                        pick = i
                        left -= positive[i]
                        if left < 0.0:
                            break
                return value(children[pick], traverser, sunk)
            hopeless = [
                bool(total) and limit > 0.0 and row[i] < -limit * weight and children[i] >= 0  # noqa: B023
                for i in range(n)
            ]
            strategy = [part / total if total else 1.0 / n for part in positive]
            found: dict[int, float] = {}
            for i in range(n):
                if not (pruning and hopeless[i]):  # noqa: B023
                    found[i] = value(children[i], traverser, sunk or (hopeless[i] and not pruning))  # noqa: B023
            mean = sum(strategy[i] * found[i] for i in found if strategy[i] > 0.0)
            for i, returns in found.items():
                times = SPARED if hopeless[i] and not sunk else 1
                row[i] = rounded(row[i] + times * weight * (returns - mean))  # noqa: B023
            return mean

        for traverser in range(2):
            value(0, traverser, False)
    return rows


@pytest.mark.parametrize(
    ("name", "iterations", "linear", "prune"),
    [
        ("kuhn", 300, False, 0.0),
        ("kuhn", 300, True, 0.0),
        ("kuhn", 500, False, 1.0),
        ("kuhn", 500, True, 0.05),
        ("kuhn", 400, True, 0.5),
        ("leduc/ranks", 120, False, 1.5),
        ("leduc/ranks", 120, True, 0.02),
        ("leduc/ranks", 60, True, 0.0),
    ],
)
def test_sampling_is_what_recursion_does(name: str, iterations: int, linear: bool, prune: float) -> None:
    tree = plain_tree(name)
    solve = PublicMccfr(tree, listed_deals(tree), seed=11, linear=linear, prune=prune, compiled=False)
    solve.run(iterations)
    rows = sampled_by_hand(tree, iterations, 11, linear, prune)
    layout = solve.layout
    visited = 0
    for node in range(len(tree)):
        n = int(tree.count[node])
        for bucket, begin in enumerate(layout.rows(node).tolist()):
            expected = rows.get((node, bucket), [0.0] * 2 * n)
            assert solve.cells[begin : begin + 2 * n].tolist() == pytest.approx(expected, rel=1e-5, abs=1e-4)
            visited += (node, bucket) in rows
            weights = expected[n:]
            if sum(weights):
                assert solve.averages(node)[bucket].tolist() == pytest.approx(
                    [weight / sum(weights) for weight in weights], rel=1e-5
                )
            else:
                assert not solve.averages(node)[bucket].any()
    assert visited == len(rows)


def test_pruned_moves_are_really_left_out_and_paid_for_in_the_twentieth() -> None:
    """The bound that decides is the largest pot times `prune`, whatever else the tree has."""
    tree = plain_tree("kuhn")
    solves = [
        PublicMccfr(tree, listed_deals(tree), seed=3, linear=False, prune=prune, compiled=False) for prune in (0.0, 0.5)
    ]
    assert [solve.limit for solve in solves] == [0.0, 1.0]
    for solve in solves:
        solve.run(400)
    assert not np.array_equal(solves[0].cells, solves[1].cells)
    assert _depth(tree) == 3


def test_a_solve_can_be_stopped_and_told_how_far_it_came() -> None:
    tree = plain_tree("kuhn")
    solve = PublicMccfr(tree, listed_deals(tree), seed=3, compiled=False)
    solve.run(5)
    solve.stop()
    solve.run(7)
    assert solve.iterations == 5
    solve.go_on()
    solve.run(7)
    assert solve.iterations == 12
    other = PublicMccfr(tree, listed_deals(tree), seed=3, compiled=False)
    other.run(12)
    assert np.array_equal(solve.cells, other.cells)


@pytest.mark.parametrize("name", ["kuhn", "leduc/ranks"])
def test_rows_of_a_layout_do_not_overlap(name: str) -> None:
    tree = plain_tree(name)
    sizes = tuple(tuple(range(2 + 3 * p, 2 + 3 * p + tree.streets)) for p in range(2))
    layout = Layout(tree, sizes)
    taken: Counter[int] = Counter()
    for node in range(len(tree)):
        rows = layout.rows(node).tolist()
        assert len(rows) == sizes[tree.player[node]][tree.street[node]]
        for row in rows:
            taken.update(range(row, row + 2 * int(tree.count[node])))
    assert set(taken) == set(range(layout.cells))
    assert set(taken.values()) == {1}
    assert layout.infosets == sum(sizes[p][s] for p, s in zip(tree.player.tolist(), tree.street.tolist(), strict=True))
    assert layout.bytes == 4 * layout.cells


def test_listed_deals_of_kuhn_are_six_and_as_likely() -> None:
    tree = plain_tree("kuhn")
    dealer = listed_deals(tree)
    until, known, winners = dealer.data
    assert until.tolist() == pytest.approx([(i + 1) / 6 for i in range(6)])
    assert dealer.buckets == ((3,), (3,))
    pairs = {(int(a), int(b)) for a, b in known}
    assert len(pairs) == 6
    assert Counter(winners.tolist()) == {1: 3, -1: 3}
    drawn: Counter[int] = Counter()
    stream, out = [0, 0, 0, 0], [0, 0]
    for index in range(600):
        seed_stream(stream, 5, index)
        winner = draw_listed(stream, out, dealer.data)
        [row] = [i for i in range(6) if known[i].tolist() == out]
        assert winner == winners[row]
        drawn[row] += 1
    assert min(drawn.values()) > 60


# ----------------------------------------------------------------------------------------------------------- blueprints


def test_rows_are_rounded_to_whole_parts_by_the_largest_remainders() -> None:
    luck = random.Random(1)
    nodes = np.array([[0, 3, 0, 0], [1, 2, 24, 3], [0, 4, 6, 5]], np.int32)  # two slots of 4 and 3 buckets
    stride, sizes = np.array([14, 4]), np.array([4, 3])
    nodes[1][2], cells = 56, np.zeros(56 + 12, np.float32)
    rows = (
        [(0, 3, 14 * b) for b in range(4)]
        + [(0, 4, 6 + 14 * b) for b in range(4)]
        + [(1, 2, 56 + 4 * b) for b in range(3)]
    )
    for number, (_, n, row) in enumerate(rows):
        for i in range(n):
            cells[row + i] = luck.uniform(-5, 5)
            cells[row + n + i] = 0.0 if number % 4 == 3 else luck.randint(0, 9)
    cells[rows[1][2] : rows[1][2] + 6] = [-1, -2, -3, 0, 0, 0]  # nothing was ever learned
    play = np.zeros(len(cells) // 2, np.uint8)
    round_rows(cells, nodes, stride, sizes, play, np.zeros(4))
    for _, n, row in rows:
        weights = [float(x) for x in cells[row + n : row + 2 * n]]
        if not sum(weights):
            weights = [max(float(x), 0.0) for x in cells[row : row + n]]
        found = play[row // 2 : row // 2 + n].tolist()
        if not sum(weights):
            assert found == [0] * n
            continue
        exact = [255 * weight / sum(weights) for weight in weights]
        parts = [int(part) for part in exact]
        for i in sorted(range(n), key=lambda i: -(exact[i] - parts[i]))[: 255 - sum(parts)]:
            parts[i] += 1
        assert found == parts
        assert sum(found) == 255


def a_blueprint(play: list[list[int]]) -> Blueprint:
    """One node of the first player, with so many buckets and actions."""
    n = len(play[0])
    return Blueprint(
        "kuhn", "", "ehs", (2,), np.array([[0, n, 0, 0]], np.int32), np.array([n, 0]), np.array([len(play), 1]),
        np.array([7]), np.arange(n), np.full(n, -1), np.zeros(1), np.zeros(1), np.array(play, np.uint8).ravel(),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_what_was_not_learned_is_played_like_the_nearest_that_was(seed: int) -> None:
    luck = random.Random(seed)
    rows = [
        luck.choice([[0, 0, 0], [85, 85, 85], [86, 85, 84], [255, 0, 0], [5, 50, 200], [127, 128, 0]]) for _ in range(9)
    ]
    if seed == 5:
        rows = [[0, 0, 0], [85, 85, 85]]
    known = [i for i, row in enumerate(rows) if max(row) - min(row) > 1]
    plan = a_blueprint(rows)
    played, learned = plan.played(0)
    assert learned.tolist() == [i in known for i in range(len(rows))] == plan.learned(0).tolist()
    assert plan.strategy(0).tolist() == (np.array(rows) / 255).tolist()
    for bucket in range(len(rows)):
        out = [0.0] * 3
        read_row(plan.play, 0, 3, len(rows), bucket, 3, out)
        if known:  # of two that are as near, the higher bucket
            nearest = min(known, key=lambda other: (abs(other - bucket), -other))
            expected = [part / 255 for part in rows[nearest]]
        else:
            expected = [1 / 3] * 3
        assert out == pytest.approx(expected)
        assert played[bucket].tolist() == pytest.approx(expected)
        assert is_learned(plan.play, 3 * bucket, 3) == (bucket in known)
    assert (plan.infosets, len(plan), plan.streets, plan.slot(0), plan.actions(0)) == (
        len(rows),
        len(rows),
        1,
        (0, 0),
        [0, 1, 2],
    )
    assert plan.after(0, 2) == -1
    assert blueprints.WHOLE == 255


# --------------------------------------------------------------------------------------------------- ranges and classes


def members(test: Any) -> list[int]:
    """The hands of a range by a test of (higher rank, lower rank, suited)."""
    found = []
    for high in range(DECK):
        for low in range(high):
            a, b = max(high // 4, low // 4), min(high // 4, low // 4)
            if test(a, b, high % 4 == low % 4):
                found.append(hand_index(low, high))
    return sorted(found)


R = {rank: number for number, rank in enumerate(RANKS)}


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("QQ", lambda a, b, s: a == b == R["Q"]),
        ("QQ+", lambda a, b, s: a == b >= R["Q"]),
        ("22+", lambda a, b, s: a == b),
        ("TT-77", lambda a, b, s: a == b and R["7"] <= a <= R["T"]),
        ("77-TT", lambda a, b, s: a == b and R["7"] <= a <= R["T"]),
        ("AKs", lambda a, b, s: (a, b) == (R["A"], R["K"]) and s),
        ("KAo", lambda a, b, s: (a, b) == (R["A"], R["K"]) and not s),
        ("AK", lambda a, b, s: (a, b) == (R["A"], R["K"])),
        ("ATs+", lambda a, b, s: a == R["A"] and R["T"] <= b < a and s),
        ("K9+", lambda a, b, s: a == R["K"] and R["9"] <= b < a),
        ("K9o+", lambda a, b, s: a == R["K"] and R["9"] <= b < a and not s),
        ("A5s-A2s", lambda a, b, s: a == R["A"] and R["2"] <= b <= R["5"] and s),
        ("A2-A4", lambda a, b, s: a == R["A"] and R["2"] <= b <= R["4"]),
        ("76s-54s", lambda a, b, s: a - b == 1 and R["5"] <= a <= R["7"] and s),
        ("53o-97o", lambda a, b, s: a - b == 2 and R["5"] <= a <= R["9"] and not s),
        ("76-54, JJ; QQ+ 32s", lambda a, b, s: (
            (a - b == 1 and R["5"] <= a <= R["7"]) or (a == b >= R["J"]) or ((a, b) == (1, 0) and s)
        )),
        ("random", lambda a, b, s: True),
    ],
)  # fmt: skip
def test_ranges_hold_the_hands_that_their_words_say(text: str, test: Any) -> None:
    assert hands_in(text).tolist() == members(test)


def test_hands_and_classes_are_numbered_by_their_cards() -> None:
    pairs = [(low, high) for high in range(DECK) for low in range(high)]
    assert [tuple(cards) for cards in HAND_CARDS.tolist()] == pairs
    names: Counter[str] = Counter()
    for number, (low, high) in enumerate(pairs):
        assert hand_index(low, high) == hand_index(high, low) == number
        which = hand_class(low, high)
        assert which == hand_class(high, low) == CLASS_OF_HAND[number]
        a, b = max(low // 4, high // 4), min(low // 4, high // 4)
        suffix = "" if a == b else "s" if low % 4 == high % 4 else "o"
        assert class_name(which) == RANKS[a] + RANKS[b] + suffix
        assert class_index(class_name(which)) == which
        names[class_name(which)] += 1
    assert len(names) == CLASSES == 169
    assert {(len(name), name[-1] if len(name) > 2 else ""): count for name, count in names.items()} == {
        (2, ""): 6, (3, "s"): 4, (3, "o"): 12,
    }  # fmt: skip


@pytest.mark.parametrize("size", [3, 4, 5])
def test_boards_that_differ_in_the_names_of_suits_are_one(size: int) -> None:
    luck = random.Random(size)
    for _ in range(150):
        cards = luck.sample(range(DECK), size)
        reference = {
            tuple(sorted(card // 4 * 4 + new[card % 4] for card in cards)) for new in itertools.permutations(range(4))
        }
        made = []
        for other in reference:
            new = RENAMINGS[renaming_of(other, size)]
            made.append(tuple(sorted(card // 4 * 4 + new[card % 4] for card in other)))
        assert len(set(made)) == 1, "all of them come to the same board"
        assert made[0] in reference
        suits = [sum(1 << card // 4 for card in made[0] if card % 4 == suit) for suit in range(4)]
        assert suits == sorted(suits, reverse=True)
        new = RENAMINGS[renaming_of(cards, size)]
        a, b = luck.sample([card for card in range(DECK) if card not in cards], 2)
        renamed = hand_index(*(card // 4 * 4 + new[card % 4] for card in (a, b)))
        assert RENAMED[renaming_of(cards, size)][hand_index(a, b)] == renamed


@pytest.mark.parametrize("size", [3, 4, 5])
def test_boards_have_places_without_gaps(size: int) -> None:
    lying = list(range(size))
    for place in range(3000):
        shuffled = random.Random(place).sample(lying, size)
        assert board_place(shuffled, size) == place
        _next_board(lying, size)
    assert board_place(range(DECK - size, DECK), size) == math.comb(DECK, size) - 1


def test_boards_are_sorted_into_canonical_ones() -> None:
    """The kernel over the boards of two cards: equal ranks, one suit, or two suits."""
    every = math.comb(DECK, 2)
    canonical, weight = np.zeros((13 + 2 * 78, 2), np.int8), np.zeros(13 + 2 * 78, np.int32)
    index, renaming = np.zeros(every, np.int32), np.zeros(every, np.int8)
    sort_boards(canonical, weight, index, renaming, np.zeros((2, 2), np.int64))
    assert Counter(weight.tolist()) == {6: 13, 4: 78, 12: 78}
    for low, high in itertools.combinations(range(DECK), 2):
        mine = canonical[index[board_place((low, high), 2)]].tolist()
        assert hand_class(*mine) == hand_class(low, high)


def test_buckets_without_suits_are_called_by_ranks() -> None:
    seen = set()
    for number, ranks in enumerate(itertools.combinations_with_replacement(range(13), 3)):
        low, middle, high = ranks
        flop = low + math.comb(middle + 1, 2) + math.comb(high + 2, 3)
        seen.add(flop)
        name = suitless_name(1, class_index("AKs") * card_buckets.FLOPS_OF_RANKS + flop)
        assert name == f"AKs {RANKS[high]}{RANKS[middle]}{RANKS[low]}", number
    assert seen == set(range(card_buckets.FLOPS_OF_RANKS))
    assert suitless_name(0, class_index("77")) == "77"


# --------------------------------------------------------------------------------------------------------------- equity


def best_of_seven(cards: tuple[int, ...]) -> Any:
    """A hand's rank by the rulebook, in the slowest way."""

    def five(hand: tuple[int, ...]) -> Any:
        ranks = sorted((card // 4 for card in hand), reverse=True)
        counts = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
        shape, order = tuple(count for _, count in counts), tuple(rank for rank, _ in counts)
        flush = len({card % 4 for card in hand}) == 1
        straight = (
            ranks[0] if ranks == list(range(ranks[0], ranks[0] - 5, -1)) else 3 if ranks == [12, 3, 2, 1, 0] else -1
        )
        if flush and straight >= 0:
            return 8, (straight,)
        if shape[0] == 4:
            return 7, order
        if shape == (3, 2):
            return 6, order
        if flush:
            return 5, tuple(ranks)
        if straight >= 0:
            return 4, (straight,)
        return {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0), order

    return max(five(hand) for hand in itertools.combinations(cards, 5))


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_cases_are_counted_one_by_one(missing: int) -> None:
    luck = random.Random(missing)
    for _ in range(4):
        cards = luck.sample(range(DECK), 2 + 5 - missing)
        mine, lying = cards[:2], cards[2:]
        others = [c for c in range(DECK) if c not in cards]
        deck = luck.sample(others, 5 if missing else 0)
        hands = [tuple(luck.sample(others, 2)) for _ in range(3)]
        weights = [1, 3, 2]
        expected = [0, 0, 0]
        for more in itertools.combinations(deck, missing):
            board = (*lying, *more)
            for hand, weight in zip(hands, weights, strict=True):
                if set(hand) & set(more):
                    continue
                ours, theirs = best_of_seven((*mine, *board)), best_of_seven((*hand, *board))
                expected[0 if ours > theirs else 1 if ours == theirs else 2] += weight
        counts = [0, 0, 0]
        key, mask, board_key, board_mask = (
            sum(table[card] for card in group) for group in (mine, lying) for table in (KEYS, MASKS)
        )
        count_cases(
            key, mask, board_key, board_mask,
            np.array([KEYS[a] + KEYS[b] for a, b in hands]), np.array([MASKS[a] + MASKS[b] for a, b in hands]),
            np.array(weights), np.array(deck, np.int64), missing, np.zeros((3, 6), np.int64), counts,
        )  # fmt: skip
        assert counts == expected


def test_hands_are_merged_only_by_renamings_that_keep_what_is_known() -> None:
    luck = random.Random(3)
    for size in (0, 3):
        cards = luck.sample(range(DECK), 2 + size)
        mine, lying = cards[:2], cards[2:]
        theirs = np.array([h for h in range(1326) if not set(HAND_CARDS[h].tolist()) & set(cards)])
        first, counts = _up_to_suits(mine, theirs, lying)
        keeping = [
            new
            for new in itertools.permutations(range(4))
            if {c // 4 * 4 + new[c % 4] for c in mine} == set(mine)
            and {c // 4 * 4 + new[c % 4] for c in lying} == set(lying)
        ]
        classes = Counter(
            min(hand_index(*(int(c) // 4 * 4 + new[int(c) % 4] for c in HAND_CARDS[h])) for new in keeping)
            for h in theirs.tolist()
        )
        assert dict(zip(first.tolist(), counts.tolist(), strict=True)) == classes


def test_an_equity_counts_ties_by_half_and_knows_its_error() -> None:
    found = Equity(50, 20, 30, exact=False)
    assert (found.cases, found.value) == (100, 0.6)
    # mean square (50 + 20 / 4) / 100 = 0.55, less 0.36
    assert found.error == pytest.approx(1.959964 * math.sqrt(0.19 / 100))
    assert Equity(50, 20, 30, exact=True).error == 0.0


# -------------------------------------------------------------------------------------------------- local best response


def test_acts_are_sorted_by_number_and_not_by_place() -> None:
    luck = random.Random(1)
    for _ in range(30):
        acts = luck.sample(range(20), 6)
        order = [0] * 6
        sort_acts(acts, 6, order)
        assert [acts[i] for i in order] == sorted(acts)
        sort_acts(acts, 3, order)
        assert [acts[i] for i in order[:3]] == sorted(acts[:3])


def folding(often: float) -> Any:
    """One who never bets, and folds to a bet with this probability, whatever its card."""
    game = load("kuhn")
    keys: list[int] = []
    chances: list[float] = []
    for first, second in itertools.permutations(range(3), 2):
        start = game.start().after(first, second)
        for moves in ((), ("pass",), ("bet",), ("pass", "bet")):
            position = start.after(*moves)
            faces_bet = moves[-1:] == ("bet",)
            if position.key(position.turn) not in keys:
                keys.append(position.key(position.turn))
                chances += [often, 1.0 - often] if faces_bet else [1.0, 0.0]
    policy = Policy.from_rows(game, np.array(keys), np.full(len(keys), 2), np.array(chances))
    return policy_agent(policy, game)


def responded(often: float) -> float:
    """What the responder wins a hand by hand: it bets if the pot it may win at once outweighs the showdown it risks."""
    total = 0.0
    for mine, _ in itertools.permutations(range(3), 2):
        sign = {0: -1.0, 1: 0.0, 2: 1.0}[mine]  # of a showdown against any of the two others
        total += max(sign, often * 1.0 + (1.0 - often) * 2.0 * sign) / 6
    return total


@pytest.mark.parametrize("often", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_the_responder_weighs_folds_against_showdowns(often: float) -> None:
    """Against one who never bets, both seats come to the same: check, or bet, by the better value."""
    agent = folding(often)
    room = ResponseWorkspace(agent, "tree", compiled=False)
    for seat in range(2):
        means = np.mean([room.play(1, 2 * hand + seat, 1, 0)[0] for hand in range(160)], axis=0)
        assert means[1] == pytest.approx(responded(often), abs=0.1)
        assert means[0] == pytest.approx(responded(often), abs=0.5)


def test_against_who_never_folds_there_is_no_luck_left_but_the_cards() -> None:
    """Bets of nobody, a showdown for one: the adjusted payoff is the value of the own card exactly."""
    agent = folding(0.0)
    room = ResponseWorkspace(agent, "tree", compiled=False)
    seen = {round(float(room.play(2, hand, 1, 0)[0][1]), 9) for hand in range(60)}
    assert all(math.isfinite(value) for value in seen)
    response = local_best_response(make_agent("random", load("kuhn")), 40, seed=2, compiled=False)
    assert isinstance(response, Response)
    row = response.row()
    assert row["hands"] == response.hands == 40
    pairs = response.adjusted.reshape(-1, 2).mean(axis=1)
    assert row["payoff"]["value"] == pytest.approx(pairs.mean())
    half = 2.093024 * pairs.std(ddof=1) / math.sqrt(20)  # Student's distribution, 19 degrees of freedom
    unseen = 1 - 0.025 ** (1 / 20)  # of pairs: that many may have got the least that was seen, and none has
    low = pairs.mean() - max(half, unseen * (pairs.mean() - response.adjusted.min()))
    high = pairs.mean() + max(half, unseen * (response.adjusted.max() - pairs.mean()))
    assert row["payoff"]["low"] == pytest.approx(low, abs=1e-4)
    assert row["payoff"]["high"] == pytest.approx(high, abs=1e-4)
