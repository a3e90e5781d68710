"""Public trees, and external sampling over them, where the exact answers are known."""

import threading
import time

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.poker.public_mccfr import PublicMccfr
from parlor.poker.public_tree import PLAIN_LIMIT, Layout, public_tree
from parlor.sequence_form.tree import tree
from tests.poker.listed_deals import listed_deals, policy_of


def solve(name: str, **options: object) -> PublicMccfr:
    t = public_tree(load(name))
    return PublicMccfr(t, listed_deals(t), **options)  # type: ignore[arg-type]


def test_the_tree_of_kuhn() -> None:
    t = public_tree(load("kuhn"))
    assert t.player.tolist() == [0, 1, 0, 1]
    # pass pass; pass bet fold; pass bet call; bet fold; bet call
    assert t.folds.tolist() == [0.0, -1.0, 0.0, 1.0, 0.0]
    assert t.shows.tolist() == [1.0, 0.0, 2.0, 0.0, 2.0]
    assert t.line(t.parent[2]) == [0, 1]


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_the_walk_is_the_same_in_plain_python(name: str) -> None:
    native, plain = public_tree(load(name), compiled=True), public_tree(load(name))
    assert len(native) <= PLAIN_LIMIT  # so nothing was compiled for the other
    for field in ("player", "street", "count", "first", "action", "child", "folds", "shows"):
        assert np.array_equal(getattr(native, field), getattr(plain, field))


@pytest.mark.parametrize(("name", "infosets"), [("kuhn", 12), ("leduc", 936), ("leduc/ranks", 288)])
def test_rows_are_the_information_sets_of_the_game(name: str, infosets: int) -> None:
    t = public_tree(load(name))
    layout = Layout(t, listed_deals(t).buckets)
    assert layout.infosets == infosets
    places = np.concatenate([
        row + np.arange(2 * n) for node, n in enumerate(t.count.tolist()) for row in layout.rows(node)
    ])  # fmt: skip
    assert sorted(places.tolist()) == list(range(layout.cells))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("liars-dice", "neither a fold nor a showdown"),
        ("goofspiel", "hidden"),
        ("kuhn(players=3)", "between two players"),
    ],
)
def test_other_games_are_told_why_not(name: str, why: str) -> None:
    with pytest.raises(GameError, match=why):
        public_tree(load(name))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "iterations", "bound"), [("kuhn", 300_000, 0.01), ("leduc", 400_000, 0.08), ("leduc/ranks", 400_000, 0.06)]
)
@pytest.mark.parametrize("linear", [False, True])
def test_it_converges(name: str, iterations: int, bound: float, linear: bool) -> None:
    """NashConv goes to zero; uniform play has 0.92 in Kuhn and 4.75 in Leduc."""
    s = solve(name, seed=1, linear=linear)
    game = s.tree.game
    concrete = game.concrete or game

    def nash_conv() -> float:
        policy = policy_of(s)
        return parlor.nash_conv(concrete, parlor.lift(concrete, game, policy) if game.concrete else policy)

    s.run(iterations // 30)
    early = nash_conv()
    s.run(iterations - iterations // 30)
    assert nash_conv() < min(bound, early / 2)


def test_the_policy_knows_every_information_set() -> None:
    s = solve("leduc", seed=1)
    s.run(100_000)
    assert set(policy_of(s).keys.tolist()) == set(tree(load("leduc")).keys.tolist())
    assert s.touched() == 1.0


@pytest.mark.slow
def test_it_is_the_same_in_plain_python_and_in_pieces() -> None:
    whole, pieces, plain = (solve("leduc", seed=5, prune=5.0, compiled=compiled) for compiled in (True, True, False))
    whole.run(2000)
    for n in (1, 999, 1000):
        pieces.run(n)
    plain.run(2000)
    assert np.array_equal(whole.cells, pieces.cells)
    assert np.array_equal(whole.cells, plain.cells)
    other = solve("leduc", seed=6)
    other.run(2000)
    assert not np.array_equal(whole.cells, other.cells)


@pytest.mark.slow
def test_two_threads_land_where_one_does() -> None:
    s = solve("leduc", seed=1, threads=2)
    s.run(400_000)
    assert s.iterations == 400_000
    assert parlor.nash_conv(load("leduc"), policy_of(s)) < 0.08


@pytest.mark.slow
def test_pruning_leaves_the_answer_where_it_is() -> None:
    """Moves that are left out nineteen times of twenty count twenty times in the twentieth."""
    s = solve("leduc", seed=1, prune=400.0)
    s.run(400_000)
    assert parlor.nash_conv(load("leduc"), policy_of(s)) < 0.08


def test_it_can_be_stopped() -> None:
    s = solve("leduc", seed=1, threads=2)

    def stop_later() -> None:
        while not s.cells.any():
            time.sleep(0.01)
        s.stop()

    threading.Thread(target=stop_later).start()
    s.run(1 << 40)
    done = s.iterations
    assert 0 < done < 1 << 40
    s.go_on()
    s.run(10)
    assert s.iterations == done + 10
