"""Tables: create, show, move, branch, and games as files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from parlor.server.displays import View
from parlor.server.schemas.common import (
    MOST_SEED,
    ActionId,
    GameName,
    MoveName,
    Name,
    Options,
    Pace,
    PlayerName,
    Ply,
    Request,
    Seed,
    Shape,
    Shown,
)
from parlor.server.schemas.games import AgentRef
from parlor.server.schemas.moves import Event, LegalMove


class Result(Shape):
    """The result."""

    outcome: Literal["won", "lost", "drawn", "resigned"]
    kind: str = Field(description="Of game: zero-sum, general-sum, where who wins got the most, or common-payoff.")
    payoffs: list[float]


class BranchPoint(Shape):
    """The table and the ply that a branch was made from."""

    table: str
    ply: int


class TableState(Shape):
    """A table as its seat sees it, now or at an earlier ply."""

    id: str
    game: str = Field(description="With its options: name(option=value).")
    players: int
    seat: int
    player_name: str
    agent: AgentRef
    mind: Shown
    pace: Pace
    created: str
    branch_of: BranchPoint | None
    imported: bool
    ply: int = Field(description="The number of moves and outcomes so far.")
    turn: Literal["you", "agent", "chance", "over"]
    player: int | None = Field(description="The player to move.")
    view: View
    sides: list[View] = Field(description="All views, when the game is open; else empty.")
    picture: str = Field(description="What the seat sees, in one line.")
    legal: list[LegalMove]
    since: int
    history: list[Event] = Field(description="From ply `since` on.")
    result: Result | None
    open: bool = Field(
        description="Whether the game and all its branches are over, so that nothing is hidden any more."
    )
    trouble: str | None = Field(description="Why the agent cannot move, if it cannot.")


class NewTable(Request):
    """The game, the opponent, and options."""

    game: Name
    options: Options = {}
    agent: Name = Field(examples=["random"])
    seat: Annotated[int, Field(ge=0, le=15)] | None = Field(default=None, description="The seat; random if omitted.")
    player_name: PlayerName = ""
    mind: Shown = Field(default="end", description="When the agent's mind is shown.")
    pace: Pace = Field(default="at-once", description="Whether the agent answers at once or waits for `advance`.")
    seed: Seed | None = Field(default=None, description="The seed of the deals; random if omitted.")


class Seated(Shape):
    """A table and the token of its seat, which is shown only here: save it."""

    token: str
    state: TableState


class MoveRequest(Request):
    """A move at a ply, by its id or its name. The same move may be sent again; another one at its ply is refused."""

    ply: Ply
    move: MoveName | ActionId


class AdvanceRequest(Request):
    """Let the agent make its move at this ply; if it has moved already, nothing happens."""

    ply: Ply


class BranchRequest(Request):
    """Where to branch, and what to change."""

    ply: Ply
    agent: Name | None = None
    mind: Shown | None = None
    pace: Pace | None = None
    seed: Seed | None = None


class Pacing(Request):
    """How the agent answers from now on."""

    pace: Pace


class RecordedMove(Request):
    """One move or draw; player -1 is chance."""

    player: Annotated[int, Field(ge=-1, le=15)]
    move: MoveName
    ms: Annotated[int, Field(ge=0, le=MOST_SEED)] | None = None


class GameRecord(Request):
    """A game as a file: it replays exactly."""

    format: Literal["parlor game 1"]
    game: GameName
    rules: Annotated[str, StringConstraints(max_length=64)] = ""
    seat: Annotated[int, Field(ge=0, le=15)]
    player_name: PlayerName = ""
    agent: Name
    agent_version: Annotated[str, StringConstraints(max_length=64)] = ""
    resigned: bool = False
    payoffs: Annotated[list[float], Field(max_length=16)] | None = None
    moves: Annotated[list[RecordedMove], Field(max_length=20_000)]
