"""A real server with small agents, and a real Chromium before it."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import ConsoleMessage, Error, Locator, Page, Route, ViewportSize, sync_playwright

from parlor.cli.main import main
from parlor.server.api.app import STATIC
from parlor.server.operations.settings import ServerSettings
from tests.browser.expecting import TIMEOUT, expect
from tests.requirements import missing
from tests.server.people import serving
from tests.server.thinking_here import thinking_here

HERE = Path(__file__).parent
PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--in-process-gpu")
SOLVING = 300_000  # milliseconds until a game is compiled or solved
BUSY = 3_000  # milliseconds until a server that was busy is asked again
BUSY_ANSWER = "the server responded with a status of 503"  # what it works on is asked for again by the page


GUIDED = [
    *("monopoly-deal", "kuhn", "leduc", "liars-dice", "goofspiel", "holdem", "clue", "leodopoly"),
    *("battleship", "sheriff", "normal-form", "trade-comm", "tiny-bridge", "deal-or-no-deal", "colored-trails"),
]
KNOWS_GAMES = f"""localStorage["parlor.taste"] ??= JSON.stringify({{guided: {json.dumps(GUIDED)}}})"""
DRAWN = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
EMPTY = "/nowhere"  # a page with nothing on it
TURN = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
# Tell the page that its storage was changed, as the browser does when another window has changed it.
TELL = """['seats', 'bin', 'results', 'tallies', 'taste', 'clue.notes'].forEach((name) =>
    dispatchEvent(new StorageEvent('storage', { key: `parlor.${name}` })))"""
NOBODY = f"localStorage.clear(), sessionStorage.clear(), {KNOWS_GAMES}, {TELL}"
KEEP_SEAT = f"""([seat, seconds]) => {{
    const [seats, taste] = ["parlor.seats", "parlor.taste"].map((name) => JSON.parse(localStorage[name] ?? "null"));
    localStorage["parlor.seats"] = JSON.stringify([seat, ...(seats ?? [])]);
    localStorage["parlor.taste"] = JSON.stringify({{ ...taste, seconds, paused: false }});
    {TELL};
}}"""

# What lies outside the window: of the opponents, one's own side and hand, the moves, the result.
OUTSIDE = """() => {
    const wanted = '[data-side], [data-hand] > *, [data-moves] button, [data-testid=result], [data-testid=demand]';
    const out = [...document.querySelectorAll(wanted)].filter((element) => {
        const box = element.getBoundingClientRect();
        const seen = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
        return box.width > 0 && !seen;
    });
    const page = document.documentElement;
    const scrolls = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
    const groups = [...document.querySelectorAll('[data-moves]')];
    const inside = groups.filter((moves) => moves.scrollHeight > moves.clientHeight + 4);
    const named = [...out, ...inside].map((element) => element.ariaLabel || element.textContent);
    const sides = ['own', 'other'].map((side) => document.querySelectorAll(`[data-side=${side}]`).length);
    return [...(scrolls ? ['the page scrolls'] : []), ...named, `${sides} sides`];
}"""
# Play on by the keys that are shown, within the page: what was seen at each decision and at the end, and no more often
# than it takes to make the moves.
PLAY_ON = f"""async ([most, until]) => {{
    const outside = {OUTSIDE};
    const table = () => document.querySelector('[data-testid=table]');
    const keys = () => [...document.querySelectorAll('[data-moves] [aria-keyshortcuts]:not(:disabled)')];
    const come = async (true_now) => {{ while (!true_now()) await new Promise((again) => setTimeout(again, 5)); }};
    const press = async () => {{
        await come(() => keys().length > 0);
        const key = keys()[0].getAttribute('aria-keyshortcuts');
        document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true, cancelable: true }}));
        await {DRAWN};
    }};
    const seen = [];
    for (let made = 0; made <= most; made++) {{
        await come(() => ['you', 'over'].includes(table()?.dataset.turn));
        await {DRAWN};
        seen.push(...outside());
        if (table().dataset.turn === 'over' || (until && document.querySelector(until))) return [...new Set(seen)];
        const ply = table().dataset.ply;
        while (document.querySelector('[data-to-pick]')) await press();
        await press();
        await come(() => table()?.dataset.ply !== ply);
    }}
    return ['the game does not end'];
}}"""


def _parlor(*arguments: object) -> str:
    said = io.StringIO()
    with redirect_stdout(said):
        assert main([str(argument) for argument in arguments]) == 0
    return said.getvalue()


@pytest.fixture(scope="session", autouse=True)
def threads_for_processes() -> Iterator[None]:
    """Minds, reviews and the like are worked out in this process."""
    with thinking_here():
        yield


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
    settings = ServerSettings(database_url=database, agents=(str(agents),), games=("openspiel:tiny_hanabi",), rate=0)
    with pytest.MonkeyPatch.context() as patch, serving(settings) as where:
        patch.setattr("parlor.server.explain.review.BUDGET", 0.5)  # seconds: whoever opens a replay begins a review
        yield where


@pytest.fixture
def no_review(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens a replay begins no review, for which a strategy may have to be computed."""
    monkeypatch.setattr("parlor.server.explain.jobs.reference_agent", lambda *_: None)


