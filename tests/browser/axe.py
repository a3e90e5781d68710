"""What axe-core finds wrong with a page for people who cannot see it well, or have no mouse."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
FOUND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map(
    ({ id, nodes }) => [id, ...nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message}`)]
    .join(" | ")).concat(document.querySelectorAll("h1").length === 1 ? [] : ["not one h1"])"""


def violations(page: Page) -> list[str]:
    """Of the page as it is; whatever it shows, it has one heading of the first level."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # not by a script tag: the content security policy forbids it, as it should
    found: list[str] = page.evaluate(FOUND)
    return found
