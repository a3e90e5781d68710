"""Games as files: what a table becomes, and what is believed of one that comes back."""

from __future__ import annotations

from collections.abc import Sequence

from parlor.game import CHANCE, Game
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import GameRecord, GameRecord1, RecordedMove, RecordedSeat
from parlor.server.tables.pending import PendingMoves
from parlor.server.tables.store import Row


def record_of(row: Row, seats: Sequence[Row], written: Sequence[Row], seat: int | None) -> GameRecord:
    """A table and its moves as a file, for the owner of a seat or a spectator."""
    moves = [
        RecordedMove(player=m["player"], move=m["move"], ms=None if m["ms"] is None else round(m["ms"]))
        for m in written
    ]
    return GameRecord(
        format="parlor game 2",
        game=row["game"],
        rules=row["rules"],
        seat=row["host"] if seat is None else seat,
        seats=[_seat(one) for one in seats],
        resigned_by=row["resigned_by"],
        payoffs=row["payoffs"],
        moves=moves,
    )


def _seat(row: Row) -> RecordedSeat:
    if row["kind"] != "agent":
        return RecordedSeat(name=row["name"])
    return RecordedSeat(name=row["name"], agent=row["agent"], agent_version=row["agent_version"] or "")


def as_record(given: GameRecord | GameRecord1, game: Game) -> GameRecord:
    """A file of any version as one of the present."""
    if isinstance(given, GameRecord):
        return given
    agent = RecordedSeat(agent=given.agent, agent_version=given.agent_version)
    seats = [RecordedSeat(name=given.player_name) if p == given.seat else agent for p in range(game.players)]
    return GameRecord(
        format="parlor game 2",
        game=given.game,
        rules=given.rules,
        seat=given.seat,
        seats=seats,
        resigned_by=given.seat if given.resigned else None,
        payoffs=given.payoffs,
        moves=given.moves,
    )


def replayed(id: str, game: Game, moves: tuple[str, ...]) -> PendingMoves:
    """Play moves by name."""
    pending = PendingMoves(id, game.start(), [], keeps=False)
    for move in moves:
        pending.play(move)
    return pending


def replayed_record(id: str, game: Game, record: GameRecord) -> PendingMoves:
    """Replay a file, believing nothing in it: of an agent's move its name is kept, its version is unknown."""
    pending = PendingMoves(id, game.start(), [], keeps=False)
    for made in record.moves:
        turn = pending.position.turn
        if pending.position.over or made.player != turn:
            raise Refusal(
                422, f"At ply {pending.ply} the file has a move of player {made.player}, whose turn it is not."
            )
        if made.move not in pending.position.legal:
            raise Refusal(422, f"At ply {pending.ply} the file has {made.move!r}, which cannot be played there.")
        pending.play(made.move, made.ms)
        if turn != CHANCE:
            pending.moves[-1]["agent"] = record.seats[turn].agent
    if record.payoffs is not None and pending.position.over and record.payoffs != pending.position.payoffs:
        raise Refusal(422, f"The file says the game ended {record.payoffs}, but it ended {pending.position.payoffs}.")
    return pending
