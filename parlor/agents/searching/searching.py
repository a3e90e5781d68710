"""The shared parts of agents that search: the source of their worlds, and a policy that plays on in them.

Worlds come from the game's own `imagine`; in a small game, from the list of all its worlds; where nothing is hidden,
the state is the only one: all three are compiled. Elsewhere they come from `parlor.search.belief`, in plain Python
(`HistorySearch`), which needs the history of a position.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Any

from parlor.agents.agent import CompiledAgent
from parlor.compile import Bindings
from parlor.compile.kernel import decide, key
from parlor.game import Game, GameError, Position
from parlor.game.parameters import Parameter
from parlor.game.schema import resolved_play
from parlor.game.seats.play import PolicySeat
from parlor.search.belief import believe
from parlor.search.learned.weighed_worlds import sample_weighed
from parlor.search.rollout import (
    Rollout,
    SearchFindings,
    estimate,
    new_rollout,
    propose,
    rollout_decide,
    rollout_legal,
    rollout_play,
    rollout_probabilities,
)
from parlor.search.searches import OwnPolicy
from parlor.search.world_table import (
    concrete_key,
    is_listable,
    is_open,
    keep_state,
    sample_from_list,
    sample_from_table,
    sample_imagined,
    sample_secret_moves,
    sample_world,
    world_table,
)

#: Settings that searches share.
POLICY = Parameter("random", "the agent, or the file, that plays on for all players", names="agent")
MOVES = Parameter(0, "how many moves it tries in a place, those the policy proposes; 0: all", 0, 1000)
HORIZON = "moves and outcomes that are played on before the policy's own estimate counts, if it has one"
TO_THE_END = 10**6  # more than any game has

#: From whether it is compiled, a policy to roll out with and a belief: the data of a search.
Working = Callable[[bool, Rollout, Any], Any]


@dataclasses.dataclass(frozen=True, eq=False)
class HistorySearch:
    """A search in any game, from what its player has seen along the history of a position."""

    name: str
    game: Game
    agent: CompiledAgent  # which draws its worlds from a list
    worlds: int  # how many are in it; 0: it draws them otherwise
    found: tuple[list[float], list[Any]]  # the list: weights and states
    note: str = ""
    slow: bool = True
    thinks_long: bool = True
    uses_history: bool = True
    slots: Bindings = dataclasses.field(default_factory=dict)
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock, init=False, repr=False)

    @property
    def concrete_game(self) -> Game:
        """The game it plays, which is no abstraction."""
        return self.game

    def sit(self, position: Position, player: int) -> PolicySeat:
        """Take a seat."""
        return PolicySeat(self.name, self)

    def prepare(self) -> None:
        """Load what plain Python needs."""
        self.agent.prepare()

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution over the names of the moves."""
        return {
            position.game.words.describe(position.state, a): chance for a, chance in self.action_probabilities(position)
        }

    def action_probabilities(self, position: Position) -> list[tuple[int, float]]:
        """The same by action ids."""
        return self.explained(position)[0]

    def explained(self, position: Position) -> tuple[list[tuple[int, float]], SearchFindings | None]:
        """The same, and what the search has found."""
        if position.game.name != self.game.name:
            raise GameError(f"{self.name} plays {self.game.name}, but this is a position of {position.game.name}.")
        if len(position.actions) == 1:
            return [(position.actions[0], 1.0)], None
        belief = believe(position, position.turn, self.worlds) if self.worlds else ()
        with self._lock:
            self.found[0][:] = [weight for _, weight in belief]
            self.found[1][:] = [world.state for world, _ in belief]
            return self._searched(position)

    def _searched(self, position: Position) -> tuple[list[tuple[int, float]], SearchFindings | None]:
        return self.agent.explained(position)


