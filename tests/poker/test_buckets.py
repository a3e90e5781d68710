"""Card abstractions of hold'em."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from parlor import GameError
from parlor.compile import native
from parlor.game.loading import load
from parlor.game.rng import seed_stream
from parlor.games.holdem.hand_buckets import bucket_at
from parlor.poker.hands import equity_tables as tables
from parlor.poker.hands.buckets import SUITLESS, _matched, _sampled, card_buckets, deal_hands, suitless_name
from parlor.poker.hands.cards import cards
from parlor.poker.hands.clusters import clusters, find_nearest
from parlor.poker.hands.hand_strength import strengths
from parlor.poker.hands.isomorphism import HAND_CARDS, boards, class_index, hand_index

pytestmark = pytest.mark.slow(seconds=15)

HANDS = ("QhTh", "Jd6s")  # a draw to nearly everything, and top pair


def test_percentiles_hold_equal_parts_and_rise_with_equity() -> None:
    made = card_buckets("ehs", (50, 20, 10), 4)
    assert made.counts == (169, 50, 20, 10)
    for street, size in zip(made.streets, (3, 4, 5), strict=True):
        assert (np.diff(street.of) >= 0).all()
        assert street.table is tables.equities(size)
    flop = made.streets[0]
    at = boards(3)
    share = np.zeros(50)
    for board in range(0, len(at.cards), 7):
        possible = flop.table[board][flop.table[board] > 0]
        share += at.weight[board] * np.bincount(flop.of[possible], minlength=50)
    assert share.max() / share.min() < 1.6


def test_squares_raise_draws_over_made_hands() -> None:
    def lead(name: str) -> int:
        street = card_buckets(name, (200,), 4).streets[0]
        draw, pair = (int(street.of[tables.look_up(street.table, cards(hand), cards("Jh9h2c"))]) for hand in HANDS)
        return draw - pair

    assert lead("ehs2") > lead("ehs")


def test_the_nearest_centre_is_found() -> None:
    rng = np.random.default_rng(0)
    points, centres = rng.random((500, 9)).astype(np.float32), rng.random((9, 40)).astype(np.float32)
    begin = rng.integers(0, 20, 500)
    plain, compiled = ((np.zeros(500, np.int64), np.zeros(500, np.float32)) for _ in range(2))
    find_nearest(points, centres, begin, begin + 20, np.zeros(40, np.float32), *plain)
    native(find_nearest)(points, centres, begin, begin + 20, np.zeros(40, np.float32), *compiled)
    distance = ((points[:, :, None] - centres[None]) ** 2).sum(axis=1)
    distance[(np.arange(40) < begin[:, None]) | (np.arange(40) >= begin[:, None] + 20)] = np.inf
    assert np.allclose(plain[1], distance.min(axis=1), rtol=1e-4)
    assert plain[0].tolist() == compiled[0].tolist() == distance.argmin(axis=1).tolist()


def test_clusters_in_two_levels_are_nearly_as_close_as_can_be() -> None:
    """Points about 64 places: all of them are found, and nothing is much farther from its centre than it must be."""
    rng = np.random.default_rng(1)
    places = rng.random((64, 3)).astype(np.float32)
    points = (places[rng.integers(0, 64, 20_000)] + rng.normal(0, 0.01, (20_000, 3))).astype(np.float32)
    order = np.ones(3, np.float32)
    found = clusters(points, 100, order)
    home = found.of(points)
    assert len(found) == 100 == len(np.unique(home))
    means = np.stack([np.bincount(home, column) / np.bincount(home) for column in points.T], axis=1)
    assert np.sqrt(((points - means[home]) ** 2).sum(axis=1).mean()) < 0.05  # 0.0173 is the noise, 0.48 no clusters
    assert (np.diff(means @ order) > -0.02).all()
    assert len(clusters(points[:30].repeat(5, axis=0), 100, order)) == 30


def test_matchups_are_equities_against_groups_of_hands() -> None:
    groups = tables.GROUP_OF_HAND
    assert np.bincount(groups).tolist() == [336, 112, 128, 144, 160, 176, 192, 78]
    rng = np.random.default_rng(0)
    for board in rng.integers(0, len(boards(5).cards), 10).tolist():
        found = tables.matchups(board, board + 1)[0]
        plain = np.zeros((1, 1326, tables.GROUPS), np.uint8)
        lying = boards(5).cards[board].tolist()
        for mine in rng.permutation(HAND_CARDS[~np.isin(HAND_CARDS, lying).any(axis=1)])[:10].tolist():
            for group in range(tables.GROUPS):
                exact = _against(mine, HAND_CARDS[groups == group], lying)
                assert abs(found[hand_index(*mine), group] / tables.FINE - exact) < 0.51 / tables.FINE
    tables._fill_matchups(0, 1, np.zeros((7, 1326), np.int64), plain, boards(5).cards[board : board + 1], groups)
    assert plain[0].tolist() == found.tolist()


def test_hands_of_a_bucket_do_alike() -> None:
    """By histograms on the flop, and by matchups on some rivers: buckets rise with equity, and none is empty."""
    street = card_buckets("kmeans", (30,), 2).streets[0]
    possible = tables.equities(3) > 0
    equity = tables.equities(3)[possible] / tables.SCALE
    rising = np.bincount(street.table[possible], equity) / np.bincount(street.table[possible])
    assert len(rising) == 30
    assert np.corrcoef(rising, np.arange(30))[0, 1] > 0.98
    draw, pair = (int(tables.look_up(street.table, cards(hand), cards("Jh9h2c"))) for hand in HANDS)
    assert draw != pair
    assert abs(rising[draw] - rising[pair]) < 0.2
    points = _sampled(_matched, 5, 20_000)
    home = clusters(points, 30, np.bincount(tables.GROUP_OF_HAND).astype(np.float32)).of(points)
    total = points @ np.bincount(tables.GROUP_OF_HAND) / 1326
    rising = np.bincount(home, total) / np.bincount(home)
    assert len(rising) == 30
    assert (np.diff(rising) > 0).all()


def test_buckets_are_known_again() -> None:
    marks = {card_buckets("ehs", counts, 4).mark for counts in ((50, 20, 10), (50, 20, 11), (51, 20, 10))}
    assert len(marks) == 3
    assert card_buckets("ehs", (50, 20, 10), 4).mark in marks


def _against(mine: list[int], others: Any, board: list[int]) -> float:
    """The equity of a hand on a river against those of the others that may be held."""
    free = others[~np.isin(others, [*mine, *board]).any(axis=1)]
    if not len(free):
        return 0.5
    own = strengths([[*mine, *board]])[0]
    theirs = strengths(np.hstack([free, np.tile(board, (len(free), 1))]))
    return float(np.mean((theirs < own) + (theirs == own) / 2))


def test_suitless_buckets_have_names() -> None:
    names = [suitless_name(1, bucket) for bucket in range(0, SUITLESS, 97)]
    assert len(set(names)) == len(names)
    assert suitless_name(0, class_index("AKs")) == "AKs"
    made = card_buckets("suitless", (), 2)
    # 2c Kd and 5c 6c; both call, and the flop is 5d 5h As
    state = load("holdem(streets=2)").start().after(0, 45, 12, 16, 1, 1, 13, 14, 51).state
    assert suitless_name(1, bucket_at(state, 0, made.data)) == "K2o A55"
    assert suitless_name(1, bucket_at(state, 1, made.data)) == "65s A55"


def test_a_deal_is_what_the_cards_say() -> None:
    """Flops of three different ranks, pairs and triples come as often as they should: 82.8, 16.9 and 0.24 %."""
    made = card_buckets("suitless", (), 2)
    r, buckets = [0] * 4, [0] * 4
    kinds: Counter[int] = Counter()
    wins = 0
    for i in range(4000):
        seed_stream(r, 1, i)
        wins += deal_hands(r, buckets, (3, *made.data))
        mine, theirs = (suitless_name(1, buckets[slot]).split() for slot in (1, 3))
        assert mine[1] == theirs[1]
        assert mine[0] == suitless_name(0, buckets[0])
        kinds[len(set(mine[1]))] += 1
    assert abs(kinds[3] / 4000 - 0.828) < 0.025
    assert abs(wins) < 200


@pytest.mark.parametrize(
    ("name", "counts", "streets", "why"),
    [
        ("nothing", (10,), 4, "there are ehs, ehs2, kmeans, ochs, suitless"),
        ("ehs", (10, 20), 4, "or one for each of these 3, not 2 numbers"),
        ("ehs", (1,), 4, "2 to 50,000 buckets, not 1"),
        ("suitless", (), 4, "one or two streets"),
        ("suitless", (10,), 2, "omit them"),
    ],
)
def test_nonsense_is_told(name: str, counts: tuple[int, ...], streets: int, why: str) -> None:
    with pytest.raises(GameError, match=why):
        card_buckets(name, counts, streets)
