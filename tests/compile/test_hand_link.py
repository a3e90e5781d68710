"""The linker by hand: its texts are run as plain Python and must do what the functions they were made of do.

Nothing is compiled: `njit` is a function that changes nothing. Names that two modules share are what goes wrong here.
"""

from __future__ import annotations

import ast
import importlib.util
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from parlor import GameError
from parlor.compile import kernel
from parlor.compile.cache import NotCached, cache_folder, cache_only, cached_array
from parlor.compile.link import LARGE, _depth, _only_indexed, _same, constant, definition_of, link, names_in


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """A function that makes a module of a text; those called `parlor.…` count as our own."""

    def made(name: str, text: str, **known: Any) -> ModuleType:
        path = tmp_path / f"{name.replace('.', '_')}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        vars(module).update(known)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        return module

    return made


def run(entry: Callable[..., Any], *args: Any, bound: Mapping[Any, Any] | None = None) -> Any:
    """What the linked text of a function answers."""
    return namespace(entry, bound)[entry.__name__](*args)


def namespace(entry: Callable[..., Any], bound: Mapping[Any, Any] | None = None) -> dict[str, Any]:
    """Everything that the linked text defines."""
    found: dict[str, Any] = {"njit": lambda function: function}
    exec(link([entry], bound or {}), found)
    return found


# ------------------------------------------------------------------------------------------------------ shared names

