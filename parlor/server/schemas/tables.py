"""Tables: create, sit down, show, move, branch, and games as files."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from parlor.page.seated_agent import AgentRef
from parlor.page.shapes import MAX_SEED, BlockedMove, LegalMove, MoveInfo, Shape
from parlor.server.catalogue.displays import View
from parlor.server.schemas.common import (
    MAX_PLIES,
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
    Shown,
)

SeatNumber = Annotated[int, Field(ge=0, le=15)]


class Seat(Shape):
    """A seat and its player. A person who has left can come back, also when an agent plays there meanwhile."""

    seat: int
    kind: Literal["person", "agent", "open"]
    name: str = Field(description="Of the person or the agent; of an open seat: Player N, counted from 1.")
    agent: AgentRef | None = Field(description="The agent that plays here.")
    you: bool
    left: bool = Field(description="Whether the person of this seat has left.")


class Clock(Shape):
    """The time for a decision; when it is up, an agent makes this decision for the person."""

    seconds: int
    deadline: str | None = Field(description="Of the decision that a person is to make now; ISO 8601, in UTC.")


class GameResult(Shape):
    """The result for the reader; for spectators, and where a move was taken back, it has only `ended`."""

    outcome: Literal["won", "lost", "drawn", "resigned", "ended"]
    kind: str = Field(description="Of game: zero-sum, general-sum, where who wins got the most, or common-payoff.")
    payoffs: list[float] = Field(description="Of all seats; empty if it was not played to its end.")
    resigned_by: int | None


class TableEvent(Shape):
    """Something that happened, as far as the reader sees it."""

    ply: int
    by: Literal["you", "agent", "person", "chance"] = Field(
        description="Who decided; agent at your own seat: one that played for you."
    )
    actor: int | None = Field(description="The player who did it; null: chance.")
    move: MoveInfo | None = Field(description="The move, unless it is secret.")
    text: str
    secret: bool = Field(description="Whether the move is hidden from you.")
    told: list[str] = Field(
        default=[], description="What the reader has seen happen by it, in sentences, if the game tells it."
    )


class BranchPoint(Shape):
    """The table and the ply that a branch was made from."""

    table: str
    ply: int


class TableState(Shape):
    """A table as one of its seats or a spectator sees it, now or at an earlier ply."""

    id: str
    game: str = Field(description="With its options: name(option=value).")
    players: int
    seat: int | None = Field(description="The seat of the reader; null: a spectator.")
    seats: list[Seat]
    names: list[str] = Field(description="Of the players as the reader calls them: You, Anna, Careful Carl.")
    host: int = Field(description="The seat of whoever made the table.")
    mind: Shown
    pace: Pace
    watch: bool = Field(description="Whether others may watch while it runs: they see only what everybody sees.")
    clock: Clock | None
    created: str
    branch_of: BranchPoint | None
    imported: bool
    seed_chosen: bool = Field(description="Whether somebody chose the seed, and so may know what is dealt.")
    undo: bool = Field(description="Whether you can take back a move now.")
    undone: int = Field(description="How often a move was taken back; such games do not count in records.")
    replaced_by: str | None = Field(description="The table that continues this game after a move was taken back.")
    ply: int = Field(description="The number of moves and outcomes so far.")
    turn: Literal["you", "agent", "person", "chance", "waiting", "over"] = Field(
        description="Whose turn it is; waiting: for people to take the open seats."
    )
    player: int | None = Field(description="The player to move.")
    view: View
    sides: list[View] = Field(description="All views, when the game is open; else empty.")
    picture: str = Field(description="What the reader sees, in one line.")
    legal: list[LegalMove]
    blocked: list[BlockedMove] = Field(description="What cannot be done now, with reasons, where the game says them.")
    since: int
    history: list[TableEvent] = Field(description="From ply `since` on.")
    result: GameResult | None
    open: bool = Field(
        description="Whether nothing is hidden any more: this game and all that share its cards are over."
    )
    trouble: str | None = Field(description="Why an agent cannot move, if it cannot.")
    thinking: bool = Field(
        description="Whether the decision of an agent is being worked out: the table changes when it is there."
    )
    remark: str | None = Field(
        description="That an agent had thought for as long as it may, and made the best move it had found by then."
    )


class You(Request):
    """The seat of whoever makes the table."""

    kind: Literal["you"]


class Open(Request):
    """A seat for whoever gets the link."""

    kind: Literal["open"]


class AnAgent(Request):
    """A seat for an agent."""

    kind: Literal["agent"]
    agent: Name


SeatWish = Annotated[You | Open | AnAgent, Field(discriminator="kind")]


class NewTable(Request):
    """The game, who sits where, and options."""

    game: Name
    options: Options = {}
    seats: Annotated[list[SeatWish], Field(max_length=16)] | None = Field(
        default=None, description="One for each seat, one of them `you`; if omitted, `agent` and `seat` say it."
    )
    agent: Name | None = Field(default=None, examples=["random"], description="At all other seats.")
    seat: SeatNumber | None = Field(default=None, description="Your seat; random if omitted.")
    player_name: PlayerName = ""
    mind: Shown = Field(default="end", description="When an agent's mind is shown.")
    pace: Pace = Field(default="at-once", description="Whether agents answer at once or wait for `advance`.")
    seed: Seed | None = Field(default=None, description="The seed of the deals; random if omitted.")
    watch: bool = Field(default=False, description="Whether others may watch while it runs.")
    clock: Annotated[int, Field(ge=5, le=3600)] | None = Field(default=None, description="Seconds for a decision.")
    undo: bool = Field(default=True, description="Whether a person alone with agents may take back moves.")


class TablePreview(Shape):
    """The public facts of a table."""

    game: str
    players: int
    status: Literal["waiting", "running", "over"]
    open_seats: list[int]
    watch: bool
    host_name: str


class JoinRequest(Request):
    """Which seat to take, the first open one if omitted, and your name."""

    seat: SeatNumber | None = None
    player_name: PlayerName = ""


class AgentWish(Request):
    """The agent that takes a seat."""

    agent: Name


class SeatCode(Shape):
    """A code that moves a seat to another browser, once: the token of this one stops working then."""

    code: str
    expires: str


class ClaimRequest(Request):
    """The code of a seat."""

    code: Annotated[str, StringConstraints(min_length=1, max_length=40)]


class UndoRequest(Request):
    """Take back your last decision at or before this ply."""

    ply: Ply


class Watching(Request):
    """Whether others may watch from now on."""

    watch: bool


class Seated(Shape):
    """A table and the token of its seat, which is shown only here: save it."""

    token: str
    state: TableState


class MoveRequest(Request):
    """A move at a ply, by its id or its name. The same move may be sent again; another one at its ply is refused."""

    ply: Ply
    move: MoveName | ActionId


class AdvanceRequest(Request):
    """Let an agent make its move at this ply; if it has moved already, nothing happens."""

    ply: Ply


class BranchRequest(Request):
    """A request to branch a game: at which ply, and with which changes."""

    ply: Ply
    seat: SeatNumber | None = Field(default=None, description="Your seat; the one you had, or the host's, if omitted.")
    agent: Name | None = Field(default=None, description="At all other seats; if omitted, those who sat there.")
    mind: Shown | None = None
    pace: Pace | None = None
    seed: Seed | None = None


class Pacing(Request):
    """A request to change the pace of the agents' answers."""

    pace: Pace


