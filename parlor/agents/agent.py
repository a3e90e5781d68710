"""A compiled agent: one plain function and the game as the agent sees it.

The game may be an abstraction: its own legal actions and its own keys over the states of the concrete game. The
agent's policy is one plain function, `fill_probabilities`, that fills the probabilities of its legal actions; it is
compiled into the arena's loop, and runs as plain Python at a single position. Its action is resolved to a move of
the concrete game, so that agents of different abstractions can play each other.

The declaration of an agent: its summary, the games it plays, and its settings, each written once.

The module of an agent ends with its `AgentSpec`, and `parlor.agents.registry.AGENTS` has a row for it. Command line,
server and page read everything else from the declaration.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from parlor import compile as compiler
from parlor.compile import Bindings, version
from parlor.compile.kernel import action_probabilities, decide, legal, remember
from parlor.game import Floats, Game, GameError, Ints, Position, State
from parlor.game.errors import AgentError
from parlor.game.parameters import Parameter
from parlor.game.rng import choose, seed_stream
from parlor.game.schema import fields_of
from parlor.game.seats.distribution import TOLERANCE, check_probabilities
from parlor.policies.network import NetworkPolicy
from parlor.policies.strategy import Strategy
from parlor.search.rollout import SearchFindings


def nothing(compiled: bool) -> tuple[Any, ...]:
    """The data of an agent that needs none."""
    return ()


def _nothing_found(data: Any) -> None:
    """Of an agent that does not search."""


@dataclasses.dataclass(frozen=True, eq=False)
class FastBatch:
    """A faster way to play games between agents of one kind, such as blueprints of one betting tree."""

    make: Callable[..., Any]  # from the concrete game and the agents; see `parlor.arena.batch.PlaysBatch`
    tree: np.ndarray  # must be equal

    def plays_with(self, other: FastBatch) -> bool:
        """Whether both can play in one batch."""
        return self.make is other.make and np.array_equal(self.tree, other.tree)


@dataclasses.dataclass(frozen=True, eq=False)
class CompiledAgent:
    """A policy and the game as it sees it. Called at a position of the concrete game,  it gives its distribution."""

    name: str
    game: Game  # its legal actions, keys and resolver; everything else is the concrete game's: see `seated`
    fill_probabilities: Callable[..., None]  # fills parlor.compile.kernel.action_probabilities
    data: Callable[[bool], tuple[Any, ...]] = (
        nothing  # what `fill_probabilities` gets, one copy for each thread; compiled or plain
    )
    slots: Bindings = dataclasses.field(default_factory=dict)  # other functions that it fills in
    plain: Bindings = dataclasses.field(default_factory=dict)  # those that plain Python fills differently, for speed
    uses_history: bool = False  # it depends on everything its player has seen happen, not only on the current state
    memory: int = 0  # numbers it keeps in each seat during a game: its data begin with them, [games, players, memory]
    on_average: CompiledAgent | None = None  # if it draws for itself: who plays the same by probabilities alone
    slow: bool = False  # so slow that compiling pays off even for a single position
    note: str = ""  # a remark for the user, printed when it is seated
    findings: Callable[[Any], SearchFindings] | None = None  # what it has found, from its `data` after a decision
    # what it offers to searches that roll out with it, each with `data`; see `parlor.search.rollout`, `world_samplers`
    propose: Callable[..., None] | None = None  # how much each move deserves to be tried, if not how likely it is
    estimate: Callable[..., None] | None = None  # the payoff that each player can expect in a state
    # of a network: the value to the player to move, and priors of its moves; see `parlor.search.ismcts.appraise`
    appraise: Callable[..., float] | None = None
    tolerant: bool = False  # it `uses_history`, but plays on in worlds where what the others saw of it is missing
    sample_secret_moves: Callable[..., None] | None = (
        None  # what the others have done in secret, as it would have done it
    )
    every_hand: Bindings = dataclasses.field(default_factory=dict)  # at poker: see `parlor.poker.every_hand`
    fast_batch: FastBatch | None = None  # plays games between agents of its kind faster than the arena would
    # `data` may be working memory: the arena has one for each thread; elsewhere there is only one
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock, init=False, repr=False)

    @property
    def concrete_game(self) -> Game:
        """The concrete game that it plays."""
        return self.game.concrete or self.game

    @property
    def thinks_long(self) -> bool:
        """Whether it searches, samples or remembers, so that games cannot be played on with it from anywhere."""
        return self.slow or self.memory > 0 or (bool(self.slots) and decide not in self.slots)

    def bindings(self, compiled: bool) -> Bindings:
        """Everything that a kernel needs of this agent besides its game."""
        return {action_probabilities: self.fill_probabilities, **self.slots, **({} if compiled else self.plain)}

    @functools.cached_property
    def _plain_mind(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return compiler.interpret(consider, self.game, self.bindings(False)), self.data(False)

    @functools.cached_property
    def _compiled_mind(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return compiler.native(consider, self.game, self.bindings(True)), self.data(True)

    @functools.cached_property
    def _plain_notes(self) -> Callable[..., None]:
        return compiler.interpret(note_own, self.game, self.bindings(False))

    def new_memory(self, games: int) -> tuple[Any, ...]:
        """Its memory of so many games, which begin; nothing, if it has none. See `with_memory`."""
        return (np.zeros((games, self.concrete_game.players, self.memory)),) if self.memory else ()

    def recall(self, position: Position, player: int) -> tuple[Any, ...]:
        """The memory of a game that has come to a position, in the seat of `player`."""
        memory = self.new_memory(1)
        if not memory:
            return ()
        before = position.game.start()
        for name in position.history:
            if before.turn == player:
                self._note(before.state, player, before.action(name), memory)
            before = before.after(name)
        return memory

    def _note(self, state: State, p: int, action: int, memory: tuple[Any, ...]) -> None:
        """Remember that its player makes a concrete move; one that it cannot make itself tells it nothing."""
        moves = [0] * self.game.actions
        n = self.game.rules.legal(state, moves)
        made = [i for i in range(n) if self.game.abstraction.resolve(state, moves[i]) == action]
        if n > 1 and made:
            with self._lock:
                self._plain_notes([state], 0, p, moves, n, made[0], with_memory(memory, self._plain_mind[1]))

    def prepare(self) -> None:
        """Load what plain Python needs, so that the first move takes no longer than the others."""
        _ = self._plain_mind

    def sit(self, position: Position, player: int) -> CompiledSeat:
        """Take a seat, in plain Python."""
        if position.game.name != self.concrete_game.name:
            raise GameError(
                f"{self.name} plays {self.concrete_game.name}, but this is a position of {position.game.name}."
            )
        return CompiledSeat(self, self.recall(position, player))

    def act(self, state: State, p: int, stream: list[int], memory: tuple[Any, ...] = ()) -> int:
        """The concrete action of player `p` in a plain state, drawn with `stream` just as the arena would draw it."""
        moves, chances, _ = self._think(state, p, stream, memory)
        n = len(moves)
        i = choose(stream, chances, n) if n > 1 else 0
        if memory:
            with self._lock:
                self._plain_notes([state], 0, p, moves, n, i, with_memory(memory, self._plain_mind[1]))
        return self.game.abstraction.resolve(state, moves[i])

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution over the names of the concrete moves; probabilities of equivalent actions are added."""
        state = position.state
        answer = dict.fromkeys(position.legal, 0.0)
        for a, chance in self.action_probabilities(position):
            answer[position.game.words.describe(state, self.game.abstraction.resolve(state, a))] += chance
        return answer

    def action_probabilities(self, position: Position) -> list[tuple[int, float]]:
        """Its own legal actions at a position of the concrete game, with their probabilities."""
        return self.explained(position)[0]

    def explained(self, position: Position) -> tuple[list[tuple[int, float]], SearchFindings | None]:
        """The same, and what it has found on the way, if it searches."""
        if position.game.name != self.concrete_game.name:
            raise GameError(
                f"{self.name} plays {self.concrete_game.name}, but this is a position of {position.game.name}."
            )
        if self.on_average is not None:
            return self.on_average.explained(position)
        state, p = position.state, position.turn
        stream = [0, 0, 0, 0]
        seed_stream(stream, 0, self.concrete_game.rules.key(state, p))  # the same knowledge gives the same decision
        moves, chances, found = self._think(state, p, stream, self.recall(position, p))
        return list(zip(moves, chances, strict=True)), found

    def _think(
        self, state: State, p: int, stream: list[int], memory: tuple[Any, ...] = ()
    ) -> tuple[list[int], list[float], SearchFindings | None]:
        """Its own legal actions in a plain state, with their probabilities, and what it has found."""
        actions, read = self.game.actions, self.findings or _nothing_found
        if self.slow and self.game.native:
            mind, data = self._compiled_mind
            states = compiler.states(self.game, 1, True)
            for name, value in fields_of(state).items():
                states[0][name] = value
            moves_found, weights, luck = np.zeros(actions, np.int64), np.zeros(actions), np.array(stream)
            with self._lock:
                n = mind(states, 0, p, moves_found, weights, luck, with_memory(memory, data))
                found = read(data)
            moves, chances, stream[:] = moves_found.tolist(), weights.tolist(), luck.tolist()
        else:
            mind, data = self._plain_mind
            moves, chances = [0] * actions, [0.0] * actions
            with self._lock:
                n = mind([state], 0, p, moves, chances, stream, with_memory(memory, data))
                found = read(data)
        check_answered(n, self, chances, lambda i: self.game.words.describe(state, moves[i]))
        return moves[:n], chances[:n], found if n > 1 else None

    def __repr__(self) -> str:
        return f"<{self.name}, plays {self.game.name}>"