PARTS = """
{table}
SCALE = {scale}

def look(i):
    return TABLE[i] * SCALE
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("TABLE = (1, 2, 3)", "TABLE = (4, 5, 6)"),
        ("TABLE = (1, 2, 3)", "TABLE = (1, 2, 4)"),
        ("TABLE = (1, 2, 3)", "TABLE = (1, 2, 3, 4)"),
        ("TABLE = (1, 2, 3)", "TABLE = (1.0, 2.0, 3.5)"),
        ("TABLE = (1, 2, 3)", "TABLE = (True, False, True)"),
        ("import numpy as np\nTABLE = np.arange(3)", "import numpy as np\nTABLE = np.arange(3) * 2"),
        ("import numpy as np\nTABLE = np.arange(3)", "import numpy as np\nTABLE = np.arange(3.0) / 2"),
        ("import numpy as np\nTABLE = np.arange(5000)", "import numpy as np\nTABLE = np.arange(5000) + 1"),
        (
            "import numpy as np\nTABLE = np.arange(5000)",
            "import numpy as np\nTABLE = np.arange(5000).astype(np.float64)",
        ),
    ],
)
@pytest.mark.parametrize("ours", [True, False])
def test_two_tables_of_one_name_stay_two(
    module: Callable[..., ModuleType], first: str, second: str, ours: bool
) -> None:
    prefix = "parlor." if ours else "their_"
    one = module(f"{prefix}hand_one", PARTS.format(table=first, scale=10))
    two = module(f"{prefix}hand_two", PARTS.format(table=second, scale=1000))
    both = module(f"{prefix}hand_both", "def both(i):\n    return left(i) + right(i)\n", left=one.look, right=two.look)
    for i in range(3):
        assert run(both.both, i) == one.look(i) + two.look(i)
    texts = link([both.both], {})
    assert texts.count("TABLE__2 = ") == 1
    assert texts.count("TABLE__3") == 0
    assert texts.count("SCALE__2 = 1000") == 1


def test_equal_tables_of_one_name_are_written_once(module: Callable[..., ModuleType]) -> None:
    for table in ("TABLE = (1, 2, 3)", "import numpy as np\nTABLE = np.arange(3)", "TABLE = ((1, 2), (3, 4), (5, 6))"):
        text = PARTS.format(table=table, scale=10).replace("TABLE[i]", "TABLE[i][0]" if "((" in table else "TABLE[i]")
        one, two = module("parlor.hand_one", text), module("parlor.hand_two", text.replace("def look", "def see"))
        both = module("parlor.hand_both", "def both(i):\n    return look(i) - see(i)\n", look=one.look, see=two.see)
        assert "TABLE__2" not in link([both.both], {})
        assert run(both.both, 2) == 0


def test_large_tables_of_one_size_and_other_shape_are_told_apart(module: Callable[..., ModuleType]) -> None:
    wide, tall = np.arange(2 * LARGE).reshape(2, LARGE), np.arange(2 * LARGE).reshape(LARGE, 2)
    one = module("parlor.hand_one", "def at(i, j):\n    return TABLE[i][j]\n", TABLE=wide)
    two = module("parlor.hand_two", "def at(i, j):\n    return TABLE[i][j]\n", TABLE=tall)
    both = module("parlor.hand_both", "def both(i, j):\n    return p(i, j), q(i, j)\n", p=one.at, q=two.at)
    assert run(both.both, 1, 1) == (LARGE + 1, 3)
    assert run(both.both, 0, 1) == (1, 1)


def test_functions_of_one_name_keep_their_own_helpers(module: Callable[..., ModuleType]) -> None:
    text = "STEP = {0}\ndef add(x):\n    return x + STEP\ndef twice(x):\n    return add(add(x))\n"
    one, two = (module(f"parlor.hand_{n}", text.format(n)) for n in (1, 20))
    both = module("parlor.hand_both", "def both(x):\n    return a(x), b(x)\n", a=one.twice, b=two.twice)
    assert run(both.both, 5) == (7, 45)
    third = module("parlor.hand_3", text.format(300))
    three = module(
        "parlor.hand_three", "def three(x):\n    return a(x), b(x), c(x)\n", a=one.twice, b=two.twice, c=third.twice
    )
    assert run(three.three, 5) == (7, 45, 605)
    text_of_three = link([three.three], {})
    assert [text_of_three.count(f"STEP{n} = ") for n in ("", "__2", "__3")] == [1, 1, 1]


def test_a_renamed_name_must_not_be_a_variable_of_the_function(module: Callable[..., ModuleType]) -> None:
    one = module("parlor.hand_one", "STEP = 1\ndef a(x):\n    return x + STEP\n")
    two = module("parlor.hand_two", "STEP = 2\ndef b(x):\n    STEP__2 = 7\n    return x + STEP + STEP__2\n")
    both = module("parlor.hand_both", "def both(x):\n    return a(x) + b(x)\n", a=one.a, b=two.b)
    with pytest.raises(GameError, match="b has a variable called STEP__2; please give it another name"):
        link([both.both], {})


def test_names_of_the_text_itself_and_of_python_are_not_taken(module: Callable[..., ModuleType]) -> None:
    text = (
        "entry = 3\nnumpy = 4\nbase64 = 5\nmax = 6\ndef f(x):\n    return x + entry + numpy * 10 + base64 * 100 + max\n"
    )
    one = module("parlor.hand_one", text)
    assert run(one.f, 0) == 3 + 40 + 500 + 6
    assert "entry__2 = 3" in link([one.f], {})


# -------------------------------------------------------------------------------------------------- tuples and arrays


@pytest.mark.parametrize(
    ("use", "table", "array"),
    [
        ("TABLE[i]", "(7, 8, 9)", True),
        ("TABLE[i] + TABLE[i + 1]", "(7, 8, 9)", True),
        ("TABLE[i][0]", "((1, 2), (3, 4))", True),
        ("TABLE[i][0][1]", "(((1, 2), (3, 4)), ((5, 6), (7, 8)))", True),
        ("len(TABLE)", "(7, 8, 9)", False),
        ("TABLE[i] + len(TABLE)", "(7, 8, 9)", False),
        ("sum(TABLE[i])", "((1, 2), (3, 4))", False),
        ("TABLE[i][0] + len(TABLE[i])", "((1, 2), (3, 4))", False),
        ("len(TABLE[i:])", "(7, 8, 9)", False),
        ("TABLE[i]", "(1.5, 2.5)", False),
        ("TABLE[i]", "(True, False)", False),
        ("TABLE[i][0]", "((1, 2), (3,))", False),
        ("TABLE[i]", "(1, 2.5)", False),
    ],
)
def test_only_tables_of_integers_that_are_only_indexed_become_arrays(
    module: Callable[..., ModuleType], use: str, table: str, array: bool
) -> None:
    text = f"TABLE = {table}\ndef f(i):\n    return {use}\n"
    ours, theirs = module("parlor.hand_one", text), module("their_one", text)
    for i in (0, 1):
        assert run(ours.f, i) == ours.f(i) == run(theirs.f, i)
    assert isinstance(namespace(ours.f)["TABLE"], np.ndarray) == array
    assert isinstance(namespace(theirs.f)["TABLE"], tuple)


def test_a_table_may_be_an_array_to_one_function_and_a_tuple_to_another(module: Callable[..., ModuleType]) -> None:
    text = "TABLE = (4, 5, 6)\ndef at(i):\n    return TABLE[i]\ndef size():\n    return len(TABLE)\n"
    one = module("parlor.hand_one", text + "def both(i):\n    return at(i) * 10 + size()\n")
    assert run(one.both, 2) == 63
    kinds = {type(value) for name, value in namespace(one.both).items() if name.startswith("TABLE")}
    assert kinds == {np.ndarray, tuple}


@pytest.mark.parametrize(
    ("value", "depth"),
    [
        ((1, 2), 1),
        (((1, 2), (3, 4)), 2),
        ((), 0),
        (((1, 2), (3,)), 0),
        ((1, (2,)), 0),
        ((1.0,), 0),
        (3, 0),
        ((True,), 0),
    ],
)
def test_the_depth_of_a_table(value: Any, depth: int) -> None:
    assert _depth(value) == depth


@pytest.mark.parametrize(
    ("use", "depth", "only"),
    [
        ("T[0]", 1, True), ("T[0] + T[i]", 1, True), ("T", 1, False), ("T[0:1]", 1, False), ("T[0, 1]", 1, False),
        ("T[0] + len(T)", 1, False), ("T[0][1]", 2, True), ("T[0]", 2, False), ("T[0][1] + T[1]", 2, False),
        ("T[T[0]]", 1, True),
    ],
)  # fmt: skip
def test_what_only_indexes(use: str, depth: int, only: bool) -> None:
    definition = ast.parse(f"def f(i):\n    return {use}\n").body[0]
    assert isinstance(definition, ast.FunctionDef)
    assert _only_indexed(definition, "T", depth) == only


# ----------------------------------------------------------------------------------------------------------- constants


@pytest.mark.parametrize(
    "value",
    [
        3, -4, True, None, 2.5, math.inf, -math.inf, (1, 2), (1,), (), (1, (2.5, (True, -math.inf))),
        np.arange(6).reshape(2, 3), np.array([[1.5, 2.5]], np.float32),
        np.arange(LARGE + 1, dtype=np.int16), np.arange(2.0 * LARGE).reshape(4, -1)[:, ::2][:, : LARGE // 2],
        np.arange(4 * LARGE).reshape(2, -1).T,
    ],
)  # fmt: skip
def test_a_constant_is_written_so_that_it_is_read_again(value: Any) -> None:
    found: dict[str, Any] = {}
    exec(constant("X", value), found)
    if isinstance(value, np.ndarray):
        assert found["X"].dtype == value.dtype
        assert found["X"].shape == value.shape
        assert np.array_equal(found["X"], value)
        packed = value.size > LARGE
        assert ("base64" in constant("X", value)) == packed
    else:
        assert found["X"] == value
        assert type(found["X"]) is type(value)


def test_not_a_number_is_written_too() -> None:
    found: dict[str, Any] = {}
    exec(constant("X", (math.nan, 1.0)), found)
    assert math.isnan(found["X"][0])


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (1, 1, True), (1, 2, False), (1, 1.0, False), (1, True, False), (0, None, False), (0.0, -0.0, False),
        ((1, 2), (1, 2), True), ((1, 2), (2, 1), False), ((1, 2), np.array([1, 2]), False),
        (np.arange(4), np.arange(4), True), (np.arange(4), np.arange(4).reshape(2, 2), False),
        (np.arange(4), np.arange(4).astype(np.int32), False), (np.arange(9000), np.arange(9000), True),
        (np.arange(9000), np.arange(9000).reshape(3, -1), False), (np.arange(9000), np.arange(9000)[::-1], False),
        (len, len, True), (len, max, False),
    ],
)  # fmt: skip
def test_what_counts_as_the_same(a: Any, b: Any, same: bool) -> None:
    assert _same(a, b) == _same(b, a) == same


# ------------------------------------------------------------------------------------------------ slots and modules


def test_slots_are_filled_wherever_they_are_used(module: Callable[..., ModuleType]) -> None:
    one = module(
        "parlor.hand_one",
        "def slot(x):\n    return -1\ndef deep(x):\n    return slot(x) * 2\ndef f(x):\n    return slot(x) + deep(x)\n",
    )
    other = module("parlor.hand_two", "BY = 100\ndef filled(x):\n    return x * BY\n")
    assert run(one.f, 3) == -3
    assert run(one.f, 3, bound={one.slot: other.filled}) == 300 + 600


def test_attributes_of_neighbours_are_followed(module: Callable[..., ModuleType], tmp_path: Path) -> None:
    near = module("hand_near", "STEP = 5\ndef add(x):\n    return x + STEP\n")
    text = """
