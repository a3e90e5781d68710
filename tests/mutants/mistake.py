"""A mistake: in which file, what stands there, what is planted instead, and the tests that should notice.

What stands there is found by its tokens, not by its text: line breaks, comments and spaces do not matter. If the code
has moved to another file it is found there, and if names in it have changed, consistently, what is planted has the new
names. So a mistake goes on working when somebody renames or moves what it spoils.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SIGNIFICANT = {tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING}
SIGNIFICANT |= {kind for name, kind in vars(tokenize).items() if name.startswith("FSTRING_")}  # since Python 3.12


def tokens(code: str) -> list[tokenize.TokenInfo]:
    """The tokens of a file, or of a fragment that may end anywhere, without layout and comments."""
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type in SIGNIFICANT:
                found.append(token)
    except (tokenize.TokenError, IndentationError):  # the end of a fragment: all tokens before it were given
        pass
    return found


def renaming(
    wanted: Sequence[tokenize.TokenInfo], there: Sequence[tokenize.TokenInfo], free: bool
) -> dict[str, str] | None:
    """The names in `wanted` -> those that stand there, if the code is the same; only if `free` may they differ."""
    names: dict[str, str] = {}
    for mine, theirs in zip(wanted, there, strict=True):
        fixed = not free or mine.type != tokenize.NAME or keyword.iskeyword(mine.string)
        if mine.type != theirs.type or keyword.iskeyword(theirs.string) != keyword.iskeyword(mine.string):
            return None
        if fixed and mine.string != theirs.string:
            return None
        if mine.type == tokenize.NAME and names.setdefault(mine.string, theirs.string) != theirs.string:
            return None
    return names if len(set(names.values())) == len(names) else None


@dataclass(frozen=True)
class Place:
    """Where the code of a mistake stands, and the names it has there."""

    file: str
    there: tuple[tokenize.TokenInfo, ...]
    names: dict[str, str]


@dataclass(frozen=True)
class Mistake:
    """A small mistake somebody might make. The code `old` stands once in the file, or once in the whole package."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def place(self, root: Path = ROOT) -> Place:
        """Where it can be planted: as it is written, else with other names; in its file, else in another."""
        here = [self.file] if (root / self.file).is_file() else []
        seen = 0
        for free in (False, True):
            for elsewhere in (False, True):
                files = [str(path.relative_to(root)) for path in root.glob("parlor/**/*.py")] if elsewhere else here
                places = [place for file in files for place in self._places(root, file, free)]
                if len(places) == 1:
                    return places[0]
                seen = seen or len(places)
        raise ValueError(
            f"{self.name}: {self.old!r} must stand once in {self.file} or in parlor; it is there {seen} times."
        )

    def _places(self, root: Path, file: str, free: bool) -> Iterator[Place]:
        wanted = tokens(self.old)
        code = _read(root / file, (root / file).stat().st_mtime_ns)
        shape = [_shape(token) for token in wanted]
        first = shape[0]
        for start in range(len(code.tokens) - len(wanted) + 1):
            if code.shapes[start] != first or code.shapes[start : start + len(shape)] != shape:
                continue
            there = code.tokens[start : start + len(wanted)]
            names = renaming(wanted, there, free)
            if names is not None:
                yield Place(file, tuple(there), names)

    def planted(self, place: Place, text: str) -> str:
        """The text of the file with the mistake in it."""
        lines = text.splitlines(keepends=True)
        (first, left), (last, right) = place.there[0].start, place.there[-1].end
        before = "".join(lines[: first - 1]) + lines[first - 1][:left]
        after = lines[last - 1][right:] + "".join(lines[last:])
        return before + self._new(place) + after

    def _new(self, place: Place) -> str:
        """What is planted, with the names and the indentation of the place."""
        text = self.new.lstrip()
        renamed = text
        for token in reversed(tokens(text)):
            if token.type == tokenize.NAME and place.names.get(token.string, token.string) != token.string:
                at = sum(len(line) for line in text.splitlines(keepends=True)[: token.start[0] - 1]) + token.start[1]
                renamed = renamed[:at] + place.names[token.string] + renamed[at + len(token.string) :]
        first, *others = renamed.split("\n")
        return "\n".join([first, *(_moved(line, self._deeper(place)) for line in others)])

    def _deeper(self, place: Place) -> int:
        """By how much the second line of the code is further to the right than in `old`."""
        wanted = tokens(self.old)
        for mine, theirs in zip(wanted, place.there, strict=True):
            if mine.start[0] > wanted[0].start[0]:
                return theirs.start[1] - mine.start[1]
        return 0

    def test_files(self, root: Path = ROOT) -> list[str]:
        """The tests that should notice; a file that has moved to another folder is found by its name."""
        return [_moved_test(root, test) for test in self.tests]


def _shape(token: tokenize.TokenInfo) -> str:
    """What two tokens have in common that may be the same but for their names."""
    return "name" if token.type == tokenize.NAME and not keyword.iskeyword(token.string) else token.string


def _moved(line: str, by: int) -> str:
    return " " * by + line if by > 0 else line[min(-by, len(line) - len(line.lstrip())) :]


def _moved_test(root: Path, test: str) -> str:
    path, colons, name = test.partition("::")
    if (root / path).exists():
        return test
    found = sorted(root.glob(f"tests/**/{Path(path).name}"))
    if len(found) != 1:
        raise ValueError(f"There is no {path}, and {Path(path).name} is there {len(found)} times.")
    return f"{found[0].relative_to(root)}{colons}{name}"


@dataclass(frozen=True)
class _Code:
    tokens: list[tokenize.TokenInfo]
    shapes: list[str]


@cache
def _read(path: Path, changed: int) -> _Code:
    found = tokens(path.read_text())
    return _Code(found, [_shape(token) for token in found])


def of(file: str, *rows: tuple[str, str, str, str]) -> list[Mistake]:
    """Several mistakes of one file: name, old, new, tests in a line."""
    return [Mistake(name, f"parlor/{file}", old, new, tuple(tests.split())) for name, old, new, tests in rows]
