"""The linker and the compiler: plain and native are the same thing, and a stale result cannot be found."""

import importlib
import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import itanium_mangler

from parlor import GameError
from parlor import compile as native
from parlor.compile.cache import cache_folder
from parlor.compile.link import LARGE
from parlor.compile.random_games import run_random_games
from parlor.game.loading import GAMES, load
from parlor.sequence_form.tree import tree
from parlor.solvers.cfr import Cfr
from parlor.solvers.sampling.mccfr import SAMPLINGS, Mccfr
from parlor.solvers.tree_cfr.iteration import VARIANTS

pytestmark = pytest.mark.slow(seconds=80)

compile_module: Any = importlib.import_module("parlor.compile.compile")

#: At least one variant of each game, and each option that changes the size of an array; and how many random games.
PLAYED = {
    "kuhn(players=4)": 200,
    "leduc/ranks": 200,
    "leduc(players=3)": 200,
    "liars-dice(dice=2,faces=3)": 200,
    "goofspiel(players=3,imperfect=false,order=random,returns=total-points)": 200,
    "battleship(width=3,height=1,values=13,shots=2,loss=1,repeats=false)": 200,
    "sheriff(rounds=1)": 200,
    "normal-form": 200,
    "trade-comm(items=2)": 200,
    "tiny-bridge(players=4)": 200,
    "deal-or-no-deal(turns=4,least=5,most=5,discount=90,end=20)": 200,
    "colored-trails(boards=25,set=test)": 40,
    "monopoly-deal(preset=small,debts=3,slys=3)": 100,
    "holdem(stack=40)": 200,
    "holdem(stack=12,streets=2,order=engine)/wide": 200,
    "clue(preset=standard,suspects=2,weapons=2,rooms=3,cap=9)": 300,
    "leodopoly(preset=classic)": 1,
    "phantom-tic-tac-toe": 200,
    "dark-hex(width=2,height=2)": 200,
}
SMALL = ["kuhn", "kuhn(players=4)", "leduc"]


# -------------------------------------------------------------------------------------------------- plain = native


@pytest.mark.parametrize("name", PLAYED)
def test_random_games_are_the_same_plain_and_native(name: str) -> None:
    game = load(name)
    plain, native_ = (run_random_games(game, PLAYED[name], 7, compiled=c) for c in (False, True))
    assert plain[0] == native_[0]
    assert plain[1].tolist() == native_[1].tolist()


def test_every_game_is_among_them() -> None:
    assert {re.split(r"[(/]", name)[0] for name in PLAYED} == set(GAMES)


@pytest.mark.parametrize("name", SMALL)
def test_trees_are_the_same_plain_and_native(name: str) -> None:
    game = load(name)
    assert tree(game, compiled=False).digest() == tree(game, compiled=True).digest()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)"])
def test_cfr_is_the_same_plain_and_native(name: str, variant: str) -> None:
    game = load(name)
    plain, compiled = (Cfr(game, variant, compiled=c) for c in (False, True))
    plain.run(40)
    compiled.run(40)
    assert plain.average().tolist() == compiled.average().tolist()
    assert plain.learned.regret.tolist() == compiled.learned.regret.tolist()


@pytest.mark.parametrize(
    ("name", "sampling"),
    [
        *(("leduc", sampling) for sampling in SAMPLINGS),
        ("goofspiel(players=3,imperfect=false,order=random,returns=total-points)", "external"),
    ],
)
def test_sampling_is_the_same_plain_and_native(name: str, sampling: str) -> None:
    game = load(name)
    plain, compiled = (Mccfr(game, sampling, seed=3, linear=True, compiled=c) for c in (False, True))
    plain.run(30)
    compiled.run(30)
    assert plain.policy() == compiled.policy()
    assert len(plain.policy()) > 0


# ------------------------------------------------------------------------------------------------------ the linker


def one(x: int) -> int:
    return x + SHIFT


SHIFT = 1


def entry(x: int) -> int:
    return one(x) * 2


