"""Modules import from their own layer and those to the left of it; no module and no room imports itself in a circle.

A module's kind says where it stands: mostly its room, but a game's agents are agents although they lie beside its
rules. Lazy imports count, and so do those that are only for types: they tie two modules together as much as any other.

`ROOM_EXCEPTIONS`, `EXCEPTIONS`, `MUTUAL` and `CYCLES` are what is not so yet. Each is to be mended; none may be added.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: The kinds of modules by the beginning of their path below parlor/; the longest that fits is meant, `X` is any name.
KINDS = {
    "game/": "game",
    "compile/": "compile",
    "sequence_form/": "sequence form",
    "policies/": "policies",
    "poker/poker_rules.py": "hands",
    "poker/hands/": "hands",
    "games/": "games",
    "solvers/": "solvers",
    "search/": "search",
    "learn/": "learn",
    "population/": "population",
    "poker/": "poker",
    "agents/": "agents",
    "poker/every_hand.py": "agents",
    "games/X/agents/": "games' agents",
    "agents/registry.py": "all agents",
    "arena/": "arena",
    "arena/statistics.py": "policies",  # arrays in, arrays out: it knows no game
    "contract/": "contract",
    "interop/": "interop",
    "poker/measures/": "arena",
    "games/X/gap.py": "games' measures",
    "games/X/engine/": "games' measures",
    "runs/": "runs",
    "population/run/": "population runs",
    "tuning/": "tuning",
    "server/": "server",
    "server/api/": "api",
    "server/schemas/": "schemas",
    "server/schemas/mind.py": "server",
    "server/schemas/quiz.py": "server",
    "server/schemas/tables.py": "server",
    "server/refusal.py": "schemas",
    "server/catalogue/characters.py": "seated agents",
    "server/catalogue/folders.py": "seated agents",
    "server/catalogue/seating.py": "seated agents",
    "server/operations/": "schemas",
    "page/": "displays",
    "games/X/page.py": "pages",
    "games/X/page/": "pages",
    "server/catalogue/displays.py": "all pages",
    "study/": "study",
    "cli/": "cli",
    "__main__.py": "cli",
} | dict.fromkeys(
    # an empirical game that is played, and kept
    [
        f"population/empirical/{name}.py"
        for name in [
            "agent_versions",
            "cells",
            "empirical_figures",
            "empirical_game_files",
            "empirical_game_writer",
            "empirical_games",
        ]
    ],
    "population runs",
)

#: Left may not import right. Kinds of one layer may import each other, but no two of them both ways.
LAYERS = (
    ("game", "compile"),
    ("sequence form",),
    ("policies", "hands"),
    ("games",),
    ("solvers", "search"),
    ("learn", "population", "poker"),
    ("agents", "all agents"),
    ("arena", "contract", "interop", "games' agents", "games' measures"),
    ("runs", "population runs", "tuning"),
    ("schemas", "seated agents", "displays", "pages", "all pages", "server", "study", "api", "cli"),
)
RANK = {kind: rank for rank, kinds in enumerate(LAYERS) for kind in kinds}

#: The rooms, which are the folders of parlor/: left may not import right, so that no two of them import each other.
ROOMS = (
    *("game", "compile", "sequence_form", "policies", "solvers", "search", "learn", "agents", "arena", "poker"),
    "page",
    *("games", "contract", "interop", "runs", "population", "tuning", "server", "study", "cli"),
)
#: rooms that import a room to the right
ROOM_EXCEPTIONS: set[tuple[str, str]] = set()

#: module -> what it imports from the right
EXCEPTIONS: Mapping[str, set[str]] = {}

#: kinds that import each other
MUTUAL: set[tuple[str, str]] = set()

#: modules that import each other in a circle
CYCLES: tuple[set[str], ...] = ()


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def kind_of(path: Path) -> str:
    inside = path.relative_to(ROOT / "parlor").as_posix()
    fits = [kind for kind in KINDS if re.match(re.escape(kind).replace("X", r"\w+"), inside)]
    assert fits, f"{inside} is of no kind: say in KINDS which layer it is in"
    return KINDS[max(fits, key=len)]


FILES = {name_of(path): path for path in sorted((ROOT / "parlor").rglob("*.py")) if path.parent != ROOT / "parlor"}


@cache
def imports() -> dict[str, set[str]]:
    """For each module the modules it imports."""
    return {name: set(imported(ast.parse(path.read_text()))) & FILES.keys() for name, path in FILES.items()}


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in FILES else node.module


def test_every_kind_has_a_layer() -> None:
    assert set(KINDS.values()) == RANK.keys()
    assert {kind_of(path) for path in FILES.values()} == RANK.keys()


def to_the_right() -> dict[str, set[str]]:
    found = {
        name: {other for other in others if RANK[kind_of(FILES[other])] > RANK[kind_of(FILES[name])]}
        for name, others in imports().items()
    }
    return {name: others for name, others in found.items() if others}


def test_imports_go_one_way() -> None:
    found = {name: others - EXCEPTIONS.get(name, set()) for name, others in to_the_right().items()}
    assert not {name: others for name, others in found.items() if others}


def room_of(name: str) -> str:
    return name.split(".")[1]


def test_rooms_import_one_way() -> None:
    pairs = {(room_of(name), room_of(other)) for name, others in imports().items() for other in others}
    assert {room for pair in pairs for room in pair} <= {*ROOMS}
    assert {(a, b) for a, b in pairs if ROOMS.index(a) < ROOMS.index(b)} == ROOM_EXCEPTIONS, "mend it, or off the list"


def mutual() -> set[tuple[str, str]]:
    pairs = {(kind_of(FILES[name]), kind_of(FILES[other])) for name, others in imports().items() for other in others}
    return {(a, b) for a, b in pairs if a < b and (b, a) in pairs}


def test_no_two_kinds_import_each_other() -> None:
    assert not mutual() - MUTUAL


def cycles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The strongly connected components of more than one module, by Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(graph.get(name, ())):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            at = stack.index(name)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for name in graph:
        if name not in index:
            visit(name)
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not [part for part in cycles(imports()) if not any(part <= known for known in CYCLES)]


def test_a_circle_would_be_found() -> None:
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": set()}
    assert cycles(graph) == [{"a", "b", "c"}]


def test_the_exceptions_still_exist() -> None:
    """What has been mended is taken off the lists."""
    right = to_the_right()
    assert not {
        name: others - right.get(name, set()) for name, others in EXCEPTIONS.items() if others - right.get(name, set())
    }
    assert not MUTUAL - mutual()
    assert sorted(map(sorted, CYCLES)) == sorted(map(sorted, cycles(imports())))


def test_the_rooms_are_small() -> None:
    files: defaultdict[Path, int] = defaultdict(int)
    for path in FILES.values():
        files[path.parent] += 1
    assert not {str(folder.relative_to(ROOT)): count for folder, count in files.items() if count > 16}


def test_nothing_below_runs_writes_files() -> None:
    """Except the compiler's cache."""
    for path in FILES.values():
        if RANK[kind_of(path)] >= RANK["runs"] or kind_of(path) == "compile":
            continue
        text = path.read_text()
        assert not any(word in text for word in ("write_text(", "write_bytes(", '"wb"', '"w"')), path
