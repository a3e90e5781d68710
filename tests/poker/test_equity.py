"""Equity in hold'em: against what is known, what others count, and itself by other ways."""

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from phevaluator import evaluate_cards

from parlor import GameError
from parlor.compile import native
from parlor.poker.hands import equity_tables as tables
from parlor.poker.hands.cards import DECK, cards, hand
from parlor.poker.hands.equity import Equity, count_cases, equity, sample_cases
from parlor.poker.hands.hand_ranges import hands_in
from parlor.poker.hands.hand_strength import KEYS, MASKS, strengths
from parlor.poker.hands.isomorphism import (
    BOARDS,
    CLASS_OF_HAND,
    HAND_CARDS,
    HANDS,
    RENAMED,
    RENAMINGS,
    board_place,
    boards,
    class_index,
    class_name,
    hand_class,
    hand_index,
)


def theirs(mine: tuple[int, ...], others: list[tuple[int, int]], lying: tuple[int, ...]) -> Equity:
    """The equity as phevaluator sees it, case by case; to it a smaller number is better."""
    counts = [0, 0, 0]
    for other in others:
        if set(other) & {*mine, *lying}:
            continue
        deck = [card for card in range(DECK) if card not in {*mine, *other, *lying}]
        for rest in combinations(deck, 5 - len(lying)):
            a, b = (evaluate_cards(*held, *lying, *rest) for held in (mine, other))
            counts[0 if a < b else 1 if a == b else 2] += 1
    return Equity(counts[0], counts[1], counts[2], exact=True)


# ------------------------------------------------------------------------------------------------- hands and ranges


def test_hands_are_numbered() -> None:
    assert [hand_index(a, b) for a, b in HAND_CARDS.tolist()] == list(range(HANDS))
    assert hand_index(51, 3) == hand_index(3, 51)


def test_there_are_169_classes_of_6_4_or_12_hands() -> None:
    sizes = np.bincount(CLASS_OF_HAND)
    assert [class_index(class_name(which)) for which in range(169)] == list(range(169))
    assert [int(sizes[class_index(name)]) for name in ("AA", "AKs", "AKo", "32o")] == [6, 4, 12, 12]
    assert (sizes.sum(), len(sizes)) == (HANDS, 169)
    assert class_name(hand_class(*hand("Kd9d"))) == "K9s"
    assert class_name(hand_class(*hand("9cKd"))) == "K9o"
    with pytest.raises(GameError, match="'KAs' is none of the 169"):
        class_index("KAs")


@pytest.mark.parametrize(
    ("text", "same", "count"),
    [
        ("QQ+", "QQ,KK,AA", 18),
        ("ATs+", "ATs AJs AQs AKs", 16),
        ("AK", "AKs,AKo", 16),
        ("KTo+", "KTo,KJo,KQo", 36),
        ("TT-77", "77,88,99,TT", 24),
        ("a5s - a2s", "A2s-A5s", 16),
        ("76s-54s", "54s, 65s, 76s", 12),
        ("QJo-T9o", "T9o,JTo,QJo", 36),
        ("AsKd,KdAs", "A♠K♦", 1),
        ("random", "22+,A2+,K2+,Q2+,J2+,T2+,92+,82+,72+,62+,52+,42+,32", 1326),
    ],
)
def test_ranges_are_read_as_players_write_them(text: str, same: str, count: int) -> None:
    assert len(hands_in(text)) == count
    assert hands_in(text).tolist() == hands_in(same).tolist()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (" ", "this one is empty"),
        ("QQ+,AX", "'AX' is not part of a range"),
        ("AAs", "a pair is never suited; write AA"),
        ("76s-54o", "'76s-54o' is not a range"),
        ("AKs-QTs", "is not a range"),
        ("TT-A9s", "is not a range"),
        ("AsAs", "As occurs twice"),
    ],
)
def test_ranges_that_make_no_sense_get_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        hands_in(text)


# ------------------------------------------------------------------------------------------------- boards


