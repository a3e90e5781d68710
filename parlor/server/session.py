"""A table in memory: its position, and what its seat has seen; rebuilt from the moves if necessary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest

from parlor.game import CHANCE, Game, GameError, Position
from parlor.rng import choose, seed_stream
from parlor.server.displays import display_of
from parlor.server.displays.display import move_info
from parlor.server.refusal import Refusal
from parlor.server.schemas.games import AgentRef
from parlor.server.schemas.moves import Event
from parlor.server.schemas.tables import BranchPoint, Result, TableState
from parlor.server.seated_agent import SeatedAgent
from parlor.server.store import Row, now
from parlor.visibility import visible_move
from parlor.words import YOU, players_named

TAIL = 16  # positions stored before the present one: enough for a response phase
STRIDE = 16  # one position in so many is stored, to step back from


@dataclass
class PendingMoves:
    """A game in progress: from a position, the new moves."""

    table: str
    position: Position
    before: list[Position]
    moves: list[Row] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)  # after each of them

    @property
    def ply(self) -> int:
        """How many moves have been made in all."""
        return len(self.position.history)

    def play(self, move: str, ms: float | None = None, version: str | None = None) -> None:
        """Make a move or apply an outcome."""
        row = {
            "table_id": self.table,
            "ply": self.ply,
            "player": self.position.turn,
            "move": move,
            "at": now(),
            "ms": ms,
            "agent_version": version,
        }
        after = self.position.after(move)
        self.before.append(self.position)
        del self.before[:-TAIL]
        self.position = after
        self.moves.append(row)
        self.positions.append(after)

    def draw(self, seed: int, choices: Mapping[str, float]) -> str:
        """Draw one of several: from the stream of a seed and the ply, so that the draw can be repeated."""
        stream = [0, 0, 0, 0]
        seed_stream(stream, seed, self.ply)
        names = list(choices)
        return names[choose(stream, list(choices.values()), len(names))]

    def deal(self, seed: int) -> None:
        """Play the chance turns."""
        while self.position.turn == CHANCE:
            self.play(self.draw(seed, self.position.odds))


@dataclass(eq=False)
class Session:
    """A table: its row, its game, the agent, and everything that has happened."""

    row: Row
    game: Game
    opponent: SeatedAgent | None
    trouble: str | None
    position: Position
    before: list[Position] = field(default_factory=list)
    players: list[int] = field(default_factory=list)  # who made each move
    versions: list[str | None] = field(default_factory=list)  # of the agent, likewise
    events: list[Event] = field(default_factory=list)  # as the seat saw them
    opened: list[Event] = field(default_factory=list)  # and as it sees them once nothing is hidden any more
    stored: dict[int, Position] = field(default_factory=dict)
    last: datetime | None = None  # when the last move was made

    @property
    def id(self) -> str:
        """Of the table."""
        return str(self.row["id"])

    @property
    def seat(self) -> int:
        """The seat of the person."""
        return int(self.row["seat"])

    @property
    def ply(self) -> int:
        """The number of moves so far."""
        return len(self.players)

    @property
    def moves(self) -> tuple[str, ...]:
        """Their names."""
        return self.position.history

    @property
    def ended(self) -> bool:
        """Whether it was played to the end, or resigned."""
        return self.row["ended"] is not None

    def pending(self) -> PendingMoves:
        """Pending moves from the present position."""
        return PendingMoves(self.id, self.position, list(self.before))

    def follow(self, moves: Sequence[Row], positions: Sequence[Position] = ()) -> None:
        """Apply moves that have been written, and the positions after them where those are known."""
        for row, known in zip_longest(moves, positions):
            if row["ply"] != self.ply:
                raise GameError(f"The moves of table {self.id} have a gap at ply {self.ply}.")
            event = self.event(self.position, row["ply"], row["move"])
            self.events.append(event)
            self.opened.append(self.event(self.position, row["ply"], row["move"], True) if event.secret else event)
            self.stored.setdefault(self.ply - self.ply % STRIDE, self.position)
            self.players.append(row["player"])
            self.versions.append(row["agent_version"])
            self.before.append(self.position)
            del self.before[:-TAIL]
            self.position = known or self.position.after(row["move"])
            self.last = aware(row["at"])

    def at(self, ply: int) -> tuple[Position, list[Position]]:
        """The position at a ply, and some of those before it."""
        if ply == self.ply:
            return self.position, self.before
        start = max(k for k in (*self.stored, 0) if k <= max(ply - TAIL, 0))
        position = self.stored.get(start) or self.game.start()
        before: list[Position] = []
        for move in self.moves[start:ply]:
            before.append(position)
            position = position.after(move)
        return position, before[-TAIL:]

    @property
    def names(self) -> list[str]:
        """The names of the players as the person reads them."""
        others = ["the agent"] * 2 if self.game.players == 2 else [f"player {p + 1}" for p in range(self.game.players)]
        return [YOU if p == self.seat else name for p, name in enumerate(others)]

    def event(self, position: Position, ply: int, move: str, is_open: bool = False) -> Event:
        """A move as the person sees it; everything, if the game is open."""
        turn, secret = position.turn, not is_open and visible_move(position, move, self.seat) is None
        with players_named(self.names):
            made = None if secret else move_info(position.move(position.actions[position.legal.index(move)]))
            hidden = "a secret move"
            if made is None and turn == CHANCE:
                hidden = display_of(self.game.name).hidden(position.view(self.seat))
            text = made.text if made else hidden
        return Event(
            ply=ply,
            by="chance" if turn == CHANCE else "you" if turn == self.seat else "agent",
            actor=None if turn == CHANCE else turn,
            move=made,
            text=text,
            secret=secret,
        )

    # ----------------------------------------------------------------------------------------------- as it is shown

    def state(self, is_open: bool, since: int = 0, ply: int | None = None) -> TableState:
        """The table as its seat sees it, now or after `ply` moves."""
        present = ply is None or ply == self.ply
        ply = self.ply if ply is None else ply
        position, before = self.at(ply)
        display, row, seat = display_of(self.game.name), self.row, self.seat
        over = position.over or (present and self.ended)
        turn = position.turn
        agent = self.opponent
        with players_named(self.names):
            picture = position.show(seat)
            legal = display.legal_moves(position, seat) if turn == seat and not over else []
        return TableState(
            id=self.id,
            game=self.game.name,
            players=self.game.players,
            seat=seat,
            player_name=row["player_name"],
            agent=AgentRef(id=row["agent"], name=agent.name if agent else row["agent"], version=row["agent_version"]),
            mind=row["mind"],
            pace=row["pace"],
            created=aware(row["created"]).isoformat(timespec="seconds"),
            branch_of=BranchPoint(table=row["parent"], ply=row["parent_ply"]) if row["parent"] else None,
            imported=row["imported"],
            ply=ply,
            turn="over" if over else "chance" if turn == CHANCE else "you" if turn == seat else "agent",
            player=turn if turn >= 0 and not over else None,
            view=display.view(position, before, seat),
            sides=[display.view(position, before, p) for p in range(self.game.players)] if is_open else [],
            picture=picture,
            legal=legal,
            since=since,
            history=(self.opened if is_open else self.events)[since:ply],
            result=self.result() if over else None,
            open=is_open,
            trouble=self.trouble if not over and turn not in (seat, CHANCE) else None,
        )

    def result(self) -> Result:
        """How it ended for the person."""
        payoffs, kind = self.row["payoffs"] or [], self.game.kind
        if self.row["resigned"]:
            return Result(outcome="resigned", kind=kind, payoffs=payoffs)
        mine, best = payoffs[self.seat], max(payoffs)
        drawn = all(payoff == best for payoff in payoffs)
        won = mine > 0 if kind == "zero-sum" else mine == best
        return Result(outcome="drawn" if drawn else "won" if won else "lost", kind=kind, payoffs=payoffs)


def refuse_ply(session: Session, ply: int) -> None:
    """Refuse a ply that has not been reached."""
    if ply > session.ply:
        raise Refusal(409, f"The game is at ply {session.ply}; ply {ply} has not been reached.")


def aware(moment: datetime) -> datetime:
    """A time with its zone, which SQLite forgets."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
