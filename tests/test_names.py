"""Generic code names no game: a game's name stands in its own rooms and in the registries, and nowhere else.

A room is a file or a folder that is called by the game: `games/leduc/rules.py`, `games/monopoly_deal/agents/`,
`games/holdem/engine/match.py`. What is looked at are names and strings; docstrings and comments may give examples, and
so may sentences (strings with a blank) that commands print.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlor.game.loading import GAMES

ROOT = Path(__file__).parent.parent
REGISTRIES = {
    "parlor/game/loading/__init__.py",
    "web/src/games/index.tsx",
}
#: Commands that are about one game.
COMMANDS = {"parlor/cli/commands/notepad.py": "clue"}
GENERATED = {"web/src/api/schema.d.ts"}
STRINGS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


def letters(text: str) -> str:
    """What is left of hold'em, HOLDEM and Holdem."""
    return re.sub("[^a-z]", "", text.lower())


def rooms(path: Path) -> set[str]:
    """The games in whose rooms a file lies."""
    parts = [part.partition(".")[0].replace("-", "_") for part in path.parts]
    modules = {game: game.replace("-", "_") for game in GAMES}
    own = {game for game, own in modules.items() if any(part == own or part.startswith(f"{own}_") for part in parts)}
    return own | ({COMMANDS[str(path)]} if str(path) in COMMANDS else set())


def python_words(source: str, sentences: bool) -> Iterator[tuple[int, str]]:
    """Names and strings with their lines; no docstrings, and no sentences unless they are asked for."""
    bare = (
        n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
    )
    docstrings = {(node.lineno, node.col_offset) for node in bare}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME or (
            token.type in STRINGS and token.start not in docstrings and (sentences or " " not in token.string)
        ):
            yield token.start[0], token.string


def script_words(source: str) -> Iterator[tuple[int, str]]:
    """The lines without comments."""
    source = re.sub(r"/\*.*?\*/", lambda found: "\n" * found[0].count("\n"), source, flags=re.DOTALL)
    for number, line in enumerate(source.splitlines(), 1):
        yield number, re.sub(r"(^|\s)//.*", "", line)


def named(path: Path, source: str) -> list[str]:
    """Where a file names a game that is not its own."""
    everything = letters(source)
    others = {game: letters(game) for game in GAMES if game not in rooms(path) and letters(game) in everything}
    if not others:  # as nearly everywhere
        return []
    speaks = path.parts[:2] == ("parlor", "cli")
    words = python_words(source, sentences=not speaks) if path.suffix == ".py" else script_words(source)
    spelled = ((line, letters(text)) for line, text in words)
    return [f"{path}:{line} {game}" for line, text in spelled for game, name in others.items() if name in text]


FILES = [
    path.relative_to(ROOT)
    for folder, endings in (("parlor", {".py"}), ("web/src", {".ts", ".tsx"}))
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in endings and str(path.relative_to(ROOT)) not in REGISTRIES | GENERATED
]


def test_games_are_named_in_their_own_rooms_only() -> None:
    found = {str(path): named(path, (ROOT / path).read_text()) for path in FILES}
    assert not [place for places in found.values() for place in places]


@pytest.mark.parametrize(
    ("path", "source", "found"),
    [
        ("parlor/arena/match.py", 'if game.name == "holdem":\n    pass\n', ["holdem"]),
        ("parlor/arena/match.py", "from parlor.games.monopoly_deal import view\n", ["monopoly-deal"]),
        ("parlor/arena/match.py", 'raise ValueError(f"{name} is no blueprint of hold\'em")\n', ["holdem"]),
        ("parlor/arena/match.py", "class LiarsDiceView: ...\n", ["liars-dice"]),
        ("parlor/arena/match.py", '"""As in Kuhn."""  # and in leduc\n', []),
        ("parlor/arena/kuhn_match.py", "KUHN = 1\n", []),
        ("parlor/games/leduc/rules.py", "from parlor.games.kuhn.rules import start\n", ["kuhn"]),
        ("parlor/cli/commands/play.py", 'print("for instance leduc")\n', []),
        ("parlor/cli/commands/play.py", 'usual = {"leduc": 3}\n', ["leduc"]),
        ("web/src/games/goofspiel/board.tsx", 'const game = "goofspiel";\n', []),
        ("web/src/lobby/page.tsx", '/* kuhn */ const flagship = "goofspiel"; // leduc\n', ["goofspiel"]),
    ],
)
def test_it_would_be_found(path: str, source: str, found: list[str]) -> None:
    assert [place.rpartition(" ")[2] for place in named(Path(path), source)] == found
