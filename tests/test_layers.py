"""Modules import from their own layer and those below it, never from above."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "parlor"
LAYERS = [
    {"errors", "schema", "options", "position", "game", "visibility", "observation", "moves", "words", "html"}
    | {"rng", "kernel", "native", "keys", "policy", "play", "distribution", "python_agent"}
    | {"settings", "strategy", "training", "position_checks"},
    {"poker"},
    {"games", "export"},
    {"solvers", "learn", "search", "contract"},
    {"agents"},
    {"arena"},
    {"runs"},
    {"server", "study", "commands", "cli", "__main__"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
MODULES = sorted(p.relative_to(ROOT) for p in ROOT.rglob("*.py") if p.name != "__init__.py" or p.parent != ROOT)


def imported(path: Path) -> set[str]:
    """The names of the parts of Parlor that a module imports."""
    parts = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "parlor":
            names = [node.module] if "." in node.module else [f"parlor.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.startswith("parlor.")]
        else:
            continue
        parts |= {name.split(".")[1] for name in names}
    return parts


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_imports_go_one_way(module: Path) -> None:
    own = RANK[module.parts[0].removesuffix(".py")]
    above = {part for part in imported(ROOT / module) if part in RANK and RANK[part] > own}
    assert not above


def test_nothing_below_runs_writes_files() -> None:
    """Except the compiler's cache."""
    for module in MODULES:
        if RANK[module.parts[0].removesuffix(".py")] >= RANK["runs"] or module.parts[0] == "native":
            continue
        text = (ROOT / module).read_text()
        assert not any(word in text for word in ("write_text(", "write_bytes(", '"wb"', '"w"')), module