class CompiledSeat:
    """A compiled agent in a seat, in plain Python: it reads states through its own key and its own legal actions."""

    def __init__(self, agent: CompiledAgent, memory: tuple[Any, ...]) -> None:
        self.agent, self.memory = agent, memory

    def act(self, position: Position, stream: list[int]) -> int:
        """The id of its move."""
        return self.agent.act(position.state, position.turn, stream, self.memory)

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Do nothing: all it knows is in the state, and in its memory of its own moves."""

    def end(self, position: Position) -> None:
        """Do nothing."""


def with_memory(memory: tuple[Any, ...], data: tuple[Any, ...]) -> tuple[Any, ...]:
    """The data of an agent, with its memory before them if it has one."""
    return (*memory, *data) if memory else data


UNKNOWN = -1  # returned by an agent that does not know the position
UNSOUND = -100  # less the number of actions: their probabilities are not a distribution


def consider(states: Any, g: int, p: int, moves: Ints, chances: Floats, r: Ints, data: Any) -> int:
    """Fill the legal actions and their probabilities; their number, or UNKNOWN, or UNSOUND less their number."""
    return distribute(states, g, p, moves, legal(states[g], moves), chances, r, data)


def note_own(states: Any, g: int, p: int, moves: Ints, n: int, i: int, data: Any) -> None:
    """Let an agent remember its own move."""
    remember(states, g, p, moves, n, i, data)


def distribute(states: Any, g: int, p: int, moves: Ints, n: int, chances: Floats, r: Ints, data: Any) -> int:
    """The same, with the legal actions given."""
    if n == 1:
        chances[0] = 1.0
        return 1
    chances[0] = 0.0
    action_probabilities(states, g, p, moves, n, chances, r, data)
    if chances[0] == -1.0:
        return UNKNOWN
    total = 0.0
    least = 0.0
    for i in range(n):
        total += chances[i]
        least = min(least, chances[i])
    return n if least >= 0.0 and abs(total - 1.0) <= TOLERANCE else UNSOUND - n


def check_answered(
    n: int, agent: CompiledAgent, chances: Iterable[float] = (), name: Callable[[int], str] = "action {}".format
) -> None:
    """Raise the error for a negative result of `consider`; `chances` are the probabilities it has filled."""
    if n == UNKNOWN:
        raise GameError(
            f"{agent.name} does not fit {agent.game.name}: it was made for other actions. Have the rules changed?"
        )
    if n <= UNSOUND:
        check_probabilities(
            [float(chance) for chance, _ in zip(chances, range(UNSOUND - n), strict=False)], name, agent.name
        )
        raise AgentError(f"{agent.name} gave probabilities that are negative or do not sum to 1.")


# ------------------------------------------------------------------------------------------- how it sees the game


def seated(concrete: Game, abstraction: str = "") -> Game:
    """An abstraction as its agents see it in the concrete game.

    Legal actions, keys and resolver are the abstraction's. Moves are concrete ones and are played by the concrete
    rules: the abstraction's own `play` may leave out what only other agents need. Where others can leave the
    abstraction, it may declare, as `seated`, other legal actions, keys and histories for its agents.
    """
    if not abstraction:
        return concrete
    made: dict[str, Game] = concrete.cache.setdefault("seated", {})
    if abstraction not in made:
        game = concrete.abstract(abstraction)
        own = concrete.abstractions[abstraction].get("seated", {})
        legal, key = (own.get(rule, getattr(game.rules, rule)) for rule in ("legal", "key"))
        history = own.get("public_history", game.abstraction.public_history)
        made[abstraction] = dataclasses.replace(
            game,
            rules=dataclasses.replace(concrete.rules, legal=legal, key=key),
            abstraction=dataclasses.replace(game.abstraction, public_history=history),
        )
    return made[abstraction]


def seat_for(concrete: Game, name: str, strategy: Strategy) -> tuple[Game, Game, str]:
    """The game that a strategy was made for, the same as its agent sees it, and a remark if the rules have changed.

    It is the concrete game or an abstraction of it; GameError if it is another.
    """
    made_for, slash, abstraction = strategy.game.rpartition("/")
    if not slash or abstraction not in concrete.abstractions:
        made_for, abstraction = strategy.game, ""
    game = concrete.abstract(abstraction) if abstraction else concrete
    same = strategy.rules == version(game)
    if made_for != concrete.name and not same:
        raise GameError(f"{name} is a {strategy.kind} for {strategy.game}, but the game here is {concrete.name}.")
    note = "" if same else f"The rules of {concrete.name} are not the ones that {name} was made for."
    return game, seated(concrete, abstraction), note


def alike(n: int, out: Floats) -> None:
    """Give every action the same probability."""
    for i in range(n):
        out[i] = 1.0 / n


@dataclass(frozen=True)
class AgentSpec:
    """An agent that comes with Parlor."""

    summary: str
    make: Callable[..., CompiledAgent]  # of the concrete game, its name, and the values of its settings
    games: tuple[str, ...] = ()  # that it plays; empty: all of them
    settings: Mapping[str, Parameter] = field(default_factory=dict)
    game_of_file: Callable[[str], str] | None = None  # the game it can play with a file made for another
    accepts_file: Callable[[Mapping[str, Any]], bool] | None = None  # by the file's header
    quick: bool = False  # it answers faster than a thread can be started
    name: str = ""  # for people; if omitted, the word it is listed under
    made: str = "Written by hand."  # how it was made, in a sentence
    default_opponent: bool = True  # an opponent that may be seated without anybody having asked for it
    rated: bool = True  # `parlor rate` measures it: compiling and playing it takes seconds, not minutes
    supports: Callable[[Game], bool] | None = None  # whether it can play such a game, if `games` do not say it all
    computes: Callable[[Game], Strategy] | None = None  # what it plays, if that takes seconds to compute for a game
    network: Callable[[], NetworkPolicy] | None = None  # what it plays, if it came trained: see `parlor.agents.network`

    def __post_init__(self) -> None:
        """Tell each setting its name."""
        object.__setattr__(self, "settings", {key: replace(one, name=key) for key, one in self.settings.items()})

    def plays(self, game: Game) -> bool:
        """Whether it can play the game."""
        named = not self.games or game.name.partition("(")[0] in self.games
        return named and (self.supports is None or self.supports(game))

    def named(self, kind: Literal["agent", "file"]) -> list[str]:
        """The settings whose values name an agent or a file."""
        return [key for key, setting in self.settings.items() if setting.names == kind]
