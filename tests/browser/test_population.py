"""A PSRO run as it grows: curves, mixtures, payoffs; and a saved empirical game that is solved on request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlor.population.empirical.empirical_game_writer import save_empirical_game
from parlor.population.empirical.empirical_games import empirical_game
from parlor.population.run.checkpoints import PsroConfig
from parlor.population.run.run import PsroRun
from parlor.server.operations.settings import ServerSettings
from tests.browser.axe import violations
from tests.browser.conftest import SOLVING, Visit
from tests.browser.expecting import expect
from tests.server.people import serving

pytestmark = pytest.mark.slow(seconds=20)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With a run that was stopped after five of seven iterations, and an empirical game of some of its strategies."""
    run = PsroRun.begin(tmp_path / "runs" / "grown", PsroConfig.of("kuhn", iterations=7))
    run.run(on_progress=lambda _, psro: psro.iteration < 5)
    agents = ["random", *(str(run.folder / "strategies" / f"0-{i}.npz") for i in (1, 4))]
    save_empirical_game(empirical_game("kuhn", agents, games=1000), tmp_path / "runs" / "agents.json")
    return tmp_path / "runs"


@pytest.fixture
def place(folder: Path, tmp_path: Path) -> Iterator[str]:
    with serving(
        ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", agents=(str(folder),), rate=0)
    ) as where:
        yield where


def test_a_population_is_watched_and_an_empirical_game_solved(place: str, visit: Visit, folder: Path) -> None:
    """The server is there before the visitor comes, and until it has left."""
    visitor = visit(1280, "dark", at=place)
    page = visitor.page
    visitor.go("/runs")
    page.get_by_role("link", name="Kuhn, learned by PSRO with regret-matching").click()
    expect(page.get_by_text("parlor psro --resume")).to_be_visible()
    for chart in ("NashConv of the average policy over iterations", "Social welfare"):
        expect(page.get_by_role("figure", name=chart).locator("path.recharts-line-curve").first).to_be_attached()
    payoffs = page.get_by_role("application")
    expect(payoffs).to_have_accessible_name(re.compile(r"^Payoffs of Player 1: 6 by 6 strategies"))

    PsroRun.resume(folder / "grown").run()  # it goes on while somebody looks
    expect(page.get_by_text("7 of 7 iterations")).to_be_visible()
    expect(page.get_by_role("heading", name="Mixture after iteration 7")).to_be_visible()
    expect(payoffs).to_have_accessible_name(re.compile("8 by 8"))

    page.get_by_role("slider", name="Iteration").fill("1")
    expect(page.get_by_role("heading", name="Mixture after iteration 1")).to_be_visible()
    expect(payoffs).to_have_accessible_name(re.compile("2 by 2"))
    shares = page.get_by_role("list", name="Mixture of Player 1").get_by_role("listitem")
    expect(shares.filter(has_text="exact 1")).to_be_visible()
    page.get_by_role("radio", name="Player 2").press(" ")
    expect(payoffs).to_have_accessible_name(re.compile("^Payoffs of Player 2"))
    payoffs.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowRight"):  # the last two stop at the edge
        page.keyboard.press(key)
    expect(payoffs).to_have_accessible_description(
        re.compile(r"^exact 1 \(Player 1\) against exact 1 \(Player 2\): Player 1 gets \S+, Player 2 gets \S+\.$")
    )
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    for _ in range(100):  # charts take their time
        if page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"):
            break
        page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    visitor.go("/runs")
    page.get_by_role("link", name="agents, 3 × 3 strategies").click()
    page.get_by_label("Meta-solver").select_option("mgcce")
    answer = page.get_by_role("group", name="Strategies of Player 2")
    expect(answer.get_by_role("row")).to_have_count(4, timeout=SOLVING)
    expect(answer.get_by_role("rowheader", name="Random")).to_be_visible()
    page.get_by_label("Meta-solver").select_option("quantal-response")
    expect(page.get_by_text("McKelvey and Palfrey")).to_be_visible()
    expect(answer.get_by_role("row")).to_have_count(4, timeout=SOLVING)
    page.get_by_label("Temperature").fill("100000")
    page.get_by_role("button", name="Solve with these").click()
    expect(answer.get_by_role("cell", name="33 %")).to_have_count(3, timeout=SOLVING)
    page.get_by_label("Ranking").select_option("mean")
    ranking = page.get_by_role("group", name="Ranking of Player 1")
    expect(ranking.get_by_role("row", name=re.compile(r"^1 .* \[[+−]?[\d.]+, [+−]?[\d.]+\]$"))).to_have_count(
        1, timeout=SOLVING
    )
    assert visitor.overflow() == 0
    assert violations(page) == []

    visitor.go("/runs/grown")
    page.get_by_role("link", name="its strategy").first.click()
    expect(page.get_by_role("combobox", name="Strategy")).to_have_value("grown.00000007")
    page.get_by_role("link", name="Play against it").click()
    page.get_by_role("button", name=re.compile("^Play Kuhn against Versatile ")).click()
    expect(page.get_by_test_id("table")).to_be_visible()
