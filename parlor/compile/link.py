"""The linker: a kernel and everything it uses, written into one self-contained source text.

`link` starts from a kernel and follows every global name it uses: helpers, the game's seven rules, their helpers and
constants, across modules.
"""

from __future__ import annotations

import ast
import base64
import builtins
import contextlib
import copy
import hashlib
import linecache
import math
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from parlor.compile import kernel
from parlor.game import GameError

Bindings = Mapping[Callable[..., Any], Callable[..., Any]]

_RESERVED = object()
LARGE = 4096  # numbers in an array; larger ones are packed
MODULES = (math, np)  # what compiled rules may import
LOOKS = 100_000  # about a tenth of a millisecond: until then a thread that waits for others keeps its core

#: The compiled counterparts of the kernel words that plain Python spells differently.
COUNTERPARTS: dict[Callable[..., Any], str] = {
    kernel.copy: "@njit\ndef {name}(target, i, source, j):\n    target[i] = source[j]\n",
    kernel.assign: "@njit\ndef {name}(target, i, s):\n    target[i] = s\n",
    kernel.claim: "from parlor.compile.atomic import claim as {name}\n",
    kernel.fetch_add: "from parlor.compile.atomic import fetch_add as {name}\n",
    kernel.meet: (
        "from parlor.compile.atomic import fetch_add as {name}_add\n"
        "from parlor.compile.waiting import give_way as {name}_give_way, seen as {name}_seen\n"
        "@njit\ndef {name}(gate, threads):\n"
        "    before = {name}_seen(gate, 32)\n"
        "    if {name}_add(gate, 0, 1) == threads - 1:\n"  # the last one lets all go on
        "        {name}_add(gate, 0, -threads)\n"
        "        {name}_add(gate, 32, 1)\n"
        "    looks = 0\n"
        "    while {name}_seen(gate, 32) == before:\n"
        "        looks += 1\n"
        f"        if looks > {LOOKS}:\n"
        "            {name}_give_way()\n"
    ),
}