def test_a_linked_text_is_whole_and_its_names_do_not_clash(tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("SHIFT = 100\n\ndef one(x):\n    return x + SHIFT\n")
    namespace: dict[str, Any] = {"__name__": "other"}
    exec(compile(other.read_text(), str(other), "exec"), namespace)

    text = native.link([entry], {one: namespace["one"]})
    assert "SHIFT = 100" in text
    assert native.compile(text, "entry", "a test")(5) == 210

    both = tmp_path / "both.py"
    both.write_text("def both(x):\n    return mine(x) + theirs(x)\n")
    joint: dict[str, Any] = {"mine": one, "theirs": namespace["one"], "__name__": "both"}
    exec(compile(both.read_text(), str(both), "exec"), joint)
    text = native.link([joint["both"]], {})
    assert native.compile(text, "both", "a test")(5) == 6 + 105


HELPER = "@njit\ndef scaled(x):\n    return x * SCALE\n"


def test_a_helper_is_compiled_once_for_all_kernels_that_use_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))

    def result(body: str, scale: int) -> int:
        text = f"@njit\ndef entry(x):\n    return {body}\n\n{HELPER}\nSCALE = {scale}\n"
        return int(native.compile(text, "entry", "a test")(4))

    assert (result("scaled(x) + 1", 10), result("scaled(x) + 2", 10)) == (41, 42)
    assert len(list(tmp_path.glob("helpers/scaled-*"))) == 1
    assert (result("scaled(x) + 1", 20), result("scaled(x) + 2", 10)) == (81, 42)  # the same words, another constant
    assert len(list(tmp_path.glob("helpers/scaled-*"))) == 2


def test_bundles_are_known_by_their_fields(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))
    text = "@njit\ndef entry(pair):\n    return first(pair) * 10\n\n@njit\ndef first(pair):\n    return pair.x\n"
    bundles: list[Any] = [namedtuple("Pair", fields) for fields in ("x y", "y x")]
    assert [native.compile(text, "entry", "a test")(bundle(1, 2)) for bundle in bundles] == [10, 20]


