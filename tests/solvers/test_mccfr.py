"""Monte-Carlo CFR and its table."""

import threading
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.games import load
from parlor.native import native
from parlor.solvers.mccfr import SAMPLINGS, Mccfr
from parlor.solvers.table import ROWS, Table, crowded, find


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(
    ("sampling", "iterations", "bound"), [("external", 300_000, 0.12), ("outcome", 3_000_000, 0.25)]
)
def test_sampling_converges_on_leduc(sampling: str, iterations: int, bound: float, linear: bool) -> None:
    game = load("leduc")
    solve = Mccfr(game, sampling, seed=1, linear=linear)
    solve.run(iterations // 30)
    early = parlor.nash_conv(game, solve.policy())
    solve.run(iterations - iterations // 30)
    late = parlor.nash_conv(game, solve.policy())
    assert late < early / 2
    assert late < bound


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_three_players_come_close_to_an_equilibrium(sampling: str) -> None:
    """Nothing is promised with three players; uniform play has a NashConv of 2.1."""
    game = load("kuhn(players=3)")
    solve = Mccfr(game, sampling, seed=1)
    solve.run(500_000)
    assert parlor.nash_conv(game, solve.policy()) < 0.08


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_pieces_make_the_whole(sampling: str) -> None:
    """However the iterations are cut into calls, one thread gives the same table, also when it has to grow."""
    whole, pieces = (Mccfr(load("leduc(players=3)"), sampling, seed=5) for _ in range(2))
    whole.run(3000)
    for n in (1, 10, 989, 2000):
        pieces.run(n)
    assert whole.policy() == pieces.policy()
    assert len(whole.table) > 3000


def test_seeds_matter_and_repeat() -> None:
    policies = []
    for seed in (1, 1, 2):
        solve = Mccfr(load("kuhn"), "external", seed=seed)
        solve.run(100)
        policies.append(solve.policy())
    assert policies[0] == policies[1]
    assert policies[0] != policies[2]


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_two_threads_reach_what_one_reaches(sampling: str) -> None:
    game = load("leduc")
    reached = []
    for threads in (1, 2):
        solve = Mccfr(game, sampling, seed=1, threads=threads)
        solve.run(300_000)
        assert solve.iterations == 300_000
        reached.append(parlor.nash_conv(game, solve.policy()))
    assert reached[1] == pytest.approx(reached[0], rel=0.35)


def test_wrong_settings_get_a_sentence() -> None:
    with pytest.raises(GameError, match="threads must be at least 1, not 0"):
        Mccfr(load("kuhn"), threads=0)
    with pytest.raises(GameError, match="There is no sampling 'internal'; there are external, outcome"):
        Mccfr(load("kuhn"), "internal")


# ---------------------------------------------------------------------------------------------------------- the table


def fill(slots: Any, ints: Any, floats: Any, counters: Any, first: int, last: int, step: int, n: int) -> int:
    for k in range(first, last, step):
        if crowded(slots, ints, counters):
            return k
        row = find(slots, ints, counters, k * 7919, n)
        floats[row + 1] += 1.0
    return last


def test_a_table_keeps_every_row_while_it_grows_and_stays_small() -> None:
    table = Table()
    done, sizes = 0, []
    while done < 200_000:
        done = native(fill)(table.slots, table.ints, table.floats, table.counters, done, 200_000, 1, 3)
        table.grow()
        if len(table) > 1000:
            sizes.append(table.bytes / len(table))  # right after growing, when most slots are empty
    assert len(table) == 200_000
    keys, counts, averages = table.rows()
    assert keys.tolist() == [k * 7919 for k in range(200_000)]
    assert (counts == 3).all()
    assert np.allclose(averages, 1 / 3)  # nothing was added to the average
    assert max(sizes) <= 80.0


def test_threads_share_a_table_without_losing_keys() -> None:
    table = Table(slots=1 << 19, words=1 << 23)
    kernel = native(fill)
    kernel(table.slots, table.ints, table.floats, table.counters, 0, 0, 1, 2)

    def work(first: int) -> None:
        kernel(table.slots, table.ints, table.floats, table.counters, first, 100_000, 1, 2)

    threads = [threading.Thread(target=work, args=(0,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.counters[ROWS] == 100_000
    assert table.rows()[0].tolist() == [k * 7919 for k in range(100_000)]


def test_a_full_table_says_so_instead_of_looping() -> None:
    table = Table(slots=8, words=64)
    rows = [find(table.slots, table.ints, table.counters, k, 2) for k in range(20)]
    assert rows.count(0) > 0
    assert len({row for row in rows if row}) == len(table)
