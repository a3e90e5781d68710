"""The code in the README and the docs runs, and what it shows is what comes out."""

import re
from pathlib import Path

import pytest

import parlor
from parlor.solvers.solve import SolveReport

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)


def test_the_python_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    [code] = [block for block in blocks("README.md") if "import parlor" in block]
    namespace: dict[str, object] = {}
    exec(code, namespace)
    report, position, policy = namespace["report"], namespace["position"], namespace["policy"]
    assert isinstance(report, SolveReport)
    assert isinstance(position, parlor.Position)
    assert isinstance(policy, parlor.Policy)
    assert report.exploitability == pytest.approx(0.00025158, rel=1e-3)
    assert position.legal == ["fold", "call", "raise"]
    assert position.show(1) == "player 1 holds J♥; pot 3 + 1; raise"
    assert policy(position) == pytest.approx({"fold": 0.8197, "call": 0.1254, "raise": 0.0548}, abs=1e-4)


def test_the_betting_in_the_readme_is_kuhns() -> None:
    [betting] = [block for block in blocks("README.md") if "def legal" in block]
    namespace: dict[str, object] = {"PASS": 0, "BET": 1, "PLAYERS": 2}
    exec(betting, namespace)
    legal = namespace["legal"]
    assert callable(legal)
    out = [9, 9]
    assert legal(None, out) == 2
    assert out == [0, 1]


@pytest.mark.parametrize(
    "block",
    [
        block
        for page in (
            "other-libraries",
            "monopoly-deal",
            "holdem",
            "holdem-engine",
            "clue",
            "leodopoly",
            "matches",
            "tuning",
        )
        for block in blocks(f"docs/{page}.md")
    ]
    + ["\n".join(blocks(f"docs/{page}.md")) for page in ("meta-solvers", "empirical-games", "exact", "solving")],
)
def test_the_python_of_the_pages_runs(block: str) -> None:
    exec(block, {})


PAGES = ["README.md", *(str(p.relative_to(ROOT)) for p in (ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_no_placeholder_is_left(page: str) -> None:
    assert not re.search(r"^[A-Z]{4,}$|@[A-Z_]+@", (ROOT / page).read_text(), re.M)


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text()):
        assert ((ROOT / page).parent / target).exists(), target


def test_the_python_of_the_page_about_psro_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec("\n".join(blocks("docs/psro.md")), {})


def test_the_python_of_the_page_about_networks_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jax")
    monkeypatch.chdir(tmp_path)
    for block in blocks("docs/networks.md"):
        exec(block, {})


def test_the_python_of_the_training_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for code in blocks("docs/training.md"):
        exec(code, {"__name__": "page"})
