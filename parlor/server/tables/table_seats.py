"""Seats: new tables, joining, leaving and coming back, agents who take a seat, and codes that move one."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any

from parlor.compile import version
from parlor.game import Game
from parlor.page.shapes import MAX_SEED
from parlor.server.operations.threads import in_thread
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import AnAgent, JoinRequest, NewTable, SeatCode, Seated, SeatWish, TableState, You
from parlor.server.tables.pending import PendingMoves
from parlor.server.tables.session import Session, aware, hashed
from parlor.server.tables.store import Row, now
from parlor.server.tables.tables import Tables

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another
CODE, MINUTES = 8, 10


async def create(tables: Tables, wanted: NewTable, client: str | None = None) -> Seated:
    """A new table."""
    game = await in_thread(lambda: tables.catalogue.game(wanted.game, _written(wanted.options)))
    wishes = await _wishes(tables, game, wanted)
    row = await new_row(game, client)
    row |= {"mind": wanted.mind, "pace": wanted.pace, "watch": wanted.watch, "clock": wanted.clock, "undo": wanted.undo}
    if wanted.seed is not None:
        row |= {"seed": wanted.seed, "seed_chosen": True, "secret": None}
    seats, token = [], secrets.token_urlsafe(24)
    for p, wish in enumerate(wishes):
        if isinstance(wish, You):
            row["host"] = p
            seats.append(person(row, p, wanted.player_name, token))
        elif isinstance(wish, AnAgent):
            agent = await tables.agent(wish.agent, game)
            seats.append(seat_row(row, p, kind="agent", agent=agent.id, agent_version=agent.version))
        else:
            seats.append(seat_row(row, p, kind="open", joined=None))
    session = Session(row, seats, game, *await tables.seated(game, seats), game.start())
    return await tables.begin(session, row["host"], token, PendingMoves(row["id"], game.start(), []))


async def _wishes(tables: Tables, game: Game, wanted: NewTable) -> list[SeatWish]:
    """Return the wish for each seat, you or an agent, and refuse those that do not fit the game."""
    if wanted.seats is None:
        seat = secrets.randbelow(game.players) if wanted.seat is None else wanted.seat
        if seat >= game.players:
            raise Refusal(422, f"{game.name} has seats 0 to {game.players - 1}, not {seat}.")
        agent = wanted.agent
        if agent is None:
            agent = await in_thread(lambda: tables.catalogue.recommended(game.name))
        return [You(kind="you") if p == seat else AnAgent(kind="agent", agent=agent) for p in range(game.players)]
    if wanted.agent is not None or wanted.seat is not None:
        raise Refusal(422, "Give either seats, or agent and seat.")
    if len(wanted.seats) != game.players:
        raise Refusal(422, f"{game.name} has {game.players} seats, not {len(wanted.seats)}.")
    if sum(isinstance(wish, You) for wish in wanted.seats) != 1:
        raise Refusal(422, "Exactly one of the seats must be yours: kind you.")
    return wanted.seats


async def new_row(game: Game, client: str | None) -> Row:
    """A table with the usual settings."""
    id = secrets.token_urlsafe(16)
    rules = await in_thread(lambda: version(game))
    return {
        "id": id, "created": now(), "game": game.name, "rules": rules, "players": game.players, "mind": "end",
        "pace": "at-once", "seed": secrets.randbelow(MAX_SEED), "root": id, "parent": None, "parent_ply": None,
        "imported": False, "ended": None, "payoffs": None, "host": 0, "watch": False, "clock": None, "undo": True,
        "undone": 0, "seed_chosen": False, "version": 0, "resigned_by": None, "replaced_by": None, "client": client,
        "study": None, "match": None, "deadline": None, "secret": secrets.token_hex(16),
    }  # fmt: skip


def seat_row(table: Row, seat: int, **values: Any) -> Row:
    """A seat."""
    empty = dict.fromkeys(("token", "agent", "agent_version", "code", "code_expires", "left"))
    return {"table_id": table["id"], "seat": seat, "kind": "person", "name": "", **empty, "joined": now(), **values}


def person(table: Row, seat: int, name: str, token: str) -> Row:
    """The seat of a person."""
    return seat_row(table, seat, name=name, token=hashed(token))


# --------------------------------------------------------------------------------------------------- coming and going


async def join(tables: Tables, id: str, wanted: JoinRequest) -> Seated:
    """Take an open seat."""
    token = secrets.token_urlsafe(24)
    async with tables.locked(id) as session:

        async def sit_down() -> Seated:
            seat = _open_seat(session, wanted.seat)
            values = {"kind": "person", "name": wanted.player_name, "token": hashed(token), "joined": now()}
            await tables.change(session, {}, seat, values)
            return Seated(token=token, state=await tables.shown(session, seat))

        return await tables.retry(session, sit_down)


def _open_seat(session: Session, wanted: int | None) -> int:
    free = [seat["seat"] for seat in session.seats if seat["kind"] == "open"]
    if session.ended:
        raise Refusal(409, "This game is over.")
    if not free:
        raise Refusal(409, "All seats of this table are taken.")
    if wanted is not None and wanted not in free:
        if wanted >= session.game.players:
            raise Refusal(422, f"{session.game.name} has seats 0 to {session.game.players - 1}, not {wanted}.")
        raise Refusal(409, f"Seat {wanted} is taken; open: {', '.join(map(str, free))}.")
    return free[0] if wanted is None else wanted


async def leave(tables: Tables, id: str, token: str, since: int) -> TableState:
    """Leave one's seat, which stays one's own."""

    async def go(session: Session, seat: int) -> TableState:
        if not session.ended and session.seats[seat]["left"] is None:
            await tables.change(session, {}, seat, {"left": now()})
        return await tables.shown(session, seat, since)

    return await tables.transact(id, token, go)


async def come_back(tables: Tables, id: str, token: str, since: int) -> TableState:
    """Take one's seat again, from an agent if one plays there."""

    async def take_back(session: Session, seat: int) -> TableState:
        own = session.seats[seat]
        if not session.ended and (own["kind"] != "person" or own["left"] is not None):
            values = {"kind": "person", "left": None, "agent": None, "agent_version": None}
            await tables.change(session, {}, seat, values)
        return await tables.shown(session, seat, since)

    return await tables.transact(id, token, take_back)