class Chromium:
    """The browser of this process, and pages of it that tests have used and left."""

    def __init__(self) -> None:
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            missing("browser", "Chromium is not installed: apt-get install chromium-headless-shell")
        for last in (False, False, True):  # on a busy machine it may crash before it has begun
            self._playwright = sync_playwright().start()
            try:
                self.browser = self._playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
                break
            except Error:
                self._playwright.stop()  # else no other could be started in this thread
                if last:
                    raise
        self.left: dict[tuple[str, bool], list[Page]] = {}  # by address, and whether their clock can be stopped

    def close(self) -> None:
        self.browser.close()
        self._playwright.stop()


_running: list[Chromium] = []


@pytest.fixture
def chromium() -> Chromium:
    """One for all tests of this folder that come after each other."""
    if not _running:
        _running.append(Chromium())
    return _running[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """While it runs, no other event loop can run in this thread: it is closed before the tests of another folder."""
    try:
        return (yield)
    finally:
        if _running and (nextitem is None or HERE not in nextitem.path.parents):
            _running.pop().close()


@dataclass
class Visitor:
    """Somebody at the page, and what their console complained about."""

    page: Page
    address: str
    scheme: Literal["light", "dark"] = "light"
    complaints: list[str] = field(default_factory=list)
    listening: list[tuple[Any, Callable[..., None]]] = field(default_factory=list)

    def go(self, path: str = "/") -> None:
        self.page.goto(self.address + path)

    def leave(self) -> None:
        """As if nobody had been there, but for what was loaded, which the next one need not do again."""
        for other in self.page.context.pages:
            if other is not self.page:
                other.close()
        self.page.unroute_all(behavior="ignoreErrors")
        if self.page.locator("#root").count():
            self.turn_to(EMPTY)
        else:
            self.go(EMPTY)
        expect(self.page.get_by_role("heading", name="Nothing here")).to_be_visible()
        self.page.evaluate(NOBODY)
        self.page.mouse.move(0, 0)

    def turn_to(self, path: str) -> None:
        """Another page, as by a link: nothing is loaded again."""
        self.page.evaluate(TURN, path)

    def choose(self, game: str) -> Locator:
        """Open what can be chosen before a game, from the shelf."""
        page = self.page
        self.go()
        options = page.get_by_role("button", name=f"Options for {game}", exact=True)
        expect(page.get_by_role("button", name=re.compile("more games$"))).to_be_visible()
        if not options.count():
            page.get_by_role("button", name=re.compile("more games$")).click()
        options.click()
        drawer = page.get_by_role("dialog", name=f"Options for {game}")
        expect(drawer.get_by_text("recommended", exact=True).first).to_be_visible()
        return drawer

    def sit(self, game: str, agent: str = "", seat: str = "First") -> None:
        """Through the lobby to a table at which the agent answers at once."""
        page = self.page
        drawer = self.choose(game)
        if agent:
            wanted = drawer.get_by_role("radio", name=agent)
            if not wanted.count():
                drawer.get_by_text(re.compile(r"^\d+ more$")).click()
            wanted.press(" ")
        page.get_by_role("radio", name=seat, exact=True).press(" ")
        page.get_by_role("slider", name="Pace of the agent").fill("0")
        play = page.get_by_role("button", name=re.compile(f"^Play {re.escape(game)} against {re.escape(agent)}", re.I))
        for _ in range(10):
            with page.expect_response(f"{self.address}/api/tables", timeout=SOLVING) as answer:
                play.click()  # a game may have to be solved first
            if answer.value.status != 422:
                break
            page.wait_for_timeout(BUSY)  # for another test's game, as the page says
        expect(page.get_by_test_id("table")).to_be_visible()
        self.complaints[:] = [text for text in self.complaints if not re.search(r"\b422\b.*/api/tables$", text)]

    def intercept(self, requests: str, answer: Callable[[Route], None], **more: Any) -> None:
        """Answer some requests here. Chromium says at once that it will ask, but lets some through for a moment."""
        probe = "**/nothing-is-here"
        self.page.route(probe, lambda route: route.abort())
        self.page.route(requests, answer, **more)
        while self.page.evaluate("fetch('/nothing-is-here').then(() => true, () => false)"):
            pass
        self.page.unroute(probe)

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
        body = {"game": game, "agent": agent, "seat": seat, "mind": "end", "pace": pace} | wanted
        answer = self.page.request.post(f"{self.address}/api/tables", data=body, timeout=SOLVING)  # it may be compiled
        assert answer.ok, answer.text()
        seated = answer.json()
        mine = {"id": seated["state"]["id"], "token": seated["token"], "game": game, "ply": 0, "outcome": ""}
        kept = {"agent": agent, "created": seated["state"]["created"], "branch": False}
        if not self.page.url.startswith(self.address):
            self.go(EMPTY)
        self.page.evaluate(KEEP_SEAT, [mine | kept, seconds])
        self.turn_to(f"/table/{mine['id']}")
        expect(self.page.get_by_test_id("table")).to_be_visible()

    def first_move(self) -> None:
        """Make the first move that can be made, by the keys that it shows: one, or as many as it is put together by."""
        keys = self.page.locator("[data-moves] [aria-keyshortcuts]:not(:disabled)")
        while self.page.locator("[data-to-pick]").count():
            self.page.keyboard.press(str(keys.first.get_attribute("aria-keyshortcuts")))
        self.press(str(keys.first.get_attribute("aria-keyshortcuts")))

    def in_the_window(self, players: int) -> None:
        """Everything of the table is."""
        assert self.page.evaluate(OUTSIDE) == [f"1,{players - 1} sides"]

    def play_on(self, players: int, until: str = "", most: int = 300) -> None:
        """Make the first move wherever it is one's turn, until something is there or it is over.

        Everything is in the window all the time.
        """
        assert self.page.evaluate(PLAY_ON, [most, until]) == [f"1,{players - 1} sides"]

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
Scheme = Literal["light", "dark"]


def _new_page(chromium: Chromium, guide: bool, clock: bool) -> Page:
    context = chromium.browser.new_context()
    if not guide:
        context.add_init_script(KNOWS_GAMES)
    if clock:
        context.clock.install()
    context.set_default_timeout(TIMEOUT)
    return context.new_page()


@contextmanager
def visits(chromium: Chromium, address: str, again: bool = False) -> Iterator[Visit]:
    """Visitors at a width and in a scheme; at the end nothing may have been complained about.

    `again`: a page that somebody has left is used by the next one.
    """
    visitors: list[tuple[Visitor, tuple[str, bool] | None]] = []

    def come(
        width: int = 1280,
        scheme: Scheme = "light",
        quiet: bool = True,
        at: str = address,
        guide: bool = False,
        calm: bool = True,
        clock: bool = False,
        alone: bool = False,
    ) -> Visitor:
        """`alone`, in a browser of its own: for who changes what cannot be changed back, or answers requests."""
        kind = (at, clock) if again and at == address and not (guide or alone) else None
        left = chromium.left.get(kind, []) if kind else []
        page = left.pop() if left else _new_page(chromium, guide, clock)
        page.set_viewport_size({"width": width, "height": 800 if width > 600 else 844})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce" if calm else "no-preference")
        visitor = Visitor(page, at, scheme)

        def check_answered(message: ConsoleMessage) -> None:
            if quiet and message.type in ("error", "warning") and BUSY_ANSWER not in message.text:
                visitor.complaints.append(f"{message.text}: {message.location['url']}")

        def check_worked(error: Error) -> None:
            visitor.complaints.append(str(error))

        page.on("console", check_answered)
        page.on("pageerror", check_worked)
        visitor.listening = [("console", check_answered), ("pageerror", check_worked)]
        visitors.append((visitor, kind))
        return visitor

    yield come
    complaints: list[str] = []
    for visitor, kind in visitors:
        page = visitor.page
        if kind is None:
            page.context.close()
        else:
            if kind[1]:
                page.clock.resume()
            visitor.leave()
            for event, hear in visitor.listening:
                page.remove_listener(event, hear)
            chromium.left.setdefault(kind, []).append(page)
        complaints += visitor.complaints
    assert complaints == []


@pytest.fixture
def visit(chromium: Chromium, address: str) -> Iterator[Visit]:
    """Visitors of the server that all tests share."""
    with visits(chromium, address, again=True) as come:
        yield come
