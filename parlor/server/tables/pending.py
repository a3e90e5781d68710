"""A game in progress: moves that have been made and are not written yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from parlor.game import CHANCE, Position
from parlor.game.rng import choose, seed_stream
from parlor.page.seated_agent import AgentRef, SeatedAgent
from parlor.server.tables.store import Row, now

TAIL = 16  # positions stored before the present one: enough for a response phase


@dataclass
class PendingMoves:
    """A game in progress: from a position, the new moves."""

    table: str
    position: Position
    before: list[Position]
    moves: list[Row] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)  # after each of them, if they are kept
    keeps: bool = True  # not of a whole game that is replayed

    @property
    def ply(self) -> int:
        """The number of moves made in all."""
        return self.position.ply

    def play(self, move: str, ms: float | None = None, agent: SeatedAgent | AgentRef | None = None) -> None:
        """Make a move or apply an outcome."""
        row = {
            "table_id": self.table,
            "ply": self.ply,
            "player": self.position.turn,
            "move": move,
            "at": now(),
            "ms": ms,
            "agent": agent and agent.id,
            "agent_version": agent and agent.version,
        }
        after = self.position.after(move)
        self.before.append(self.position)
        del self.before[:-TAIL]
        self.position = after
        self.moves.append(row)
        if self.keeps:
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

    def ending(self) -> Row | None:
        """Return the columns that record the result, if the game is over."""
        return {"ended": now(), "payoffs": self.position.payoffs} if self.position.over else None