def test_a_bundle_may_get_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was compiled before cannot be loaded without its class: it is compiled again."""
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))
    here = sys.modules[__name__]
    text = "@njit\ndef entry(pair):\n    return first(pair) * 10\n\n@njit\ndef first(pair):\n    return pair.x\n"
    make: Any = namedtuple
    for name in ("Before", "After"):
        bundle = make(name, "x y", module=__name__)
        monkeypatch.setattr(here, name, bundle, raising=False)
        assert native.compile(text, "entry", "a test")(bundle(1, 2)) == 10
        monkeypatch.delattr(here, name)
        for loaded in [k for k, m in sys.modules.items() if str(tmp_path) in str(getattr(m, "__file__", ""))]:
            del sys.modules[loaded]


def test_code_is_named_by_the_layout_of_states_and_not_by_a_number_of_the_process() -> None:
    """Helpers of two games, compiled by two processes that number their types alike, may meet in a third one."""
    pipeline: Any = importlib.import_module("parlor.compile.pipeline")
    typeof: Any = numba.typeof
    records = [typeof(native.states(load("kuhn", players=players), 1, True)).dtype for players in (2, 3)]

    def mangle(name: str, types: list[Any]) -> str:
        with pipeline.compiling():
            return str(vars(itanium_mangler)["mangle"](name, types))

    for types in (records, [record.typeof("card") for record in records]):
        names = [mangle("helper", [type_]) for type_ in types]
        assert names[0] != names[1]
        with pytest.MonkeyPatch.context() as patch:
            for record in records:
                patch.setattr(record, "_code", 7)
            assert [mangle("helper", [type_]) for type_ in types] == names


def test_tables_of_numbers_and_modules_are_linked(tmp_path: Path) -> None:
    path = tmp_path / "tables.py"
    path.write_text(
        "import math\nimport numpy as np\n"
        "RENT = ((1, 2), (2, 4, 7)[:2])\nODDS = np.array([0.25, 0.75])\nFAR = float('inf')\n"
        "def worth(i, j):\n    return RENT[i][j] + ODDS[j] + math.sqrt(4.0) + (1.0 if FAR > 1e300 else 0.0)\n"
    )
    namespace: dict[str, Any] = {"__name__": "tables"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    assert native.compile(native.link([namespace["worth"]], {}), "worth", "a test")(1, 1) == 4 + 0.75 + 2 + 1


TABLE = np.arange(3 * LARGE, dtype=np.int32).reshape(3, -1) - 5


def looked_up(i: int, j: int) -> int:
    return int(TABLE[i][j])


def test_large_tables_are_packed_into_the_text() -> None:
    text = native.link([looked_up], {})
    assert len(text) < 2 * TABLE.nbytes
    compiled = native.compile(text, "looked_up", "a test")
    assert [compiled(i, j) for i, j in ((0, 0), (1, 7), (2, -1))] == [-5, LARGE + 2, 3 * LARGE - 6]


def fill_squares(out: Any) -> None:
    for i in range(out.shape[0]):
        out[i] = i * i


def fill_cubes(out: Any) -> None:
    for i in range(out.shape[0]):
        out[i] = i * i * i


def test_arrays_are_computed_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))
    calls: list[str] = []

    def fill(kernel: Any) -> Any:
        def work(out: Any) -> None:
            calls.append(kernel.__name__)
            kernel(out)

        return work

    for _ in range(2):
        assert native.cached_array("powers", fill_squares, (4,), np.int32, fill(fill_squares)).tolist() == [0, 1, 4, 9]
    assert native.cached_array("powers", fill_cubes, (4,), np.int32, fill(fill_cubes)).tolist() == [0, 1, 8, 27]
    assert calls == ["fill_squares", "fill_cubes"]  # another kernel, another file
    native.cached_array("powers", fill_squares, (4,), np.int32, fill(fill_squares), after=[fill_cubes])
    assert calls[2:] == ["fill_squares"]  # what it comes after counts as well
    assert not native.cached_array("powers", fill_squares, (4,), np.int32, fill(fill_squares)).flags.writeable

    def fails(out: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        native.cached_array("powers", fill_squares, (5,), np.int32, fails)
    assert sorted(path.suffix for path in tmp_path.iterdir() if path.suffix != ".lock") == [".npy"] * 3  # no half one
    with pytest.raises(GameError, match=r"has .* MB free, and powers needs 8589934592 MB; .* PARLOR_CACHE"):
        native.cached_array("powers", fill_squares, (1 << 50,), np.int64, fails)


def test_renaming_captures_no_names(tmp_path: Path) -> None:
    """A rules file with a `max` of its own must not change what a kernel means by max."""
    path = tmp_path / "own.py"
    path.write_text("def max(a, b):\n    return 7\n\n\ndef mine(x):\n    return max(x, 1)\n")
    own: dict[str, Any] = {"__name__": "own"}
    exec(compile(path.read_text(), str(path), "exec"), own)
    text = native.link([larger], {one: own["mine"]})
    assert native.compile(text, "larger", "a test")(5) == 12


def larger(x: int) -> int:
    return max(one(x), 12)


def test_closures_and_foreign_modules_are_refused(tmp_path: Path) -> None:
    def cut(s: Any, p: int) -> int:
        return s.card[p] // tmp_path_size

    tmp_path_size = 2
    with pytest.raises(GameError, match="cut uses tmp_path_size of a function around it"):
        native.link([cut], {})
    with pytest.raises(GameError, match="foreign uses json, a module"):
        native.link([foreign], {})


def foreign(x: int) -> int:
    return len(json.dumps(x))


GAME = Path(__file__).parents[2] / "parlor/games/kuhn/rules.py"


def variant_of_kuhn(folder: Path, old: str, new: str) -> str:
    text = GAME.read_text()
    assert old in text
    (folder / "mine.py").write_text(text.replace(old, new))
    return str(folder / "mine.py")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("ACTIONS = 2", "ACTIONS = 2\nMEMO = {}", None),
        ('    """Pass or bet; facing', '    MEMO.get(1)\n    """Pass or bet; facing', "legal uses MEMO, a dict"),
        ("    return bool((s.bets", "    return any(x for x in [1]) or bool((s.bets", "cannot be compiled"),
    ],
)
def test_rules_that_cannot_be_compiled_get_a_sentence(tmp_path: Path, old: str, new: str, sentence: str | None) -> None:
    text = GAME.read_text()
    if "MEMO.get" in new:
        text = text.replace("ACTIONS = 2", "ACTIONS = 2\nMEMO: dict = {}")
    assert old in text
    path = tmp_path / "mine.py"
    path.write_text(text.replace(old, new))
    game = load(str(path))
    if sentence is None:
        assert tree(game, compiled=True).histories == 58
        return
    with pytest.raises(GameError) as error:
        tree(game, compiled=True)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_decorated_rule_is_refused(tmp_path: Path) -> None:
    path = variant_of_kuhn(tmp_path, "def stays(", "import functools\n\n\n@functools.cache\ndef stays(")
    with pytest.raises(GameError, match=r"uses stays, a _lru_cache_wrapper"):
        tree(load(path), compiled=True)


# ------------------------------------------------------------------------------------------------------- the cache


def test_the_version_of_the_rules_follows_their_meaning(tmp_path: Path) -> None:
    same = native.version(load(variant_of_kuhn(tmp_path, '"""One line for a person."""', '"""Words."""')))
    renamed = native.version(load(variant_of_kuhn(tmp_path, "pot", "kitty")))
    comment = native.version(load(variant_of_kuhn(tmp_path, "# how many moves were made", "# so many moves")))
    changed = native.version(load(variant_of_kuhn(tmp_path, "pot += 2 if", "pot += 3 if")))
    assert same == comment == renamed == native.version(load("kuhn"))
    assert changed != same


def started(code: str, cache: Path, *arguments: str) -> "subprocess.Popen[str]":
    """A fresh Python at work."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(
        command,
        env=os.environ | {"PARLOR_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(process: "subprocess.Popen[str]") -> str:
    """What it prints."""
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


TOTALS = """
import json, pathlib, sys
from parlor.game.loading import load
from parlor.compile.random_games import run_random_games
path, text = sys.argv[1:]
after = run_random_games(load(path), 100, 1, True)[1].tolist()
pathlib.Path(path).write_text(text)
print(json.dumps([after, run_random_games(load(path), 100, 1, True)[1].tolist()]))
"""


def test_a_changed_constant_is_seen_by_the_next_run(tmp_path: Path) -> None:
    """The hazard: a compiled kernel cached under its own file would go on using the old rules."""
    path = variant_of_kuhn(tmp_path, "ACTIONS = 2", "ACTIONS = 2\nSTAKE = 2")
    text = Path(path).read_text().replace("paid = 2 if", "paid = STAKE if").replace("pot += 2 if", "pot += STAKE if")

    def totals(text: str, compiled: bool) -> Any:
        Path(path).write_text(text)
        return run_random_games(load(path), 100, 1, compiled)[1].tolist()

    changed = text.replace("STAKE = 2", "STAKE = 4")
    expected = [totals(changed, False), totals(text, False)]
    assert totals(text, True) == expected[1] != expected[0]
    Path(path).write_text(changed)
    assert json.loads(printed(started(TOTALS, cache_folder(), path, text))) == expected


def test_a_change_is_seen_even_if_the_clock_does_not_show_it(tmp_path: Path) -> None:
    """Same size, same time of change: Python's own cache of compiled files would not notice."""
    path = variant_of_kuhn(tmp_path, "pot += 2 if", "pot += 2 if")
    stamp = os.stat(path)
    before = load(path)
    variant_of_kuhn(tmp_path, "pot += 2 if", "pot += 3 if")
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    after = load(path)
    moves = ("K to player 0", "J to player 1", "bet", "bet")
    assert before.start().after(*moves).payoffs[0] == 2
    assert after.start().after(*moves).payoffs[0] == 4
    assert native.version(before) == native.version(load("kuhn")) != native.version(after)  # each has its own source
    assert not (tmp_path / "__pycache__").exists()


def test_games_can_be_loaded_in_threads() -> None:
    def players(n: int) -> bool:
        return all(load(f"kuhn(players={n})").players == n for _ in range(25))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(players, (2, 3, 4, 3)))


