"""All tables: those in memory, how they are locked, brought up to date and written.

One request at a time works on a table (a lock), and every change is written before it is applied in memory: if another
process was faster, the database says so (`Conflict`), and `transact` reads the table and tries again. Nothing in memory
is needed to continue after a crash.

The requests of people at a table are in `table_seats`, `table_moves`, `table_queries` and `branches`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import weakref
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from parlor.game import Game, GameError
from parlor.game.seats.visibility import goes_unnoticed
from parlor.page.seated_agent import SeatedAgent
from parlor.runs.files.container import FileError
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.displays import decide_once, play_a_little
from parlor.server.catalogue.seating import readable
from parlor.server.operations.threads import in_thread
from parlor.server.operations.watchers import Watchers
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import Seated, TableState
from parlor.server.tables.deciding import Deciding
from parlor.server.tables.pending import PendingMoves, source_of
from parlor.server.tables.session import Session, Viewer, aware, hashed, overdue
from parlor.server.tables.store import AWAY, Conflict, Row, Store, now, reason
from parlor.server.thinking.thinking import Thinking

KEPT = 256  # tables in memory
AGENTS_TIMEOUT_S = (
    25.0  # seconds that a move waits for the answers of slow agents; they go on, and the table shows them
)
TRIES = 5  # if another process keeps changing the same table
COUNTED = timedelta(days=1)  # a game that was made longer ago is not counted against its address
ABANDONED = timedelta(days=7)  # a game that keeps others closed, and in which nothing has happened for so long, is over
STUDY_ONLY = "This is a table of a study: those who play there can see it and move, and nothing else."
ID = re.compile(r"[A-Za-z0-9_-]{22}")

log = logging.getLogger("parlor.server")

T = TypeVar("T")


class Busy(Refusal):
    """Other processes keep changing the table."""

    def __init__(self) -> None:
        super().__init__(409, "Others keep changing this table; try again.")


class Tables:
    """All tables of the server."""

    def __init__(self, store: Store, catalogue: Catalogue, thinking: Thinking, most: int = 0) -> None:
        """Tables are stored in `store`, at most so many running ones of an address; games come from the `catalogue`."""
        self.store = store
        self.catalogue = catalogue
        self.thinking = thinking
        self.deciding = Deciding(thinking, catalogue)
        self._thinking: dict[str, asyncio.Task[None]] = {}  # by table
        self._played: set[str] = set()  # games that were tried in this process
        self._decided: weakref.WeakSet[SeatedAgent] = weakref.WeakSet()  # agents that were
        self.most = most
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self.watchers = Watchers("Too many clients are watching this table already.")

    @property
    def in_memory(self) -> int:
        """The number of tables in memory."""
        return len(self._sessions)

    # ----------------------------------------------------------------------------------------------- who may come in

    @contextlib.asynccontextmanager
    async def locked(self, id: str, look: bool = True, study: bool = False) -> AsyncIterator[Session]:
        """A table, locked, and up to date with the database; without `look`, as in memory.

        That is good enough to move, since a move that does not fit is refused when it is written. At the table of a
        study only what says so (`study`) may be done.
        """
        if not ID.fullmatch(id):
            raise Refusal(404, "There is no such table.")
        lock = self._locks.setdefault(id, asyncio.Lock())
        async with lock:
            try:
                session = await self._session(id, look)
                if session.is_study_table and not study:
                    raise Refusal(403, STUDY_ONLY)
                yield session
            except AWAY:
                self._sessions.pop(id, None)  # it is unknown what was written: read it again next time
                raise

    async def transact(
        self,
        id: str,
        token: str,
        attempt: Callable[[Session, int], Awaitable[T]],
        look: bool = True,
        study: bool = False,
    ) -> T:
        """Do something at a table, locked, for the owner of a seat: again, if another process was faster."""
        async with self.locked(id, look, study) as session:

            async def by_owner() -> T:
                return await attempt(session, await self.seat_of(session, token))

            return await self.retry(session, by_owner)

    async def retry(self, session: Session, attempt: Callable[[], Awaitable[T]]) -> T:
        """Run a transaction at a locked table; on `Conflict` read the table and run it again."""
        for _ in range(TRIES):
            try:
                return await attempt()
            except Conflict:
                await self.look(session)
        raise Busy

    @contextlib.asynccontextmanager
    async def seen(self, id: str, token: str, study: bool = False) -> AsyncIterator[tuple[Session, Viewer, bool]]:
        """A table, locked, for whoever may look at it: whose seat it is, if any, and whether the game is open."""
        async with self.locked(id, True, study) as session:
            seat = await self.seat_of(session, token) if token else None
            is_open = await self.is_open(session)
            if seat is None and not is_open and not (session.row["watch"] and not session.ended):
                raise Refusal(403, _closed(session))
            await self.see(session, seat)
            yield session, seat, is_open

    async def seat_of(self, session: Session, token: str) -> int:
        """The seat of a token; the database is asked before it is refused."""
        if not token:
            raise Refusal(401, "This needs the token of a seat, as Authorization: Bearer TOKEN.")
        seat = session.owner(token)
        if seat is None:
            await self.look(session)
            seat = session.owner(token)
        if seat is None:
            raise Refusal(
                403, "This is not the token of a seat at this table, or the seat has moved to another browser."
            )
        return seat

    async def maker(self, address: str) -> str:
        """Return the hash of an address, and refuse it if too many tables made from there are running."""
        client = hashed(address)
        if 0 < self.most <= await self.store.running_of(client, now() - COUNTED):
            sentence = f"From your address {self.most} games are in progress: end one before you begin another."
            raise Refusal(429, sentence)
        return client

    async def is_open(self, session: Session) -> bool:
        """Whether nothing is hidden any more: this game is over, and so is every one that shares its cards.

        One of those that was abandoned long ago is ended here, so that it does not close the others for good.
        """
        if not session.ended or session.is_study_table:
            return False
        going, long_ago = await self.store.running(session.row["root"]), now() - ABANDONED
        if any(aware(row["at"] or row["created"]) > long_ago for row in going):
            return False
        for row in going:
            await self.store.end(row["id"], {"ended": now(), "resigned_by": row["host"]})
            self.watchers.notify(row["id"])
        return True

    # ----------------------------------------------------------------------------------------------- in memory

    async def _session(self, id: str, look: bool) -> Session:
        session = self._sessions.get(id)
        if session is None:
            row = await self.store.table(id)
            if row is None:
                raise Refusal(404, "There is no such table.")
            session = await self._restored(row)
            look = True
        self.keep(session)
        if look:
            await self.look(session)
            await self.catch_up(session)
        return session

    async def look(self, session: Session) -> None:
        """Update from the database."""
        id = session.id
        pulse = await self.store.pulse(id)
        if pulse is None or pulse["plies"] < session.ply:
            self._sessions.pop(id, None)
            raise Refusal(409, "The table has changed; try again.")
        if pulse.pop("plies") > session.ply:
            moves = await self.store.moves(id, session.ply)
            try:
                await in_thread(lambda: session.follow(moves))
            except GameError:
                self._sessions.pop(id, None)
                raise Refusal(
                    409, "The rules have changed since this game was played: it cannot be replayed."
                ) from None
        if pulse["version"] != session.row["version"]:
            session.seats = await self.store.seats(id)
            if not session.is_study_table:
                session.agents, session.troubles = await self.seated(session.game, session.seats)
            session.seen.clear()  # players may have other names now
        session.row |= pulse

    async def _restored(self, row: Row) -> Session:
        try:
            game = await in_thread(lambda: self.catalogue.game(row["game"]))
        except GameError as error:
            raise Refusal(409, f"The game of this table can no longer be played here: {error}") from None
        seats = await self.store.seats(row["id"])
        # at the table of a study, agents are moved by the study
        agents, troubles = ({}, {}) if row["study"] is not None else await self.seated(game, seats)
        return Session(row, seats, game, agents, troubles, game.start())

    async def seated(self, game: Game, seats: list[Row]) -> tuple[dict[int, SeatedAgent], dict[int, str]]:
        """The agents at these seats; and why one cannot play, where it cannot."""
        agents, troubles = {}, {}
        for seat in seats:
            if seat["kind"] != "agent":
                continue
            try:
                agents[seat["seat"]] = await self.agent(seat["agent"], game)
            except (GameError, FileError, OSError) as error:
                troubles[seat["seat"]] = f"The agent {seat['agent']} cannot play: {readable(error)}"
        return agents, troubles

    async def agent(self, id: str, game: Game) -> SeatedAgent:
        """An agent for a game; both have been tried, as nothing must be compiled while others wait."""
        return await in_thread(lambda: self._tried(id, game), "seating")

    def _tried(self, id: str, game: Game) -> SeatedAgent:
        agent = self.catalogue.seat(id, game)
        with contextlib.suppress(GameError, FileError, OSError):  # the table says so when it is to move
            if game.name not in self._played:
                self._played = {*self._played, game.name} if len(self._played) < KEPT else {game.name}
                play_a_little(game)
            if agent.quick and agent not in self._decided:
                self._decided.add(agent)
                decide_once(game, agent)
        return agent

    async def stand_in(self, game: Game) -> SeatedAgent:
        """The agent that plays for a person who has left, or whose time is up."""
        with contextlib.suppress(GameError, FileError, OSError):
            return await self.agent(await in_thread(lambda: self.catalogue.recommended(game.name)), game)
        return await self.agent("random", game)

    def keep(self, session: Session) -> None:
        """Keep a table in memory, and forget those that nobody has asked for longest."""
        self._sessions[session.id] = session
        self._sessions.move_to_end(session.id)
        while len(self._sessions) > KEPT:
            self._sessions.popitem(last=False)

    # ------------------------------------------------------------------------------------------- playing and writing

    async def begin(
        self, session: Session, seat: int, token: str, pending: PendingMoves, old: Row | None = None
    ) -> Seated:
        """Write a new table, after chance and agents have moved, and show it; `old` is a game that it replaces."""
        self.thinking.prepare()
        if session.runs:
            await self.play_on(session, pending, session.row["pace"] == "at-once")
        session.row |= pending.ending() or {}
        await self.store.add_table(session.row, session.seats, pending.moves, old)
        session.watched_by(seat)
        if pending.keeps:
            session.follow(pending.moves, pending.positions)
        else:
            await in_thread(lambda: session.follow(pending.moves))
        self.keep(session)
        self.think(session)
        state = await self.with_answers(session.id, token, 0, await self.shown(session, seat))
        return Seated(token=token, state=state)

    async def shown(self, session: Session, viewer: Viewer, since: int = 0) -> TableState:
        """The table as a viewer sees it now."""
        is_open = await self.is_open(session)
        await self.see(session, viewer)
        return session.state(viewer, is_open, since)

    async def see(self, session: Session, viewer: Viewer) -> None:
        """Know what a viewer has seen, which takes long where many moves were made."""
        if viewer not in session.seen:
            await in_thread(lambda: session.watched_by(viewer))

    async def write(self, session: Session, pending: PendingMoves) -> None:
        """Write the new moves, then apply them; `Conflict` if another process was faster."""
        ended = pending.ending()
        await self.store.add_moves(session.id, session.row["version"], pending.moves, ended)
        session.follow(pending.moves, pending.positions)
        session.row |= ended or {}
        self.watchers.notify(session.id)
        self.think(session)

    async def change(
        self, session: Session, values: Row, seat: int | None = None, seat_values: Row | None = None
    ) -> None:
        """Change settings or a seat, and let agents move who can now; `Conflict` if another process was faster."""
        await self.store.change(session.row, values, seat, seat_values)
        await self.look(session)
        await self.catch_up(session)
        if session.ended:
            self.stop_thinking(session.id)
        self.watchers.notify(session.id)

    async def catch_up(self, session: Session) -> None:
        """Make the moves that are due: what chance deals, agents who answer at once, a decision whose time is up.

        Usually none: these are left over if the server was killed, if the last seat was taken, or by the clock.
        """
        with contextlib.suppress(Busy):  # those who were faster have made them
            await self.retry(session, lambda: self._make_due_moves(session))

    async def _make_due_moves(self, session: Session) -> None:
        if not session.runs:
            return
        pending = session.pending()
        if overdue(session):
            agent = await self.stand_in(session.game)
            await self._decide(session, pending, agent)
        if not session.trouble():
            await self.play_on(session, pending, session.row["pace"] == "at-once")
        if pending.moves:
            await self.write(session, pending)
        self.think(session)

    async def play_on(self, session: Session, pending: PendingMoves, answers: bool, once: bool = False) -> None:
        """Let chance and, if they answer (`answers`), agents move, until it is the turn of a person or a slow agent."""
        source = source_of(session.row)
        pending.deal(source)
        while answers and session.is_agents(turn := pending.position.turn):
            agent = session.agents.get(turn)
            if agent is None or not agent.quick:
                return
            try:
                await self._decide(session, pending, agent)
            except GameError as error:
                session.troubles[turn] = f"The agent {agent.name} cannot move: {readable(error)}"
                return
            session.troubles.pop(turn, None)
            noticed = _was_noticed(session, pending)
            pending.deal(source)
            if once and noticed:
                return

    async def _decide(self, session: Session, pending: PendingMoves, agent: SeatedAgent) -> None:
        """One decision of an agent, or of one that stands in."""
        choices, ms = await self.deciding.choices(session, pending.position, agent)
        pending.play(pending.draw(source_of(session.row), choices), ms, agent)

    # ----------------------------------------------------------------------------------------------- slow agents

    def think(self, session: Session, once: bool = False) -> None:
        """If it is a slow agent's turn, let it think beside the requests; with `once` also where it is told to move."""
        if session.id not in self._thinking and _due(session, once) is not None:
            task = asyncio.create_task(self._think(session.id, once))
            session.thinking = True
            self._thinking[session.id] = task
            task.add_done_callback(lambda _: self._thought(session.id))

    def _thought(self, id: str) -> None:
        del self._thinking[id]
        if id in self._sessions:
            self._sessions[id].thinking = False
        self.watchers.notify(id)

    async def _think(self, id: str, once: bool) -> None:
        """Decide and move for the slow agents whose turn it is, one after the other."""
        try:
            while (session := self._sessions.get(id)) and (agent := _due(session, once)):
                ply, turn, position = session.ply, session.position.turn, session.position
                trouble, choices, ms = "", dict[str, float](), 0.0
                try:
                    choices, ms = await self.deciding.choices(session, position, agent)
                except (GameError, FileError, OSError) as error:
                    trouble = f"The agent {agent.name} cannot move: {readable(error)}"
                async with self.locked(id, look=False) as session:
                    if session.ply != ply or session.agents.get(turn) is not agent or not session.runs:
                        continue
                    if trouble:
                        session.troubles[turn] = trouble
                        return
                    session.troubles.pop(turn, None)
                    noticed = await self._move_for(session, agent, choices, ms, once)
                if once and noticed:
                    return
        except Refusal as refusal:
            log.info("an agent's move was not made: %s", refusal)
        except AWAY as error:
            log.warning("an agent's move was not made: %s", reason(error))

    async def _move_for(
        self, session: Session, agent: SeatedAgent, choices: dict[str, float], ms: float, once: bool
    ) -> bool:
        """Make the move that a slow agent has decided on, and those of quick agents that follow; was it noticed?"""
        pending = session.pending()
        pending.play(pending.draw(source_of(session.row), choices), ms, agent)
        noticed = _was_noticed(session, pending)
        await self.play_on(session, pending, session.row["pace"] == "at-once" and not once)
        try:
            await self.write(session, pending)
        except Conflict:  # another server was faster
            await self.look(session)
        return noticed

    async def with_answers(self, id: str, token: str, since: int, state: TableState) -> TableState:
        """The state for the owner of a seat when the slow agents have moved, or after some seconds without them."""
        task = self._thinking.get(id)
        if task is None:
            return state
        await asyncio.wait({task}, timeout=AGENTS_TIMEOUT_S)
        async with self.locked(id, look=False, study=True) as session:
            return await self.shown(session, await self.seat_of(session, token), since)

    def stop_thinking(self, id: str) -> None:
        """The decision of an agent is of no use any more."""
        if id in self._thinking:
            self._thinking[id].cancel()

    async def close(self) -> None:
        """Let no agent think any more."""
        tasks = list(self._thinking.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _due(session: Session, once: bool) -> SeatedAgent | None:
    """The slow agent whose turn it is, if it may move now."""
    turn = session.position.turn
    if session.is_study_table or not session.runs or not session.is_agents(turn):
        return None
    agent = session.agents.get(turn)
    told = once or (session.row["pace"] == "at-once" and not session.trouble())
    return agent if agent is not None and not agent.quick and told else None


def _was_noticed(session: Session, pending: PendingMoves) -> bool:
    """Whether somebody at the table has noticed the last move: if not, a step is not over."""
    before, move = pending.before[-1], pending.position.last
    return not all(goes_unnoticed(before, move, person) for person in session.people)


def _closed(session: Session) -> str:
    """Why somebody without a seat cannot look."""
    if session.is_study_table:
        return STUDY_ONLY
    if session.waiting:
        return "There is an open seat at this table: you can sit down."
    if session.ended:
        return "This game is over, but one with the same cards still runs; it can be looked at when that is over too."
    people = len(session.people)
    who = "of one person against agents" if people == 1 else f"between {'two' if people == 2 else people} people"
    return f"This is a game {who} that is still running; it can be looked at when it is over."
