"""A bot that goes through a whole study by HTTP and WebSocket, and sees no more than a page does.

Like a page it listens for news of the study and of the table, sends again what was not answered, and goes on where it
was after a reload. Its person (`people.py`) says what it does; what the server acknowledged goes into the journal.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from parlor.game import Game
from parlor.study.data.records import FINAL
from parlor.study.design.description import Description
from parlor.study.rehearsal.connection import Connection, Refused, Silence
from parlor.study.rehearsal.journal import Answered, Ended, Moved, RehearsalJournal
from parlor.study.rehearsal.people import SimulatedPerson, legal_ids

State = dict[str, Any]

ENDS = set(FINAL)
LOOK = 5.0  # seconds without news after which a bot looks for itself
TRIES = 600  # looks at the table of a practice


@dataclass(frozen=True)
class Visit:
    """The study, game and settings that all bots of a rehearsal share."""

    study: Description
    game: Game
    speed: float  # of the study's time
    haste: float = 1.0  # how many times faster than people bots read
    signature: Callable[[str], str] = lambda participant: ""  # of a participant's link

    @property
    def longest(self) -> float:
        """Seconds after which a bot that has not come to an end is stuck; study time."""
        study = self.study
        pages = len(study.screens) + len(study.questions) + len(study.test.questions) + 10
        playing = study.episodes * (study.seconds + study.waiting.pause + study.waiting.gone)
        return 2 * (study.waiting.longest + playing + 60.0 * pages / self.haste)


class Walker:
    """One bot."""

    def __init__(
        self, person: SimulatedPerson, visit: Visit, connection: Connection, journal: RehearsalJournal
    ) -> None:
        self.person, self.visit, self.connection, self.journal = person, visit, connection, journal
        self.state: State = {"stage": "coming", "now": ""}
        self.table: State | None = None
        self.token = ""
        self.passed = False  # has passed the test, and so fills a place in the study
        self._changed = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None
        self._moved_device = False

    @property
    def stage(self) -> str:
        """The bot's stage of the study."""
        return str(self.state["stage"])

    async def walk(self, grace: float = 120.0) -> str:
        """Go through the study; the stage where its way ended, `left` or `stuck`. `grace` are seconds of real time."""
        try:
            async with asyncio.timeout(grace + self.visit.longest / self.visit.speed):
                where = await self._walk()
        except TimeoutError:
            self.trouble(f"stuck in {self.stage}")
            where = "stuck"
        except (Refused, Silence) as trouble:
            self.trouble(f"in {self.stage}: {trouble}")
            where = "stuck"
        finally:
            self._stop_listening()
        told = self.state if where in ENDS else {}
        end = Ended(
            self.person.number, self.person.id, where, told.get("pay"), told.get("code"), self.state.get("scores", [])
        )
        self.journal.ends.append(end)
        return where

    async def _walk(self) -> str:
        await self._enter()
        stages: dict[str, Callable[[], Awaitable[None]]] = {
            "consent": self._consent,
            "tutorial": self._tutorial,
            "test": self._test,
            "waiting": self._wait,
            "episode": self._episode,
            "score": self._score,
            "bonus": self._bonus,
            "orientation": self._orientation,
            "questionnaire": self._questionnaire,
        }
        while self.stage not in ENDS:
            if self.state["progress"] >= self.person.leaves:
                return "left"
            await self._mishap()
            if self.stage in stages:
                await stages[self.stage]()
        return self.stage

    # ------------------------------------------------------------------------------------------------ coming and news

    async def _enter(self) -> None:
        person = self.person
        body = {"participant": person.id, "signature": self.visit.signature(person.id)}
        entered, _, _ = await self.connection.ask("POST", "/api/study/enter", body=body)
        self.journal.entered[person.number] = person.id
        self.token = entered["token"]
        self._see(entered["state"])
        self._listen()

    def _listen(self) -> None:
        self._stop_listening()
        self._listening = asyncio.create_task(self._follow("/api/study/live", self.token, self._see, beat=10.0))

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            self._listening = None

    async def _follow(self, path: str, token: str, see: Callable[[State], None], beat: float = 0.0) -> None:
        async with contextlib.aclosing(self.connection.news(path, token, beat)) as news:
            async for state in news:
                see(state)

    def _see(self, state: State) -> None:
        """Take a state, unless a newer one is known."""
        if state["now"] >= self.state["now"]:
            self.state = state
            if state["stage"] in ("waiting", "episode"):
                self.passed = True
            self._changed.set()

    def _see_table(self, table: State) -> None:
        if self.table is None or self.table["id"] != table["id"] or table["ply"] >= self.table["ply"]:
            self.table = table
            self._changed.set()

    async def _look(self) -> None:
        state, _, _ = await self.connection.ask("GET", "/api/study/state", self.token)
        self._see(state)

    async def _news(self) -> None:
        """Wait for news; look for oneself if there are none for long."""
        try:
            async with asyncio.timeout(LOOK):
                await self._changed.wait()
        except TimeoutError:
            before = self._place()
            await self._look()
            self.journal.polled += self._place() != before
        self._changed.clear()

    def _place(self) -> tuple[str, int, int]:
        """Which page it is on: the stage, the step, the episode."""
        episode = self.state["episode"]
        return self.stage, self.state["step"], episode["number"] if episode else len(self.state["scores"])

    async def _until_elsewhere(self) -> None:
        place = self._place()
        while self._place() == place:
            await self._news()

    async def _mishap(self) -> None:
        """Reload, lose the connection, or go on at another device, now and then."""
        person = self.person
        if not self._moved_device and self.state["progress"] >= person.changes:
            self._moved_device = True
            await self._enter()
        elif person.chance(person.habits.loses):
            self._stop_listening()
            await self._sleep(person.dice.expovariate(1.0 / person.habits.away))
            await self._look()
            self._listen()
        elif person.chance(person.habits.reloads):
            self._stop_listening()
            await self._look()
            self._listen()

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.visit.speed)

    async def _read(self, pages: float = 1.0) -> None:
        await self._sleep(pages * self.person.reading_seconds() / self.visit.haste)

    def trouble(self, sentence: str) -> None:
        """Note what should not have happened."""
        self.journal.troubles.append(f"{self.person.id}: {sentence}")

    # ---------------------------------------------------------------------------------------------------- its answers

    async def _answer(self, answers: dict[str, Any] | None = None) -> None:
        """Answer the page it is on, now and then twice, and take the state that comes back."""
        person, stage, step = self.person, self.stage, int(self.state["step"])
        body = {"stage": stage, "step": step, "answers": answers or {}}
        count = 2 if person.chance(person.habits.double) else 1
        asked = (self.connection.ask("POST", "/api/study/answer", self.token, body) for _ in range(count))
        for state, _, _ in await asyncio.gather(*asked):
            self._see(state)
        self.journal.answers.append(Answered(person.number, stage, step, answers or {}))

    async def _consent(self) -> None:
        await self._read()
        await self._answer({"consent": not self.person.declines})

    async def _tutorial(self) -> None:
        await self._read()
        await self._practise()
        await self._answer()

    async def _test(self) -> None:
        await self._read(2)
        answers: dict[str, Any] = right_answers(self.visit.study)
        if self.person.fails:
            question = self.person.dice.choice(self.state["questions"])
            wrong = [answer for answer in question["answers"] if answer != answers[question["id"]]]
            answers[question["id"]] = self.person.dice.choice(wrong)
        await self._answer(answers)

    async def _wait(self) -> None:
        await self._until_elsewhere()

    async def _score(self) -> None:
        place = self._place()
        await self._read(0.5)
        if self._place() == place:
            if self.person.chance(0.7):
                await self._answer()
            while self._place() == place:
                await self._news()

    async def _bonus(self) -> None:
        await self._read(0.5)
        await self._answer()

    async def _orientation(self) -> None:
        """Value the other's points at so many of one's own, the same on all sliders."""
        await self._read(2)
        other = self.person.dice.gauss(0.4, 0.4)
        answers = {}
        for question in self.state["questions"]:
            worth = [mine + other * theirs for mine, theirs in question["pairs"]]
            answers[question["id"]] = float(worth.index(max(worth)))
        await self._answer(answers)

    async def _questionnaire(self) -> None:
        await self._read(2)
        answers: dict[str, Any] = {}
        for question in self.state["questions"]:
            if question["required"] or self.person.chance(0.7):
                answers[question["id"]] = reply(self.person, question)
        await self._answer(answers)

    # ------------------------------------------------------------------------------------------------------ its games

    async def _practise(self) -> None:
        """Try one kind of move after the other, until the one that is asked for was made."""
        tried: set[str] = set()
        for _ in range(TRIES):
            screen = self.state["screen"]
            if self.stage != "tutorial" or not screen["practice"] or screen["practice"]["done"]:
                return
            path, token = f"/api/tables/{screen['practice']['table']}", screen["practice"]["token"]
            table, _, _ = await self.connection.ask("GET", f"{path}?since=0", token)
            if table["turn"] == "you":
                kind = self.person.dice.choice([m for m in table["legal"] if m["verb"] not in tried] or table["legal"])
                tried.add(kind["verb"])
                await self._sleep(self.person.thinking_seconds() / self.visit.haste)
                body = {"ply": table["ply"], "move": self.person.dice.choice(legal_ids([kind]))}
                with contextlib.suppress(Refused):  # too late
                    await self.connection.ask("POST", f"{path}/moves", token, body)
            else:
                await self._sleep(1.0)
            await self._look()  # a game that is over begins again, at another table
        self.trouble(f"the practice of screen {self.state['step'] + 1} is not done after {TRIES} tries")

    async def _episode(self) -> None:
        """Play, until the study goes on."""
        person, episode, place = self.person, self.state["episode"], self._place()
        dawdles, moved = person.chance(person.habits.dawdles), 0
        self.table = None
        path = f"/api/tables/{episode['table']}/live"
        listening = asyncio.create_task(self._follow(path, episode["token"], self._see_table))
        try:
            while self._place() == place:
                table = self.table
                if table is None or table["turn"] != "you" or person.silent or (dawdles and moved):
                    await self._news()
                    continue
                await self._sleep(person.thinking_seconds())
                if self._place() == place:
                    moved += await self._move(episode, table)
        finally:
            listening.cancel()

    async def _move(self, episode: State, table: State) -> bool:
        """Make a move, now and then twice; whether it was made."""
        person, ply = self.person, int(table["ply"])
        body = {"ply": ply, "move": person.choose(self.visit.game, table)}
        path = f"/api/tables/{episode['table']}/moves?since={ply}"
        count = 2 if person.chance(person.habits.double) else 1
        asked = (self.connection.ask("POST", path, episode["token"], body) for _ in range(count))
        self.journal.sent.add((person.number, episode["number"], ply))
        for i, result in enumerate(await asyncio.gather(*asked, return_exceptions=True)):
            if isinstance(result, Refused):
                self.journal.refused[str(result)] += 1
                if result.status != 409:
                    self.trouble(f"a move at ply {ply} was refused: {result}")
                await self._look()
                with contextlib.suppress(Refused):
                    seen, _, _ = await self.connection.ask("GET", path.replace("/moves", ""), episode["token"])
                    self._see_table(seen)
                return False
            if isinstance(result, BaseException):
                raise result
            state, ms, first = result
            made = next(event["move"]["name"] for event in state["history"] if event["ply"] == ply)
            if i == 0:
                self.journal.moves.append(Moved(person.number, episode["number"], ply, made, ms, first))
            self._see_table(state)
        return True


def right_answers(study: Description) -> dict[str, str]:
    """Of the test, by question."""
    return {q.id: q.answers[q.right] for q in study.test.questions if q.right is not None}


def reply(person: SimulatedPerson, question: State) -> str | float:
    """Somebody's answer to a question that has no right one."""
    if question["kind"] == "choice":
        return str(person.dice.choice(question["answers"]))
    if question["kind"] == "text":
        return f"Person {person.number} has nothing to add."
    least = 18.0 if question["least"] is None else question["least"]
    most = least + 60.0 if question["most"] is None else question["most"]
    return float(round(person.dice.uniform(least, most)))
