"""The same rules, compiled.

`link` starts from a kernel, follows every global name it uses (helpers, the game's seven rules, their helpers and
constants, across modules) and writes all of it into one self-contained source text. `compile` turns that text into
machine code with Numba, keeping the result in a folder named by the hash of the text: whatever changes anywhere in the
rules or the kernel changes the text, so a stale result cannot be found. `interpret` runs the kernel as plain Python
over the same rules.

Kernels use no recursion, closures or functions as arguments (Numba would not cache them, or worse); integers have 64
bits.
"""

from __future__ import annotations

import ast
import base64
import builtins
import contextlib
import functools
import hashlib
import importlib.util
import inspect
import logging
import math
import os
import shutil
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from parlor import kernel
from parlor.complaint import explain
from parlor.game import RULES, Game, GameError

log = logging.getLogger("parlor.native")


class CannotCompile(GameError):
    """Rules that are good Python but that cannot be compiled."""


_RESERVED = object()
LARGE = 4096  # numbers in an array that is no longer written out, but packed
MODULES = (math, np)  # what compiled rules may import

#: The compiled counterparts of the kernel words that plain Python spells differently.
COUNTERPARTS: dict[Callable[..., Any], str] = {
    kernel.copy: "@njit\ndef {name}(target, i, source, j):\n    target[i] = source[j]\n",
    kernel.claim: "from parlor.atomic import claim as {name}\n",
    kernel.fetch_add: "from parlor.atomic import fetch_add as {name}\n",
}
_without_game: dict[Callable[..., Any], Callable[..., Any]] = {}
#: Only the entry is called from outside and kept: a wrapper and a file for each helper would double the time it takes.
#: No reference counts of arrays, which cost a fifth of the time and make threads wait for each other; rules that make
#: arrays of their own are compiled with them.
PRELUDE = """import functools
import numba

entry = functools.partial(numba.njit, cache=True, nogil=True, _nrt={nrt})
njit = functools.partial(numba.njit, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt={nrt})
"""


Slots = Mapping[Callable[..., Any], Callable[..., Any]]


def native(entry: Callable[..., Any], game: Game | None = None, also: Slots | None = None) -> Callable[..., Any]:
    """`entry`, compiled for `game` (or for no game, if it calls no rules); `also` fills slots that are no rules."""
    if game is None:
        if entry not in _without_game:
            _without_game[entry] = compile(link([entry], {}), entry.__name__, "all games")
        return _without_game[entry]
    if not game.native:
        raise GameError(f"{game.name} lives in another library and cannot be compiled.")
    made: dict[Any, Callable[..., Any]] = game.cache.setdefault("kernels", {})
    which = (entry, frozenset((also or {}).items()))
    if which not in made:
        made[which] = compile(link([entry], bindings(game) | dict(also or {})), entry.__name__, game.name)
    return made[which]


def interpret(entry: Callable[..., Any], game: Game, also: Slots | None = None) -> Callable[..., Any]:
    """`entry` as plain Python, bound to the game's rules and to what fills the other slots."""
    return _rebound(entry, bindings(game), dict(also or {}), {})


def states(game: Game, count: int, compiled: bool) -> Any:
    """Room for `count` states, as compiled kernels or as plain ones want them."""
    if not compiled:
        return [game.new_state() for _ in range(count)]
    return np.zeros(count, dtype=record_type(game))


def record_type(game: Game) -> np.dtype[np.void]:
    """The game's state as a NumPy record."""
    assert game.schema is not None
    return np.dtype([(name, np.int64, field.shape) for name, field in game.schema.items()])


def bindings(game: Game) -> dict[Callable[..., Any], Callable[..., Any]]:
    """What the rules named in a kernel stand for."""
    bound: dict[Callable[..., Any], Callable[..., Any]] = {
        getattr(kernel, rule): getattr(game.rules, rule) for rule in RULES
    }
    bound[kernel.resolve] = game.resolve
    if game.deal is not None:
        bound[kernel.deal] = game.deal
    if game.imagine is not None:
        bound[kernel.imagine] = game.imagine
    if game.line is not None:
        bound[kernel.line] = game.line
    return bound


