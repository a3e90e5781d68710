"""A compiled agent: one plain function and the game as the agent sees it.

The game may be an abstraction: its own legal actions and its own keys over the states of the concrete game. The
agent's policy is one plain function, `weigh`, that fills the probabilities of its legal actions; it is
compiled into the arena's loop, and runs as plain Python at a single position. Its action is resolved to a move of
the concrete game, so that agents of different abstractions can play each other.
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from parlor import native as compiler
from parlor.distribution import TOLERANCE, check_probabilities
from parlor.errors import AgentError
from parlor.game import Floats, Game, GameError, Ints, Position, State
from parlor.kernel import decide, legal, weigh
from parlor.native import Bindings
from parlor.rng import choose, seed_stream


def nothing(compiled: bool) -> tuple[Any, ...]:
    """The data of an agent that needs none."""
    return ()


@dataclasses.dataclass(frozen=True, eq=False)
class CompiledAgent:
    """A policy and the game as it sees it. Called at a position of the concrete game,  it gives its distribution."""

    name: str
    game: Game  # its legal actions, keys and resolver; everything else is the concrete game's: see `seated`
    weigh: Callable[..., None]  # fills parlor.kernel.weigh
    data: Callable[[bool], tuple[Any, ...]] = nothing  # what `weigh` gets, one copy for each thread; compiled or plain
    slots: Bindings = dataclasses.field(default_factory=dict)  # other functions that it fills in
    plain: Bindings = dataclasses.field(default_factory=dict)  # those that plain Python fills differently, for speed
    uses_history: bool = False  # it depends on everything its player has seen happen, not only on the current state
    slow: bool = False  # so slow that compiling pays off even for a single position
    note: str = ""  # a remark for the user, printed when it is seated
    # what it offers to searches that roll out with it, each with `data`; see `parlor.search.rollout` and `guess`
    propose: Callable[..., None] | None = None  # how much each move deserves to be tried, if not how likely it is
    estimate: Callable[..., None] | None = None  # the payoff that each player can expect in a state
    guess_moves: Callable[..., None] | None = None  # what the others have done in secret, as it would have done it
    every_hand: Bindings = dataclasses.field(default_factory=dict)  # at poker: see `parlor.agents.every_hand`
    betting_tree: Any = None  # of a blueprint: those of one tree can play without states, see `parlor.arena.duel`
    # `data` may be working memory: the arena has one for each thread; elsewhere there is only one
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock, init=False, repr=False)

    @property
    def concrete_game(self) -> Game:
        """The concrete game that it plays."""
        return self.game.concrete or self.game

    @property
    def thinks_long(self) -> bool:
        """Whether it searches or samples at each decision, so that games cannot be played on with it."""
        return self.slow or (bool(self.slots) and decide not in self.slots)

    def bindings(self, compiled: bool) -> Bindings:
        """Everything that a kernel needs of this agent besides its game."""
        return {weigh: self.weigh, **self.slots, **({} if compiled else self.plain)}

    @functools.cached_property
    def _plain_mind(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return compiler.interpret(consider, self.game, self.bindings(False)), self.data(False)

    @functools.cached_property
    def _compiled_mind(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return compiler.native(consider, self.game, self.bindings(True)), self.data(True)

    def prepare(self) -> None:
        """Load what plain Python needs, so that the first move takes no longer than the others."""
        _ = self._plain_mind

    def sit(self, position: Position, player: int) -> CompiledSeat:
        """Take a seat, in plain Python."""
        if position.game.name != self.concrete_game.name:
            raise GameError(
                f"{self.name} plays {self.concrete_game.name}, but this is a position of {position.game.name}."
            )
        return CompiledSeat(self)

    def act(self, state: State, p: int, stream: list[int]) -> int:
        """The concrete action of player `p` in a plain state, drawn with `stream` just as the arena would draw it."""
        moves, chances = self._think(state, p, stream)
        n = len(moves)
        return self.game.resolve(state, moves[choose(stream, chances, n) if n > 1 else 0])

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution over the names of the concrete moves; probabilities of equivalent actions are added."""
        state = position.state
        answer = dict.fromkeys(position.legal, 0.0)
        for a, chance in self.action_probabilities(position):
            answer[position.game.describe(state, self.game.resolve(state, a))] += chance
        return answer

    def action_probabilities(self, position: Position) -> list[tuple[int, float]]:
        """Its own legal actions at a position of the concrete game, with their probabilities."""
        if position.game.name != self.concrete_game.name:
            raise GameError(
                f"{self.name} plays {self.concrete_game.name}, but this is a position of {position.game.name}."
            )
        state, p = position.state, position.turn
        stream = [0, 0, 0, 0]
        seed_stream(stream, 0, self.concrete_game.rules.key(state, p))  # the same knowledge gives the same decision
        return list(zip(*self._think(state, p, stream), strict=True))

    def _think(self, state: State, p: int, stream: list[int]) -> tuple[list[int], list[float]]:
        """Its own legal actions in a plain state, with their probabilities."""
        actions = self.game.actions
        if self.slow and self.game.native:
            mind, data = self._compiled_mind
            states = compiler.states(self.game, 1, True)
            for name, value in state.values().items():
                states[0][name] = value
            found, weights, luck = np.zeros(actions, np.int64), np.zeros(actions), np.array(stream)
            with self._lock:
                n = mind(states, 0, p, found, weights, luck, data)
            moves, chances, stream[:] = found.tolist(), weights.tolist(), luck.tolist()
        else:
            mind, data = self._plain_mind
            moves, chances = [0] * actions, [0.0] * actions
            with self._lock:
                n = mind([state], 0, p, moves, chances, stream, data)
        check_answered(n, self, chances, lambda i: self.game.describe(state, moves[i]))
        return moves[:n], chances[:n]

    def __repr__(self) -> str:
        return f"<{self.name}, plays {self.game.name}>"


class CompiledSeat:
    """A compiled agent in a seat, in plain Python: it reads states through its own key and its own legal actions."""

    def __init__(self, agent: CompiledAgent) -> None:
        self.agent = agent

    def act(self, position: Position, stream: list[int]) -> int:
        """The id of its move."""
        return self.agent.act(position.state, position.turn, stream)

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Do nothing: all it knows is in the state."""

    def end(self, position: Position) -> None:
        """Do nothing."""


UNKNOWN = -1  # returned by an agent that does not know the position
UNSOUND = -100  # less the number of actions: their probabilities are not a distribution


def consider(states: Any, g: int, p: int, moves: Ints, chances: Floats, r: Ints, data: Any) -> int:
    """Fill the legal actions and their probabilities; their number, or UNKNOWN, or UNSOUND less their number."""
    return distribute(states, g, p, moves, legal(states[g], moves), chances, r, data)


def distribute(states: Any, g: int, p: int, moves: Ints, n: int, chances: Floats, r: Ints, data: Any) -> int:
    """The same, with the legal actions given."""
    if n == 1:
        chances[0] = 1.0
        return 1
    chances[0] = 0.0
    weigh(states, g, p, moves, n, chances, r, data)
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
        own: dict[str, Any] = {"legal": game.rules.legal, "key": game.rules.key, "public_history": game.public_history}
        own |= concrete.abstractions[abstraction].get("seated", {})
        rules = dataclasses.replace(concrete.rules, legal=own["legal"], key=own["key"])
        made[abstraction] = dataclasses.replace(game, rules=rules, public_history=own["public_history"])
    return made[abstraction]


def alike(n: int, out: Floats) -> None:
    """Give every action the same probability."""
    for i in range(n):
        out[i] = 1.0 / n
