"""The shapes of what comes in and goes out: the OpenAPI schema, and the page's TypeScript, are made from these."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from typing_extensions import TypeAliasType

MOST_PLIES = 1_000_000
MOST_SEED = 2**53 - 1  # what JavaScript's numbers hold
MOST_OPTIONS = 40

Name = Annotated[str, StringConstraints(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$")]
PlayerName = Annotated[str, StringConstraints(strip_whitespace=True, max_length=40, pattern=r"^[^\x00-\x1f\x7f]*$")]
MoveName = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[^\x00-\x1f\x7f]+$")]
GameName = Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=r"^[^\x00-\x1f\x7f]+$")]
Seed = Annotated[int, Field(ge=0, le=MOST_SEED)]
Ply = Annotated[int, Field(ge=0, le=MOST_PLIES)]
ActionId = Annotated[int, Field(ge=0, le=MOST_SEED)]
Options = Annotated[dict[Name, int | bool | Name], Field(max_length=MOST_OPTIONS)]
Shown = Literal["always", "end", "never"]
Pace = Literal["at-once", "step"]
Cards = dict[str, int]


class Shape(BaseModel):
    """Nothing unknown in, nothing unknown out."""

    model_config = ConfigDict(extra="forbid")


class Request(BaseModel):
    """What comes in: nothing unknown, and a number is no text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(Shape):
    """What went wrong, in a sentence."""

    detail: str


class Health(Shape):
    """Whether the server and its database answer."""

    version: str
    database: Literal["sqlite", "postgresql"]


# --------------------------------------------------------------------------------------------------- games, agents


class OptionInfo(Shape):
    """An option of a game: one of some words, or a number in a range."""

    name: str
    default: str
    words: list[str]
    low: int
    high: int
    help: str


class GameInfo(Shape):
    """A game that can be played here."""

    name: str
    title: str = Field(description="What people call it.")
    summary: str
    players: int
    kind: str
    options: list[OptionInfo]
    presets: dict[str, dict[str, str]] = Field(
        description="The defaults of the other options under each preset, if any."
    )


class SettingInfo(Shape):
    """A number or a word that a built-in agent takes: risk-aware(aggressiveness=0.7)."""

    name: str
    default: float | str
    low: float
    high: float
    help: str


class AgentInfo(Shape):
    """An agent that can sit down: built in, a saved policy, or a checkpoint of a run."""

    id: str
    name: str
    kind: Literal["built-in", "policy", "checkpoint"]
    summary: str
    games: list[str] = Field(description="The games it plays; empty: any.")
    settings: list[SettingInfo]
    infosets: bool = Field(description="Whether its information sets can be looked through.")
    grid: bool = Field(description="Whether it is a blueprint of hold'em, whose strategy is a grid of hands.")
    run: str | None = Field(description="The run it is a checkpoint of.")
    trained: int | None = Field(description="After so many games of that run.")
    newest: bool = Field(description="Of a run the newest checkpoint; everybody else is the newest of its kind.")


class AgentRef(Shape):
    """Who sits at a table."""

    id: str
    name: str
    version: str


# --------------------------------------------------------------------------------------------------- views

Value = TypeAliasType("Value", "int | float | str | list[Value]")


class GenericView(Shape):
    """What a seat sees of a game without a shape of its own: its fields by name, as the rules have them."""

    kind: Literal["generic"] = "generic"
    player: int
    fields: dict[str, Value]
    display: dict[str, Value] = Field(
        description="What lies there, by the names of things, for a drawing; empty if the game does not say. Kuhn and "
        "Leduc: cards, board, said. Liar's dice: dice, said. Goofspiel: cards, bids, prizes, winners."
    )


class MyCards(Shape):
    """One's own side: cards by name, with how many there are."""

    hand: Cards
    cash: Cards
    property: Cards
    complete: list[str]


class TheirCards(Shape):
    """The other side: of the hand the size only."""

    held: int
    cash: Cards
    property: Cards
    complete: list[str]


class MiddlePiles(Shape):
    """Cards left to draw, and what was discarded."""

    deck: int
    discard: Cards


class ResponsePhase(Shape):
    """A demand that is being answered."""

    action: str
    demand: Literal["payment", "property"]
    owed: int
    paid: int
    wanted: str | None
    before: MyCards | TheirCards
    responses: list[str]


