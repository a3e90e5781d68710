"""A match of the arena: duplicate deals between two agents, each deal played with every line-up.

Chance comes from a secret of each deal (`shuffle.py`), so that the deals are the same for all line-ups, and whoever is
told the secret afterwards can verify them. The moves of agents that answer with probabilities come from it too, but
differently for each line-up, so that nobody can foresee them in the next. A game in which an agent fails is lost, as in
other matches (`forfeits.py`); where it has gone, so are the other games of the deal, and the match ends with it: nobody
leaves a deal that goes badly.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from parlor.agents.programs.process import KINDS, ProgramFailure
from parlor.arena.batch import forfeited
from parlor.arena.match import rotated
from parlor.game import CHANCE, Game, Position
from parlor.game.seats.observation import Event, event, observe
from parlor.page.seated_agent import SeatedAgent
from parlor.server.explain import mind
from parlor.server.operations.threads import in_thread
from parlor.server.programs.remote import RemoteProgram
from parlor.server.tables.pending import PendingMoves
from parlor.server.tables.shuffle import agents_secret, deal_secret
from parlor.server.tables.store import Row, now
from parlor.server.tables.table_seats import seat_row

LEAVING = 6.0  # seconds: more than a server that stops gives to requests in progress

T = TypeVar("T")

PlayedGame = tuple[Row, list[Row], list[Row]]  # a table, its seats, its moves


class ArenaSeat(Protocol):
    """An agent in a seat of one game."""

    async def begin(self) -> None:
        """The game begins."""
        ...

    async def see(self, before: Position, move: str) -> None:
        """Something has happened."""
        ...

    async def decide(self, position: Position) -> dict[str, float]:
        """The distribution over the moves."""
        ...

    async def end(self, payoffs: Sequence[float]) -> None:
        """The game was played to its end."""
        ...


@dataclass
class RemoteSeat:
    """Somebody's program in a seat."""

    program: RemoteProgram
    player: int
    number: int = 0
    history: list[Event] = field(default_factory=list)

    async def begin(self) -> None:
        """Tell it which seat it has."""
        self.number = await self.program.begin(self.player)

    async def see(self, before: Position, move: str) -> None:
        """Tell it, as far as its seat notices."""
        if (happened := event(before, move, self.player)) is not None:
            self.history.append(happened)
            await self.program.observe(self.number, [happened])

    async def decide(self, position: Position) -> dict[str, float]:
        """Ask it."""
        return await self.program.ask(self.number, position, observe(position, self.player, tuple(self.history)))

    async def end(self, payoffs: Sequence[float]) -> None:
        """Tell it the payoffs."""
        await self.program.end(self.number, payoffs)


@dataclass
class BuiltInSeat:
    """An agent of the server in a seat."""

    agent: SeatedAgent

    async def begin(self) -> None:
        """Do nothing: it goes by positions."""

    async def see(self, before: Position, move: str) -> None:
        """Do nothing."""

    async def decide(self, position: Position) -> dict[str, float]:
        """Decide at once: only quick agents play here."""
        return mind.decide(self.agent, position)

    async def end(self, payoffs: Sequence[float]) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class Entrant:
    """An agent in a match: its row, and the program or the agent that plays for it."""

    row: Row
    plays: RemoteProgram | SeatedAgent

    @property
    def version(self) -> str:
        """The version that games are stored with."""
        return self.plays.version if isinstance(self.plays, SeatedAgent) else ""

    @property
    def written(self) -> str:
        """The name of the agent in the seats of tables."""
        return str(self.row["built_in"] or self.row["name"])

    def seat(self, player: int) -> ArenaSeat:
        """Take a seat."""
        if isinstance(self.plays, SeatedAgent):
            return BuiltInSeat(self.plays)
        return RemoteSeat(self.plays, player)


class Failed(Exception):
    """The agent of a seat has failed."""

    def __init__(self, player: int, failure: ProgramFailure) -> None:
        super().__init__(str(failure))
        self.player, self.failure = player, failure