class Shuffle(Shape):
    """The source of a table's draws, so that they can be verified: docs/server.md."""

    commitment: str | None = Field(
        description="SHA-256 of the secret that chance draws from, fixed before the deal; null where there is none: "
        "the seed was chosen, or the game came from a file."
    )
    secret: str | None = Field(description="The secret, when the game and all that share its cards are over.")
    since: int = Field(description="The first ply whose draws come from it; those before were made at another table.")


class RecordedMove(Request):
    """One move or draw; player -1 is chance."""

    player: Annotated[int, Field(ge=-1, le=15)]
    move: MoveName
    ms: Annotated[int, Field(ge=0, le=MAX_SEED)] | None = None


class GameRecord1(Request):
    """A game as a file of an earlier version: one person and one agent."""

    format: Literal["parlor game 1"]
    game: GameName
    rules: Annotated[str, StringConstraints(max_length=64)] = ""
    seat: SeatNumber
    player_name: PlayerName = ""
    agent: Name
    agent_version: Annotated[str, StringConstraints(max_length=64)] = ""
    resigned: bool = False
    payoffs: Annotated[list[float], Field(max_length=16)] | None = None
    moves: Annotated[list[RecordedMove], Field(max_length=MAX_PLIES)]


class RecordedSeat(Request):
    """The player in a seat of a recorded game: a person, or an agent."""

    name: PlayerName = ""
    agent: Name | None = None
    agent_version: Annotated[str, StringConstraints(max_length=64)] = ""


class GameRecord(Request):
    """A game as a file: it replays exactly."""

    format: Literal["parlor game 2"]
    game: GameName
    rules: Annotated[str, StringConstraints(max_length=64)] = ""
    seat: SeatNumber = Field(default=0, description="The seat of whoever exported it.")
    seats: Annotated[list[RecordedSeat], Field(max_length=16)]
    resigned_by: SeatNumber | None = None
    payoffs: Annotated[list[float], Field(max_length=16)] | None = None
    moves: Annotated[list[RecordedMove], Field(max_length=MAX_PLIES)]


AnyRecord = Annotated[GameRecord1 | GameRecord, Field(discriminator="format")]
