"""What axe-core finds wrong with a page for people who cannot see it well, or have no mouse."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

from tests.browser.expecting import expect

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

# A page that changed while it was looked at, because an answer of the server came, is looked at again.
FOUND = """async () => {
    const look = async () =>
        (await axe.run(document, { resultTypes: ["violations"] })).violations.map(({ id, nodes }) =>
            [id, ...nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message}`)].join(" | "))
        .concat(document.querySelectorAll("h1").length === 1 ? [] : ["not one h1"]);
    for (let times = 1; ; times++) {
        const changes = new MutationObserver(() => { changed = true; });
        let changed = false;
        changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        const found = await look();
        changed ||= changes.takeRecords().length > 0;
        changes.disconnect();
        if (found.length === 0 || !changed || times === 10) return found;
        await new Promise((again) => setTimeout(again, 50));
    }
}"""


def violations(page: Page) -> list[str]:
    """Of the page as it is, once it has come; whatever it shows, it has one heading of the first level."""
    expect(page.locator("h1")).to_have_count(1)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())  # not by a script tag: the content security policy forbids it, as it should
    found: list[str] = page.evaluate(FOUND)
    return found
