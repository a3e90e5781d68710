"""A server that is not open to everybody: a form in place of the page, and the page once one has signed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlor.server.operations.settings import ServerSettings
from tests.browser.axe import violations
from tests.browser.conftest import Chromium
from tests.browser.expecting import expect
from tests.server.people import serving

pytestmark = pytest.mark.slow


def test_one_signs_in_and_stays_signed_in(chromium: Chromium, address: str, tmp_path: Path) -> None:
    (tmp_path / "passwords").write_text("anna:correct horse\n")
    settings = ServerSettings(database_url=f"sqlite:///{tmp_path}/parlor.db", password_file=str(tmp_path / "passwords"))
    with serving(settings) as private, chromium.browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{private}/runs")
        expect(page.get_by_label("Name")).to_be_visible()
        assert violations(page) == []
        page.get_by_label("Name").fill("anna")
        page.get_by_label("Password").fill("wrong guess")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("This is not the name and the password.")
        page.get_by_label("Password").fill("correct horse")
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
        page.goto(private)
        expect(page.get_by_role("heading").first).to_be_visible()
        expect(page.get_by_label("Password")).to_have_count(0)
        assert page.evaluate("document.cookie") == "", "scripts cannot read it"
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_label("Password")).to_be_visible()
        page.goto(private)
        expect(page.get_by_label("Password")).to_be_visible()
        page.goto(address)
        expect(page.get_by_role("navigation", name="Pages")).to_be_visible()
        expect(page.get_by_label("Password")).to_have_count(0)
        expect(page.get_by_role("button", name="Sign out")).to_have_count(0)