def version(game: Game) -> str:
    """A short hash of the rules: it changes when anything they do changes."""
    if not game.native:
        return hashlib.sha256(game.name.encode()).hexdigest()[:16]
    if "version" not in game.cache:
        rules = [getattr(game.rules, rule) for rule in RULES]
        fields = repr({name: (f.seen_by, f.shape) for name, f in (game.schema or {}).items()})
        game.cache["version"] = hashlib.sha256((link(rules, {}) + fields).encode()).hexdigest()[:16]
    return str(game.cache["version"])


# --------------------------------------------------------------------------------------------------- plain


def _rebound(
    function: Callable[..., Any], bound: Slots, also: Slots, done: dict[Any, Callable[..., Any]]
) -> Callable[..., Any]:
    """A copy of a kernel function whose globals, and those of its helpers, have the rules in place."""
    function = also.get(function, function)  # a kernel itself
    if function in bound:
        return bound[function]
    if not isinstance(function, FunctionType) or not function.__module__.startswith("parlor"):
        return function
    if function not in done:
        namespace: dict[str, Any] = {"__builtins__": __builtins__}
        copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
        done[function] = copy
        for name in _global_names(_definition(function)):
            if name in function.__globals__:
                value = function.__globals__[name]
                namespace[name] = _rebound(value, bound, also, done) if isinstance(value, FunctionType) else value
    return done[function]


# --------------------------------------------------------------------------------------------------- the linker


def link(entries: Sequence[Callable[..., Any]], bound: Mapping[Callable[..., Any], Callable[..., Any]]) -> str:
    """One source text with the functions `entries` and everything they need, in the order in which it is met."""
    names: dict[str, Any] = dict.fromkeys(
        (*dir(builtins), "njit", "entry", "numba", "functools", "numpy", "base64"), _RESERVED
    )
    names |= {entry.__name__: entry for entry in entries}  # name in the text -> what it stands for
    pieces: list[str] = []
    queue: list[tuple[str, Any]] = [(entry.__name__, entry) for entry in entries]
    while queue:
        name, value = queue.pop(0)
        if not isinstance(value, FunctionType):
            pieces.append(_constant(name, value))
            continue
        if value in COUNTERPARTS:
            pieces.append(COUNTERPARTS[value].format(name=name))
            continue
        definition = _definition(value)
        renamed: dict[str, str] = {}
        for used in sorted(_global_names(definition)):
            if used not in value.__globals__:
                continue
            target = value.__globals__[used]
            if isinstance(target, FunctionType):
                target = bound.get(target, target)
            elif _our_own(value) and (depth := _depth(target)) and _only_indexed(definition, used, depth):
                target = np.array(target)  # much faster to index than a tuple
            elif not _is_constant(target) and target not in MODULES:
                raise GameError(
                    f"{value.__name__} uses {used}, a {type(target).__name__}: compiled rules may use numbers, "
                    f"tuples of numbers, plain functions and the modules math and numpy."
                )
            linked, number = used, 2
            while linked in names and not _same(names[linked], target):
                linked, number = f"{used}__{number}", number + 1
            if linked != used and linked in value.__code__.co_varnames:
                raise GameError(f"{value.__name__} has a variable called {linked}; please give it another name.")
            if linked not in names:
                names[linked] = target
                queue.append((linked, target))
            renamed[used] = linked
        definition.name = name
        pieces.append("@njit\n" + ast.unparse(_Renamed(renamed).visit(definition)) + "\n")
    return "\n".join(pieces)