class Wrapped:
    """A function with something around it that compiled code has no use for: the function itself is linked."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


def link(entries: Sequence[Callable[..., Any]], bound: Bindings) -> str:
    """One source text with the functions `entries` and everything they need, in the order in which it is found."""
    names: dict[str, Any] = dict.fromkeys(
        (*dir(builtins), "njit", "inlined", "entry", "_helpers", "numba", "functools", "numpy", "base64"), _RESERVED
    )
    names |= {entry.__name__: entry for entry in entries}  # name in the text -> the object
    pieces: list[str] = []
    queue: list[tuple[str, Any]] = [(entry.__name__, entry) for entry in entries]
    while queue:
        name, value = queue.pop(0)
        if not isinstance(value, FunctionType):
            pieces.append(constant(name, value))
            continue
        if value in COUNTERPARTS:
            pieces.append(COUNTERPARTS[value].format(name=name))
            continue
        written, targets = resolved(value, bound)
        renamed: dict[str, str] = {}
        for used, target in targets.items():
            if _our_own(value) and (depth := _depth(target)) and written.only_indexes(used, depth):
                target = np.array(target)  # much faster to index than a tuple
            linked, number = used, 2
            while linked in names and not _same(names[linked], target):
                linked, number = f"{used}__{number}", number + 1
            if linked != used and linked in value.__code__.co_varnames:
                raise GameError(f"{value.__name__} has a variable called {linked}; please give it another name.")
            if linked not in names:
                names[linked] = target
                queue.append((linked, target))
            renamed[used] = linked
        mark = "@inlined" if getattr(value, "inlined", False) else "@njit"
        pieces.append(f"{mark}\n{written.text(name, renamed)}\n")
    return "\n".join(pieces)


def resolved(function: FunctionType, bound: Bindings = MappingProxyType({})) -> tuple[Written, dict[str, Any]]:
    """A function as it is written, and what the global names in it stand for."""
    written, imported = _qualified(_written(function), function)
    targets: dict[str, Any] = {}
    for name in written.names:
        if name not in function.__globals__ and name not in imported:
            continue
        target = imported[name] if name in imported else function.__globals__[name]
        if isinstance(target, Wrapped):
            target = target.function
        if isinstance(target, FunctionType):
            target = bound.get(target, target)
        elif not _is_constant(target) and target not in MODULES:
            raise GameError(
                f"{function.__name__} uses {name}, a {type(target).__name__}: compiled rules may use numbers, "
                f"tuples of numbers, plain functions and the modules math and numpy."
            )
        targets[name] = target
    return written, targets


_parsing = threading.RLock()


def parse(source: str) -> ast.Module:
    """The syntax tree of a source; CPython 3.11 may stumble if another thread parses at the same moment."""
    with _parsing:
        for _ in range(5):
            with contextlib.suppress(SystemError):  # from somebody else's parsing, which has no lock
                return ast.parse(source)
        return ast.parse(source)


#: file -> its lines and the functions in it by their first lines
_files: dict[str, tuple[list[str], dict[int, ast.FunctionDef]]] = {}


def _functions_in(file: str, names: dict[str, Any]) -> dict[int, ast.FunctionDef]:
    """The functions of a file, read once: `inspect.getsource` would split it into tokens for each of them."""
    linecache.checkcache(file)
    lines = linecache.getlines(file, names)
    if file not in _files or _files[file][0] is not lines:
        found = _functions(parse("".join(lines)).body)
        _files[file] = lines, {min([node.lineno, *(one.lineno for one in node.decorator_list)]): node for node in found}
    return _files[file][1]


def _functions(statements: Sequence[ast.AST]) -> Iterator[ast.FunctionDef]:
    for node in statements:
        if isinstance(node, ast.FunctionDef):
            yield node
        for block in ("body", "orelse", "handlers", "finalbody", "cases"):
            yield from _functions(getattr(node, block, ()))


def definition_of(function: FunctionType | Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of a function, without annotations and docstring."""
    if not isinstance(function, FunctionType) or function.__name__ == "<lambda>":
        raise GameError(f"{function} must be an ordinary function (def …) to be compiled.")
    code = function.__code__
    tree = _functions_in(code.co_filename, function.__globals__).get(code.co_firstlineno)
    if tree is None or tree.name != code.co_name:
        raise GameError(f"The source of {function} cannot be read, so it cannot be compiled.")
    if [ast.unparse(one) for one in tree.decorator_list] not in ([], ["inlined"]):
        raise GameError(f"{tree.name} is decorated; rules are plain, undecorated functions.")
    if code.co_freevars:
        names = ", ".join(code.co_freevars)
        raise GameError(f"{tree.name} uses {names} of a function around it; rules may use only globals.")
    tree.decorator_list = []
    tree.returns = None
    for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    if isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Constant):
        tree.body = tree.body[1:] or [ast.Pass()]
    return _Unannotated().visit(tree)


class Written:
    """A function as it is written; what was found out about it is kept."""

    def __init__(self, definition: ast.FunctionDef) -> None:
        self.definition = definition  # which nobody changes
        self.local, read = names_in(definition)
        self.names = sorted(read)
        self.tokens: list[Any] = []  # see `fingerprint`
        self._indexed: dict[tuple[str, int], bool] = {}
        self._texts: dict[tuple[str, frozenset[tuple[str, str]]], str] = {}

    def only_indexes(self, name: str, depth: int) -> bool:
        """Whether it does nothing with a table but look something up."""
        if (name, depth) not in self._indexed:
            self._indexed[name, depth] = _only_indexed(self.definition, name, depth)
        return self._indexed[name, depth]

    def text(self, name: str, renamed: Mapping[str, str]) -> str:
        """Its source under a name, with other names for what it uses."""
        which = name, frozenset(renamed.items())
        if which not in self._texts:
            definition = self.definition
            if name != definition.name or any(old != new for old, new in renamed.items()):
                definition = _Renamed(renamed).visit(copy.deepcopy(definition))
                definition.name = name
            self._texts[which] = ast.unparse(definition)
        return self._texts[which]


