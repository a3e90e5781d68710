"""Games in progress: creating tables, moving, letting the agent move, branching, importing.

One request at a time works on a table (a lock), and every change is written before it is applied in memory: if another
process was faster, the database says so, the table is read again and the request is tried again. Nothing in memory is
needed to continue after a crash.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import re
import secrets
import time
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeVar

from parlor.game import CHANCE, Game, GameError, Position
from parlor.moves import listed
from parlor.native import version
from parlor.runs.policy_files import FileError
from parlor.server import mind
from parlor.server.catalogue import Catalogue
from parlor.server.records import record_of, replayed, replayed_record
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import MOST_SEED, Pace
from parlor.server.schemas.mind import Mind, MindList
from parlor.server.schemas.tables import (
    AdvanceRequest,
    BranchRequest,
    GameRecord,
    MoveRequest,
    NewTable,
    Seated,
    TableState,
)
from parlor.server.seated_agent import SeatedAgent, readable
from parlor.server.session import PendingMoves, Session, aware, refuse_ply
from parlor.server.store import AWAY, Row, Store, Taken, now
from parlor.words import players_named

KEPT = 256  # tables in memory
TRIES = 5  # if another process keeps moving at the same table
ID = re.compile(r"[A-Za-z0-9_-]{22}")

T = TypeVar("T")


class Tables:
    """All tables of the server."""

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        """Tables are stored in `store`; games and agents come from the `catalogue`."""
        self.store = store
        self.catalogue = catalogue
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._watchers: dict[str, set[asyncio.Event]] = {}

    # ----------------------------------------------------------------------------------------------- sitting down

    async def create(self, wanted: NewTable) -> Seated:
        """A new table."""
        game = await _in_thread(lambda: self.catalogue.game(wanted.game, _written(wanted.options)))
        opponent = await _in_thread(lambda: self.catalogue.seat(wanted.agent, game))
        seat = secrets.randbelow(game.players) if wanted.seat is None else wanted.seat
        if seat >= game.players:
            raise Refusal(422, f"{game.name} has seats 0 to {game.players - 1}, not {seat}.")
        row = await self._row(game, opponent.id, opponent.version, seat)
        row |= {"player_name": wanted.player_name, "mind": wanted.mind, "pace": wanted.pace}
        row["seed"] = secrets.randbelow(MOST_SEED) if wanted.seed is None else wanted.seed
        return await self._begin(row, PendingMoves(row["id"], game.start(), []), game, opponent)

    async def _row(self, game: Game, agent: str, agent_version: str, seat: int) -> Row:
        id = secrets.token_urlsafe(16)
        rules = await _in_thread(lambda: version(game))
        return {
            "id": id, "created": now(), "game": game.name, "rules": rules, "players": game.players, "seat": seat,
            "player_name": "", "token": "", "agent": agent, "agent_version": agent_version, "mind": "end",
            "pace": "at-once", "seed": secrets.randbelow(MOST_SEED), "root": id, "parent": None, "parent_ply": None,
            "imported": False, "ended": None, "resigned": False, "payoffs": None,
        }  # fmt: skip

    async def _begin(
        self, row: Row, pending: PendingMoves, game: Game, opponent: SeatedAgent | None, trouble: str = ""
    ) -> Seated:
        """Write a new table, after chance and the agent have moved, and show it."""
        token = secrets.token_urlsafe(24)
        row["token"] = _hash(token)
        session = Session(row, game, opponent, trouble or None, game.start())
        if not row["resigned"]:
            await self._play_on(session, pending, row["pace"] == "at-once")
        row |= _ending(pending) or {}
        await self.store.add_table(row, pending.moves)
        session.follow(pending.moves, pending.positions)
        self._keep(session)
        return Seated(token=token, state=session.state(await self.is_open(session)))

    # ----------------------------------------------------------------------------------------------- looking

    @contextlib.asynccontextmanager
    async def at(self, id: str, token: str, look: bool = True) -> AsyncIterator[Session]:
        """A table, locked, for the owner of its seat.

        It is up to date with the database; without `look`, as in memory: good enough to move, since a move that does
        not fit is refused when it is written.
        """
        if not ID.fullmatch(id):
            raise Refusal(404, "There is no such table.")
        lock = self._locks.setdefault(id, asyncio.Lock())
        async with lock:
            try:
                session = await self._session(id, look)
                if not token:
                    raise Refusal(401, "This needs the token of the seat, as Authorization: Bearer TOKEN.")
                if not hmac.compare_digest(session.row["token"], _hash(token)):
                    raise Refusal(403, "This is not the token of the seat at this table.")
                yield session
            except AWAY:
                self._sessions.pop(id, None)  # it is unknown what was written: read it again next time
                raise

    async def _session(self, id: str, look: bool) -> Session:
        session = self._sessions.get(id)
        if session is None:
            row = await self.store.table(id)
            if row is None:
                raise Refusal(404, "There is no such table.")
            session = await self._seated(row)
            look = True
        if look:
            await self._look(session)
        self._keep(session)
        return session

    async def _look(self, session: Session) -> None:
        """Update from the database."""
        id = session.id
        pulse = await self.store.pulse(id)
        if pulse is None or pulse["plies"] < session.ply:
            self._sessions.pop(id, None)
            raise Refusal(409, "The table has changed; try again.")
        if pulse.pop("plies") > session.ply:
            moves = await self.store.moves(id, session.ply)
            try:
                await _in_thread(lambda: session.follow(moves))
            except GameError:
                self._sessions.pop(id, None)
                raise Refusal(
                    409, "The rules have changed since this game was played: it cannot be replayed."
                ) from None
        session.row |= pulse

    async def _seated(self, row: Row) -> Session:
        try:
            game = await _in_thread(lambda: self.catalogue.game(row["game"]))
        except GameError as error:
            raise Refusal(409, f"The game of this table can no longer be played here: {error}") from None
        opponent, trouble = await self._opponent(row["agent"], game)
        return Session(row, game, opponent, trouble, game.start())

    async def _opponent(self, id: str, game: Game) -> tuple[SeatedAgent | None, str | None]:
        try:
            return await _in_thread(lambda: self.catalogue.seat(id, game)), None
        except (GameError, FileError, OSError) as error:
            return None, f"The agent {id} cannot play: {readable(error)}"

    def _keep(self, session: Session) -> None:
        self._sessions[session.id] = session
        self._sessions.move_to_end(session.id)
        while len(self._sessions) > KEPT:
            self._sessions.popitem(last=False)

    async def is_open(self, session: Session) -> bool:
        """Whether nothing is hidden any more: this game is over, and so is every branch that shares its cards."""
        return session.ended and not await self.store.running(session.row["root"])

    async def state(self, id: str, token: str, since: int = 0) -> TableState:
        """The table now."""
        async with self.at(id, token) as session:
            return session.state(await self.is_open(session), since)

    async def replay(self, id: str, token: str, ply: int) -> TableState:
        """The table as it was at a ply."""
        async with self.at(id, token) as session:
            refuse_ply(session, ply)
            is_open = await self.is_open(session)
            return await _in_thread(lambda: session.state(is_open, 0, ply))

    # ----------------------------------------------------------------------------------------------- moving

    async def move(self, id: str, token: str, wanted: MoveRequest, since: int) -> TableState:
        """The person's move; if the agent answers at once, its answer too."""
        async with self.at(id, token, look=False) as session:
            for _ in range(TRIES):
                if not _fits(session, wanted):
                    await self._look(session)
                if _already(session, wanted):
                    return session.state(await self.is_open(session), since)
                _may_move(session, wanted.ply)
                name = _name(session.position, wanted.move)
                if name is None:
                    can = listed(session.position.moves)
                    raise Refusal(422, f"{wanted.move!r} cannot be played here; legal moves: {can}.")
                pending = session.pending()
                pending.play(name, _since(session))
                await self._play_on(session, pending, session.row["pace"] == "at-once")
                if await self._write(session, pending):
                    return session.state(await self.is_open(session), since)
            raise Refusal(409, "Another process keeps moving at this table; reload it.")

    async def advance(self, id: str, token: str, wanted: AdvanceRequest, since: int) -> TableState:
        """One move of the agent."""
        async with self.at(id, token) as session:
            for _ in range(TRIES):
                refuse_ply(session, wanted.ply)
                if wanted.ply < session.ply:
                    if session.players[wanted.ply] in (session.seat, CHANCE):
                        raise Refusal(409, f"The move at ply {wanted.ply} was not the agent's.")
                    return session.state(await self.is_open(session), since)
                if session.ended:
                    raise Refusal(409, "The game is over.")
                if session.position.turn == session.seat:
                    raise Refusal(409, "It is your turn, not the agent's.")
                pending = session.pending()
                await self._play_on(session, pending, True, once=True)
                if session.trouble and not pending.moves:
                    raise Refusal(409, session.trouble)
                if await self._write(session, pending):
                    return session.state(await self.is_open(session), since)
            raise Refusal(409, "Another process keeps moving at this table; reload it.")

    async def set_pace(self, id: str, token: str, pace: Pace, since: int) -> TableState:
        """Change how the agent answers; if it is to answer at once and it is its turn, it does."""
        async with self.at(id, token) as session:
            await self.store.set_pace(id, pace)
            session.row["pace"] = pace
            pending = session.pending()
            if not session.ended:
                await self._play_on(session, pending, pace == "at-once")
            if pending.moves:
                await self._write(session, pending)
            self.notify(id)
            return session.state(await self.is_open(session), since)

    async def resign(self, id: str, token: str) -> TableState:
        """End the game as lost."""
        async with self.at(id, token) as session:
            if not session.ended:
                ended = {"ended": now(), "resigned": True}
                if await self.store.end(id, ended):
                    session.row |= ended
                self.notify(id)
            return session.state(await self.is_open(session))

    async def _write(self, session: Session, pending: PendingMoves) -> bool:
        """Write the new moves, then apply them; False if the ply was taken, and the table has been read again."""
        ended = _ending(pending)
        try:
            await self.store.add_moves(session.id, session.row["pace"], pending.moves, ended)
        except Taken:
            await self._look(session)
            return False
        session.follow(pending.moves, pending.positions)
        session.row |= ended or {}
        self.notify(session.id)
        return True

    async def _play_on(self, session: Session, pending: PendingMoves, answers: bool, once: bool = False) -> None:
        """Let chance and, if it `answers`, the agent move until it is the person's turn."""
        seed, opponent = session.row["seed"], session.opponent
        pending.deal(seed)
        while answers and not pending.position.over and pending.position.turn != session.seat and opponent is not None:
            began = time.perf_counter()
            try:
                choices = await self._choices(opponent, pending)
            except GameError as error:
                session.trouble = f"The agent {opponent.name} cannot move: {readable(error)}"
                return
            ms = 1000.0 * (time.perf_counter() - began)
            pending.play(pending.draw(seed, choices), ms, opponent.version)
            pending.deal(seed)
            if once:
                return

    async def _choices(self, opponent: SeatedAgent, pending: PendingMoves) -> dict[str, float]:
        position = pending.position
        if opponent.quick:
            return mind.decide(opponent, position)
        return await _in_thread(lambda: mind.decide(opponent, position))

    # ----------------------------------------------------------------------------------------------- the mind

    async def minds(self, id: str, token: str) -> MindList:
        """The plies whose minds can be shown now."""
        async with self.at(id, token) as session:
            is_open = await self.is_open(session)
            why = _closed(session, is_open)
            plies = [] if why else [ply for ply, player in enumerate(session.players) if player != CHANCE]
            return MindList(shown=session.row["mind"], open=is_open, plies=plies, why=why)

    async def mind(self, id: str, token: str, ply: int) -> Mind:
        """What the agent went by, or would have done."""
        async with self.at(id, token) as session:
            is_open = await self.is_open(session)
            if why := _closed(session, is_open):
                raise Refusal(403, why)
            refuse_ply(session, ply)
            if ply == session.ply:
                raise Refusal(409, "The mind is shown only after the move has been made.")
            player = session.players[ply]
            if player == CHANCE:
                raise Refusal(404, f"Ply {ply} was a chance turn, not a decision.")
            opponent, recorded = session.opponent, session.versions[ply]
            if opponent is None:
                raise Refusal(409, session.trouble or "The agent is no longer here.")
            own = player == session.seat
            chosen = (session.opened if own or is_open else session.events)[ply].move
            if not own and recorded != opponent.version:
                raise Refusal(409, "The agent has changed since it made this move, so its mind is no longer known.")
        position, _ = await _in_thread(lambda: session.at(ply))

        def look() -> Mind:
            with players_named(session.names):
                if own or is_open:
                    return mind.inside(opponent, position, ply, chosen, own)
                return mind.outside(opponent, position, session.seat, ply, chosen)

        try:
            return await _in_thread(look)
        except GameError as error:
            raise Refusal(409, f"The agent's mind is not available: {readable(error)}") from None

    # ----------------------------------------------------------------------------------------------- branches, files

    async def branch(self, id: str, token: str, wanted: BranchRequest) -> Seated:
        """A new table that begins with the first moves of this one.

        Until both games are over neither is opened, because they share their hidden cards; unless the old one was open.
        """
        async with self.at(id, token) as session:
            refuse_ply(session, wanted.ply)
            old, game, moves = session.row, session.game, session.moves[: wanted.ply]
            written = await self.store.moves(id)
            opponent, trouble = session.opponent, session.trouble
            if wanted.agent is not None:
                chosen = wanted.agent
                opponent, trouble = await _in_thread(lambda: self.catalogue.seat(chosen, game)), None
            agent, made = (opponent.id, opponent.version) if opponent else (old["agent"], old["agent_version"])
            row = await self._row(game, agent, made, session.seat)
            row |= {"player_name": old["player_name"], "mind": wanted.mind or old["mind"], "parent": id}
            row |= {"pace": wanted.pace or old["pace"], "parent_ply": wanted.ply}
            if wanted.seed is not None:
                row["seed"] = wanted.seed
            if not await self.is_open(session):
                row["root"] = old["root"]
            pending = await _in_thread(lambda: replayed(row["id"], game, moves))
            for new, was in zip(pending.moves, written, strict=False):
                new |= {name: was[name] for name in ("at", "ms", "agent_version")}
            return await self._begin(row, pending, game, opponent, trouble or "")

    async def record(self, id: str, token: str) -> GameRecord:
        """The game as a file, once nothing in it is hidden."""
        async with self.at(id, token) as session:
            if not await self.is_open(session):
                raise Refusal(409, "A game can be exported when it and all its branches are over: the file shows all.")
            return record_of(session.row, await self.store.moves(id))

    async def take_in(self, record: GameRecord) -> Seated:
        """A table from a file; a file that does not replay is refused."""
        game = await _in_thread(lambda: self.catalogue.game(record.game))
        if record.seat >= game.players:
            raise Refusal(422, f"{game.name} has no seat {record.seat}.")
        if len(record.moves) > game.length:
            raise Refusal(422, f"No game of {game.name} has {len(record.moves)} moves.")
        row = await self._row(game, record.agent, record.agent_version, record.seat)
        row |= {"player_name": record.player_name, "imported": True, "pace": "step"}
        pending = await _in_thread(lambda: replayed_record(row["id"], game, record))
        if record.resigned and not pending.position.over:
            row |= {"ended": now(), "resigned": True}
        opponent, trouble = await self._opponent(record.agent, game)
        return await self._begin(row, pending, game, opponent, trouble or "")

    # ----------------------------------------------------------------------------------------------- watching

    def notify(self, id: str) -> None:
        """Wake those who watch a table."""
        for watcher in self._watchers.get(id, ()):
            watcher.set()

    @contextlib.contextmanager
    def watching(self, id: str, most: int) -> Any:
        """Within this, the event is set whenever something happens at the table."""
        watchers = self._watchers.setdefault(id, set())
        if len(watchers) >= most:
            raise Refusal(429, "Too many clients are watching this table already.")
        event = asyncio.Event()
        watchers.add(event)
        try:
            yield event
        finally:
            watchers.discard(event)
            if not watchers:
                self._watchers.pop(id, None)