class TurnPhase(Shape):
    """Where the turn stands."""

    turn_idx: int
    streak_idx: int
    actor: int
    drawer: int
    drawing: int
    idle: int
    response: ResponsePhase | None


class DealCard(Shape):
    """What a kind of card is; a rent card or a property is of a colour."""

    kind: Literal["cash", "property", "rent", "action"]
    colour: str | None


class MonopolyDealConfig(Shape):
    """The rules that are played, and the deck they make."""

    options: dict[str, int | bool | str]
    deck: Cards


class MonopolyDealView(Shape):
    """What a seat sees of Monopoly Deal; set sizes and rents so that the page needs no rules."""

    kind: Literal["monopoly-deal"] = "monopoly-deal"
    config: MonopolyDealConfig
    player: int
    me: MyCards
    opponent: TheirCards
    piles: MiddlePiles
    turn: TurnPhase
    memory: str
    set_sizes: dict[str, int]
    rents: dict[str, list[int]]
    values: dict[str, int]
    cards: dict[str, DealCard]
    turns_in_streak: int
    sets_to_win: int


class HandMove(Shape):
    """A move of a hand of hold'em: `amount` is what a call costs, or what a bet or a raise comes to on its street."""

    player: int
    verb: Literal["fold", "check", "call", "bet", "raise"]
    amount: int | None = None
    all_in: bool = False
    text: str


class HandStreet(Shape):
    """The cards that came on a street, and the moves that were made there."""

    street: str
    cards: list[str]
    moves: list[HandMove]


class HoldemView(Shape):
    """What a seat sees of hold'em; `bets` are of this street, `pot` is what was put in before it."""

    kind: Literal["holdem"] = "holdem"
    player: int
    cards: list[str]
    board: list[str]
    made: str = Field(description="What the cards make with the board, from the flop on.")
    stacks: list[int]
    bets: list[int]
    pot: int
    street: str
    folded: int | None = Field(description="The player who has folded.")
    names: list[str] = Field(description="Of the places: button, big blind.")
    blinds: list[int]
    history: list[HandStreet]


View = Annotated[GenericView | MonopolyDealView | HoldemView, Field(discriminator="kind")]


# --------------------------------------------------------------------------------------------------- tables


class MoveInfo(Shape):
    """A move or an outcome as data: what is done, how much of it, with which card, to whom; and how people read it."""

    id: int
    name: str = Field(description="By which it is recorded.")
    text: str
    actor: int | None = Field(description="The player who makes it; null: chance.")
    verb: str
    amount: int | None
    card: str | None
    to: int | None = Field(description="The player who gets something.")
    details: dict[str, int | str] = Field(description="Whatever else the game says of it.")


class MoveRange(Shape):
    """Moves that differ only by their amount: every `step` from the `least` to the `most`; ids go up by `id_step`."""

    least: int
    most: int
    step: int
    id_step: int


class LegalMove(MoveInfo):
    """Something you can do now. Its card lies in `place`; `pays` is what it contributes to a debt.

    With a `range` it stands for many moves, of which it is the first.
    """

    range: MoveRange | None = None
    place: Literal["hand", "bank", "property"] | None = None
    pays: int | None = None
    explanation: str = ""


class Event(Shape):
    """Something that happened, as far as the seat is told."""

    ply: int
    by: Literal["you", "agent", "chance"]
    actor: int | None = Field(description="The player who did it; null: chance.")
    move: MoveInfo | None = Field(description="What it was, unless that is secret.")
    text: str
    secret: bool = Field(description="You were not told what it was.")


class Result(Shape):
    """How it ended."""

    outcome: Literal["won", "lost", "drawn", "resigned"]
    payoffs: list[float]


class BranchPoint(Shape):
    """The game and the ply a branch was made from."""

    table: str
    ply: int


class TableState(Shape):
    """A table as its seat sees it, now or at an earlier ply."""

    id: str
    game: str = Field(description="With its options: monopoly-deal(preset=paper).")
    players: int
    seat: int
    player_name: str
    agent: AgentRef
    mind: Shown
    pace: Pace
    created: str
    branch_of: BranchPoint | None
    imported: bool
    ply: int = Field(description="How many moves and draws have been made.")
    turn: Literal["you", "agent", "chance", "over"]
    player: int | None = Field(description="The player to move.")
    view: View
    sides: list[View] = Field(description="All views, when the game is open; else empty.")
    picture: str = Field(description="What the seat sees, in a line.")
    legal: list[LegalMove]
    since: int
    history: list[Event] = Field(description="From ply `since` on.")
    result: Result | None
    open: bool = Field(description="It is over, and so are all branches of it: nothing is hidden any more.")
    trouble: str | None = Field(description="Why the agent cannot move, if it cannot.")


