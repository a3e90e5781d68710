"""Games that continue others: branches of finished games, moves taken back, and games from files."""

from __future__ import annotations

import secrets

from parlor.game import Game, GameError
from parlor.runs.files.container import FileError
from parlor.server.operations.threads import in_thread
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import BranchRequest, GameRecord, GameRecord1, Seated, UndoRequest
from parlor.server.tables.session import Session, hashed
from parlor.server.tables.store import Row, now
from parlor.server.tables.table_queries import adviser, as_record, replayed, replayed_record
from parlor.server.tables.table_seats import new_row, person, seat_row
from parlor.server.tables.tables import Tables

RUNNING = (
    "A running game cannot be branched: that would reveal hidden cards. Take back a move, or wait until it is over."
)
MAX_MOVES = 10_000  # of a file: to replay them takes some seconds
SETTINGS = ("mind", "pace", "watch", "clock", "undo", "imported", "seed_chosen")  # that a continued game keeps


async def branch(tables: Tables, id: str, token: str, wanted: BranchRequest, client: str) -> Seated:
    """A new table that begins with the first moves of this one; later draws are new.

    Only an open game can be branched, so a branch shares no secret with any other game, and stands for itself.
    """
    async with tables.locked(id) as session:
        own = await tables.seat_of(session, token) if token else None
        if not await tables.is_open(session):
            raise Refusal(409, RUNNING)
        session.reached(own, True, wanted.ply)
    # the old table does not change any more, and whoever looks at it need not wait while agents are seated
    game, old = session.game, session.row
    seat = wanted.seat if wanted.seat is not None else old["host"] if own is None else own
    if seat >= game.players:
        raise Refusal(422, f"{game.name} has seats 0 to {game.players - 1}, not {seat}.")
    row = await new_row(game, client)
    row |= {name: old[name] for name in SETTINGS} | {"parent": id, "parent_ply": wanted.ply, "host": seat}
    row |= {"watch": False, "mind": wanted.mind or old["mind"], "pace": wanted.pace or old["pace"]}
    if wanted.seed is not None:
        row |= {"seed": wanted.seed, "seed_chosen": True, "secret": None}
    token = secrets.token_urlsafe(24)
    name = session.seats[seat]["name"] if seat == own else ""
    seats = [person(row, seat, name, token)]
    for other in session.seats:
        if other["seat"] != seat:
            seats.append(await _agents_seat(tables, session, row, other, wanted.agent))
    seats.sort(key=lambda one: int(one["seat"]))
    return await _continue(tables, session, row, seats, wanted.ply, seat, token)


async def _agents_seat(tables: Tables, session: Session, row: Row, old: Row, wanted: str | None) -> Row:
    """Return the row of a branch's other seat: the agent that is wanted, the one that sat there, or the adviser."""
    if wanted is None and old["kind"] == "agent":
        agent = session.agents.get(old["seat"])
        version = agent.version if agent else old["agent_version"]
        return seat_row(row, old["seat"], kind="agent", agent=old["agent"], agent_version=version)
    chosen = await tables.agent(wanted, session.game) if wanted else await adviser(tables, session)
    return seat_row(row, old["seat"], kind="agent", agent=chosen.id, agent_version=chosen.version)


async def undo(tables: Tables, id: str, token: str, wanted: UndoRequest) -> Seated:
    """Take back a move: a new table continues before it with the same cards, and this one ends with it.

    Both share their hidden cards, so this one is not opened before the new one is over.
    """

    async def take_back(session: Session, seat: int) -> Seated:
        ply = _can_undo(session, seat, wanted.ply)
        row = await new_row(session.game, session.row["client"])
        row |= {name: session.row[name] for name in (*SETTINGS, "seed", "secret", "root", "host")}
        row |= {"parent": id, "parent_ply": ply, "undone": session.row["undone"] + 1}
        fresh = secrets.token_urlsafe(24)
        seats = [old | {"table_id": row["id"], "code": None, "code_expires": None} for old in session.seats]
        seats[seat]["token"] = hashed(fresh)
        seated = await _continue(tables, session, row, seats, ply, seat, fresh, session.row)
        await tables.look(session)
        tables.stop_thinking(id)
        tables.watchers.notify(id)
        return seated

    return await tables.transact(id, token, take_back)


