"""CFR by several threads, and in JAX: the same as by one thread, in all variants, for any number of players."""

from __future__ import annotations

import importlib.util
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError, Policy
from parlor.cli.commands import solve as solve_command
from parlor.game.loading import load
from parlor.policies.plans import sequence_policy, uniform_strategy
from parlor.sequence_form.tree import tree
from parlor.solvers import cfr
from parlor.solvers.cfr import Cfr, GpuCfr
from parlor.solvers.tree_cfr import jax_iteration, levels, threads
from parlor.solvers.tree_cfr.iteration import Lock
from parlor.solvers.tree_cfr.levels import layout


def same(one: Cfr, other: Cfr) -> bool:
    """Whether all tables are the same to the bit."""
    return all(np.array_equal(getattr(one.learned, name), getattr(other.learned, name)) for name in one.learned._fields)


def told(name: str) -> Lock:
    """A lock of player 0 on uniform play, one game in three."""
    t = tree(load(name))
    return Lock(sequence_policy(t, uniform_strategy(t)), 1 / 3, (0,))


@pytest.mark.parametrize("variant", ["cfr", "cfr+-simultaneous", "dcfr", "pdcfr+", "hs-pcfr+", "restarted-cfr"])
@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)", "goofspiel(cards=3)"])
def test_several_threads_do_the_same_to_the_bit(name: str, variant: str) -> None:
    one, three = Cfr(load(name), variant, compiled=False), Cfr(load(name), variant, compiled=False, threads=3)
    one.run(9)
    three.run(4)
    three.run(5)
    assert same(one, three)
    assert three.iterations == 9


def test_several_threads_do_the_same_to_the_bit_with_locks_and_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("leduc")
    one, two = Cfr(game, "pcfr+"), Cfr(game, "pcfr+", threads=2)
    for solver in (one, two):
        solver.keep(told("leduc"))
        solver.run(5)
    assert same(one, two)
    assert two.facts()["processor"].startswith("2 threads of the CPU; 11,040 entries, ")
    few = parlor.solve(game, "cfr+", iterations=3, threads=2).report
    assert few.facts["processor"] == "one core: 11,040 entries are too few for threads to help"
    monkeypatch.setattr(cfr, "WORTHWHILE", 1000)
    policy, report = parlor.solve(game, "cfr+", iterations=3, threads=2)
    assert policy == parlor.solve(game, "cfr+", iterations=3).policy
    assert "threads" not in policy.about  # it is the same policy
    assert "2 threads" in report.facts["processor"]


@pytest.mark.parametrize("count", [1, 2, 5])
def test_everything_is_somebodys_work_once(count: int) -> None:
    t = tree(load("leduc"))
    shares, cuts = threads.cut(t, count, lambda function: function)
    for player in range(2):
        low, high = t.infoset_bounds[player : player + 2].tolist()
        runs = [slice(*share.runs[player : player + 2]) for share in shares]
        pairs = [
            list(zip(share.begin[run], share.end[run], strict=True)) for share, run in zip(shares, runs, strict=True)
        ]
        below = [i for mine in pairs for a, b in mine for i in range(a, b)]
        top = cuts.top[slice(*cuts.top_bounds[player : player + 2])]
        above = [i for i in top.tolist() if not cuts.is_root[i]]
        assert sorted(below + above) == list(range(low, high))
        loose = [q for share in shares for q in share.loose[slice(*share.loose_bounds[player : player + 2])].tolist()]
        assert len(loose) == len(set(loose)) == 1 + sum(int(t.count[i]) for i in above)
        sizes = [sum(int(t.counts[a:b].sum()) for a, b in mine) for mine in pairs]
        assert max(sizes) < 1.5 * sum(sizes) / count


# ---------------------------------------------------------------------------------------------------------------- JAX


@pytest.mark.parametrize("step", [1, 20, 1 << 15])
def test_rectangles_add_up_every_row_once(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "STEP", step)
    numbers = np.random.default_rng(5)
    sizes = numbers.permutation(np.concatenate([np.arange(1, 40), np.full(30, 3), [500]]))
    moved, table = numbers.permutation(int(sizes.sum())), numbers.random(int(sizes.sum()))
    found, at = levels.rectangles(np.cumsum(sizes) - sizes, sizes, moved)
    real = [np.arange(len(places))[:, None] < count for places, count in found]
    sums = np.concatenate(
        [np.where(one, table[places], 0).sum(0) for one, (places, _) in zip(real, found, strict=True)]
    )
    assert sums[at] == pytest.approx(np.add.reduceat(table[moved], np.cumsum(sizes) - sizes))
    assert (len(found) == 1) == (step == 1 << 15)
    padded = sum(places.size for places, _ in found) - sizes.sum()
    assert padded <= {1: 60, 20: 400}.get(step, 500 * len(sizes))


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("kuhn", "restarted-cfr"),
        pytest.param("kuhn(players=3)", "pdcfr+", marks=pytest.mark.slow(seconds=5)),
        pytest.param("goofspiel(cards=3)", "cfr+-simultaneous", marks=pytest.mark.slow(seconds=5)),
    ],
)
def test_jax_does_the_same_in_double_precision(name: str, variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "STEP", 6)  # several rectangles, and padding
    game = load(name)
    ours, theirs = Cfr(game, variant, compiled=False), GpuCfr(game, variant, platform="cpu")
    ours.run(70)  # more than a block
    theirs.run(40)
    assert next(iter(theirs.entries()))["strategy"]  # looked at in the middle
    theirs.run(30)
    assert theirs.iterations == 70
    assert np.abs(theirs.average() - ours.average()).max() < 1e-9
    scale = np.abs(ours.learned.regret).max()
    assert np.abs(theirs.learned.regret - ours.learned.regret).max() < 1e-9 * scale
    mine, other = ours.evaluation(), theirs.evaluation()
    assert other.values == pytest.approx(mine.values, abs=1e-12)
    assert other.best_responses == pytest.approx(mine.best_responses, abs=1e-12)


