"""The cards of hold'em and how strong hands are, against what is known and what others count."""

from collections import Counter
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest
from phevaluator import evaluate_cards

from parlor import GameError
from parlor.compile import native
from parlor.poker.hands.cards import DECK, board, card, cards, distinct, hand, name, symbols
from parlor.poker.hands.hand_strength import (
    CATEGORIES,
    KEYS,
    MASKS,
    category,
    strength,
    strength7,
    strength_of,
    strengths,
    words,
)


def dealt(hands: int, size: int, seed: int = 0) -> Any:
    """Random hands of so many cards."""
    return np.random.default_rng(seed).permuted(np.tile(np.arange(DECK), (hands, 1)), axis=1)[:, :size]


# ------------------------------------------------------------------------------------------------- cards


def test_cards_are_read_as_people_write_them() -> None:
    assert [name(n) for n in range(5)] == ["2c", "2d", "2h", "2s", "3c"]
    assert card("As") == 51
    assert cards("AsKd") == cards("as, kd") == cards(" A♠K♦ ") == (51, 45)
    assert cards("10h9c") == (34, 28)
    assert symbols(cards("AsTd")) == "A♠ T♦"
    assert all(card(name(n)) == n for n in range(DECK))
    assert board("") == ()


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (cards, "AsKx", r"'Kx' in 'AsKx' is no card: a rank \(23456789TJQKA\) and a suit \(cdhs\)"),
        (cards, "1s", "'1s' in '1s' is no card"),
        (cards, "AsA", "'A' in 'AsA' is no card"),
        (cards, "AsKdAs", "As occurs twice; there is only one in the deck"),
        (card, "AsKd", "'AsKd' is not one card"),
        (card, "", "'' is not one card"),
        (hand, "AsKdQd", "A hand has two cards, like AsKd; 'AsKdQd' has 3"),
        (board, "AsKd", "three, four or five cards, or none yet; 'AsKd' has 2"),
    ],
)
def test_nonsense_gets_a_sentence(read: Any, text: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        read(text)


def test_a_card_lies_in_one_place() -> None:
    distinct((51, 45), (0, 1))
    with pytest.raises(GameError, match="Kd occurs twice"):
        distinct((51, 45), (0, 45))
    with pytest.raises(GameError, match="52 is not a card"):
        distinct((52,))


# ------------------------------------------------------------------------------------------------- strength


def test_strengths_are_those_of_the_rulebook() -> None:
    """From the weakest to the strongest, each a little better than the one before."""
    rising = [
        "7s5d4c3h2s", "8s5d4c3h2s", "AsKdQcJh9s", "2s2d5c4h3s", "AsAdKcQhJs", "3s3d2c2h4s", "AsAdKcKhQs",
        "2s2d2c4h3s", "AsAdAcKhQs", "As2d3c4h5s", "2d3c4h5s6s", "AsKdQcJhTs", "7s5s4s3s2s", "AsKsQsJs9s",
        "2s2d2c3h3s", "AsAdAcKhKs", "2s2d2c2h3s", "AsAdAcAhKs", "As2s3s4s5s", "AsKsQsJsTs",
    ]  # fmt: skip
    found = [strength(cards(text), 5) for text in rising]
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (1, 7462)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("KsKd4c4hAs9d2c", "two pair, kings and fours, ace kicker"),
        ("KsKd4c4h9s9d2c", "two pair, kings and nines, four kicker"),
        ("As2d3c4h5s", "straight to the five"),
        ("QdAsKdJcTs9h8h", "straight to the ace"),
        ("5s4d3c2h7s", "seven high, 7-5-4-3-2"),
        ("AhAdKcQs9h3d", "pair of aces, K-Q-9 kickers"),
        ("6h6d6cQs9h3d", "three of a kind, sixes, Q-9 kickers"),
        ("7s7d7c2h2d2s9c", "full house, sevens full of deuces"),
        ("AsAdAcAh2d3d4d", "four of a kind, aces, four kicker"),
        ("2h4h6h8hAhAd", "flush, ace high, A-8-6-4-2"),
        ("2h4h6h8hAhKhQh", "flush, ace high, A-K-Q-8-6"),
        ("2h3h4h5hAh6s7s", "straight flush to the five"),
        ("AsKsQsJsTs2d2c", "royal flush"),
    ],
)
def test_hands_are_said_as_people_say_them(text: str, said: str) -> None:
    found = cards(text)
    assert words(strength(found, len(found))) == said