def test_games_are_loaded_while_other_threads_import() -> None:
    done, interval = threading.Event(), sys.getswitchinterval()

    def import_and_forget() -> None:
        while not done.is_set():
            for i in range(50):
                sys.modules[f"unheard_of_{i}"] = sys
            for i in range(50):
                del sys.modules[f"unheard_of_{i}"]

    importing = threading.Thread(target=import_and_forget)
    sys.setswitchinterval(1e-6)
    importing.start()
    try:
        for _ in range(10):
            load("kuhn")
    finally:
        sys.setswitchinterval(interval)
        done.set()
        importing.join()


def three_times(x: int) -> int:
    return 3 * x


def test_what_fails_once_in_a_while_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    loaded, tries = compile_module._loaded, 0

    def sometimes(*args: Any) -> Any:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise RuntimeError("dictionary changed size during iteration")
        return loaded(*args)

    monkeypatch.setattr(compile_module, "_loaded", sometimes)
    with caplog.at_level(logging.WARNING, logger="parlor.compile"):
        assert native.native(three_times)(2) == 6
    assert tries == 2
    assert "three_times for all games was compiled at the second try" in caplog.text
    assert "dictionary changed size during iteration" in caplog.text


EVERY_ENTRY = """
import json, logging, sys
notes = []
class Notes(logging.Handler):
    def emit(self, record): notes.append(record.getMessage())
logging.getLogger("parlor.compile").addHandler(Notes()); logging.getLogger("parlor.compile").setLevel(logging.INFO)
import parlor
from parlor.compile.random_games import run_random_games
game = parlor.load("kuhn")
result = [run_random_games(game, 50, 1)[0], parlor.tree(game, compiled=True).digest()]
solution = parlor.solve(game, "cfr", iterations=300)
result.append([solution.report.exploitability, solution.policy.probabilities.tolist()])
result.append(parlor.nash_conv(game, parlor.best_response(game, solution.policy, 0)))
print(json.dumps([notes, result]))
"""


