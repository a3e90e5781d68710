"""The open arena: agents, standings, matches."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from parlor.page.shapes import Shape
from parlor.server.schemas.common import GameName, Request
from parlor.server.schemas.runs import Interval

AgentName = Annotated[
    str, StringConstraints(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9]([A-Za-z0-9 ._+-]*[A-Za-z0-9])?$")
]


class Registration(Request):
    """A new agent for one game."""

    game: GameName
    name: AgentName


class Registered(Shape):
    """A new agent, with the token by which its program plays: it is shown only here."""

    id: str
    game: str
    name: str
    token: str


class ArenaGame(Shape):
    """A game of the arena."""

    game: str
    title: str
    agents: int
    connected: int = Field(description="Agents whose programs are connected now.")
    games: int = Field(description="Games that were played between agents.")


class ArenaInfo(Shape):
    """The arena of this server, and its rules."""

    games: list[ArenaGame]
    seconds: float = Field(description="For each answer.")
    duplicate: bool = Field(description="Whether each deal is played from all seats; else each game has its own.")
    pair_games: int = Field(description="Games after which a pair has played enough.")


class ArenaStanding(Shape):
    """An agent as far as it was measured."""

    agent: str = Field(description="Its id.")
    name: str
    own: bool = Field(description="Whether it is one of the server's, seated as a measure.")
    connected: bool
    games: int
    lost_by_failing: int
    rating: Interval | None = Field(
        description="0: random play; 400 points are ten times the odds. Null where results are few or one-sided."
    )
    payoff: Interval | None = Field(description="A game, against all that it has played.")


class Pairing(Shape):
    """Two agents; where more than two play, the first sat alone, and the other in all other seats."""

    one: str
    other: str
    games: int
    payoff: Interval = Field(description="Of the first, a game.")
    other_payoff: Interval = Field(description="Of the other, a game and seat.")
    win_share: Interval = Field(description="Of the first.")


class AgainstPeople(Shape):
    """Games of people with an agent, which count nowhere else."""

    agent: str
    name: str
    games: int
    payoff: Interval = Field(description="Of the agent, a game.")
    win_share: Interval


class ArenaStandings(Shape):
    """The standings at a game: agents against agents; and, apart from that, agents against people."""

    game: str
    title: str
    players: int
    agents: list[ArenaStanding]
    pairs: list[Pairing]
    people: list[AgainstPeople]


class ArenaMatch(Shape):
    """A match between two agents. The commitment is known before the first deal, the secret when the match is over."""

    id: str
    game: str
    agents: list[str] = Field(description="Their names; the second sits in all other seats.")
    created: str
    state: Literal["running", "over", "ended early"]
    why: str = Field(description="It ended early.")
    games: int
    payoff: Interval | None = Field(description="Of the first, a game.")
    failures: dict[str, dict[str, int]] = Field(description="Games lost by failing, by agent and kind of failure.")
    commitment: str = Field(description="SHA-256 of the secret that all deals come from.")
    secret: str | None


class MatchGame(Shape):
    """A game of a match: a table, whose replay anybody can see."""

    table: str
    deal: int
    seats: list[str]
    payoffs: list[float] = Field(description="Empty where an agent has failed.")


class ArenaMatchGames(Shape):
    """A match and its games."""

    match: ArenaMatch
    games: list[MatchGame]


class MatchRecordGame(Shape):
    """A game in the file of a match; player -1 is chance."""

    table: str
    deal: int
    seats: list[str]
    payoffs: list[float]
    moves: list[str]


class MatchRecord(Shape):
    """A match as a file: `parlor verify` draws all of its deals again."""

    format: Literal["parlor match 1"]
    id: str
    game: str
    rules: str
    agents: list[str]
    commitment: str
    secret: str
    games: list[MatchRecordGame]
