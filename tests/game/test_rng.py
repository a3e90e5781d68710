"""The random stream and the hash: the same plain and compiled, and good enough."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlor import compile as native
from parlor.game.rng import below, choose, draw, mix, seed_stream, uniform

SIGNED = st.integers(-(2**63), 2**63 - 1)


def draws(r: Any, seed: int, index: int, out: Any) -> None:
    seed_stream(r, seed, index)
    for i in range(len(out)):
        out[i] = draw(r)


def mixes(pairs: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = mix(pairs[i][0], pairs[i][1])


@given(st.integers(0, 2**62), st.integers(0, 2**62))
def test_a_stream_is_the_same_plain_and_compiled(seed: int, index: int) -> None:
    plain, compiled = [0] * 20, np.zeros(20, np.int64)
    draws([0] * 4, seed, index, plain)
    native.native(draws)(np.zeros(4, np.int64), seed, index, compiled)
    assert plain == compiled.tolist()


@given(st.lists(st.tuples(st.integers(0, 2**63 - 1), SIGNED), min_size=1, max_size=30))
def test_the_hash_is_the_same_plain_and_compiled_and_has_63_bits(pairs: list[tuple[int, int]]) -> None:
    plain, compiled = [0] * len(pairs), np.zeros(len(pairs), np.int64)
    mixes(pairs, plain)
    native.native(mixes)(np.array(pairs, np.int64), compiled)
    assert plain == compiled.tolist()
    assert all(0 <= h < 2**63 for h in plain)


def test_known_values_of_the_stream() -> None:
    """Seeds in old records must keep their meaning."""
    out = [0] * 4
    draws([0] * 4, 1, 2, out)
    assert out == [3958162716, 415383579, 374532243, 4098458051]


@pytest.mark.slow
def test_structured_keys_do_not_collide() -> None:
    """Small, regular numbers, as rules produce them: with 63 good bits the chance of one collision is 5e-8."""
    small = np.array([(a, b) for a in range(1000) for b in range(1000)], np.int64)
    mixed = np.array([(mix(0, a), 0) for a in range(1000)], np.int64).repeat(1000, axis=0) + small * (0, 1)
    large = small[(small < 300).all(axis=1)] << np.array([33, 40])
    for pairs in (small, mixed, large):  # not even when nothing is mixed yet
        keys = np.zeros(len(pairs), np.int64)
        native.native(mixes)(pairs, keys)
        assert len(np.unique(keys)) == len(pairs)


def test_every_input_bit_moves_about_half_of_the_output_bits() -> None:
    flips = [bin(mix(12345, 678 ^ (1 << bit)) ^ mix(12345, 678)).count("1") for bit in range(64)]
    flips += [bin(mix(12345 ^ (1 << bit), 678) ^ mix(12345, 678)).count("1") for bit in range(63)]
    assert min(flips) > 15
    assert 29 < sum(flips) / len(flips) < 34


def test_draws_are_uniform() -> None:
    r = [0] * 4
    seed_stream(r, 5, 0)
    counts = np.bincount([below(r, 10) for _ in range(20_000)], minlength=10)
    assert ((counts - 2000) ** 2 / 2000).sum() < 27.9  # chi-square with 9 degrees of freedom, 1 in 1,000
    mean = sum(uniform(r) for _ in range(20_000)) / 20_000
    assert abs(mean - 0.5) < 0.008


def test_choose_follows_the_weights_and_never_takes_an_impossible_one() -> None:
    r = [0] * 4
    seed_stream(r, 6, 0)
    counts = np.bincount([choose(r, [0.0, 0.2, 0.0, 0.8, 0.0], 5) for _ in range(10_000)], minlength=5)
    assert counts[[0, 2, 4]].sum() == 0
    assert 1850 < counts[1] < 2150
    assert choose(r, [0.0, 1e-12], 2) == 1  # weights that fall short of one by rounding


def test_streams_of_neighbouring_games_differ() -> None:
    firsts = set()
    for index in range(1000):
        out = [0] * 2
        draws([0] * 4, 0, index, out)
        firsts.add(tuple(out))
    assert len(firsts) == 1000


def test_what_has_no_weight_is_never_chosen_not_even_when_weights_fall_short_of_one() -> None:
    r = [0, 0, 0, 0]
    seed_stream(r, 3, 1)
    assert {choose(r, [0.25, 0.0, 0.25, 0.0], 4) for _ in range(400)} == {0, 2}