@dataclass
class MatchPlay:
    """A match that is being played."""

    game: Game
    entrants: tuple[Entrant, Entrant]
    table: Row  # what the tables of the match have in common
    secret: str
    duplicate: bool
    turns: asyncio.Lock  # of all matches: one of them makes a move each time that requests have been answered
    payoffs: list[list[float]] = field(default_factory=list)
    failures: dict[str, Counter[str]] = field(default_factory=dict)
    why: str = ""  # it has ended early
    gone: tuple[int, str] | None = None  # because this entrant has failed, in this way

    async def deal(self, number: int) -> list[PlayedGame]:
        """Play a deal with every line-up, or as many deals; returns what was played of it."""
        written: list[PlayedGame] = []
        players = self.game.players
        for alone, lineup in enumerate(rotated(2, players, 0, players, "alternating").tolist()):
            if self.gone is not None:
                who, kind = self.gone
                self.payoffs.append(await self._lost(lineup.index(who), who, kind))
                continue
            dealt = number if self.duplicate else number * players + alone
            root = written[0][0]["id"] if written and self.duplicate else None
            payoffs, played = await self._play(lineup, dealt, root)
            self.payoffs.append(payoffs)
            written.append(played)
        return written

    async def _play(self, lineup: list[int], deal: int, root: str | None) -> tuple[list[float], PlayedGame]:
        id = secrets.token_urlsafe(16)
        source = deal_secret(self.secret, deal)
        row = self.table | {"id": id, "root": root or id, "created": now(), "secret": source}
        seats = [self.entrants[who].seat(p) for p, who in enumerate(lineup)]
        pending = PendingMoves(id, self.game.start(), [], keeps=False)
        try:
            await self._to_the_end(pending, seats, lineup, source)
            payoffs: list[float] = list(pending.position.payoffs)
            row |= {"payoffs": payoffs}
            for p, seat in enumerate(seats):
                await _asked(p, seat.end(payoffs))
        except Failed as failed:
            who = lineup[failed.player]
            if pending.position.over:  # it has lost nothing by failing now
                payoffs = list(pending.position.payoffs)
                row |= {"payoffs": payoffs}
            else:
                payoffs = await self._lost(failed.player, who, failed.failure.kind)
                row |= {"resigned_by": failed.player}
            await self._after(who, failed.failure)
        row["ended"] = now()
        return payoffs, (row, [self._seat(row, p, who) for p, who in enumerate(lineup)], pending.moves)

    async def _to_the_end(
        self, pending: PendingMoves, seats: Sequence[ArenaSeat], lineup: list[int], source: str
    ) -> None:
        agents_source = agents_secret(source, lineup.index(0))
        for p, seat in enumerate(seats):
            await _asked(p, seat.begin())
        while not pending.position.over:
            before, turn = pending.position, pending.position.turn
            if turn == CHANCE:
                pending.play(pending.draw(source, before.odds))
            else:
                began = time.perf_counter()
                choices = await _asked(turn, seats[turn].decide(before))
                who = self.entrants[lineup[turn]]
                pending.play(pending.draw(agents_source, choices), 1000.0 * (time.perf_counter() - began))
                pending.moves[-1] |= {"agent": who.written, "agent_version": who.version}
            for p, seat in enumerate(seats):
                await _asked(p, seat.see(before, pending.moves[-1]["move"]))
            async with self.turns:
                await asyncio.sleep(0)

    async def _lost(self, player: int, who: int, kind: str) -> list[float]:
        """The payoffs of a game that a seat has lost by failing, and count it."""
        self.failures.setdefault(self.entrants[who].row["id"], Counter())[kind] += 1
        return await in_thread(lambda: forfeited(self.game, player))

    async def _after(self, who: int, failure: ProgramFailure) -> None:
        """Tell a program why its answer was refused; whatever else it did ends the match."""
        entrant = self.entrants[who]
        assert isinstance(entrant.plays, RemoteProgram)
        if failure.kind == "illegal":
            try:
                await entrant.plays.refuse(f"The program {failure}.")
                return
            except ProgramFailure as gone:
                failure = gone
        entrant.plays.wire.end(failure)
        if failure.kind == "crash":
            await asyncio.sleep(LEAVING)  # a server that stops sends everybody away, and cancels this before it counts
        self.gone = (who, failure.kind)
        self.why = f"{entrant.row['name']} {failure} ({KINDS[failure.kind]})."[:500]

    def _seat(self, row: Row, player: int, who: int) -> Row:
        entrant = self.entrants[who]
        return seat_row(row, player, kind="agent", agent=entrant.written, agent_version=entrant.version)


async def _asked(player: int, answer: Awaitable[T]) -> T:
    """Wait for what a seat does; what goes wrong there is its failure."""
    try:
        return await answer
    except ProgramFailure as failure:
        raise Failed(player, failure) from None
