"""Card abstractions of hold'em."""

from collections import Counter

import numpy as np
import pytest

from parlor import GameError
from parlor.games import load
from parlor.games.holdem import tables
from parlor.games.holdem.buckets import (
    SUITLESS,
    assign,
    bucket_at,
    card_buckets,
    deal_hands,
    suitless_name,
)
from parlor.games.holdem.cards import cards
from parlor.games.holdem.isomorphism import boards, class_index
from parlor.rng import seed_stream

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
    points = np.sort(rng.random((500, 23)), axis=1).astype(np.float32)
    centres = points[np.argsort(-points[:40].sum(axis=1), kind="stable")]
    nearest, far = np.zeros(500, np.int64), np.zeros(500)
    assign(points, centres, centres.sum(axis=1), nearest, far)
    distance = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    assert np.allclose(far, distance.min(axis=1), rtol=1e-4)


def test_suitless_buckets_have_names() -> None:
    names = [suitless_name(1, bucket) for bucket in range(0, SUITLESS, 97)]
    assert len(set(names)) == len(names)
    assert suitless_name(0, class_index("AKs")) == "AKs"
    made = card_buckets("suitless", (), 2)
    # 2c Kd and 5c 6c; both call, and the flop is 5d 5h As
    state = load("holdem(streets=2)").start().after(0, 45, 12, 16, 1, 1, 13, 14, 51)._state
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
        ("nothing", (10,), 4, "there are ehs, ehs2, kmeans, suitless"),
        ("ehs", (10, 20), 4, "one number for all streets after the first, or 3"),
        ("ehs", (1,), 4, "2 to 50,000 buckets, not 1"),
        ("suitless", (), 4, "one or two streets"),
        ("suitless", (10,), 2, "leave them away"),
    ],
)
def test_nonsense_is_told(name: str, counts: tuple[int, ...], streets: int, why: str) -> None:
    with pytest.raises(GameError, match=why):
        card_buckets(name, counts, streets)
