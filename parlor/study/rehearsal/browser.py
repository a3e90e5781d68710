"""Bots in real browsers: they see the page, press its buttons and keys, and reload it.

What the server acknowledges is read from what the page sends and gets, so that it is checked as that of the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from parlor.game import GameError
from parlor.study.rehearsal.journal import Answered, Ended, Moved, RehearsalJournal
from parlor.study.rehearsal.people import SimulatedPerson
from parlor.study.rehearsal.walker import ENDS, Visit, reply, right_answers

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page, Request, Response

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
LOOK = 0.3  # seconds between looks at the page
KEYS = 40  # that are pressed at most until a move is made
TOKEN = "JSON.parse(localStorage.getItem('parlor.study') ?? 'null')?.token ?? ''"
SHORTCUTS = """[...document.querySelectorAll("[data-testid=table] [aria-keyshortcuts]")]
    .filter((one) => !one.disabled && one.getAttribute("aria-disabled") !== "true")
    .map((one) => one.getAttribute("aria-keyshortcuts"))"""


@contextlib.asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Within this, a browser runs."""
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        raise GameError("Bots in browsers need playwright: pip install playwright; or omit --browsers.") from None
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        raise GameError(f"Bots in browsers need one of {', '.join(PROGRAMS)}; install it, or omit --browsers.")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            await browser.close()


