"""A table in memory: its position, who sits where, and what each seat and the spectators have seen.

It is rebuilt from the moves if necessary. A viewer is a seat, or None: a spectator.
"""

from __future__ import annotations

import hashlib
import hmac
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import Any, Literal

from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.seats.visibility import goes_unnoticed, public_view, visible_move
from parlor.game.words import YOU, players_named
from parlor.page.display import move_info
from parlor.page.seated_agent import AgentRef, SeatedAgent
from parlor.server.catalogue.displays import display_of
from parlor.server.refusal import Refusal
from parlor.server.schemas.tables import BranchPoint, Clock, GameResult, Seat, TableEvent, TableState
from parlor.server.tables.pending import TAIL, PendingMoves
from parlor.server.tables.store import Row, now
from parlor.server.thinking.thinking import DECISION

STRIDE = 16  # one position in so many is stored, to step back from

Viewer = int | None
Turn = Literal["you", "agent", "person", "chance", "waiting"]
By = Literal["you", "agent", "person", "chance"]
Outcome = Literal["won", "lost", "drawn", "resigned", "ended"]


@dataclass
class Seen:
    """The events of a game as a viewer saw them, and as they are told once nothing is hidden any more."""

    events: list[TableEvent] = field(default_factory=list)  # without what the viewer does not even notice
    plies: list[int] = field(default_factory=list)  # of these events
    opened: list[TableEvent] = field(default_factory=list)


