"""A game in progress: moves that have been made and are not written yet."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field

from parlor.game import CHANCE, Position
from parlor.game.rng import choose, seed_stream
from parlor.page.seated_agent import AgentRef, SeatedAgent
from parlor.server.tables.store import Row, now

#: What draws come from: the secret of a table, 128 bits in hexadecimal digits, or a seed that somebody chose.
Source = int | str

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

    def draw(self, source: Source, choices: Mapping[str, float]) -> str:
        """Draw one of several at this ply."""
        return drawn(source, self.ply, choices)

    def deal(self, source: Source) -> None:
        """Play the chance turns."""
        while self.position.turn == CHANCE:
            self.play(self.draw(source, self.position.odds))

    def ending(self) -> Row | None:
        """Return the columns that record the result, if the game is over."""
        return {"ended": now(), "payoffs": self.position.payoffs} if self.position.over else None


def source_of(row: Row) -> Source:
    """The source of a table's draws: its secret; its seed where a person chose that, or where there is no secret."""
    secret: str | None = row["secret"]
    return int(row["seed"]) if secret is None else secret


def drawn(source: Source, ply: int, choices: Mapping[str, float]) -> str:
    """Draw one of several by what a table draws from and the ply, so that the draw can be repeated.

    With a secret the 53 bits are those of an HMAC: whoever has seen all draws before learns nothing of the next.
    """
    names = list(choices)
    if isinstance(source, int):
        stream = [0, 0, 0, 0]
        seed_stream(stream, source, ply)
        return names[choose(stream, list(choices.values()), len(names))]
    digest = hmac.digest(bytes.fromhex(source), f"draw {ply}".encode(), "sha256")
    left = (int.from_bytes(digest[:8], "big") >> 11) / (1 << 53) * sum(choices.values())
    possible = [name for name in names if choices[name] > 0.0]
    for name in possible:
        left -= choices[name]
        if left < 0.0:
            return name
    return possible[-1]