def _definition(function: FunctionType | Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of a function, without annotations and docstring."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError):
        raise GameError(f"The source of {function} cannot be read, so it cannot be compiled.") from None
    if not isinstance(tree, ast.FunctionDef):
        raise GameError(f"{function} must be an ordinary function (def …) to be compiled.")
    if tree.decorator_list:
        raise GameError(f"{tree.name} is decorated; rules are plain, undecorated functions.")
    if isinstance(function, FunctionType) and function.__code__.co_freevars:
        names = ", ".join(function.__code__.co_freevars)
        raise GameError(f"{tree.name} uses {names} of a function around it; rules may use only globals.")
    tree.returns = None
    for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    if isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
        tree.body = tree.body[1:] or [ast.Pass()]
    return _Unannotated().visit(tree)


class _Unannotated(ast.NodeTransformer):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else None


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def _global_names(definition: ast.FunctionDef) -> set[str]:
    names = [node for node in ast.walk(definition) if isinstance(node, ast.Name)]
    local = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    local |= {argument.arg for argument in ast.walk(definition) if isinstance(argument, ast.arg)}
    return {node.id for node in names if isinstance(node.ctx, ast.Load)} - local


def _our_own(function: FunctionType) -> bool:
    """Whether a function is Parlor's: tests hold it to its bounds, which arrays, unlike tuples, do not check."""
    return function.__module__.startswith("parlor.")


def _depth(value: Any) -> int:
    """The number of dimensions of a tuple that has the shape of an array of integers; 0 if it has not."""
    if not isinstance(value, tuple) or not value:
        return 0
    if all(type(v) is int for v in value):
        return 1
    depths = {(_depth(v), len(v) if isinstance(v, tuple) else 0) for v in value}
    [(depth, _), *others] = depths
    return depth + 1 if depth and not others else 0


def _only_indexed(definition: ast.FunctionDef, name: str, depth: int) -> bool:
    """Whether a function does nothing with a table but look numbers up in it."""
    uses = {id(n) for n in ast.walk(definition) if isinstance(n, ast.Name) and n.id == name}
    for _ in range(depth):
        looked_up = [
            n for n in ast.walk(definition)
            if isinstance(n, ast.Subscript) and id(n.value) in uses and not isinstance(n.slice, ast.Slice | ast.Tuple)
        ]  # fmt: skip
        if len(looked_up) != len(uses):
            return False
        uses = {id(n) for n in looked_up}
    return True


def _is_constant(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_constant(v) for v in value)
    return isinstance(value, (bool, int, float, np.ndarray)) or value is None


def _same(a: Any, b: Any) -> bool:
    return a is b or (_is_constant(a) and _is_constant(b) and _constant("x", a) == _constant("x", b))


def _constant(name: str, value: Any) -> str:
    if isinstance(value, ModuleType):
        return f"import {value.__name__} as {name}\n"
    if isinstance(value, np.ndarray):
        if value.size > LARGE:
            packed = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
            bytes_again = f"base64.b64decode({packed!r})"
            shaped = f"numpy.frombuffer({bytes_again}, dtype=numpy.{value.dtype.name}).reshape({value.shape!r})"
            return f"import base64\nimport numpy\n{name} = {shaped}\n"
        return f"import numpy\n{name} = numpy.array({value.tolist()!r}, dtype=numpy.{value.dtype.name})\n"
    return f"{name} = {_literal(value)}\n"


def _literal(value: Any) -> str:
    if isinstance(value, tuple):
        return "(" + "".join(f"{_literal(v)}, " for v in value) + ")"
    return f"float({str(value)!r})" if isinstance(value, float) and not math.isfinite(value) else repr(value)


# --------------------------------------------------------------------------------------------------- the compiler


def cache_folder() -> Path:
    """Where compiled kernels are kept: $PARLOR_CACHE, else the user's cache folder, else a temporary one."""
    base = os.environ.get("PARLOR_CACHE")
    if not base:
        base = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "parlor")
    folder = Path(base)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    folder = Path(tempfile.gettempdir()) / f"parlor-cache-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    return folder


class NotMade(GameError):
    """An array that is not in the cache yet, where nobody may wait for it."""


_may_make = ContextVar("may_make", default=True)


@contextmanager
def ready_made() -> Iterator[None]:
    """Within this, what `kept` does not find in the cache is not computed: that would take long, and the compiler."""
    token = _may_make.set(False)
    try:
        yield
    finally:
        _may_make.reset(token)