def search_agent(
    concrete: Game,
    name: str,
    policy: CompiledAgent,
    action_probabilities: Callable[..., None],
    data: Working,
    worlds: int,
    moves: int = 0,
    horizon: int = TO_THE_END,
    findings: Callable[[Any], SearchFindings] | None = None,
    slots: Bindings | None = None,
) -> CompiledAgent:
    """An agent that decides by `action_probabilities`, a search in worlds in which all players follow `policy`.

    It tries the `moves` that the policy proposes, 0: all; rollouts end with the game, or after `horizon` moves and
    outcomes if the policy can estimate. `worlds` is how many it needs along a history. `slots` are the search's own; it
    may sample worlds in a way of its own.
    """
    own_way = (slots or {}).get(sample_world)
    weighs = own_way is sample_weighed
    imagines = (own_way is None or weighs) and concrete.hidden.imagine is not None and concrete.native
    policy = _policy_to_roll_out(name.partition("(")[0], policy, moves, imagines)
    way = own_way or _world_sampler(concrete, imagines)
    found: tuple[list[float], list[Any]] = ([], [])

    def working(compiled: bool) -> Any:
        thinks = policy.data(compiled)
        end = concrete.length if policy.estimate is None else min(horizon, concrete.length)
        rollout = new_rollout(concrete, end, thinks, compiled)
        belief: Any = ()
        if way is sample_imagined or (weighs and imagines):
            belief = thinks
        elif way is sample_from_table or weighs:
            belief = world_table(concrete, compiled)
        elif way is sample_from_list:
            belief = found
        return data(compiled, rollout, belief)

    bound: Bindings = {
        **_rollout_slots(concrete, policy),
        sample_world: way,
        concrete_key: concrete.rules.key,
        **(slots or {}),
    }
    if way is sample_from_list:
        agent = CompiledAgent(name, concrete, action_probabilities, working, bound, policy.plain, findings=findings)
        return HistorySearch(name, concrete, agent, worlds, found)  # type: ignore[return-value]
    return CompiledAgent(
        name, concrete, action_probabilities, working, bound, policy.plain, slow=True, findings=findings
    )


def _policy_to_roll_out(what: str, policy: CompiledAgent, moves: int, imagines: bool) -> CompiledAgent:
    """The policy by which all players play on; GameError if a search cannot use it."""
    if moves and policy.game.concrete:
        raise GameError(
            f"{what} cannot take its moves from {policy.name}, which plays an abstraction: omit moves={moves}."
        )
    if isinstance(policy, HistorySearch) or sample_world in policy.slots:
        raise GameError(f"{what} cannot roll out with {policy.name}, itself a search agent; name another policy.")
    policy = policy.on_average or policy
    if policy.memory:
        raise GameError(f"{what} cannot roll out with {policy.name}, which remembers its moves; name another policy.")
    if imagines and policy.uses_history and not policy.tolerant:
        raise GameError(
            f"{what} cannot roll out with {policy.name}: it depends on the whole history, and what the "
            f"others saw of it cannot be imagined. Give a policy of an abstraction instead."
        )
    return policy


def _world_sampler(concrete: Game, imagines: bool) -> Callable[..., Any]:
    """The function that draws what is hidden, for searches that have none of their own."""
    if is_open(concrete):
        return keep_state
    if imagines:
        return sample_imagined
    return sample_from_table if is_listable(concrete) else sample_from_list


def _rollout_slots(concrete: Game, policy: CompiledAgent) -> Bindings:
    """The functions by which rollouts play on."""
    game = policy.game
    # an abstraction plays its own actions, faster than the concrete rules for what it leaves out
    own = concrete.abstract(game.name.rpartition("/")[2]).rules if game.concrete else concrete.rules
    return _slots_of(policy, own.legal, own.play, own.key)


def self_play_policy(concrete: Game, policy: CompiledAgent) -> OwnPolicy:
    """An agent that plays whole games in all seats, by the rules of the concrete game."""
    policy = _policy_to_roll_out("a belief", policy, 0, False)
    rules, resolve = policy.game.rules, policy.game.abstraction.resolve
    play = resolved_play(concrete.rules.play, resolve) if policy.game.concrete else concrete.rules.play
    return OwnPolicy(_slots_of(policy, rules.legal, play, rules.key), policy.data, concrete.length)


def _slots_of(
    policy: CompiledAgent, legal: Callable[..., int], play: Callable[..., None], own_key: Callable[..., int]
) -> Bindings:
    """The functions that rollouts call, with the rules by which the policy sees and plays the game."""
    filled = dict(policy.slots)
    optional: dict[Callable[..., Any], Callable[..., Any] | None] = {
        propose: policy.propose,
        estimate: policy.estimate,
        sample_secret_moves: policy.sample_secret_moves,
        rollout_decide: filled.pop(decide, None),  # who searches decides otherwise
    }
    return {
        **filled,
        rollout_legal: legal,
        rollout_play: play,
        rollout_probabilities: policy.fill_probabilities,
        key: own_key,
        **{slot: function for slot, function in optional.items() if function is not None},
    }