class NewTable(Request):
    """What to play, against whom, and how."""

    game: Name = Field(examples=["monopoly-deal"])
    options: Options = Field(default={}, examples=[{"preset": "paper"}])
    agent: Name = Field(examples=["careful"])
    seat: Annotated[int, Field(ge=0, le=15)] | None = Field(default=None, description="Without it, a random one.")
    player_name: PlayerName = ""
    mind: Shown = Field(default="end", description="When the agent's mind may be looked into.")
    pace: Pace = Field(default="at-once", description="Whether the agent answers at once or waits for `advance`.")
    seed: Seed | None = Field(default=None, description="Names the deal; without it nobody can know it.")


class Seated(Shape):
    """A table and the token of its seat, which is shown only here: keep it."""

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


# --------------------------------------------------------------------------------------------------- the mind


class MindFact(Shape):
    """Something else that the agent goes by, or that is good to know there."""

    name: str
    text: str


class MindAction(Shape):
    """An action as the agent sees it, and the concrete move that it means."""

    text: str
    move: MoveInfo
    probability: float
    regret: float | None
    value: float | None = Field(description="What its player can expect after it; as the value of the decision.")
    value_error: float | None


class MoveChance(Shape):
    """How likely a concrete move was, or all moves of a range together, of which `move` is the first."""

    move: MoveInfo
    range: MoveRange | None
    text: str
    probability: float


class Mind(Shape):
    """What the agent thinks at a decision.

    `inside`: all of it. `outside`, while the game runs: what somebody who knows no more than you would expect it to do,
    the mean over the worlds that are possible as far as you have seen; nothing in it depends on hidden cards.
    """

    ply: int
    player: int
    own: bool = Field(description="The decision was yours: this is what the agent would have done.")
    detail: Literal["inside", "outside"]
    chosen: MoveInfo | None = Field(description="What was done, unless that is secret.")
    infoset: str | None
    key: str | None
    known: bool | None = Field(description="Whether its table has this information set; if not it plays all alike.")
    visits: int | None
    reach: float | None
    value: float | None = Field(
        description="The payoff its player can expect if all go on as the agent would. From inside, as far as that "
        "player knows; from outside, as far as you know."
    )
    value_error: float | None = Field(description="Its standard error; 0 if it is exact.")
    value_kind: Literal["exact", "rollouts"] | None = Field(
        description="How the values were found: all that may be and may follow was counted out, or the game was played "
        "on in some worlds; null: they are not known."
    )
    facts: list[MindFact]
    actions: list[MindAction]
    moves: list[MoveChance]
    worlds: int | None
    note: str


class MindList(Shape):
    """The decisions whose minds can be asked for now."""

    shown: Shown
    open: bool
    plies: list[int]
    why: str = Field(description="If there are none: why.")


# --------------------------------------------------------------------------------------------------- strategies


class InfosetAction(Shape):
    """An action of an information set."""

    name: str
    text: str
    probability: float
    regret: float | None


class Infoset(Shape):
    """An information set of a table policy."""

    key: str
    player: int | None
    words: str
    actions: list[InfosetAction]
    visits: int | None
    reach: float | None
    entropy: float = Field(description="In bits.")


class InfosetPage(Shape):
    """Some of the information sets that were asked for."""

    agent: AgentRef
    game: str
    players: int
    all: int = Field(description="Information sets of the policy.")
    total: int = Field(description="Of which so many fit the question.")
    offset: int
    action_words: dict[str, str] = Field(description="All its actions by name, as people read them.")
    items: list[Infoset]


class ComparedInfoset(Shape):
    """An information set as two policies play it; `b` in the order of `names`."""

    key: str
    player: int | None
    words: str
    names: list[str]
    a: list[float] | None
    b: list[float] | None
    visits_a: int | None
    visits_b: int | None
    distance: float = Field(description="Total variation: the probability with which they would part.")