def test_a_strength_out_of_range_gets_a_sentence() -> None:
    with pytest.raises(GameError, match="from 1 to 7462, not 0"):
        category(0)


@pytest.mark.slow
def test_all_five_card_hands_are_counted() -> None:
    """2,598,960 hands, and each of the 7,462 strengths is one of them."""
    every = np.fromiter(chain.from_iterable(combinations(range(DECK), 5)), np.int8).reshape(-1, 5)
    found = strengths(every)
    seen, times = np.unique(found, return_counts=True)
    assert seen.tolist() == list(range(1, 7463))
    counts: Counter[str] = Counter()
    for value, many in zip(seen.tolist(), times.tolist(), strict=True):
        counts[CATEGORIES[category(value)]] += many
    assert counts == {
        "straight flush": 40, "four of a kind": 624, "full house": 3_744, "flush": 5_108, "straight": 10_200,
        "three of a kind": 54_912, "two pair": 123_552, "pair": 1_098_240, "high card": 1_302_540,
    }  # fmt: skip


def count_sevens(keys: Any, masks: Any, counts: Any) -> None:
    """How many of all seven-card hands have each strength."""
    for a in range(6, 52):
        for b in range(5, a):
            for c in range(4, b):
                for d in range(3, c):
                    four_keys = keys[a] + keys[b] + keys[c] + keys[d]
                    four_masks = masks[a] + masks[b] + masks[c] + masks[d]
                    for e in range(2, d):
                        for f in range(1, e):
                            six_keys = four_keys + keys[e] + keys[f]
                            six_masks = four_masks + masks[e] + masks[f]
                            for g in range(f):
                                counts[strength_of(six_keys + keys[g], six_masks + masks[g])] += 1


@pytest.mark.slow
def test_all_133_784_560_seven_card_hands_are_counted() -> None:
    counts = np.zeros(7463, np.int64)
    native(count_sevens)(np.array(KEYS), np.array(MASKS), counts)
    by_category: Counter[str] = Counter()
    for value in range(1, 7463):
        by_category[CATEGORIES[category(value)]] += int(counts[value])
    assert by_category == {
        "straight flush": 41_584, "four of a kind": 224_848, "full house": 3_473_184, "flush": 4_047_644,
        "straight": 6_180_020, "three of a kind": 6_461_620, "two pair": 31_433_400, "pair": 58_627_800,
        "high card": 23_294_460,
    }  # fmt: skip
    assert counts.sum() == 133_784_560
    assert (counts > 0).sum() == 4_824  # the other strengths are never the best of seven


@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator_agrees(size: int) -> None:
    """It counts from 1, the best, to 7462."""
    hands = dealt(20_000, size)
    theirs = [7463 - evaluate_cards(*row) for row in hands.tolist()]
    assert strengths(hands).tolist() == theirs


def test_plain_python_agrees_with_compiled() -> None:
    for size in (5, 6, 7):
        hands = dealt(2_000, size, seed=1)
        plain = [strength(row, size) for row in hands.tolist()]
        assert all(type(value) is int for value in plain)
        assert strengths(hands).tolist() == plain
    assert strengths(hands.astype(np.uint8)).tolist() == [strength7(*row) for row in hands.tolist()]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([[0, 1, 2, 3]], "rows of five, six or seven cards"),
        ([0, 1, 2, 3, 4], "rows of five, six or seven cards"),
        ([[0.5, 1, 2, 3, 4]], "whole numbers"),
        ([[0, 1, 2, 3, 52]], "from 0 \\(2c\\) to 51 \\(As\\), and is in a hand once"),
        ([[0, 1, 2, 3, -1]], "from 0"),
        ([[0, 1, 2, 3, 3]], "in a hand once"),
    ],
)
def test_arrays_that_are_no_hands_get_a_sentence(rows: Any, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        strengths(rows)
