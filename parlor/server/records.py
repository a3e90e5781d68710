"""Games as files: what a table becomes, and what is believed of one that comes back."""

from __future__ import annotations

from collections.abc import Sequence

from parlor.game import CHANCE, Game
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import GameRecord, RecordedMove
from parlor.server.session import PendingMoves
from parlor.server.store import Row


def record_of(row: Row, written: Sequence[Row]) -> GameRecord:
    """A table and its moves as a file."""
    moves = [
        RecordedMove(player=m["player"], move=m["move"], ms=None if m["ms"] is None else round(m["ms"]))
        for m in written
    ]
    return GameRecord(
        format="parlor game 1",
        game=row["game"],
        rules=row["rules"],
        seat=row["seat"],
        player_name=row["player_name"],
        agent=row["agent"],
        agent_version=row["agent_version"],
        resigned=row["resigned"],
        payoffs=row["payoffs"],
        moves=moves,
    )


def replayed(id: str, game: Game, moves: tuple[str, ...]) -> PendingMoves:
    """Play moves by name."""
    pending = PendingMoves(id, game.start(), [])
    for move in moves:
        pending.play(move)
    return pending


def replayed_record(id: str, game: Game, record: GameRecord) -> PendingMoves:
    """Replay a file, believing nothing in it."""
    pending = PendingMoves(id, game.start(), [])
    for made in record.moves:
        turn = pending.position.turn
        if pending.position.over or made.player != turn:
            raise Refusal(
                422, f"At ply {pending.ply} the file has a move of player {made.player}, whose turn it is not."
            )
        if made.move not in pending.position.legal:
            raise Refusal(422, f"At ply {pending.ply} the file has {made.move!r}, which cannot be played there.")
        own = turn in (CHANCE, record.seat)
        pending.play(made.move, made.ms, None if own else record.agent_version)
    if record.payoffs is not None and pending.position.over and record.payoffs != pending.position.payoffs:
        raise Refusal(422, f"The file says the game ended {record.payoffs}, but it ended {pending.position.payoffs}.")
    return pending
