"""The researcher's page: sign in, watch, look at results only on purpose, pause, take the pay list."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Page

from parlor.server.api.app import STATIC
from parlor.server.operations.settings import ServerSettings
from tests.browser.axe import violations
from tests.browser.conftest import Chromium
from tests.browser.expecting import expect
from tests.requirements import missing
from tests.server.people import serving
from tests.study.people import AGENTS, PEOPLE, study_file
from tests.study.recorded import record

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose study has been running for a while."""
    if not (STATIC / "index.html").is_file():
        missing("page", "The page is not built: make page")
    folder = tmp_path_factory.mktemp("study")
    both = f"{PEOPLE.format(group=2)}\n{AGENTS}".replace("share = 1", "share = 0.5")
    file, database = study_file(folder, both, episodes=1), f"sqlite:///{folder}/study.db"
    with ThreadPoolExecutor(1) as thread:  # the browser has the event loop of this one
        thread.submit(record, database, file, people=40).result()
    (folder / "passwords").write_text("correct horse\n")
    settings = ServerSettings(database_url=database, study=str(file), rate=0, password_file=str(folder / "passwords"))
    with serving(settings) as where:
        yield where


def sign_in(page: Page, address: str) -> None:
    page.goto(f"{address}/researcher")
    page.get_by_label("Password").fill("correct horse")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Participants")).to_be_visible()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_everybody_can_read_it(chromium: Chromium, study: str, width: int, scheme: str) -> None:
    with chromium.browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme) as context:  # type: ignore[arg-type]
        page = context.new_page()
        sign_in(page, study)
        expect(page.get_by_role("heading", name="A small study")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []
        page.get_by_role("button", name="Stop", exact=True).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("dialog", name="Stop the study for good?")).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_text("running", exact=True)).to_be_visible()


def test_results_on_purpose_only_a_pause_and_the_pay_list(chromium: Chromium, study: str, tmp_path: Path) -> None:
    with chromium.browser.new_context() as context:
        page = context.new_page()
        sign_in(page, study)
        expect(page.get_by_role("columnheader", name="Points of participants")).to_have_count(0)
        page.get_by_role("button", name="Show results so far").click()
        page.get_by_role("button", name="Show them").click()
        expect(page.get_by_role("columnheader", name="Points of participants")).to_be_visible()
        expect(page.get_by_role("listitem").filter(has_text="Looked at results")).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("dialog").get_by_role("button", name="Pause").click()
        expect(page.get_by_text("paused", exact=True)).to_be_visible()
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("running", exact=True)).to_be_visible()
        with page.expect_download() as download:
            page.get_by_role("link", name="Pay list").click()
        download.value.save_as(tmp_path / "pay.csv")
        assert (tmp_path / "pay.csv").read_text().startswith("platform_id,base,bonus,total,completion_code,status\n")
        page.get_by_role("button", name="Hide").click()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_role("button", name="Stop for good").click()
        expect(page.get_by_text("stopped", exact=True)).to_be_visible()
        page.get_by_role("button", name="Show results so far").click()
        page.get_by_role("button", name="Show them").click()
        expect(page.get_by_text("Some tournaments are still played.")).to_be_visible()
        page.get_by_role("button", name="Show results so far").click()
        expect(page.get_by_role("dialog", name="Look before the study is over?")).to_be_visible()