@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_board_is_led_to_its_canonical_one(size: int) -> None:
    known = boards(size)
    assert known.weight.sum() == comb(52, size)
    assert known.weight.min() >= 1
    rng = np.random.default_rng(size)
    for _ in range(300):
        lying = tuple(rng.permutation(52)[:size].tolist())
        which, renaming = known.find(lying)
        renamed = sorted(card // 4 * 4 + RENAMINGS[renaming][card % 4] for card in lying)
        assert known.cards[which].tolist() == renamed
        for new in RENAMINGS:  # all that differ only in suits are one
            assert known.find([card // 4 * 4 + new[card % 4] for card in lying])[0] == which


def test_boards_are_numbered_without_gaps() -> None:
    assert sorted(board_place(lying, 3) for lying in combinations(range(52), 3)) == list(range(comb(52, 3)))
    assert board_place((7, 51, 3), 3) == board_place((3, 7, 51), 3)


def test_hands_are_renamed_with_their_boards() -> None:
    new = RENAMINGS.index((2, 1, 3, 0))
    assert RENAMED[new, hand_index(*hand("AsKd"))] == hand_index(*hand("AcKd"))
    assert RENAMED[new, hand_index(*hand("AhKc"))] == hand_index(*hand("AsKh"))


def test_boards_of_another_size_get_a_sentence() -> None:
    with pytest.raises(GameError, match="three, four or five cards, not 2"):
        boards(2)
    with pytest.raises(GameError, match="boards of 3 cards, and this one has 4"):
        boards(3).find("AsKdQh2c")


# ------------------------------------------------------------------------------------------------- all cases


@pytest.mark.parametrize(
    ("mine", "other", "lying"),
    [
        ("AsKd", "QhJh", "Qs7s2h"),
        ("8c8d", "AhKh", "Th9h2c"),
        ("AsKd", "AcKh", "Qs7s2s"),
        ("2c2d", "3h3s", "4c4d4h5s"),
        ("AsKd", "QQ+,AKs,76s-54s", "Qs7s2h3d"),
        ("AsKd", "random", "AhKcTd9d2c"),
    ],
)
def test_phevaluator_counts_the_same(mine: str, other: str, lying: str) -> None:
    others = [(a, b) for a, b in HAND_CARDS[hands_in(other)].tolist()]
    assert equity(mine, other, lying) == theirs(hand(mine), others, cards(lying))


def test_known_equities_before_the_flop() -> None:
    assert equity("AsAd", "KsKd") == Equity(1_410_336, 9_308, 292_660, exact=True)
    assert equity("AsAd", "KK").value == pytest.approx(0.81946, abs=5e-6)
    assert equity("AsKd", "QhJh").value == pytest.approx(0.60375, abs=5e-6)
    assert equity("AsKd", "KdQh,AsAh,AcAh").cases == comb(48, 5)  # the others have a card of ours
    both = equity("AsKd", "7h2c"), equity("7h2c", "AsKd")
    assert (both[0].wins, both[0].ties, both[0].losses) == (both[1].losses, both[1].ties, both[1].wins)


def test_a_range_is_the_sum_of_its_hands() -> None:
    """Also where hands that fare alike are counted once, and on two threads."""
    parts = [equity("AsKs", np.array([h])) for h in hands_in("QJo,99").tolist()]
    whole = equity("AsKs", "QJo,99")
    assert whole.wins == sum(part.wins for part in parts)
    assert whole.ties == sum(part.ties for part in parts)
    assert whole.losses == sum(part.losses for part in parts)


@pytest.mark.slow
@pytest.mark.slow
def test_classes_of_hands_before_the_flop() -> None:
    """Against any hand: known values, and all together win as often as they lose."""
    for text, value in {"AsAd": 0.85204, "AsKs": 0.67045, "7s2d": 0.34584, "3s2d": 0.32303}.items():
        assert equity(text).value == pytest.approx(value, abs=5e-6)
    wins, ties = tables.before_the_flop()[CLASS_OF_HAND].sum(axis=0).tolist()
    assert 2 * wins + ties == HANDS * comb(50, 5) * comb(45, 2)
    assert equity("AsKd", "random") == equity("KcAh")


# ------------------------------------------------------------------------------------------------- samples


def test_samples_come_near_and_repeat() -> None:
    for against, lying in ((None, "Qs7s2h"), ("QhJh", ""), ("QQ+,AKs", "Qs7s2h3d")):
        exact = equity("AsKd", against, lying).value
        sampled = equity("AsKd", against, lying, samples=200_000, seed=3)
        assert not sampled.exact
        assert sampled.cases == 200_000
        assert abs(sampled.value - exact) < 2 * sampled.error < 0.01
    assert equity("AsKd", samples=1000, seed=1) == equity("AsKd", samples=1000, seed=1)
    assert equity("AsKd", samples=1000, seed=1) != equity("AsKd", samples=1000, seed=2)


def test_plain_kernels_agree_with_compiled_ones() -> None:
    mine, lying, other = cards("AsKd"), cards("Qs7s2h3d"), hands_in("QhJh,99")
    sums = [sum(of[card] for card in group) for group in (mine, lying) for of in (KEYS, MASKS)]
    keys, masks = (np.array(of)[HAND_CARDS[other]].sum(axis=1) for of in (KEYS, MASKS))
    deck = np.array([card for card in range(DECK) if card not in (*mine, *lying)])
    counts: list[Any] = []
    pairs: list[tuple[Any, Any]] = [(count_cases, sample_cases), (native(count_cases), native(sample_cases))]
    for count, sample in pairs:
        all_cases, some = np.zeros(3, np.int64), np.zeros(3, np.int64)
        count(*sums, keys, masks, np.ones_like(keys), deck, 1, np.zeros((3, 6), np.int64), all_cases)
        sample(*sums, keys, masks, 1, 500, 7, np.zeros(4, np.int64), some)
        counts.append((all_cases.tolist(), some.tolist()))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("AsKd", None, "Ks7s"), "none yet; 'Ks7s' has 2"),
        (("AsKd", None, "As7s2h"), "As occurs twice"),
        (("AsKd", "AsQd"), "Both hands hold A♠."),
        (("AsKd", "AA", "AdAhAc"), "The range has no hand without a card of AsKd"),
        (("AsKd", None, "", 0), "between 1 and 2\\*\\*31, not 0"),
        (("AsKd", np.array([1326])), "from 0 to 1325"),
        (((51,), None), "A hand has two cards"),
    ],
)
def test_what_cannot_be_gets_a_sentence(arguments: Any, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        equity(*arguments)


# ------------------------------------------------------------------------------------------------- tables


def test_one_sort_compares_all_hands_on_a_river() -> None:
    """Wins and ties, plain and compiled, are those found hand by hand."""
    for text in ("2c7dQhKsAs", "AsKsQsJsTs", "8c8d8h8s2c", "4c5c6c9dTd"):
        lying = np.array(cards(text), np.int8)
        compiled, plain = np.zeros((2, 7, HANDS), np.int64)
        native(tables._showdowns)(lying, compiled)
        tables._showdowns(lying, plain)
        assert plain[:2].tolist() == compiled[:2].tolist()
        free = np.flatnonzero(~np.isin(HAND_CARDS, lying).any(axis=1))
        found = strengths(np.hstack([HAND_CARDS[free], np.tile(lying, (len(free), 1))]))
        for k in (0, 500, 1080):
            apart = ~np.isin(HAND_CARDS[free], HAND_CARDS[free[k]]).any(axis=1)
            assert compiled[0, free[k]] == (found[apart] < found[k]).sum()
            assert compiled[1, free[k]] == (found[apart] == found[k]).sum()
        assert 2 * compiled[0].sum() + compiled[1].sum() == 1081 * 990  # what one hand wins another one loses


@pytest.mark.slow
def test_tables_say_what_counting_says() -> None:
    rng = np.random.default_rng(0)
    for size, times in ((5, 200), (4, 50), (3, 15)):
        table = tables.equities(size)
        assert table.shape == (BOARDS[size], HANDS)
        for _ in range(times):
            dealt = rng.permutation(52)[: 2 + size].tolist()
            exact = equity(dealt[:2], None, dealt[2:]).value
            assert tables.look_up(table, dealt[:2], dealt[2:]) == int(exact * tables.SCALE + 0.5)


@pytest.mark.slow
@pytest.mark.slow
def test_histograms_have_the_mean_and_the_square_of_the_tables() -> None:
    """On a river equity has 1981 values: so many bins less one tell all but the last two apart."""
    for size, rivers in ((4, 46), (3, 1081)):
        first = BOARDS[size] // 2
        counts = tables.histograms(size, tables.BEST, first, first + 1)[0]
        free = counts.sum(axis=1) > 0
        assert free.sum() == comb(52 - size, 2)
        assert set(counts[free].sum(axis=1).tolist()) == {rivers}
        assert not np.isin(HAND_CARDS[free], boards(size).cards[first]).any()
        values = np.arange(tables.BEST) / tables.BEST
        mean, square = counts @ values / rivers, counts @ values**2 / rivers
        near = counts[:, -1] == 0  # no hand here that may not lose
        assert near.sum() > HANDS / 2
        assert np.abs(mean - tables.equities(size)[first] / tables.SCALE)[near].max() < 0.51 / tables.SCALE
        assert np.abs(square - tables.squares(size)[first] / tables.SCALE)[near].max() < 0.51 / tables.SCALE


def test_slices_that_are_not_there_get_a_sentence() -> None:
    with pytest.raises(GameError, match="1 to 1980 bins, not 0"):
        tables.histograms(3, 0)
    with pytest.raises(GameError, match="1755 canonical boards on the flop; 1750 to 1760"):
        tables.histograms(3, 10, 1750, 1760)
    with pytest.raises(GameError, match="three or four cards, not of 5"):
        tables.squares(5)