import math
near_STEP = 1
def f(x):
    near_add = 2
    return near.add(x) + near.STEP + near_STEP + near_add + math.floor(1.9)
"""
    one = module("hand_user", text, near=near)
    assert run(one.f, 10) == one.f(10) == 15 + 5 + 1 + 2 + 1
    two = module("hand_wrong", "def f(x):\n    return near.nothing\n", near=near)
    with pytest.raises(GameError, match=r"f uses near.nothing, which does not exist"):
        link([two.f], {})


def test_the_words_of_kernels_have_counterparts(module: Callable[..., ModuleType]) -> None:
    one = module(
        "parlor.hand_one",
        "def f(target, source):\n    copy(target, 0, source, 1)\n    assign(target, 1, source[0])\n    return target\n",
        copy=kernel.copy,
        assign=kernel.assign,
    )
    assert run(one.f, [0, 0], [7, 8]) == [8, 7]


def test_what_a_function_reads_and_does_not_set() -> None:
    text = """
def f(a, *, b=1):
    '''A docstring.'''
    c: int = a
    d: int
    for e in range(LIMIT):
        c += helper(e) + b
    return [g + OTHER for g in (c, a)]
"""
    definition = ast.parse(text).body[0]
    assert isinstance(definition, ast.FunctionDef)
    local, read = names_in(definition)
    assert local == {"a", "b", "c", "d", "e", "g"}
    assert read == {"range", "LIMIT", "helper", "OTHER", "int"}


def test_annotations_and_docstrings_are_left_out(module: Callable[..., ModuleType]) -> None:
    one = module(
        "parlor.hand_one",
        "def f(a: 'X', *, b: 'Y' = 2) -> 'Z':\n    '''Words.'''\n    c: int = a\n    d: int\n    return c * b\n",
    )
    written = ast.unparse(definition_of(one.f))
    assert written == "def f(a, *, b=2):\n    c = a\n    return c * b"
    assert run(one.f, 4) == 8
    empty = module("parlor.hand_two", "def g(a):\n    '''Only words.'''\n")
    assert run(empty.g, 4) is None


# --------------------------------------------------------------------------------------------------------- the cache


def fill_nothing(out: Any) -> None:
    """The kernel that stands for the arrays below."""
    out[0] = 1


def fill_otherwise(out: Any) -> None:
    """Another one."""
    out[0] = 2


def test_arrays_are_known_by_their_kernel_their_shape_and_their_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path / "deep" / "cache"))
    assert cache_folder() == tmp_path / "deep" / "cache"
    filled: list[Any] = []

    def fill(array: Any) -> None:
        filled.append((array.shape, array.dtype.name))
        array[...] = len(filled)

    cases: list[tuple[Any, tuple[int, ...], Any, tuple[Any, ...]]] = [
        (fill_nothing, (3,), np.int64, ()),
        (fill_nothing, (4,), np.int64, ()),
        (fill_nothing, (3,), np.int32, ()),
        (fill_otherwise, (3,), np.int64, ()),
        (fill_nothing, (3,), np.int64, (fill_otherwise,)),
    ]
    for again in range(2):
        for number, (kernel_, shape, dtype, after) in enumerate(cases, 1):
            found = cached_array("hand", kernel_, shape, dtype, fill, after)
            assert (found.shape, found.dtype) == (shape, np.dtype(dtype))
            assert found.tolist() == np.full(shape, number).tolist(), again
    assert len(filled) == len(cases)
    with cache_only():
        assert cached_array("hand", fill_nothing, (3,), np.int64, fill).tolist() == [1, 1, 1]
        with pytest.raises(NotCached, match="hand has not been computed"):
            cached_array("hand", fill_nothing, (5,), np.int64, fill)
    assert cached_array("hand", fill_nothing, (5,), np.int64, fill).tolist() == [6] * 5
    assert not list(cache_folder().glob("*.draft"))


def test_an_array_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOR_CACHE", str(tmp_path))

    def fail(array: Any) -> None:
        raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        cached_array("hand", fill_nothing, (3,), np.int64, fail)
    assert not list(tmp_path.glob("*.npy"))
    assert not list(tmp_path.glob("*.draft"))

    def fill(array: Any) -> None:
        array[:] = 8

    assert cached_array("hand", fill_nothing, (3,), np.int64, fill).tolist() == [8] * 3
