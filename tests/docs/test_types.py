"""The Python of the README and of docs/python.md is among what mypy reads, and that of the page runs."""

import linecache
import tomllib
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, TYPED, module, program

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("page", TYPED)
def test_mypy_reads_the_code_as_it_stands_on_the_page(page: str) -> None:
    path, text = module(page)
    assert path.read_text() == text, "python -m tests.docs.pages writes it anew"
    folders = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["files"]
    assert path.relative_to(ROOT).parts[0] in folders


def test_the_python_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the cells of a notebook would, in one namespace, their lines left with linecache."""
    pytest.importorskip("pyspiel")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    source, name = program("docs/python.md"), "<cells of docs/python.md>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(compile(source, name, "exec"), namespace)
    assert repr(namespace["report"]).endswith("exploitability 0.00236>")
    assert repr(namespace["coin"]) == "<coin: 2 players, zero-sum>"
    assert namespace["there"] == pytest.approx({"fold": 0.81, "call": 0.12, "raise": 0.05}, abs=0.02)