async def seat_agent(tables: Tables, id: str, token: str, seat: int, agent: str, since: int) -> TableState:
    """Let an agent take an open seat, one whose person has left, or one's own."""

    async def sit_down(session: Session, own: int) -> TableState:
        chosen = await tables.agent(agent, session.game)
        if session.ended:
            raise Refusal(409, "The game is over.")
        if seat >= session.game.players:
            raise Refusal(422, f"{session.game.name} has seats 0 to {session.game.players - 1}, not {seat}.")
        old = session.seats[seat]
        if seat != own and old["kind"] != "open" and old["left"] is None:
            raise Refusal(409, f"Seat {seat} is taken: an agent can take an open seat, one that was left, or yours.")
        values: Row = {"kind": "agent", "agent": chosen.id, "agent_version": chosen.version}
        if seat == own:
            values["left"] = old["left"] or now()
        await tables.change(session, {}, seat, values)
        return await tables.shown(session, own, since)

    return await tables.transact(id, token, sit_down)


async def set_watch(tables: Tables, id: str, token: str, watch: bool, since: int) -> TableState:
    """Set whether others may watch."""

    async def change(session: Session, seat: int) -> TableState:
        if seat != session.row["host"]:
            raise Refusal(403, "Only whoever made the table can say whether it may be watched.")
        if session.row["watch"] != watch:
            await tables.change(session, {"watch": watch})
        return await tables.shown(session, seat, since)

    return await tables.transact(id, token, change)


# --------------------------------------------------------------------------------------------------- another browser


async def seat_code(tables: Tables, id: str, token: str) -> SeatCode:
    """A code for one's seat."""
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE))
    expires = now() + timedelta(minutes=MINUTES)

    async def keep(session: Session, seat: int) -> SeatCode:
        await tables.change(session, {}, seat, {"code": hashed(code), "code_expires": expires})
        return SeatCode(code=code, expires=expires.isoformat(timespec="seconds"))

    return await tables.transact(id, token, keep)


async def claim(tables: Tables, id: str, code: str) -> Seated:
    """Take over a seat by its code."""
    given = hashed("".join(letter for letter in code.upper() if letter.isalnum()))
    token = secrets.token_urlsafe(24)
    async with tables.locked(id) as session:

        async def take_over() -> Seated:
            meant = [s for s in session.seats if s["code"] == given and aware(s["code_expires"]) > now()]
            if not meant:
                raise Refusal(403, f"This code is not valid: it works once, for {MINUTES} minutes. Ask for a new one.")
            seat = meant[0]["seat"]
            await tables.change(session, {}, seat, {"token": hashed(token), "code": None, "code_expires": None})
            return Seated(token=token, state=await tables.shown(session, seat))

        return await tables.retry(session, take_over)


def _written(options: dict[str, Any]) -> dict[str, int | str]:
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()}
