"""Looking: the table now and at any ply, minds, the game as a file, and what anybody may know of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from parlor.game import CHANCE, Game, GameError
from parlor.page.seated_agent import SeatedAgent, reference
from parlor.page.shapes import Frontier
from parlor.runs.files.container import FileError
from parlor.server.catalogue.displays import Notes, display_of
from parlor.server.catalogue.seating import readable
from parlor.server.explain import jobs
from parlor.server.explain.mind import unfinished
from parlor.server.explain.review import nothing
from parlor.server.operations.threads import in_thread
from parlor.server.refusal import Refusal
from parlor.server.schemas.mind import Mind, MindList
from parlor.server.schemas.review import Review
from parlor.server.schemas.tables import (
    GameRecord,
    GameRecord1,
    RecordedMove,
    RecordedSeat,
    Shuffle,
    TablePreview,
    TableState,
)
from parlor.server.tables.pending import PendingMoves
from parlor.server.tables.session import Session, Viewer
from parlor.server.tables.shuffle import commitment
from parlor.server.tables.store import Row
from parlor.server.tables.tables import Tables
from parlor.server.thinking.thinking import LIMITS, asker

UNBEGUN = "Nothing has been worked out yet."


async def state(tables: Tables, id: str, token: str, since: int = 0) -> TableState:
    """The table now."""
    async with tables.seen(id, token, study=True) as (session, viewer, is_open):
        return session.state(viewer, is_open, since)


async def replay(tables: Tables, id: str, token: str, ply: int) -> TableState:
    """The table as it was at a ply."""
    async with tables.seen(id, token) as (session, viewer, is_open):
        past = session.reached(viewer, is_open, ply)
        return await in_thread(lambda: session.state(viewer, is_open, 0, past))


async def preview(tables: Tables, id: str) -> TablePreview:
    """Return the public facts of a table."""
    async with tables.locked(id) as session:
        return TablePreview(
            game=session.game.name,
            players=session.game.players,
            status="over" if session.ended else "waiting" if session.waiting else "running",
            open_seats=[] if session.ended else [seat["seat"] for seat in session.seats if seat["kind"] == "open"],
            watch=session.row["watch"],
            host_name=session.names(None)[session.row["host"]],
        )


async def record(tables: Tables, id: str, token: str) -> GameRecord:
    """The game as a file, once nothing in it is hidden."""
    async with tables.seen(id, token) as (session, viewer, is_open):
        if not is_open:
            raise Refusal(
                409, "A game can be exported when it, and all that share its cards, are over: the file shows all."
            )
        return record_of(session.row, session.seats, await tables.store.moves(id), viewer)


async def shuffle(tables: Tables, id: str) -> Shuffle:
    """The commitment to a table's draws, for anybody; and their secret, when nothing is hidden any more."""
    async with tables.locked(id) as session:
        secret: str | None = None if session.row["imported"] else session.row["secret"]
        if secret is None:
            return Shuffle(commitment=None, secret=None, since=0)
        shown = secret if await tables.is_open(session) else None
        since = session.row["parent_ply"] or 0
        if session.row["undone"] and (first := await tables.store.table(session.row["root"])):
            since = min(since, first["parent_ply"] or 0)  # with the secret of the first, which may be a branch
        return Shuffle(commitment=commitment(secret), secret=shown, since=since)


async def review(tables: Tables, id: str, token: str) -> Review:
    """The review of a game that is open, as far as it has come: from the reader's seat, or from the host's."""
    async with tables.seen(id, token) as (session, viewer, is_open):
        if session.row["mind"] == "never":
            raise Refusal(403, "At this table the agent's mind is never shown, and a review would show it.")
        if not is_open:
            raise Refusal(409, "A game can be reviewed when it, and all that share its cards, are over.")
        seat = session.row["host"] if viewer is None else viewer
        agents = tuple(agent.id for agent in session.agents.values())
        played = _played(tables, session, session.ply, viewer)
    job = await tables.thinking.grown("reviews", (id, seat), jobs.review, jobs.Reviewed(played, seat, agents))
    over = job.finished
    found: Review = job.best or await in_thread(lambda: nothing(session.game, seat, UNBEGUN, done=over))
    return found.model_copy(update={"done": True}) if over else found


def _played(tables: Tables, session: Session, ply: int, viewer: Viewer) -> jobs.Played:
    """A game up to a ply, for another process."""
    names = tuple(session.in_sentences(viewer))
    return jobs.Played(tables.catalogue.offered, session.row["game"], session.moves[:ply], names)