def kept(
    name: str,
    kernel: Callable[..., Any],
    shape: tuple[int, ...],
    dtype: Any,
    fill: Callable[[Any], None],
    after: Sequence[Callable[..., Any]] = (),
) -> np.ndarray[Any, Any]:
    """An array that takes long to compute: `fill` computes it once, later it is mapped into memory from the cache.

    Its file is named, as compiled kernels are, by the hash of the source that it comes from: that of the kernel that
    computes it and of those, `after` which it comes, that have computed what it is computed from.
    """
    text = f"{link([kernel, *after], {})}\0{np.dtype(dtype)}\0{shape}"
    path = cache_folder() / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:20]}.npy"
    size = math.prod(shape) * np.dtype(dtype).itemsize
    if not path.exists():
        if not _may_make.get():
            raise NotMade(f"The card tables are not all there: {name} has not been computed on this machine yet.")
        room = shutil.disk_usage(path.parent).free
        if room < size + (1 << 20):
            raise GameError(
                f"{path.parent} has room for {room >> 20} MB, and {name} needs {size >> 20}; "
                f"the environment variable PARLOR_CACHE names another folder."
            )
        how_large = f", {size >> 20} MB" if size >> 20 else ""
        log.info("computing %s%s (once; later runs find it ready)", name, how_large)
        draft = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}.draft")
        try:
            array: Any = np.lib.format.open_memmap(draft, mode="w+", dtype=np.dtype(dtype), shape=shape)
            fill(array)
            array.flush()
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    return np.load(path, mmap_mode="r")


def compile(text: str, entry: str, what: str) -> Callable[..., Any]:
    """The function `entry` of a linked text, to be compiled at its first call or taken from the cache."""
    return _explained(functools.partial(_loaded, text, entry), entry, what)


def _loaded(text: str, entry: str, nrt: bool) -> Any:
    """The function as Numba's, not yet compiled."""
    import numba

    prelude = PRELUDE.format(nrt=nrt)
    atomic = Path(__file__).with_name("atomic.py").read_text()
    settings = (prelude, atomic, numba.__version__, sys.version, os.environ.get("NUMBA_BOUNDSCHECK", "0"))
    digest = hashlib.sha256("\0".join((text, *settings)).encode()).hexdigest()
    module_name = f"parlor_native_{digest[:20]}"
    if module_name not in sys.modules:
        folder = cache_folder() / digest[:20]
        path = folder / f"{entry}.py"
        if not path.exists():
            folder.mkdir(exist_ok=True)
            draft = folder / f"{entry}.{os.getpid()}.{threading.get_ident()}.draft"
            draft.write_text(prelude + "\n" + text.replace(f"@njit\ndef {entry}(", f"@entry\ndef {entry}(", 1))
            draft.replace(path)
        spec = importlib.util.spec_from_file_location(module_name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[module_name] = module
    return getattr(sys.modules[module_name], entry)


def _explained(loaded: Callable[[bool], Any], entry: str, what: str) -> Callable[..., Any]:
    """The compiled function; its first call says if it has to compile, and turns pages of complaint into a sentence."""
    import numba

    function: Any = None
    lock = threading.Lock()  # threads that come at the same time wait for one of them to compile

    def prepared(args: tuple[Any, ...], nrt: bool) -> Any:
        made = loaded(nrt)
        if not any(Path(made.py_func.__code__.co_filename).parent.glob(f"__pycache__/{entry}.{entry}-*.nbi")):
            log.info("compiling %s for %s (once; later runs find it ready)", entry, what)
        made.compile(tuple(map(numba.typeof, args)))
        return made

    def call(*args: Any) -> Any:
        nonlocal function
        with lock if function is None else contextlib.nullcontext():
            if function is None:
                try:
                    try:
                        function = prepared(args, False)
                    except Exception:  # it raises whatever comes to its mind, not only its own errors
                        function = prepared(args, True)
                except Exception as error:
                    raise CannotCompile(f"{what}: {explain(error)}") from None
        return function(*args)

    return call
