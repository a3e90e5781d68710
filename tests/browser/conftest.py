"""A real server with small agents, and a real Chromium before it."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect, sync_playwright

from parlor.cli import main
from parlor.server.app import STATIC
from parlor.server.settings import Settings
from tests.requirements import missing
from tests.server.people import serving

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
PATIENCE = 60_000  # milliseconds, on a busy machine
BUSY = 3_000  # milliseconds until a server that was busy is asked again

expect.set_options(timeout=PATIENCE)


GUIDED = [
    *("monopoly-deal", "kuhn", "leduc", "liars-dice", "goofspiel", "holdem", "clue", "leodopoly"),
    *("battleship", "sheriff", "normal-form", "trade-comm", "tiny-bridge", "deal-or-no-deal", "colored-trails"),
]
KNOWS_GAMES = f"""localStorage["parlor.taste"] ??= JSON.stringify({{guided: {json.dumps(GUIDED)}}})"""
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
KEEP_SEAT = """([seat, seconds]) => {
    const [seats, taste] = ["parlor.seats", "parlor.taste"].map((name) => JSON.parse(localStorage[name] ?? "null"));
    localStorage["parlor.seats"] = JSON.stringify([seat, ...(seats ?? [])]);
    localStorage["parlor.taste"] = JSON.stringify({ ...taste, seconds, paused: false });
}"""


def _parlor(*arguments: object) -> str:
    said = io.StringIO()
    with redirect_stdout(said):
        assert main([str(argument) for argument in arguments]) == 0
    return said.getvalue()


@pytest.fixture(scope="session")
def agents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short run, a solved game and cross tables of both."""
    folder = tmp_path_factory.mktemp("agents")
    short = ("--games", 40, "--rollouts", 2, "--evaluate-every", 10, "--evaluate-games", 20, "--checkpoint-every", 20)
    _parlor("train", "monopoly-deal", *short, "--out", folder / "short")
    _parlor("solve", "kuhn", "--iterations", 100, "--out", folder / "kuhn.json")
    for name, game, other in (("cross", "monopoly-deal", "careful"), ("cross-kuhn", "kuhn", folder / "kuhn.json")):
        table = _parlor("compare", "random", other, "--game", game, "--games", 20, "--json")
        (folder / f"{name}.json").write_text(table)
    return folder