@dataclass(eq=False)
class Session:
    """A table: its row, its seats, its game, the agents, and everything that has happened."""

    row: Row
    seats: list[Row]
    game: Game
    agents: dict[int, SeatedAgent]  # by seat
    troubles: dict[int, str]  # why an agent cannot play, by seat
    position: Position
    before: list[Position] = field(default_factory=list)
    players: list[int] = field(default_factory=list)  # who made each move
    deciders: list[tuple[str | None, str | None]] = field(default_factory=list)  # the agent and its version, likewise
    seen: dict[Viewer, Seen] = field(default_factory=dict)
    stored: dict[int, Position] = field(default_factory=dict)
    last: datetime | None = None  # when the last move was made
    thinking: bool = False  # a slow agent's decision is being worked out
    late: list[int] = field(default_factory=list)  # plies at which an agent had passed its limit

    @property
    def id(self) -> str:
        """Of the table."""
        return str(self.row["id"])

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
        """Whether it was played to the end, or ended otherwise."""
        return self.row["ended"] is not None

    @property
    def is_study_table(self) -> bool:
        """Whether it belongs to a study: then nothing is ever opened, nor told of who the others are."""
        return self.row["study"] is not None

    @property
    def out_of_time(self) -> bool:
        """Whether the time of the whole game is up, where it has one."""
        return self.row["deadline"] is not None and now() >= aware(self.row["deadline"])

    # ----------------------------------------------------------------------------------------------- the seats

    @property
    def waiting(self) -> bool:
        """Whether somebody may still sit down: nothing has been dealt then."""
        return any(seat["kind"] == "open" for seat in self.seats)

    @property
    def runs(self) -> bool:
        """Whether moves can be made."""
        return not self.ended and not self.waiting

    @property
    def people(self) -> list[int]:
        """The seats that belong to people, also if an agent plays there meanwhile."""
        return [seat["seat"] for seat in self.seats if seat["token"] is not None]

    def owner(self, token: str) -> int | None:
        """The seat of a token."""
        given = hashed(token)
        owned = [s["seat"] for s in self.seats if s["token"] and hmac.compare_digest(s["token"], given)]
        return owned[0] if owned else None

    def is_agents(self, player: int) -> bool:
        """Whether an agent plays at a seat."""
        return player >= 0 and self.seats[player]["kind"] == "agent"

    @property
    def deadline(self) -> datetime | None:
        """Until when the person whose turn it is may decide, if there is a clock."""
        if self.row["clock"] is None or not self.runs or self.position.turn < 0 or self.is_agents(self.position.turn):
            return None
        return self.since + timedelta(seconds=self.row["clock"])

    @property
    def since(self) -> datetime:
        """Since when the present decision can be made."""
        joined = [aware(seat["joined"]) for seat in self.seats if seat["joined"]]
        moments = [*joined, aware(self.row["created"])]
        return max([*moments, self.last] if self.last else moments)

    def trouble(self) -> str | None:
        """Why the agent whose turn it is cannot move."""
        if self.is_study_table:
            return None
        return self.troubles.get(self.position.turn) if self.is_agents(self.position.turn) else None

    def remark(self, viewer: Viewer) -> str | None:
        """That an agent had passed its limit when it moved, if nobody else has decided since."""
        if not self.late or self.is_study_table:
            return None
        ply = self.late[-1]
        since = zip(self.players[ply + 1 :], self.deciders[ply + 1 :], strict=True)
        if any(player != CHANCE and decider == (None, None) for player, decider in since):
            return None
        name = self.names(viewer)[self.players[ply]]
        return f"{name} may think for {DECISION:.0f} seconds, and then made the best move found so far."

    def names(self, viewer: Viewer) -> list[str]:
        """The names of the players as a viewer reads them."""
        if self.is_study_table:
            others = ["Partner"] * 2 if len(self.seats) == 2 else [f"Player {p + 1}" for p in range(len(self.seats))]
            return ["You" if p == viewer else name for p, name in enumerate(others)]
        own = [self._name(seat) for seat in self.seats]
        alike = [name if own.count(name) == 1 else f"{name} {p + 1}" for p, name in enumerate(own)]
        return ["You" if p == viewer else name for p, name in enumerate(alike)]

    def in_sentences(self, viewer: Viewer) -> list[str]:
        """The same inside of sentences."""
        return [YOU if p == viewer else name for p, name in enumerate(self.names(viewer))]

    def _name(self, seat: Row) -> str:
        p: int = seat["seat"]
        if seat["kind"] == "agent":
            return self.agents[p].name if p in self.agents else str(seat["agent"])
        name = str(seat["name"])
        return f"Player {p + 1}" if not name or name.lower() == YOU else name

    def _seat(self, seat: Row, viewer: Viewer) -> Seat:
        p, agent = seat["seat"], None
        if self.is_study_table:
            name = self.names(viewer)[p]
            return Seat(seat=p, kind="person", name=name, agent=None, you=p == viewer, left=False)
        if seat["kind"] == "agent":
            agent = AgentRef(id=seat["agent"], name=self._name(seat), version=seat["agent_version"] or "")
        return Seat(
            seat=p,
            kind=seat["kind"],
            name=self._name(seat),
            agent=agent,
            you=p == viewer,
            left=seat["left"] is not None,
        )

    # ----------------------------------------------------------------------------------------------- what happened

    def pending(self) -> PendingMoves:
        """Pending moves from the present position."""
        return PendingMoves(self.id, self.position, list(self.before))

    def follow(self, moves: Sequence[Row], positions: Sequence[Position] = ()) -> None:
        """Apply moves that have been written, and the positions after them where those are known."""
        names = {viewer: self.in_sentences(viewer) for viewer in self.seen}
        for row, known in zip_longest(moves, positions):
            if row["ply"] != self.ply:
                raise GameError(f"The moves of table {self.id} have a gap at ply {self.ply}.")
            before = self.position
            self.stored.setdefault(self.ply - self.ply % STRIDE, before)
            self.players.append(row["player"])
            self.deciders.append((row["agent"], row["agent_version"]))
            self.before.append(before)
            del self.before[:-TAIL]
            self.position = known or before.after(row["move"])
            self.last = aware(row["at"])
            if row["agent_version"] is not None and (row["ms"] or 0.0) >= 1000.0 * DECISION:
                self.late.append(row["ply"])
            for viewer, seen in self.seen.items():
                with players_named(names[viewer]):
                    self._see(viewer, seen, before, self.position)

    def watched_by(self, viewer: Viewer) -> Seen:
        """Return the events that a viewer has seen, replaying the game for a new viewer."""
        if viewer not in self.seen:
            seen, position = Seen(), self.game.start()
            with players_named(self.in_sentences(viewer)):
                for move in self.moves:
                    before, position = position, position.after(move)
                    self._see(viewer, seen, before, position)
            self.seen[viewer] = seen
        return self.seen[viewer]

    def _see(self, viewer: Viewer, seen: Seen, before: Position, after: Position) -> None:
        """Add the move between two positions as a viewer sees it, and as it is told once nothing is hidden."""
        ply, turn, told = before.ply, before.turn, self._told(viewer, before, after)
        by_agent = self.deciders[ply] != (None, None) and not self.is_study_table
        actor = None if turn == CHANCE else turn
        by: By = "chance" if turn == CHANCE else "agent" if by_agent else "you" if turn == viewer else "person"
        move = move_info(before.move(before.action(after.last)))
        event = TableEvent(ply=ply, by=by, actor=actor, move=move, text=move.text, secret=False, told=told)
        seen.opened.append(event)
        if goes_unnoticed(before, after.last, viewer):
            return
        number = len(seen.events)
        if visible_move(before, after.last, viewer) is None:
            text = self._hidden(viewer, before)
            event = TableEvent(ply=number, by=by, actor=actor, move=None, text=text, secret=True, told=told)
        seen.events.append(event if event.ply == number else event.model_copy(update={"ply": number}))
        seen.plies.append(ply)

    def _hidden(self, viewer: Viewer, position: Position) -> str:
        """Return the words for a move or outcome that the viewer does not see."""
        display = display_of(self.game.name)
        return display.secret_move if position.turn != CHANCE else display.hidden(_view(position, viewer))

    def _told(self, viewer: Viewer, before: Position, after: Position) -> list[str]:
        """Return the game's own narration of a move as a viewer saw it, if it has any."""
        narrate = self.game.words.narrate
        return list(narrate(_view(before, viewer), _view(after, viewer))) if narrate else []

    # ----------------------------------------------------------------------------------------------- numbers of moves

    def number_of(self, viewer: Viewer, is_open: bool, ply: int) -> int:
        """The number that a viewer has for a ply, who does not count moves that it has not noticed."""
        if is_open or self.game.hidden.unseen is None:
            return ply
        return bisect_left(self.watched_by(viewer).plies, ply)

    def ply_of(self, viewer: Viewer, is_open: bool, number: int) -> int:
        """The ply that has a number for a viewer; beyond the present one, if the viewer has noticed fewer moves."""
        if is_open or self.game.hidden.unseen is None:
            return number
        plies = self.watched_by(viewer).plies
        return plies[number] if number < len(plies) else self.ply + number - len(plies)

    def reached(self, viewer: Viewer, is_open: bool, number: int) -> int:
        """The same; a number that has not been reached is refused."""
        ply = self.ply_of(viewer, is_open, number)
        if ply > self.ply:
            present = self.number_of(viewer, is_open, self.ply)
            raise Refusal(409, f"The game is at ply {present}; ply {number} has not been reached.")
        return ply

    def is_sealed(self, viewer: Viewer, ply: int) -> bool:
        """Whether a decision is hidden from a seat that has made none since: what led to it would tell too much."""
        if viewer is None or viewer in self.players[ply:] or self.players[ply] == CHANCE:
            return False
        return self.watched_by(viewer).events[self.number_of(viewer, False, ply)].secret

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

    # ----------------------------------------------------------------------------------------------- as it is shown

    def state(self, viewer: Viewer, is_open: bool, since: int = 0, ply: int | None = None) -> TableState:
        """The table as a viewer sees it, now or at a ply; its history from the number `since` on."""
        present = ply is None or ply == self.ply
        ply = self.ply if ply is None else ply
        position, before = self.at(ply)
        number, is_whole = self.number_of(viewer, is_open, ply), self.game.hidden.unseen is None
        if not is_whole and is_open:  # moves have other numbers now
            since = 0
        elif not is_whole:
            before = [one for one in before if one.ply in self.watched_by(viewer).plies]
        display, row = display_of(self.game.name), self.row
        over = position.over or (present and self.ended)
        turn, going = position.turn, not over and not self.waiting
        with players_named(self.in_sentences(viewer)):
            picture = "" if viewer is None else position.show(viewer)
            yours = viewer is not None and turn == viewer and going
            legal = display.legal_moves(position, turn) if yours else []
            blocked = display.blocked(position.view(turn), legal) if yours else []
        seen = self.watched_by(viewer)
        return TableState(
            id=self.id,
            game=self.game.name,
            players=self.game.players,
            seat=viewer,
            seats=[self._seat(seat, viewer) for seat in self.seats],
            names=self.names(viewer),
            host=row["host"],
            mind=row["mind"],
            pace=row["pace"],
            watch=row["watch"],
            clock=self._clock(present and (is_whole or turn == viewer)),
            created=aware(row["created"]).isoformat(timespec="seconds"),
            branch_of=self._branch_of(viewer, is_open),
            imported=row["imported"],
            seed_chosen=row["seed_chosen"],
            undo=self.can_undo(viewer),
            undone=row["undone"],
            replaced_by=row["replaced_by"],
            ply=number,
            turn="over" if over else self._turn(viewer, turn),
            player=turn if turn >= 0 and going else None,
            view=display.view(position, before, viewer),
            sides=[display.view(position, before, p) for p in range(self.game.players)] if is_open else [],
            picture=picture,
            legal=legal,
            blocked=blocked,
            since=since,
            history=(seen.opened if is_open else seen.events)[since:number],
            result=self.result(viewer) if over else None,
            open=is_open,
            trouble=self.trouble() if present and going else None,
            thinking=self.thinking and present and going,
            remark=self.remark(viewer) if present else None,
        )

    def _branch_of(self, viewer: Viewer, is_open: bool) -> BranchPoint | None:
        if not self.row["parent"]:
            return None
        return BranchPoint(table=self.row["parent"], ply=self.number_of(viewer, is_open, self.row["parent_ply"]))

    def _clock(self, present: bool) -> Clock | None:
        if self.row["clock"] is None:
            return None
        deadline = self.deadline if present else None
        return Clock(seconds=self.row["clock"], deadline=deadline.isoformat() if deadline else None)

    def _turn(self, viewer: Viewer, turn: int) -> Turn:
        if self.waiting:
            return "waiting"
        if turn == CHANCE:
            return "chance"
        by_agent = self.is_agents(turn) and not self.is_study_table
        return "agent" if by_agent else "you" if turn == viewer else "person"

    def can_undo(self, viewer: Viewer) -> bool:
        """Whether a viewer, being the only person, has made a move that can be taken back."""
        alone = viewer is not None and self.people == [viewer]
        return alone and self.row["undo"] and self.runs and self.last_decision(viewer, self.ply) is not None

    def last_decision(self, seat: Viewer, ply: int) -> int | None:
        """The last ply up to `ply` at which the person of a seat has decided."""
        own = (k for k in range(min(ply, self.ply - 1), -1, -1) if self.players[k] == seat)
        return next((k for k in own if self.deciders[k] == (None, None)), None)

    def result(self, viewer: Viewer) -> GameResult:
        """Return the result for a viewer; at a study's table without payoffs, since the study tells one's points."""
        if self.is_study_table:
            return GameResult(outcome="ended", kind=self.game.kind, payoffs=[], resigned_by=None)
        payoffs, kind, resigned_by = self.row["payoffs"] or [], self.game.kind, self.row["resigned_by"]
        outcome: Outcome = "ended"
        if viewer is not None and resigned_by is not None:
            outcome = "resigned" if resigned_by == viewer else "won"
        elif viewer is not None and payoffs:
            mine, best = payoffs[viewer], max(payoffs)
            drawn = all(payoff == best for payoff in payoffs)
            won = mine > 0 if kind == "zero-sum" else mine == best
            outcome = "drawn" if drawn else "won" if won else "lost"
        return GameResult(outcome=outcome, kind=kind, payoffs=payoffs, resigned_by=resigned_by)


def _view(position: Position, viewer: Viewer) -> Any:
    """Return the view of a seat or a spectator."""
    return public_view(position) if viewer is None else position.view(viewer)


def aware(moment: datetime) -> datetime:
    """A time with its zone, which SQLite forgets."""
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def hashed(secret: str) -> str:
    """Return the hash under which a token or a code is stored."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def overdue(session: Session) -> bool:
    """Whether the time for the present decision is up."""
    deadline = session.deadline
    return deadline is not None and now() > deadline
