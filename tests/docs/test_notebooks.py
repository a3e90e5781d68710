"""The notebooks run from top to bottom, and show what their text says."""

import json
import re
from pathlib import Path, PurePosixPath

import pytest

from docs.site import notebooks
from docs.site.__main__ import ROOT, collect, with_links

pytestmark = pytest.mark.slow

NEEDS = {"4-train-a-network": "jax", "6-analyse-a-study": "statsmodels"}
PATHS = sorted(notebooks.FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if path.stem in NEEDS:
        pytest.importorskip(NEEDS[path.stem])
    monkeypatch.chdir(tmp_path)
    shown = [output for kind, _, output in notebooks.run(path) if kind == "code"]
    assert all(shown[1:]), "every cell but definitions shows something"
    if path.stem == "2-write-a-game":
        assert "[-0.3333, 0.3333]" in shown[-1]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_what_it_showed(path: Path) -> None:
    book = json.loads(path.read_text())
    assert (book["nbformat"], len({cell["id"] for cell in book["cells"]})) == (4, len(book["cells"]))
    assert all(not cell["outputs"] for cell in book["cells"] if cell["cell_type"] == "code")


def test_pages_of_the_site_are_linked_as_in_the_repository(tmp_path: Path) -> None:

    collect(tmp_path / "pages", execute=False)
    for page in (tmp_path / "pages").rglob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
    assert (tmp_path / "pages" / "index.md").read_text().startswith("# Parlor")


def test_links_to_sources_lead_to_the_repository() -> None:

    docs = PurePosixPath("docs/a.md")
    found = {docs, PurePosixPath("README.md"), PurePosixPath("docs/b.md")}
    text = with_links("[x](b.md#y) [r](../README.md) [s](../parlor/game/rng.py) [w](https://a.b/c)", docs, found)
    assert text == (
        "[x](../docs/b.md#y) [r](../index.md) [s](https://github.com/parlor-games/parlor/blob/main/parlor/game/rng.py) "
        "[w](https://a.b/c)"
    )
    assert ROOT.joinpath("mkdocs.yml").exists()