@pytest.mark.slow(seconds=8)
def test_jax_keeps_locks_goes_on_from_a_checkpoint_and_is_close_in_single_precision() -> None:
    game = load("kuhn")
    keys = tree(game).keys[[0, 7]]
    lock = Lock(Policy.from_rows(game, keys, np.full(2, 2), np.array([0.25, 0.75, 0.5, 0.5])))
    ours, theirs, single = (
        Cfr(game, "cfr+", compiled=False),
        *(GpuCfr(game, "cfr+", double, platform="cpu") for double in (True, False)),
    )
    for solver in (ours, theirs, single):
        solver.keep(lock)
        solver.run(20)
    again = GpuCfr(game, "cfr+", platform="cpu")
    again.keep(lock)
    again.restore([*theirs.entries()], 20)
    for solver in (ours, again, single):
        solver.run(20)
    assert np.abs(again.average() - ours.average()).max() < 1e-9
    assert again.nash_conv() == pytest.approx(ours.nash_conv(), abs=1e-12)
    assert single.nash_conv() == pytest.approx(ours.nash_conv(), abs=1e-4)
    assert again.policy().row(keys[0]).tolist() == [0.25, 0.75]  # type: ignore[union-attr]


def test_the_memory_of_an_enumeration_is_said_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    solve_command.say_memory(load("kuhn"))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(solve_command, "NOTEWORTHY", 10)
    monkeypatch.setattr(solve_command, "BYTES", 1e8)
    solve_command.say_memory(load("kuhn"))
    said = capsys.readouterr().err
    histories = float(said.split()[1])
    assert 30 <= histories <= 80  # there are 58
    assert "histories (or " in said
    assert "): enumerating them takes about" in said
    assert 3.0 <= float(said.split()[-2]) <= 8.0


def test_memory_is_told_and_a_processor_without_room_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    arranged = layout(tree(load("leduc")))
    entries = [rows.weight.size for player in arranged.players for rows in player.entries]
    assert sum(entries) >= 11_040
    assert arranged.memory(8) - arranged.memory(4) == 4 * (sum(entries) + 11 * len(arranged.order))
    assert arranged.memory(8) > 12 * sum(entries) + 88 * len(arranged.order)
    device = type("Device", (), {"memory_stats": lambda _: {"bytes_limit": 300_000}, "device_kind": "a small card"})()
    jax = type("Jax", (), {"devices": lambda _, platform: [device]})()
    monkeypatch.setattr(jax_iteration, "need_jax", lambda: jax)
    with pytest.raises(GameError, match=r"about 0\.0 GB, and a small card has 0\.0 GB free: solve on the CPU"):
        GpuCfr(load("leduc"), "cfr+")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"device": "cpu", "precision": "single"}, "Single precision is for the GPU"),
        ({"device": "gpu", "threads": 2}, "Threads are for the CPU"),
        ({"device": "tpu"}, "device must be one of auto, cpu, gpu, not 'tpu'."),
        ({"threads": 0}, "threads must be between 1 and"),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        parlor.solve("kuhn", "cfr+", iterations=1, **settings)


def test_a_gpu_that_is_not_there_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    if not jax_iteration.has_gpu():
        with pytest.raises(GameError, match="JAX finds no GPU here: solve on the CPU"):
            parlor.solve("kuhn", "cfr+", iterations=1, device="gpu")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert not jax_iteration.has_gpu()


def test_auto_takes_a_gpu_where_there_is_one_and_the_game_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(cfr, "has_gpu", lambda: True)
    monkeypatch.setattr(cfr, "GpuCfr", lambda game, *_: made.append(game.name))
    solve = cfr.cfr_row("cfr+")
    for entries in (cfr.WORTHWHILE, 10):
        monkeypatch.setattr(cfr, "WORTHWHILE", entries)
        solve.make(load("kuhn"), 0, 1, solve.settings())
    assert made == ["kuhn"]
