"""The open arena of a server: who is connected, who plays whom, and the matches that are being played.

Whoever registers an agent gets a token; while a program is connected with it, it plays: against those of the same game
who are connected too, and against two of the server's own agents, `random` and the one that is recommended, so that
all ratings are on one scale. The pair that has played the fewest games comes next.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import secrets
from collections import Counter
from collections.abc import Coroutine, Iterator
from datetime import timedelta
from typing import Any

from parlor.agents.programs.process import ProgramFailure
from parlor.agents.registry import AGENTS
from parlor.arena.ratings import ANCHOR
from parlor.game import Game, GameError
from parlor.page.seated_agent import SeatedAgent
from parlor.runs.files.container import FileError
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.open_arena.arena_store import ArenaStore
from parlor.server.open_arena.match_play import Entrant, MatchPlay
from parlor.server.operations.threads import in_thread
from parlor.server.programs.remote import RemoteProgram
from parlor.server.refusal import Refusal
from parlor.server.schemas.arena import ArenaStandings
from parlor.server.tables.session import hashed
from parlor.server.tables.store import AWAY, Conflict, Row, Store, now, reason
from parlor.server.tables.table_seats import new_row

SECONDS = 10.0  # for an answer
MATCH = 50  # games, about: whole deals
GAMES = 1000  # of a pair; then it has played enough
AT_ONCE = 32  # matches
MAX_AGENTS, MAX_FROM_ADDRESS = 500, 20  # that are registered
SILENT = timedelta(minutes=10)  # a match of which nothing was written for so long has lost its server
AGAIN = 60.0  # seconds between looks without news

log = logging.getLogger("parlor.server")

Pair = tuple[str, str]  # the ids of two agents, in order


class OpenArena:
    """Registered agents, and the matches of those that are connected to this server."""

    def __init__(self, store: Store, catalogue: Catalogue, duplicate: bool = True) -> None:
        """Games and the server's own agents come from the catalogue; deals are `duplicate`, or fresh for every game."""
        self.store, self.catalogue, self.duplicate = ArenaStore(store), catalogue, duplicate
        self._turns = asyncio.Lock()
        self.connected: dict[str, RemoteProgram] = {}  # by agent
        self._rows: dict[str, Row] = {}  # of those that are connected
        self._own: dict[str, list[Entrant]] = {}  # of the server, by game
        self._played: Counter[Pair] = Counter()  # games of a pair, as far as they were read
        self._read: set[str] = set()  # games of which they were
        self._busy: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()  # matches, and what prepares them
        self._matches: set[asyncio.Task[None]] = set()
        self._alive: set[str] = set()  # the ids of matches that this server plays
        self._news = asyncio.Event()
        self.standings: dict[str, tuple[float, ArenaStandings]] = {}  # by game, with the time of their end
        self.reckoning = asyncio.Lock()  # one game's standings at a time

    # ----------------------------------------------------------------------------------------------- agents

    async def register(self, game_name: str, name: str, client: str) -> tuple[Row, str]:
        """A new agent and its token."""
        game = await in_thread(lambda: self.catalogue.game(game_name))
        if game.players < 2:
            raise Refusal(422, f"{game.name} is for one player: there is nobody to play against.")
        taken = {agent.id for agent in self.catalogue.agents()} | {spec.name for spec in AGENTS.values()}
        if name in taken:
            raise Refusal(409, f"{name} is an agent of this server; choose another name.")
        mine, all = await self.store.registered(client)
        if mine >= MAX_FROM_ADDRESS or all >= MAX_AGENTS:
            raise Refusal(429, f"There are too many agents already: {mine} from your address, {all} in all.")
        token, row = secrets.token_urlsafe(24), _agent(game.name, name)
        row |= {"token": None, "client": client}
        row["token"] = hashed(token)
        try:
            await self.store.add_agent(row)
        except Conflict:
            raise Refusal(409, f"There is an agent {name} for {game.name} already; choose another name.") from None
        return row, token

    async def agent(self, token: str) -> tuple[Row, Game]:
        """The agent of a token, and its game."""
        row = await self.store.agent_of(hashed(token)) if token else None
        if row is None:
            raise Refusal(403, "This is not the token of an agent of this arena.")
        return row, await in_thread(lambda: self.catalogue.game(row["game"]))

    def connected_rows(self) -> list[Row]:
        """The agents whose programs are connected."""
        return [self._rows[id] for id in self.connected]

    @contextlib.contextmanager
    def playing(self, row: Row, program: RemoteProgram) -> Iterator[None]:
        """Within this, a program plays for its agent; one that did so before is sent away."""
        if row["id"] in self.connected:
            self.connected[row["id"]].wire.end(ProgramFailure("crash", "came again, and only the last one plays"))
        self.connected[row["id"]], self._rows[row["id"]] = program, row
        self._news.set()
        try:
            yield
        finally:
            if self.connected.get(row["id"]) is program:
                del self.connected[row["id"]]

    # ----------------------------------------------------------------------------------------------- matches

    async def run(self) -> None:
        """Begin matches, as long as the server runs."""
        try:
            while True:
                self._news.clear()
                try:
                    at = now()
                    await self.store.beat(self._alive, at)
                    await self.store.give_up(at - SILENT, at, "The server was stopped.")
                    while len(self._matches) < AT_ONCE and (found := self._next()):
                        self._begin(*found)
                except AWAY as error:
                    log.warning("the arena waits for the database: %s", reason(error))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._news.wait(), AGAIN)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, one: Entrant, other: Entrant) -> None:
        names = {one.row["id"], other.row["id"]} & self.connected.keys()
        self._busy |= names

        def over(done: asyncio.Task[None]) -> None:
            self._matches.discard(done)
            self._busy -= names
            self._news.set()

        task = self._start(self._play(one, other), "A match of the arena has failed.")
        self._matches.add(task)
        task.add_done_callback(over)

    def _start(self, work: Coroutine[Any, Any, None], trouble: str) -> asyncio.Task[None]:
        """Do something beside everything else; if it fails, the log says so."""
        task = asyncio.create_task(work)
        self._tasks.add(task)

        def over(done: asyncio.Task[None]) -> None:
            self._tasks.discard(done)
            if not done.cancelled() and (error := done.exception()) is not None:
                log.error(trouble, exc_info=error)

        task.add_done_callback(over)
        return task

    def _next(self) -> tuple[Entrant, Entrant] | None:
        """The pair that has played the fewest games, if one has not played enough."""
        free = [id for id in self.connected if id not in self._busy]
        best: tuple[int, Entrant, Entrant] | None = None
        for id in free:
            mine = Entrant(self._rows[id], self.connected[id])
            game = mine.row["game"]
            if game not in self._own:
                self._own[game] = []
                self._start(self._prepare(game), "The server's own agents cannot play in the arena.")
            others = [other for other in free if other > id and self._rows[other]["game"] == game]
            rivals = [Entrant(self._rows[other], self.connected[other]) for other in others]
            for rival in (*rivals, *self._own[game]) if game in self._read else ():
                played = self._played[_pair(mine, rival)]
                if played < GAMES and (best is None or played < best[0]):
                    best = (played, mine, rival)
        return best and best[1:]

    async def _prepare(self, name: str) -> None:
        """Read what has been played at a game, and seat the server's own agents: one may have to solve it first."""
        try:
            played = await self.store.matches(name)
        except AWAY:
            del self._own[name]  # it is prepared again at the next look
            raise
        for match in played:
            one, other = sorted((match["one"], match["other"]))
            self._played[one, other] += len(match["payoffs"])
        self._read.add(name)
        self._news.set()
        game = await in_thread(lambda: self.catalogue.game(name))
        for id in dict.fromkeys((ANCHOR, await in_thread(lambda: self.catalogue.recommended(game)))):
            try:
                agent = await in_thread(functools.partial(self.catalogue.seat, id, game), "seating")
            except (GameError, FileError, OSError) as error:
                log.warning("an agent of the server does not play in the arena: %s", error)
                continue
            if agent.quick:  # others would take the time that people's opponents need
                self._own[name].append(Entrant(await self._row_of(agent, name), agent))
                self._news.set()

    async def _row_of(self, agent: SeatedAgent, game: str) -> Row:
        """The row of one of the server's own agents, which is added if it is new."""
        for name in (agent.name, f"{agent.name} of this server"):  # somebody may have taken the name
            for row in await self.store.agents(game):
                if row["built_in"] == agent.id:
                    return row
            with contextlib.suppress(Conflict):  # or another server was faster
                row = _agent(game, name) | {"built_in": agent.id}
                await self.store.add_agent(row)
                return row
        raise GameError(f"The names of {agent.id} are taken.")

    async def _play(self, one: Entrant, other: Entrant) -> None:
        """Play a match: all of its deals, or until somebody fails."""
        game = await in_thread(lambda: self.catalogue.game(one.row["game"]))
        table = await new_row(game, None)
        secret, started = secrets.token_hex(32), now()
        match = {
            "id": secrets.token_urlsafe(16), "game": game.name, "rules": table["rules"], "one": one.row["id"],
            "other": other.row["id"], "created": started, "at": started, "ended": None, "secret": secret, "payoffs": [],
            "duplicate": self.duplicate, "failures": {}, "why": "",
        }  # fmt: skip
        await self.store.add_match(match)  # from now on the commitment to the secret can be read
        self._alive.add(match["id"])
        table |= {"match": match["id"], "undo": False, "pace": "step"}
        play = MatchPlay(game, (one, other), table, secret, self.duplicate, self._turns)
        why = "The server was stopped."
        try:
            for deal in range(max(1, MATCH // game.players)):
                games = await play.deal(deal)
                self._played[_pair(one, other)] += game.players
                failures = {id: dict(kinds) for id, kinds in play.failures.items()}
                await self.store.add_deal(match["id"], games, payoffs=play.payoffs, failures=failures, at=now())
                if play.gone is not None:
                    break
            why = play.why
        except Conflict:
            why = "Another server ended it."
        except GameError as error:
            why = f"The game could not be played on: {error}"[:500]
        except Exception:
            why = "Something went wrong on the server."
            raise
        finally:
            self._alive.discard(match["id"])
            with contextlib.suppress(*AWAY):
                await asyncio.shield(self.store.change_match(match["id"], ended=now(), why=why))


def _agent(game: str, name: str) -> Row:
    empty = dict.fromkeys(("token", "built_in", "seen", "client"))
    return {"id": secrets.token_urlsafe(16), "game": game, "name": name, "created": now(), **empty}


def _pair(one: Entrant, other: Entrant) -> Pair:
    first, second = sorted((one.row["id"], other.row["id"]))
    return first, second
