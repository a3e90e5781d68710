"""A hash of what functions do, blind to the names in them, to comments, docstrings and annotations."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType
from typing import Any, NamedTuple

from parlor.compile.link import COUNTERPARTS, Written, constant, names_in, resolved

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