async def notes(tables: Tables, id: str, token: str, ply: int, seat: int | None) -> Notes:
    """Return the deductions from a seat's observations up to a ply: one's own seat, or any when the game is open."""
    async with tables.seen(id, token) as (session, viewer, is_open):
        past = session.reached(viewer, is_open, ply)
        player = viewer if seat is None else seat
        if display_of(session.game.name).notes is None:
            raise Refusal(404, f"{session.game.words.title} has no notes.")
        if player is None:
            raise Refusal(403, "A spectator has no notes; `seat` says whose to look at, when the game is over.")
        if player >= session.game.players:
            raise Refusal(404, f"There is no seat {player}; seats are 0 to {session.game.players - 1}.")
        if player != viewer and not is_open:
            raise Refusal(403, "The notes of others can be seen when the game, and all that share its cards, are over.")
        played = _played(tables, session, past, None)
    found = await tables.thinking.answer("pages", ("notes", id, past, player), jobs.notes, (played, player))
    if found is None:
        raise Refusal(409, "There is nothing to note yet.")
    return cast(Notes, found)


async def frontier(tables: Tables, id: str, token: str) -> Frontier:
    """Return the achievable payoffs of a game that is over, with their Pareto frontier and the result."""
    async with tables.seen(id, token) as (session, viewer, is_open):
        if display_of(session.game.name).frontier is None:
            raise Refusal(404, f"{session.game.words.title} has no picture of what was possible.")
        if not is_open:
            raise Refusal(409, "What was possible is shown when the game, and all that share its cards, are over.")
        played = _played(tables, session, session.ply, viewer)
    return cast(Frontier, await tables.thinking.answer("pages", ("frontier", id, played.names), jobs.frontier, played))


# --------------------------------------------------------------------------------------------------- minds


async def minds(tables: Tables, id: str, token: str) -> MindList:
    """The plies whose minds can be shown now."""
    async with tables.seen(id, token) as (session, viewer, is_open):
        why = _closed(session, viewer, is_open)
        count = 0 if why else session.number_of(viewer, is_open, session.ply)
        made = [(number, session.ply_of(viewer, is_open, number)) for number in range(count)]
        plies = [
            number
            for number, past in made
            if session.players[past] != CHANCE and (is_open or not session.is_sealed(viewer, past))
        ]
        return MindList(shown=session.row["mind"], open=is_open, plies=plies, why=why)


async def mind(tables: Tables, id: str, token: str, ply: int, outside: bool = False) -> Mind:
    """Return the basis of an agent's actual or hypothetical decision; from `outside`, as the seat can infer it."""
    async with tables.seen(id, token) as (session, viewer, is_open):
        if why := _closed(session, viewer, is_open):
            raise Refusal(403, why)
        past = session.reached(viewer, is_open, ply)
        if past == session.ply:
            raise Refusal(409, "The mind is shown only after the move has been made.")
        player = session.players[past]
        if player == CHANCE:
            raise Refusal(404, f"Ply {ply} was a chance turn, not a decision.")
        if not is_open and session.is_sealed(viewer, past):
            raise Refusal(403, "This move is hidden from you: its mind is shown when you have decided, too.")
        agent, thought = await _decider(tables, session, past)
        own, seen = player == viewer, session.watched_by(viewer)
        # an agent that plays for somebody thinks with that seat's cards only
        chosen = (seen.opened[past] if own or is_open else seen.events[ply]).move
        inside = own or viewer is None or (is_open and not outside)
        played = _played(tables, session, past, viewer)
    task = jobs.Explained(played, agent.id, ply, chosen, own, thought, None if inside else viewer)
    # as this viewer reads it, and before or after the game is open
    viewed = (id, ply, viewer, is_open, outside, thought, agent.id, agent.name, agent.version, *played.names)
    try:
        job = await tables.thinking.grown("minds", viewed, jobs.explain, task, (id, viewer, asker.get()))
    except GameError as error:
        raise Refusal(409, f"The agent's mind is not available: {readable(error)}") from None
    found: Mind = job.best or unfinished(reference(agent), session.game, ply, player, chosen, own, thought)
    if job.state == "late":
        note = " ".join([found.note, f"The server gave it {LIMITS['minds'].seconds:.0f} seconds: there would be more."])
        return found.model_copy(update={"done": True, "note": note.strip()})
    return found.model_copy(update={"done": job.finished})


async def _decider(tables: Tables, session: Session, ply: int) -> tuple[SeatedAgent, bool]:
    """Whose mind is shown at a ply: the agent that decided, if it still is what it was; else the table's adviser."""
    id, version = session.deciders[ply]
    if id is not None and version is not None:
        try:
            agent = await tables.agent(id, session.game)
        except (GameError, FileError, OSError):
            agent = None
        if agent is not None and agent.version == version:
            return agent, True
    return await adviser(tables, session), False


async def adviser(tables: Tables, session: Session) -> SeatedAgent:
    """Whose advice is shown at people's decisions: the first agent at the table, or the one that is recommended."""
    if session.agents:
        return session.agents[min(session.agents)]
    return await tables.stand_in(session.game)


def _closed(session: Session, viewer: Viewer, is_open: bool) -> str:
    """Why minds are not shown now; empty if they are."""
    if session.row["mind"] == "never":
        return "At this table the agent's mind is never shown."
    if session.row["mind"] == "end" and not is_open:
        return "At this table the agent's mind is shown when the game, and every one that shares its cards, is over."
    if viewer is None and not is_open:
        return "Spectators see minds when the game is over."
    return ""


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