# --------------------------------------------------------------------------------------------------- checks


def _fits(session: Session, wanted: MoveRequest) -> bool:
    """Whether a move can be made, as far as is known in memory."""
    here = wanted.ply == session.ply and not session.ended and session.position.turn == session.seat
    return here and _name(session.position, wanted.move) is not None


def _name(position: Position, move: str | int) -> str | None:
    """The name of a move that can be played here, given by its name or its id."""
    if isinstance(move, str):
        return move if move in position.legal else None
    return position.move(move).name if move in position.actions else None


def _already(session: Session, wanted: MoveRequest) -> bool:
    """Whether this very move has been made; another one at its ply is refused."""
    if wanted.ply >= session.ply:
        return False
    if session.players[wanted.ply] != session.seat:
        raise Refusal(409, f"The move at ply {wanted.ply} was not yours; the game is at ply {session.ply}.")
    made = session.moves[wanted.ply]
    if made != _name(session.at(wanted.ply)[0], wanted.move):
        raise Refusal(409, f"At ply {wanted.ply} you have already played {made!r}.")
    return True


def _may_move(session: Session, ply: int) -> None:
    if session.ended:
        raise Refusal(409, "The game is over.")
    refuse_ply(session, ply)
    if session.position.turn != session.seat:
        raise Refusal(409, "It is not your turn.")


def _closed(session: Session, is_open: bool) -> str:
    """Why minds are not shown now; empty if they are."""
    if session.row["mind"] == "never":
        return "At this table the agent's mind is never shown."
    if session.row["mind"] == "end" and not is_open:
        return "At this table the agent's mind is shown when the game, and every branch of it, is over."
    return ""


def _since(session: Session) -> float:
    """Milliseconds since the last move."""
    begun = session.last or aware(session.row["created"])
    return max(0.0, 1000.0 * (now() - begun).total_seconds())


def _ending(pending: PendingMoves) -> Row | None:
    return {"ended": now(), "payoffs": pending.position.payoffs} if pending.position.over else None


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _written(options: dict[str, Any]) -> dict[str, int | str]:
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in options.items()}


async def _in_thread(work: Callable[[], T]) -> T:
    return await asyncio.to_thread(work)
