"""A program in the seat of a table, by the token of the seat, instead of a person in front of the page.

The same messages go over a WebSocket (`play`) and in single requests (`question`, `answer`). Nothing is lost by an
answer that cannot be played: the program is told why, and asked again.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from functools import partial
from typing import Any

from parlor.agents.programs import messages
from parlor.agents.programs.process import ProgramFailure
from parlor.game.seats.observation import Observation, observe
from parlor.server.operations.threads import in_thread
from parlor.server.programs.remote import RemoteProgram, distribution
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import MoveRequest
from parlor.server.tables import table_moves
from parlor.server.tables.session import Session
from parlor.server.tables.tables import Tables

SEAT = 1  # the number of the seat in messages: a program has one at a table
WATCHERS = 8  # of one seat
LOOK = 5.0  # seconds between looks without news: another server may have moved
MAX_WAIT = 30.0  # seconds that somebody may wait for a question
MAX_REFUSED = 5  # answers in a row that cannot be played, before the program is sent away

Message = dict[str, Any]
_random = random.SystemRandom()


async def question(tables: Tables, id: str, token: str, wait: float = 0.0) -> Message:
    """The message for the owner of a seat: a question, the end, or that there is nothing to answer yet."""
    deadline = time.monotonic() + min(wait, MAX_WAIT)
    seat = await _seat(tables, id, token)
    with tables.watchers.watching(id, seat, WATCHERS) as changed:
        while True:
            changed.clear()
            async with tables.locked(id) as session:
                await tables.seat_of(session, token)
                found = await in_thread(partial(_message, session, seat))
            left = deadline - time.monotonic()
            if found["type"] != "wait" or left <= 0.0:
                return found
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), min(left, LOOK))


async def answer(tables: Tables, id: str, token: str, message: Message) -> Message:
    """Make the move of an answer; returns what comes next, as far as it is there."""
    seat = await _seat(tables, id, token)
    try:
        chosen = messages.answer(message)
    except ProgramFailure as failure:
        raise Refusal(422, f"The program {failure}.") from None
    asked = message.get("id")
    if isinstance(asked, bool) or not isinstance(asked, int) or asked < 1:
        raise Refusal(422, "An answer needs the id of the question.")
    async with tables.locked(id) as session:
        ply = asked - 1
        position = session.position if session.ply_of(seat, False, ply) == session.ply else None
        mine = position is not None and position.turn == seat
    if position is not None and mine:
        try:
            chances = distribution(chosen, position)
        except ProgramFailure as failure:
            raise Refusal(422, f"The program {failure}.") from None
        chosen = _random.choices([*chances], [*chances.values()])[0]
    if not isinstance(chosen, str | int):
        raise Refusal(409, f"Question {asked} is not asked any more, or not yet.")
    await table_moves.move(tables, id, token, MoveRequest(ply=ply, move=chosen), ply)
    return await question(tables, id, token)


async def play(tables: Tables, id: str, token: str, program: RemoteProgram) -> None:
    """Let a program play its seat to the end of the game; ProgramFailure when it fails, Refusal at a wrong token."""
    seat = await _seat(tables, id, token)
    await program.start()
    await program.begin(seat)
    told = refused = 0
    seen: Observation | None = None  # the last, which is that of every look at the same ply
    looked = -1
    with tables.watchers.watching(id, seat, WATCHERS) as changed:
        while True:
            changed.clear()
            async with tables.locked(id) as session:
                await tables.seat_of(session, token)
                position, ended, asked = session.position, session.ended, _is_asked(session, seat)
                ply = session.number_of(seat, False, session.ply)
            if seen is None or position.ply != looked:
                seen, looked = await in_thread(partial(observe, position, seat)), position.ply
            await program.observe(SEAT, seen.history[told:])
            told = len(seen.history)
            if ended:
                await program.end(SEAT, session.row["payoffs"] or [])
                return
            if not asked:
                await program.wait(changed, LOOK)
                continue
            try:
                chances = await program.ask(SEAT, position, seen)
            except ProgramFailure as failure:
                refused += 1
                if failure.kind != "illegal" or refused == MAX_REFUSED:
                    raise
                await program.refuse(f"The program {failure}.")
                continue
            refused = 0
            move = _random.choices([*chances], [*chances.values()])[0]
            await _make(tables, id, token, MoveRequest(ply=ply, move=move), program)


async def _make(tables: Tables, id: str, token: str, wanted: MoveRequest, program: RemoteProgram) -> None:
    """Make a move; that it came too late, or the game has ended, is told to the program, and no failure."""
    try:
        await table_moves.move(tables, id, token, wanted, wanted.ply)
    except Refusal as refusal:
        if refusal.status != 409:
            raise
        await program.refuse(refusal.sentence)


async def _seat(tables: Tables, id: str, token: str) -> int:
    async with tables.locked(id) as session:
        return await tables.seat_of(session, token)


def _message(session: Session, seat: int) -> Message:
    """The message for a seat at present."""
    if session.ended:
        return messages.end(SEAT, session.row["payoffs"] or [])
    if not _is_asked(session, seat):
        return {"type": "wait", "seat": SEAT}
    return messages.act(session.number_of(seat, False, session.ply) + 1, SEAT, observe(session.position, seat), True)


def _is_asked(session: Session, seat: int) -> bool:
    """Whether a move of whoever owns a seat is waited for."""
    away = session.is_agents(seat) or session.seats[seat]["left"] is not None
    return session.runs and session.position.turn == seat and not away