@pytest.fixture(scope="session")
def address(agents: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a server on an empty database."""
    if not (STATIC / "index.html").is_file():
        missing("page", "The page is not built: make page")
    database = f"sqlite:///{tmp_path_factory.mktemp('data')}/parlor.db"
    settings = Settings(database_url=database, agents=(str(agents),), games=("openspiel:tiny_hanabi",), rate=0)
    with pytest.MonkeyPatch.context() as patch, serving(settings) as where:
        patch.setattr("parlor.server.review.BUDGET", 0.5)  # seconds: whoever opens a replay begins a review
        yield where


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of a module; as long as it is there, no other event loop can run in this thread."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        missing("browser", "Chromium is not installed: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield browser
        browser.close()


@dataclass
class Visitor:
    """Somebody at the page, and what their console complained about."""

    page: Page
    address: str
    scheme: Literal["light", "dark"] = "light"
    complaints: list[str] = field(default_factory=list)

    def go(self, path: str = "/") -> None:
        self.page.goto(self.address + path)

    def sit(self, game: str, agent: str = "", seat: str = "First") -> None:
        """Through the lobby to a table at which the agent answers at once."""
        page = self.page
        self.go()
        page.get_by_role("radio", name=game, exact=True).press(" ")
        if agent:
            page.get_by_role("radio", name=agent).press(" ")
        page.get_by_role("radio", name=seat, exact=True).press(" ")
        page.get_by_role("slider", name="Pace of the agent").fill("0")
        play = page.get_by_role("button", name=re.compile(f"^Play {re.escape(game)} against {re.escape(agent)}", re.I))
        for _ in range(10):
            with page.expect_response(f"{self.address}/api/tables", timeout=60_000) as answer:
                play.click()  # a game may have to be solved first
            if answer.value.status != 422:
                break
            page.wait_for_timeout(BUSY)  # for another test's game, as the page says
        expect(page.get_by_test_id("table")).to_be_visible()
        self.complaints[:] = [text for text in self.complaints if not re.search(r"\b422\b.*/api/tables$", text)]

    def ready(self) -> str:
        """Wait until it is the person's turn or over."""
        found = self.page.locator("[data-testid=table][data-turn=you], [data-testid=table][data-turn=over]")
        expect(found).to_be_visible()
        return str(found.get_attribute("data-turn"))

    @property
    def ply(self) -> int:
        return int(self.page.get_by_test_id("table").get_attribute("data-ply") or 0)

    def press(self, key: str) -> None:
        """A key that makes a move."""
        before = self.ply
        self.page.keyboard.press(key)
        expect(self.page.get_by_test_id("table")).not_to_have_attribute("data-ply", str(before))

    def take_seat(self, game: str, agent: str = "random", seat: int = 0, seconds: float = 0, **wanted: Any) -> None:
        """At a new table, past the lobby; the agent waits so many seconds before it moves."""
        pace = "at-once" if seconds == 0 else "step"
        body = {"game": game, "agent": agent, "seat": seat, "mind": "always", "pace": pace} | wanted
        answer = self.page.request.post(f"{self.address}/api/tables", data=body, timeout=60_000)  # it may be compiled
        assert answer.ok, answer.text()
        seated = answer.json()
        mine = {"id": seated["state"]["id"], "token": seated["token"], "game": game, "ply": 0, "outcome": ""}
        kept = {"agent": agent, "created": seated["state"]["created"], "branch": False}
        if not self.page.url.startswith(self.address):
            self.go("/icon.svg")
        self.page.evaluate(KEEP_SEAT, [mine | kept, seconds])
        self.go(f"/table/{mine['id']}")
        expect(self.page.get_by_test_id("table")).to_be_visible()

    def first_move(self) -> None:
        """Make the first move that can be made, by the keys that it shows: one, or as many as it is put together by."""
        keys = self.page.locator("[data-moves] [aria-keyshortcuts]:not(:disabled)")
        while self.page.locator("[data-to-pick]").count():
            self.page.keyboard.press(str(keys.first.get_attribute("aria-keyshortcuts")))
        self.press(str(keys.first.get_attribute("aria-keyshortcuts")))

    @contextmanager
    def at_a_desk(self) -> Iterator[None]:
        """For a while a phone's window is that of a desk, in light colours."""
        size = self.page.viewport_size
        assert size is not None
        self._show({"width": 1280, "height": 800}, "light")
        yield
        self._show(size, self.scheme)

    def _show(self, size: ViewportSize, scheme: Literal["light", "dark"]) -> None:
        self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size(size)
        self.page.evaluate(DRAWN)

    def overflow(self) -> int:
        """Pixels by which the page is wider than the window."""
        width: int = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        return width


Visit = Callable[..., Visitor]


@contextmanager
def visits(chromium: Browser, address: str) -> Iterator[Visit]:
    """Visitors at a width and in a scheme; at the end nothing may have been complained about."""
    visitors: list[Visitor] = []

    def come(
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
        quiet: bool = True,
        at: str = address,
        guide: bool = False,
        calm: bool = True,
    ) -> Visitor:
        height = 800 if width > 600 else 844
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion="reduce" if calm else "no-preference",
        )
        if not guide:
            context.add_init_script(KNOWS_GAMES)
        context.set_default_timeout(PATIENCE)
        visitor = Visitor(context.new_page(), at, scheme)

        def check_answered(message: ConsoleMessage) -> None:
            if quiet and message.type in ("error", "warning"):
                visitor.complaints.append(f"{message.text}: {message.location['url']}")

        visitor.page.on("console", check_answered)
        visitor.page.on("pageerror", lambda error: visitor.complaints.append(str(error)))
        visitors.append(visitor)
        return visitor

    yield come
    for visitor in visitors:
        visitor.page.context.close()
        assert visitor.complaints == []


@pytest.fixture
def visit(chromium: Browser, address: str) -> Iterator[Visit]:
    """Visitors of the server that all tests share."""
    with visits(chromium, address) as come:
        yield come
