"""Monte-Carlo CFR and its table."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.compile import native
from parlor.game.loading import load
from parlor.solvers.sampling.infoset_table import ROWS, TOP, InfosetTable, crowded, find
from parlor.solvers.sampling.mccfr import SAMPLINGS, Mccfr


@pytest.mark.slow(seconds=15)
@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize(
    ("sampling", "iterations", "bound"), [("external", 300_000, 0.12), ("outcome", 1_200_000, 0.25)]
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


@pytest.mark.slow
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
    whole, pieces = (Mccfr(load("leduc"), sampling, seed=5) for _ in range(2))
    began = len(whole.table.slots)
    whole.run(3000)
    for n in (1, 10, 989, 2000):
        pieces.run(n)
    assert whole.policy() == pieces.policy()
    assert len(whole.table.slots) > began


def test_seeds_matter_and_repeat() -> None:
    policies = []
    for seed in (1, 1, 2):
        solve = Mccfr(load("kuhn"), "external", seed=seed, compiled=False)
        solve.run(100)
        policies.append(solve.policy())
    assert policies[0] == policies[1]
    assert policies[0] != policies[2]


@pytest.mark.slow
@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_two_threads_reach_what_one_reaches(sampling: str) -> None:
    """In the mean of three runs: what two threads do depends on who comes first."""
    game = load("leduc")
    reached = {1: 0.0, 2: 0.0}
    for threads in reached:
        for seed in (1, 2, 3):
            solve = Mccfr(game, sampling, seed=seed, threads=threads)
            solve.run(100_000)
            assert solve.iterations == 100_000
            reached[threads] += parlor.nash_conv(game, solve.policy())
    assert reached[2] == pytest.approx(reached[1], rel=0.35)


def test_wrong_settings_get_a_sentence() -> None:
    for threads in (0, 1_000_000):
        with pytest.raises(GameError, match=f"threads must be between 1 and .*, not {threads}"):
            Mccfr(load("kuhn"), threads=threads)
    with pytest.raises(GameError, match="There is no sampling 'internal'; there are external, outcome, robust"):
        Mccfr(load("kuhn"), "internal")


# ---------------------------------------------------------------------------------------------------------- the table


def fill(slots: Any, ints: Any, floats: Any, counters: Any, first: int, last: int, step: int, n: int) -> int:
    for k in range(first, last, step):
        if crowded(slots, ints, counters):
            return k
        row = find(slots, ints, counters, k * 7919, n, 2 * n + 1)
        floats[row + 1] += 1.0
    return last


def test_a_table_keeps_every_row_while_it_grows_and_stays_small() -> None:
    table = InfosetTable(3)
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
    table = InfosetTable(2, slots=1 << 19, words=1 << 23)
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
    table = InfosetTable(1, slots=8, words=64)
    rows = [find(table.slots, table.ints, table.counters, k, 2, 5) for k in range(20)]
    assert rows.count(0) > 0
    assert len({row for row in rows if row}) == len(table)


@pytest.mark.slow
def test_threads_survive_a_table_that_fills_inside_one_iteration() -> None:
    """The first iteration of this game meets far more infosets than the table has room for."""
    for seed in range(10):
        solve = Mccfr(load("goofspiel(cards=6)"), "external", seed=seed, threads=3)
        solve.run(6)
        assert solve.iterations == 6
        keys = solve.table.rows()[0]
        assert len(np.unique(keys)) == len(keys) == len(solve.table)


def test_a_pool_that_threads_overran_can_still_grow() -> None:
    table = InfosetTable(2)
    table.counters[TOP] = len(table.ints) + 17
    table.grow()
    assert table.counters[TOP] == len(table.ints) // 2


KUHN = (Path(__file__).parents[2] / "parlor/games/kuhn/rules.py").read_text()


def changed_kuhn(folder: Path, *changes: tuple[str, str]) -> str:
    text = KUHN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (folder / "mine.py").write_text(text)
    return str(folder / "mine.py")


@pytest.mark.slow
def test_a_game_with_very_many_actions_is_sampled(tmp_path: Path) -> None:
    many = (
        "    out[0] = PASS\n    out[1] = BET\n    return 2\n",
        "    for i in range(20000):\n        out[i] = i\n    return 20000\n",
    )
    path = changed_kuhn(tmp_path, ("ACTIONS = 2", "ACTIONS = 20000"), many, ("a << s.moves", "(a & 1) << s.moves"))
    solve = Mccfr(load(path), "outcome", seed=1, compiled=False)
    solve.run(5)
    assert len(solve.policy()) == len(solve.table) > 5


def test_a_game_that_forgets_can_be_sampled(tmp_path: Path) -> None:
    path = changed_kuhn(tmp_path, ("(p * 8 + s.card[p])", "(p * 8 + (s.card[p] if s.moves < 2 else 0))"))
    report = parlor.solve(load(path), "mccfr-external", iterations=100).report
    assert report.exploitability is None
    assert report.infosets > 5


def test_a_key_with_different_numbers_of_actions_is_refused(tmp_path: Path) -> None:
    path = changed_kuhn(tmp_path, ("    return 2\n", "    out[2] = 2\n    return 1 + s.card[1] % 3\n"),
                        ("ACTIONS = 2", "ACTIONS = 3"), ("a << s.moves", "(a & 1) << s.moves"))  # fmt: skip
    solve = Mccfr(load(path), "outcome", seed=1, compiled=False)
    solve.run(200)
    with pytest.raises(GameError, match=r"The key \d+ stands for positions with different numbers of legal actions"):
        solve.policy()


def test_a_game_that_does_not_end_is_refused(tmp_path: Path) -> None:
    path = changed_kuhn(tmp_path, ("return OVER if s.moves == PLAYERS else s.moves", "return s.moves % PLAYERS"),
                        ("    return OVER if s.moves == bettor(s) + PLAYERS else", "    return"),
                        ("a << s.moves", "a << s.moves % 50"))  # fmt: skip
    with pytest.raises(GameError, match=r"the game is not over after .* LENGTH is 5"):
        Mccfr(load(path), "outcome", seed=1).run(100)
    with pytest.raises(GameError, match=r"the game is not over after .* LENGTH is 5"):
        parlor.solve(load(path))


def test_one_player_alone_is_refused() -> None:
    with pytest.raises(GameError, match="has one player, and sampling is for several"):
        Mccfr(load("openspiel:catch(rows=4,columns=3)"))


def test_a_stopped_solve_can_go_on() -> None:
    solve = Mccfr(load("leduc"), "external", seed=1)
    solve.stop()
    solve.run(100)
    assert solve.iterations == 0
    solve.go_on()
    solve.run(100)
    assert solve.iterations == 100


def test_external_sampling_of_rules_that_do_not_end_says_so(tmp_path: Path) -> None:
    source = (Path(__file__).parents[2] / "parlor/games/kuhn/rules.py").read_text()
    path = tmp_path / "endless.py"
    path.write_text(source.replace("        s.moves += 1", "        s.moves += 0"))
    with pytest.raises(GameError, match="the game is not over after"):
        Mccfr(load(str(path)), "external")


def test_external_sampling_that_would_not_end_is_refused() -> None:
    with pytest.raises(GameError, match="it would not end"):
        Mccfr(load("goofspiel(cards=13)"), "external")


def test_an_iteration_that_only_fills_the_table_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games may be over before a game gets large, so that the estimate misses it."""
    monkeypatch.setattr("parlor.solvers.sampling.mccfr.traversal", lambda *_: 1.0)
    monkeypatch.setattr("parlor.solvers.sampling.mccfr.MAX_ROWS", 1000)
    with pytest.raises(GameError, match="more than 1,000 information sets, without an end; it would not end"):
        Mccfr(load("goofspiel(cards=7)"), "external").run(1)