@pytest.mark.slow
def test_two_processes_compile_every_entry_point_once_and_a_third_finds_them(tmp_path: Path) -> None:
    """Of two that want a kernel at the same time, one waits for the other."""
    both = [started(EVERY_ENTRY, tmp_path) for _ in range(2)]
    (some, first), (others, second) = [json.loads(printed(one)) for one in both]
    found, third = json.loads(printed(started(EVERY_ENTRY, tmp_path)))
    assert len(some + others) == len(set(some + others))
    assert len(some + others) >= 4  # random games, enumeration, CFR, evaluation
    assert found == []  # everything came from the cache
    assert first == second == third


CHECKED = """
from parlor.game.loading import load
from parlor.compile.random_games import run_random_games
from parlor.solvers.sampling.mccfr import Mccfr
from parlor.sequence_form.tree import tree
game = load("kuhn(players=3)")
tree(game, compiled=True)
run_random_games(game, 2000, 1, True)
Mccfr(game, "external").run(500)
"""


@pytest.mark.slow
def test_no_index_leaves_its_array(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code does not look; here it does. The cache is the usual one: checked code has its own place there.

    Plain Python always looks: all games are played so above.
    """
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    printed(started(CHECKED, cache_folder()))


def test_an_unwritable_cache_folder_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path / "file" / "below"))
    assert native.cache_folder().is_dir()


def test_compiling_is_announced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))
    caplog.set_level(logging.INFO, logger="parlor.compile")
    text = "@njit\ndef double(x):\n    return 2 * x\n# " + str(tmp_path)
    assert native.compile(text, "double", "a test")(np.int64(4)) == 8
    assert native.compile(text, "double", "a test")(np.int64(5)) == 10
    assert [record.message for record in caplog.records] == ["compiling double for a test (once; then it is cached)"]


TABLES = """
from parlor.game import CHANCE, OVER, public
from parlor.games.kuhn.rules import (
    start, turn, odds, legal, play, key, PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM, STATE,
)

PAIRS = ((1, 2), (3, 4))


def payoff(s, p):
    sign = 1.0 if p == 0 else -1.0
    {body}
"""


def test_tuples_in_rules_are_tuples_when_compiled(tmp_path: Path) -> None:
    path = tmp_path / "tables.py"
    added, equal, looked_up = "len(PAIRS[0] + PAIRS[1])", "(PAIRS[0] == (1, 2))", "PAIRS[s.card[0] - s.card[0]][1]"
    path.write_text(TABLES.replace("{body}", f"return sign * ({added} + 10 * {equal} + 100 * {looked_up})"))
    game = load(str(path))
    for compiled in (True, False):
        _, totals = run_random_games(game, 10, 0, compiled)
        assert totals[2] / 10 == 4 + 10 + 200


def test_a_wrong_index_into_a_table_is_an_error_compiled_too(tmp_path: Path) -> None:
    path = tmp_path / "tables.py"
    path.write_text(TABLES.replace("{body}", "return sign * PAIRS[s.card[0] + 5][0]"))
    for compiled in (True, False):
        with pytest.raises(IndexError):
            run_random_games(load(str(path)), 10, 0, compiled)


def makes_a_list(x: int) -> int:
    room = [0, x]
    return room[x]


def makes_an_array(x: int) -> int:
    room = np.zeros(3, np.int64)
    room[1] = x
    return int(room[x])


def calls_it(x: int) -> int:
    return 3 * one(x)


@pytest.mark.parametrize("helper", [makes_a_list, makes_an_array])
def test_rules_that_make_arrays_and_lists_compile_too(helper: Any) -> None:
    """They count references, which others do without. Of lists the text does not tell: they take a second try."""
    assert native.compile(native.link([calls_it], {one: helper}), "calls_it", "a test")(1) == 3


@pytest.mark.parametrize(("sampling", "compiled"), [*((sampling, False) for sampling in SAMPLINGS), ("external", True)])
def test_a_solver_begins_every_piece_of_work_at_the_same_root(sampling: str, compiled: bool) -> None:
    """The deck of Monopoly Deal is counted up from nothing: a root that is not blank would have more cards."""
    game = load("monopoly-deal(preset=tiny)")
    whole, pieces = (Mccfr(game, sampling, seed=1, compiled=compiled) for _ in range(2))
    whole.run(30)
    for _ in range(30):
        pieces.run(1)
    assert whole.policy() == pieces.policy()
