"""The Python of the README and of docs/python.md passes mypy as strictly as our own, and that of the page runs."""

import linecache
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def program(page: str) -> str:
    """The blocks of a page that use Parlor, one after the other."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    used = [block for block in blocks if "parlor." in block]
    assert used
    return "\n\n".join(used)


@pytest.mark.slow
def test_the_code_passes_mypy(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    files = []
    for page in ("README.md", "docs/python.md"):
        files.append(tmp_path / f"{Path(page).stem.lower()}_page.py")
        files[-1].write_text(program(page))
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


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
