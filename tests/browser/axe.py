"""What axe-core finds wrong with a page for people who cannot see it well, or have no mouse."""

from __future__ import annotations

import time
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.expecting import TIMEOUT

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
PAUSES = (0.25, 0.5, 1.0)  # seconds between looks that must all find the same

COMING = """() => document.querySelectorAll("h1").length !== 1
    || [...document.querySelectorAll("[role=status]")].some((one) => one.textContent.startsWith("Loading "))"""
FOUND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(({ id, nodes }) =>
    [id, ...nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message}`)].join(" | "))"""


def violations(page: Page) -> list[str]:
    """Of the page once it has come: it loads nothing more, and has one heading of the first level.

    What is wrong with it is looked at again: wrong is what stays wrong, not what was there between two pages.
    """
    end = time.monotonic() + 4 * TIMEOUT / 1000  # what is shown may have to be compiled first
    found = _look(page, end)
    again = list(PAUSES)
    while found and again and time.monotonic() < end:
        page.wait_for_timeout(1000 * again.pop(0))
        before, found = found, _look(page, end)
        if _rules(found) != _rules(before):
            again = list(PAUSES)
    return found


def _look(page: Page, end: float) -> list[str]:
    """Once it has come; if it was about to become another page meanwhile, once that has come."""
    while True:
        while page.evaluate(COMING) and time.monotonic() < end:
            page.wait_for_timeout(20)
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE.read_text())  # not by a script tag: the content security policy forbids it, as it should
        found: list[str] = page.evaluate(FOUND)
        if not page.evaluate(COMING):
            return found
        if time.monotonic() >= end:
            return [*found, "it has not one h1, or loads something all the time"]


def _rules(found: list[str]) -> list[str]:
    """The rules alone: what is quoted of the page may go on changing, as a clock does."""
    return [one.partition(" | ")[0] for one in found]