def _can_undo(session: Session, seat: int, ply: int) -> int:
    past = session.reached(seat, False, ply)
    if session.ended:
        raise Refusal(409, "The game is over.")
    if not session.row["undo"]:
        raise Refusal(409, "At this table moves cannot be taken back.")
    if session.people != [seat]:
        raise Refusal(409, "Moves can be taken back only where one person plays with agents.")
    last = session.last_decision(seat, past)
    if last is None:
        raise Refusal(409, "You have made no move that could be taken back.")
    return last


async def _continue(
    tables: Tables,
    old: Session,
    row: Row,
    seats: list[Row],
    ply: int,
    seat: int,
    token: str,
    replaces: Row | None = None,
) -> Seated:
    """Begin a table with the first moves of another."""
    written = await tables.store.moves(old.id)
    pending = await in_thread(lambda: replayed(row["id"], old.game, old.moves[:ply]))
    for new, was in zip(pending.moves, written, strict=False):
        new |= {name: was[name] for name in ("at", "ms", "agent", "agent_version")}
    session = Session(row, seats, old.game, *await tables.seated(old.game, seats), old.game.start())
    return await tables.begin(session, seat, token, pending, replaces)


# --------------------------------------------------------------------------------------------------- files


async def take_in(tables: Tables, given: GameRecord | GameRecord1, client: str) -> Seated:
    """A table from a file; a file that does not replay is refused. What it says of agents' versions is not believed."""
    if len(given.moves) > MAX_MOVES:
        raise Refusal(
            422, f"The file has {len(given.moves):,} moves and draws; at most {MAX_MOVES:,} are replayed here."
        )
    game = await in_thread(lambda: tables.catalogue.game(given.game))
    record = as_record(given, game)
    if record.seat >= game.players:
        raise Refusal(422, f"{game.name} has no seat {record.seat}.")
    if len(record.seats) != game.players:
        raise Refusal(422, f"{game.name} has {game.players} seats, not {len(record.seats)}.")
    if record.resigned_by is not None and record.resigned_by >= game.players:
        raise Refusal(422, f"{game.name} has no seat {record.resigned_by}.")
    if len(record.moves) > game.length:
        raise Refusal(422, f"No game of {game.name} has {len(record.moves)} moves.")
    row = await new_row(game, client)
    row |= {"imported": True, "pace": "step", "host": record.seat}
    pending = await in_thread(lambda: replayed_record(row["id"], game, record))
    over = pending.position.over
    if record.resigned_by is not None and not over:
        row |= {"ended": now(), "resigned_by": record.resigned_by}
        over = True
    token = secrets.token_urlsafe(24)
    seats = [await _filed_seat(tables, game, row, record, p, over, token) for p in range(game.players)]
    session = Session(row, seats, game, *await tables.seated(game, seats), game.start())
    return await tables.begin(session, record.seat, token, pending)


async def _filed_seat(tables: Tables, game: Game, row: Row, record: GameRecord, p: int, over: bool, token: str) -> Row:
    """A seat of a file: yours, the agent's that it names, or another person's; an agent plays on for that one."""
    filed = record.seats[p]
    if p == record.seat:
        return person(row, p, filed.name, token)
    if filed.agent is None and over:
        return seat_row(row, p, name=filed.name)
    if filed.agent is None:
        agent = await tables.stand_in(game)
        return seat_row(row, p, kind="agent", agent=agent.id, agent_version=agent.version)
    try:
        version = (await tables.agent(filed.agent, game)).version
    except (GameError, FileError, OSError):
        version = ""
    return seat_row(row, p, kind="agent", agent=filed.agent, agent_version=version)
