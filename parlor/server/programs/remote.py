"""The line protocol, spoken with a program at the other end of a wire.

A program fails in the same ways as one that is run here, in the words of `parlor.agents.programs.process`: it goes, it
does not answer in time, it writes what is no answer, or what cannot be played.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from typing import Any, Protocol

from parlor.agents.programs import messages
from parlor.agents.programs.process import ProgramFailure
from parlor.game import Game, Position
from parlor.game.errors import AgentError
from parlor.game.seats.observation import Event, Observation
from parlor.game.seats.python_agent import Answer, as_distribution

START_SECONDS = 30.0  # between hello and ready


class Wire(Protocol):
    """A way to send messages to a program and to get its own."""

    gone: asyncio.Event  # set when nothing goes over it any more,
    why: ProgramFailure  # for this reason

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; ProgramFailure if the program has gone."""
        ...

    def end(self, why: ProgramFailure) -> None:
        """Let nothing go over it any more."""
        ...

    async def receive(self, seconds: float) -> dict[str, Any]:
        """The next message; ProgramFailure if none comes in time, or what comes is none."""
        ...


class RemoteProgram:
    """A program at the other end of a wire, which plays one game."""

    def __init__(self, wire: Wire, game: Game, seconds: float) -> None:
        """It has so many seconds for each answer."""
        self.wire, self.game, self.seconds = wire, game, seconds
        self.title = ""  # what it calls itself
        self.wants: frozenset[str] = frozenset()
        self._ids, self._seats = itertools.count(1), itertools.count(1)

    async def start(self) -> None:
        """Say hello, and wait until it is ready."""
        await self.wire.send(messages.hello(self.game))
        self.title, self.wants = messages.readiness(await self.wire.receive(START_SECONDS))

    async def begin(self, player: int) -> int:
        """A new seat, by number."""
        seat = next(self._seats)
        await self.wire.send(messages.begin(seat, player))
        return seat

    async def observe(self, seat: int, happened: Sequence[Event]) -> None:
        """Pass on what has happened, if the program asked for that."""
        if "events" in self.wants:
            for one in happened:
                await self.wire.send(messages.event(seat, one))

    async def ask(self, seat: int, position: Position, seen: Observation) -> dict[str, float]:
        """The answer at a position, as a distribution over the legal moves."""
        id = next(self._ids)
        await self.wire.send(messages.act(id, seat, seen, "history" in self.wants))
        return distribution(messages.answer_to(id, await self.wire.receive(self.seconds)), position)

    async def refuse(self, sentence: str) -> None:
        """Tell the program why its last answer was refused."""
        await self.wire.send(messages.error(sentence))

    async def wait(self, changed: asyncio.Event, seconds: float) -> None:
        """Wait for news, but not for ever; ProgramFailure if the program goes meanwhile."""
        waiting = [asyncio.ensure_future(event.wait()) for event in (changed, self.wire.gone)]
        try:
            await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
        if self.wire.gone.is_set():
            raise self.wire.why

    async def end(self, seat: int, payoffs: Sequence[float]) -> None:
        """Pass on how the game ended."""
        await self.wire.send(messages.end(seat, payoffs))


def distribution(answer: Answer, position: Position) -> dict[str, float]:
    """An answer as a distribution over the legal moves; ProgramFailure if it cannot be played."""
    try:
        return as_distribution("It", answer, position)
    except AgentError as error:
        raise ProgramFailure("illegal", str(error).removeprefix("It ").rstrip(".")) from None
