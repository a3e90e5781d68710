"""Moves: people's moves, agents that are told to move, the pace, resigning."""

from __future__ import annotations

from parlor.game import CHANCE, Position
from parlor.game.moves import listed
from parlor.server.refusal import Refusal
from parlor.server.schemas.common import Pace
from parlor.server.schemas.tables import AdvanceRequest, MoveRequest, TableState
from parlor.server.tables.session import Session, overdue
from parlor.server.tables.store import now
from parlor.server.tables.tables import Tables


async def move(tables: Tables, id: str, token: str, wanted: MoveRequest, since: int) -> TableState:
    """A person's move; if agents answer at once, their answers too."""

    async def play(session: Session, seat: int) -> TableState:
        if not _fits(session, seat, wanted):
            await tables.look(session)
        if overdue(session):
            await tables.catch_up(session)
        if _already(session, seat, wanted):
            return await tables.shown(session, seat, since)
        _may_move(session, seat, wanted.ply)
        name = _name(session.position, wanted.move)
        if name is None:
            can = listed(session.position.moves)
            raise Refusal(422, f"{wanted.move!r} cannot be played here; legal moves: {can}.")
        pending = session.pending()
        pending.play(name, max(0.0, 1000.0 * (now() - session.since).total_seconds()))
        session.troubles = {p: why for p, why in session.troubles.items() if p not in session.agents}  # they try again
        await tables.play_on(session, pending, session.row["pace"] == "at-once")
        await tables.write(session, pending)
        return await tables.shown(session, seat, since)

    state = await tables.transact(id, token, play, look=False, study=True)
    return await tables.with_answers(id, token, since, state)


async def advance(tables: Tables, id: str, token: str, wanted: AdvanceRequest, since: int) -> TableState:
    """One move of an agent."""

    async def play(session: Session, seat: int) -> TableState:
        ply = session.reached(seat, False, wanted.ply)
        if ply < session.ply:
            if session.deciders[ply] == (None, None):
                raise Refusal(409, f"The move at ply {wanted.ply} was not an agent's.")
            return await tables.shown(session, seat, since)
        _goes_on(session)
        turn = session.position.turn
        if not session.is_agents(turn) and turn != CHANCE:
            raise Refusal(409, "It is your turn, not an agent's." if turn == seat else "It is another person's turn.")
        pending = session.pending()
        await tables.play_on(session, pending, True, once=True)
        if pending.moves:
            await tables.write(session, pending)
        if not any(made["agent"] for made in pending.moves):
            tables.think(session, once=True)
        if not pending.moves and not session.thinking:
            raise Refusal(409, session.trouble() or "The agent cannot move.")
        return await tables.shown(session, seat, since)

    state = await tables.with_answers(id, token, since, await tables.transact(id, token, play))
    if state.ply == wanted.ply and state.trouble:
        raise Refusal(409, state.trouble)
    return state


async def set_pace(tables: Tables, id: str, token: str, pace: Pace, since: int) -> TableState:
    """Change how agents answer; if they are to answer at once and it is their turn, they do."""

    async def change(session: Session, seat: int) -> TableState:
        host = session.seats[session.row["host"]]
        if seat != host["seat"] and host["left"] is None:
            raise Refusal(403, "The pace is set by whoever made the table.")
        if session.row["pace"] != pace and not session.ended:
            await tables.change(session, {"pace": pace})
        return await tables.shown(session, seat, since)

    return await tables.transact(id, token, change)


async def resign(tables: Tables, id: str, token: str) -> TableState:
    """End the game as lost; with more than two players an agent plays on instead."""

    async def give_up(session: Session, seat: int) -> TableState:
        if not session.ended and (session.game.players == 2 or session.waiting):
            await tables.change(session, {"ended": now(), "resigned_by": seat})
        elif not session.ended:
            agent = await tables.stand_in(session.game)
            taken = {"kind": "agent", "agent": agent.id, "agent_version": agent.version, "left": now()}
            await tables.change(session, {}, seat, taken)
        return await tables.shown(session, seat)

    return await tables.transact(id, token, give_up)


# --------------------------------------------------------------------------------------------------- checks


def _fits(session: Session, seat: int, wanted: MoveRequest) -> bool:
    """Whether a move can be made, as far as is known in memory."""
    here = session.runs and session.position.turn == seat and session.ply_of(seat, False, wanted.ply) == session.ply
    return here and not session.is_agents(seat) and _name(session.position, wanted.move) is not None


def _name(position: Position, move: str | int) -> str | None:
    """The name of a move that can be played here, given by its name or its id."""
    if isinstance(move, str):
        return move if move in position.legal else None
    return position.move(move).name if move in position.actions else None


def _already(session: Session, seat: int, wanted: MoveRequest) -> bool:
    """Whether this very move has been made; another one at its ply is refused."""
    ply = session.ply_of(seat, False, wanted.ply)
    if ply >= session.ply:
        return False
    if session.players[ply] != seat:
        present = session.number_of(seat, False, session.ply)
        raise Refusal(409, f"The move at ply {wanted.ply} was not yours; the game is at ply {present}.")
    made = session.moves[ply]
    if session.deciders[ply] != (None, None):
        up = "Your time for this decision was up: " if session.row["clock"] else ""
        raise Refusal(409, f"{up}{made!r} was played for you at ply {wanted.ply}.")
    if made != _name(session.at(ply)[0], wanted.move):
        raise Refusal(409, f"At ply {wanted.ply} you have already played {made!r}.")
    return True


def _goes_on(session: Session) -> None:
    if session.ended:
        raise Refusal(409, "The game is over.")
    if session.out_of_time:
        raise Refusal(409, "The time for this game is up.")
    if session.waiting:
        raise Refusal(409, "The game begins when all seats are taken.")


def _may_move(session: Session, seat: int, ply: int) -> None:
    _goes_on(session)
    session.reached(seat, False, ply)
    if session.is_agents(seat) or session.seats[seat]["left"] is not None:
        raise Refusal(409, "You have left this table: come back first.")
    if session.position.turn != seat:
        raise Refusal(409, "It is not your turn.")