class BrowserWalker:
    """One bot with a page of its own."""

    def __init__(self, person: SimulatedPerson, visit: Visit, address: str, journal: RehearsalJournal) -> None:
        self.person, self.visit, self.address, self.journal = person, visit, address, journal
        self.state: dict[str, Any] = {"stage": "coming", "scores": []}
        self.passed = False
        self._episodes: dict[str, int] = {}  # table -> which episode it is
        self._reading: set[asyncio.Task[None]] = set()

    @property
    def stage(self) -> str:
        """The bot's stage of the study."""
        return str(self.state["stage"])

    async def walk(self, browser: Browser, grace: float = 180.0) -> str:
        """Go through the study; where its way ended."""
        where = "stuck"
        try:
            async with asyncio.timeout(grace + self.visit.longest / self.visit.speed):
                context = await browser.new_context(viewport={"width": 1100, "height": 800})
                try:
                    where = await self._walk(await context.new_page())
                finally:
                    await context.close()
        except TimeoutError:
            self.journal.troubles.append(f"{self.person.id}, in a browser: stuck in {self.stage}")
        told = self.state if where in ENDS else {}
        pay, code = told.get("pay"), told.get("code")
        self.journal.ends.append(Ended(self.person.number, self.person.id, where, pay, code, self.state["scores"]))
        return where

    async def _walk(self, page: Page) -> str:
        page.on("request", self._note_sent)
        page.on("response", lambda response: self._later(self._note(response)))
        person = self.person
        query = {self.visit.study.entry.parameter: person.id, "signature": self.visit.signature(person.id)}
        await self._open(page, f"{self.address}/study?{urlencode(query)}")
        self.journal.entered[person.number] = person.id
        while self.stage not in ENDS:
            with contextlib.suppress(*_troubles()):  # the page was drawn anew meanwhile: look again
                await self._step(page)
            await asyncio.sleep(LOOK)
            await self._look(page)
        await asyncio.gather(*self._reading)
        return self.stage

    async def _open(self, page: Page, address: str) -> None:
        while True:
            with contextlib.suppress(*_troubles()):
                await page.goto(address, timeout=10_000)
                await page.locator("main").wait_for(timeout=10_000)
                await self._look(page)
                return
            await asyncio.sleep(LOOK)

    async def _look(self, page: Page) -> None:
        """Read the bot's state from the server, with this page's token."""
        with contextlib.suppress(*_troubles()):
            token = await page.evaluate(TOKEN)
            headers = {"Authorization": f"Bearer {token}"}
            answer = await page.request.get(f"{self.address}/api/study/state", headers=headers, timeout=5_000)
            if answer.ok:
                self.state = await answer.json()
        self.passed = self.passed or self.stage in ("waiting", "episode")
        if episode := self.state.get("episode"):
            self._episodes[episode["table"]] = episode["number"]

    async def _step(self, page: Page) -> None:
        """Do what the page asks for."""
        person, stage = self.person, self.stage
        if person.chance(person.habits.reloads * LOOK):
            await page.reload(timeout=10_000)
            await page.locator("main").wait_for(timeout=10_000)
        if stage in ("consent", "score", "bonus"):
            await self._read()
            await self._go_on(page)
        elif stage == "tutorial":
            await self._read()
            practice = self.state["screen"]["practice"]
            if practice and not practice["done"]:
                await self._play(page)
            else:
                await self._go_on(page)
        elif stage in ("test", "orientation", "questionnaire"):
            await self._read()
            await self._fill(page)
            await self._go_on(page)
        elif stage == "episode":
            await self._play(page)

    async def _read(self) -> None:
        await asyncio.sleep(self.person.reading_seconds() / self.visit.speed / self.visit.haste)

    async def _go_on(self, page: Page) -> None:
        """Press the button that leads on: the last one."""
        await page.locator("main").get_by_role("button").last.click(timeout=3_000)

    async def _fill(self, page: Page) -> None:
        """Answer the questions of a page."""
        answers = right_answers(self.visit.study) if self.stage == "test" else {}
        for question in self.state["questions"]:
            box = page.locator(f"[id='{question['id']}']")
            if question["kind"] == "slider":
                position = self.person.dice.randrange(len(question["pairs"]))
                slider = box.locator("input[type=range]")
                await slider.fill(str(position), timeout=3_000)
                await slider.press("ArrowLeft" if position else "ArrowRight")  # chosen even if it stood there
                continue
            answer = answers.get(question["id"]) or reply(self.person, question)
            if question["kind"] == "choice":
                label = box.locator("label").filter(has_text=re.compile(rf"^\s*{re.escape(str(answer))}\s*$"))
                await label.click(timeout=3_000)
            else:
                written = f"{answer:g}" if isinstance(answer, float) else answer
                await box.locator("input, textarea").fill(written, timeout=3_000)

    async def _play(self, page: Page) -> None:
        """If it is its turn, think, and press keys that the table shows until a move is made."""
        table = page.get_by_test_id("table")
        if await table.get_attribute("data-turn", timeout=3_000) != "you":
            return
        await asyncio.sleep(self.person.thinking_seconds() / self.visit.speed)
        ply = await table.get_attribute("data-ply", timeout=3_000)
        for _ in range(KEYS):
            if await table.get_attribute("data-ply", timeout=3_000) != ply:
                return
            if keys := await page.evaluate(SHORTCUTS):
                await page.keyboard.press(self.person.dice.choice(keys))
            await asyncio.sleep(0.05)

    # ------------------------------------------------------------------------------------------- what the page has sent

    def _later(self, note: Any) -> None:
        task = asyncio.get_running_loop().create_task(note)
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    def _note_sent(self, request: Request) -> None:
        if (table := _table_moved_at(request)) in self._episodes:
            body: Any = request.post_data_json
            self.journal.sent.add((self.person.number, self._episodes[str(table)], int(body["ply"])))

    async def _note(self, response: Response) -> None:
        request = response.request
        if request.method != "POST" or response.status != 200:
            return
        with contextlib.suppress(*_troubles()):  # the page was left before the answer was read
            body: Any = request.post_data_json
            if urlsplit(request.url).path == "/api/study/answer":
                answered = Answered(self.person.number, body["stage"], body["step"], body.get("answers", {}))
                self.journal.answers.append(answered)
            elif (table := _table_moved_at(request)) in self._episodes:
                history = (await response.json())["history"]
                ply, episode = int(body["ply"]), self._episodes[str(table)]
                made = next(event["move"]["name"] for event in history if event["ply"] == ply)
                timing = request.timing
                ms = timing["responseEnd"] - timing["requestStart"]
                self.journal.moves.append(Moved(self.person.number, episode, ply, made, ms, ms > 0))


def _table_moved_at(request: Request) -> str | None:
    found = re.fullmatch(r"/api/tables/([^/]+)/moves", urlsplit(request.url).path)
    return found[1] if found and request.method == "POST" else None


def _troubles() -> tuple[type[Exception], ...]:
    """Return the exceptions that playwright raises when a page is slow, drawn anew or gone."""
    from playwright.async_api import Error

    return (Error,)
