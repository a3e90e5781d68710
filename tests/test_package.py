"""What is installed: the extras that sentences name, and the page, without which nothing is built."""

from __future__ import annotations

import importlib.util
import os
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from setuptools.errors import SetupError

import parlor

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TEXTS = [*(ROOT / "parlor").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "Dockerfile"]


def test_sentences_name_the_distribution_and_extras_that_exist() -> None:
    named = set[str]()
    for path in TEXTS:
        for distribution, extra in re.findall(r"pip install '?([\w-]+)\[([\w,]+)\]", path.read_text()):
            assert distribution == PROJECT["name"], path
            named |= set(extra.split(","))
    assert {"server", "solve", "learn", "interop", "ray"} <= named <= PROJECT["optional-dependencies"].keys()


def test_all_has_every_extra_that_a_user_needs() -> None:
    [everything] = PROJECT["optional-dependencies"]["all"]
    named = set(re.findall(r"\w+", everything.partition("[")[2]))
    assert named == PROJECT["optional-dependencies"].keys() - {"all", "dev", "gpu", "release"}


def test_the_citation_and_the_changes_are_of_this_version() -> None:
    assert re.search(rf"^version: {re.escape(parlor.__version__)}$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert re.search(rf"^## {re.escape(parlor.__version__)}", (ROOT / "CHANGELOG.md").read_text(), re.M)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build's own program, in a folder with a page and what it is built from; there is no Node."""
    spec = importlib.util.spec_from_file_location("parlor_setup", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page, source = tmp_path / "static" / "index.html", tmp_path / "web" / "main.ts"
    for path in (page, source):
        path.parent.mkdir()
        path.touch()
    os.utime(source, (1, 1))
    monkeypatch.setattr(module, "PAGE", page)
    monkeypatch.setattr(module, "SOURCES", source.parent)
    monkeypatch.setenv("PATH", "")
    return module


def test_a_page_that_is_there_is_taken(build: ModuleType) -> None:
    build.ensure_page()


def test_without_node_a_missing_page_is_said(build: ModuleType) -> None:
    build.PAGE.unlink()
    with pytest.raises(SetupError, match="has not been built, and building it needs Node 20 or newer"):
        build.ensure_page()


def test_without_node_an_old_page_is_said(build: ModuleType) -> None:
    os.utime(build.PAGE, (0, 0))
    with pytest.raises(SetupError, match="is older than its sources"):
        build.ensure_page()


def test_without_sources_only_the_page_counts(build: ModuleType) -> None:
    (build.SOURCES / "main.ts").unlink()
    build.ensure_page()
    build.PAGE.unlink()
    with pytest.raises(SetupError, match="neither the page"):
        build.ensure_page()
