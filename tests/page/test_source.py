"""The page takes no sentence apart, and only a game's own folder and its row know the game."""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

from parlor.game.loading import GAMES

SOURCE = Path(__file__).parents[2] / "web" / "src"
FILES = [path for path in sorted(SOURCE.rglob("*.ts*")) if path.name != "schema.d.ts"]
ROWS = SOURCE / "games" / "index.tsx"
EXPRESSION = re.compile(r"\.(match|matchAll|exec|test|search)\(|RegExp|\.(replace|replaceAll|split)\(/")
#: What is no text for people: tags of the page's own elements, its address, the name of a file to save.
IMPORT = re.compile(r'(?:from |import |import\()"(\.[^"]*)"')
ALLOWED = {"target.tagName", "window.location.origin", "link.download"}


def test_no_text_is_taken_apart_by_a_regular_expression() -> None:
    found = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in FILES
        for line in path.read_text().splitlines()
        if EXPRESSION.search(line) and not any(allowed in line for allowed in ALLOWED)
    ]
    assert not found


def test_a_game_is_named_in_its_folder_and_its_row_only() -> None:
    words = {name for game in GAMES for name in (game, game.replace("-", " "), game.replace("-", "_"))} | {"hold'em"}
    named = re.compile("|".join(map(re.escape, sorted(words))), re.IGNORECASE)
    for path in FILES:
        place = path.relative_to(SOURCE)
        if path == ROWS or (place.parts[0] == "games" and place.parts[1] in GAMES):
            continue
        lines = [line for line in path.read_text().splitlines() if named.search(line)]
        assert not lines, (str(place), lines)


def test_every_game_has_a_folder_and_a_row() -> None:
    rows = ROWS.read_text()
    for game in GAMES:
        assert (SOURCE / "games" / game).is_dir()
        assert f'"./{game}"' in rows


def test_no_folder_imports_itself_over_others() -> None:
    imports: dict[str, set[str]] = {}
    for path in FILES:
        folder = path.relative_to(SOURCE).parts[0]
        for name in IMPORT.findall(path.read_text()):
            other = (path.parent / name).resolve().relative_to(SOURCE).parts[0]
            if folder != other and path.parent != SOURCE:
                imports.setdefault(folder, set()).add(other)
    assert len(imports) > 10
    TopologicalSorter(imports).prepare()  # raises for a cycle