class ComparisonPage(Shape):
    """Two policies at the same information sets."""

    a: AgentRef
    b: AgentRef
    game: str
    total: int
    offset: int
    all: int = Field(description="Information sets that either of them knows.")
    mean_distance: float = Field(description="Over those that fit the question.")
    players: int
    action_words: dict[str, str] = Field(description="All their actions by name, as people read them.")
    items: list[ComparedInfoset]


class GridAction(Shape):
    """A move at a node of a betting tree; `share` is how often it is made there overall."""

    code: str = Field(description="Added to the line, it leads to the node after it.")
    name: str
    text: str
    kind: Literal["fold", "call", "bet", "all-in"]
    share: float
    ends: bool = Field(description="Nobody decides anything after it.")


class GridCell(Shape):
    """One of the 169 kinds of hands."""

    hand: str
    combos: int = Field(description="Hands of this kind that the board leaves.")
    reach: float = Field(description="How often the blueprint makes its own moves of the line with them.")
    learned: float = Field(description="The share of them that was met here in training.")
    chances: list[float] = Field(description="Of each action; the mean over the hands.")


class GridStep(Shape):
    """A move of the line."""

    code: str
    text: str
    street: str


class StrategyGrid(Shape):
    """What a blueprint plays at a node of its betting tree."""

    agent: AgentRef
    game: str
    cards: str
    buckets: int = Field(description="Of this street.")
    infosets: int
    street: str
    player: int
    position: str
    line: list[GridStep]
    board: list[str]
    board_needed: int = Field(description="Cards that the street has, if fewer were given; then there are no cells.")
    pot: int
    stacks: list[int]
    weighting: Literal["reach", "hands", "buckets"] = Field(
        description="What shares are means over: hands, by how often the blueprint gets here with them; all hands "
        "alike, where it never does; all buckets alike, without a board."
    )
    actions: list[GridAction]
    cells: list[GridCell] = Field(description="Row by row from AA to 22; suited above the diagonal.")


# --------------------------------------------------------------------------------------------------- runs


class RunConfig(Shape):
    """What a training run is."""

    game: str
    algorithm: str
    games: int
    seed: int
    rollouts: int
    ring: int
    explore: float
    decay: float
    horizon: int
    clamp: bool
    parallel: str
    batch: int
    evaluate_every: int
    evaluate_games: int
    against: list[str]
    checkpoint_every: int
    minutes: float
    checkpoint_minutes: float
    cards: str
    buckets: list[int]
    prune: float


class CheckpointInfo(Shape):
    """A checkpoint, which can sit down as an agent."""

    games: int
    agent: str
    bytes: int


class RunInfo(Shape):
    """A training run."""

    id: str
    name: str
    config: RunConfig
    code: str
    rules: str
    games: int = Field(description="Games it has got to, as far as was measured.")
    minutes: float = Field(description="That took, for runs by the clock, as far as there are checkpoints.")
    finished: bool
    action_words: dict[str, str] = Field(description="Names of actions that people read otherwise.")
    unit: str = Field(description="What its payoffs are told in.")
    scale: float = Field(description="How many of the unit a point in its metrics is.")
    checkpoints: list[CheckpointInfo]


class RegretRow(Shape):
    """Expected regrets."""

    max_expected: float | None = None
    mean_expected: float | None = None
    by_player: list[float | None] = []


class Interval(Shape):
    """A value with its 95 % interval."""

    value: float | None
    low: float | None
    high: float | None


class WinRate(Shape):
    """With a 95 % interval."""

    rate: float | None
    low: float | None
    high: float | None
    games: int
    payoff: Interval | None = None


class MetricsRow(Shape):
    """What one evaluation of a run measured."""

    games: int
    regret: RegretRow | None = None
    infosets: list[int] = []
    updates: dict[str, float | None] = {}
    policy: dict[str, float | None] = {}
    wins: dict[str, dict[str, WinRate]] = {}


class RunMetrics(Shape):
    """The evaluations after game `after`."""

    run: str
    after: int
    last: int = Field(description="Ask for what comes after this next time.")
    finished: bool
    rows: list[MetricsRow]


class PairResult(Shape):
    """What one agent did against another."""

    agent: str
    against: str
    games: int
    wins: int
    draws: int
    losses: int
    rate: Interval
    payoff: Interval


class CrossTable(Shape):
    """A saved result of `parlor compare --json`."""

    id: str
    game: str
    agents: list[str]
    mean_rates: list[float | None]
    mean_payoffs: list[float | None]
    ratings: list[float | None]
    matches: list[PairResult]