#: By the code, so that a game which is loaded again is not read again: its functions are other objects.
_read: dict[tuple[str, CodeType], Written] = {}


def _written(function: FunctionType) -> Written:
    which = function.__code__.co_filename, function.__code__
    with _parsing:
        if which not in _read:
            _read[which] = Written(definition_of(function))
        return _read[which]


def names_used(function: FunctionType) -> list[str]:
    """The names that a function reads and does not set."""
    return _written(function).names


class _Unannotated(ast.NodeTransformer):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else None


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def names_in(*parts: ast.AST) -> tuple[set[str], set[str]]:
    """The names that parts of a function set, its arguments included, and those that they only read."""
    nodes = [node for part in parts for node in ast.walk(part) if isinstance(node, ast.Name | ast.arg)]
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    local = {node.arg for node in nodes if isinstance(node, ast.arg)}
    local |= {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return local, read - local


def _qualified(written: Written, function: FunctionType) -> tuple[Written, dict[str, Any]]:
    """The function with a name of its own for each `module.attribute`, and what these names stand for."""
    used = {name: function.__globals__.get(name) for name in written.names}
    modules = {name: value for name, value in used.items() if isinstance(value, ModuleType) and _neighbour(value)}
    if not modules:
        return written, {}
    imported: dict[str, Any] = {}

    class Qualified(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
            self.generic_visit(node)
            if not isinstance(node.value, ast.Name) or node.value.id not in modules:
                return node
            module = modules[node.value.id]
            if not hasattr(module, node.attr):
                raise GameError(f"{function.__name__} uses {node.value.id}.{node.attr}, which does not exist.")
            name = f"{node.value.id}_{node.attr}"
            while name in function.__globals__ or name in function.__code__.co_varnames:
                name += "_"
            imported[name] = getattr(module, node.attr)
            return ast.Name(name, node.ctx)

    return Written(Qualified().visit(copy.deepcopy(written.definition))), imported


def _neighbour(module: ModuleType) -> bool:
    """Whether a module is a file of the user's, and not of Python or an installed package."""
    file = getattr(module, "__file__", None) or ""
    installed = "site-packages" in file or "dist-packages" in file
    return bool(file) and not installed and module.__name__.partition(".")[0] not in sys.stdlib_module_names


def _our_own(function: FunctionType) -> bool:
    """Whether a function is Parlor's: its indexes are tested, and arrays, unlike tuples, do not check theirs."""
    return function.__module__.startswith("parlor.")


def _depth(value: Any) -> int:
    """The number of dimensions of a tuple that has the shape of an array of integers; else 0."""
    if not isinstance(value, tuple) or not value:
        return 0
    if all(type(v) is int for v in value):
        return 1
    depths = {(_depth(v), len(v) if isinstance(v, tuple) else 0) for v in value}
    [(depth, _), *others] = depths
    return depth + 1 if depth and not others else 0


def _only_indexed(definition: ast.FunctionDef, name: str, depth: int) -> bool:
    """Whether a function only indexes a table."""
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
    return a is b or (_is_constant(a) and _is_constant(b) and constant("x", a) == constant("x", b))


def constant(name: str, value: Any) -> str:
    """The lines that define a constant."""
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


SKIPPED = ("ctx", "kind", "type_comment")  # fields of nodes: where a name stands says whether it is set or read
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Global(NamedTuple):
    """In a function, the place of a global name, or of a parameter of the function that it stands for."""

    name: str
    parameter: str = ""


def fingerprint(entries: Sequence[Callable[..., Any]]) -> str:
    """The hash of functions and all that they use, the same in all versions of Python.

    Functions are numbered in the order in which they are met, local variables within their function; constants are
    known by their values.
    """
    found: list[Any] = list(dict.fromkeys(entries))
    numbers = {function: number for number, function in enumerate(found)}
    digest = hashlib.sha256(repr([numbers[entry] for entry in entries]).encode())
    for function in found:  # which grows meanwhile
        written, targets = resolved(function)
        written.tokens = written.tokens or list(Tokens(written).function())
        for part in written.tokens:
            token = part if isinstance(part, str) else meaning(part, targets)
            if isinstance(token, FunctionType):
                if token not in numbers:
                    numbers[token] = len(found)
                    found.append(token)
                token = f"function {numbers[token]}"
            digest.update(f"{len(token)} {token}".encode())
    return digest.hexdigest()


def meaning(place: Global, targets: dict[str, Any]) -> Any:
    """The token of what a global name stands for, or the function."""
    target = targets.get(place.name)
    if place.parameter:
        parameters = target.__code__.co_varnames if isinstance(target, FunctionType) else ()
        return str(parameters.index(place.parameter)) if place.parameter in parameters else place.parameter
    if isinstance(target, FunctionType):
        return COUNTERPARTS.get(target, target)
    return f"constant {constant('', target)}" if place.name in targets else f"builtin {place.name}"


class Tokens:
    """The syntax tree of a function in a row: local variables as numbers, places where global names stand."""

    def __init__(self, written: Written) -> None:
        self.definition = written.definition
        self.met = 0
        self.scopes: list[dict[str, int | None]] = [dict.fromkeys(written.local)]  # name -> number once met

    def function(self) -> Iterator[str | Global]:
        """The tokens of the function, without its own name."""
        yield from self.of(self.definition.args)
        yield from self.of(self.definition.body)

    def of(self, node: Any) -> Iterator[str | Global]:
        """The tokens of a part."""
        if isinstance(node, list):
            yield f"list {len(node)}"
            for part in node:
                yield from self.of(part)
        elif not isinstance(node, ast.AST):
            yield repr(node)
        elif isinstance(node, ast.Name | ast.arg):
            yield self.name(node.id if isinstance(node, ast.Name) else node.arg)
        elif isinstance(node, ast.Constant):
            yield f"constant {constant('', node.value)}"
        elif isinstance(node, COMPREHENSIONS):
            yield from self.comprehension(node)
        else:
            yield from self.fields(node)

    def fields(self, node: ast.AST) -> Iterator[str | Global]:
        """The tokens of a node; which fields are there if they are empty differs between versions of Python."""
        fields = {
            name: value for name, value in ast.iter_fields(node) if value not in (None, []) and name not in SKIPPED
        }
        yield f"{type(node).__name__} {' '.join(fields)}"
        for name, value in fields.items():
            if isinstance(node, ast.Call) and name == "keywords" and isinstance(node.func, ast.Name):
                for keyword in value:
                    yield Global(node.func.id, keyword.arg or "**")
                    yield from self.of(keyword.value)
            else:
                yield from self.of(value)

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    ) -> Iterator[str | Global]:
        """The tokens of a comprehension, whose variables are its own."""
        first, *others = node.generators
        yield type(node).__name__
        yield from self.of(first.iter)
        self.scopes.append(dict.fromkeys(names_in(*(generator.target for generator in node.generators))[0]))
        yield from self.of([first.target, first.ifs, others])
        yield from self.of([node.key, node.value] if isinstance(node, ast.DictComp) else node.elt)
        self.scopes.pop()

    def name(self, name: str) -> str | Global:
        """A variable's number, or the place of a global name."""
        for scope in reversed(self.scopes):
            if name in scope:
                if scope[name] is None:
                    scope[name] = self.met
                    self.met += 1
                return f"variable {scope[name]}"
        return Global(name)
