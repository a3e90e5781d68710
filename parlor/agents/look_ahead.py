"""Look-ahead: try every move in possible worlds, and take the one with the highest mean payoff.

At each decision it draws worlds that agree with what its player has seen, and in each of them plays every legal
move of the concrete game to the end, all players following a rollout agent; or only those moves that the rollout agent
itself is most likely to make (`moves`). The same worlds and the same random numbers serve all moves, so that
differences between moves are not due to luck.

Where the worlds come from: from the game's own `imagine`; in a small game, from the list of all its worlds; both are
compiled. Elsewhere from `parlor.search.belief`, in plain Python (`PlainLookAhead`), which needs the history of a
position.
"""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np

from parlor import native as compiler
from parlor.agents.agent import CompiledAgent
from parlor.agents.listing import Listing, Setting
from parlor.game import CHANCE, OVER, Floats, Game, GameError, Ints, Position, State
from parlor.kernel import copy, imagine, key, odds, payoff, play, turn
from parlor.native import Bindings
from parlor.play import PolicySeat
from parlor.rng import choose, draw, seed_stream
from parlor.search.belief import believe
from parlor.search.world_table import draw_world, is_listable, world_table


def guess(worlds: Any, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """A slot: put into `worlds[0]` a state that player `p` cannot tell from `states[g]`."""
    raise RuntimeError


def guess_as_imagined(worlds: Any, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """By the game's own `imagine`."""
    copy(worlds, 0, states, g)
    imagine(worlds[0], p, r)


def guess_from_table(worlds: Any, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """One of the worlds that are listed for what the player knows."""
    draw_world(worlds, concrete_key(states[g], p), r, belief)


def concrete_key(s: State, p: int) -> int:
    """A slot: the key of the concrete game, whatever the rollout agent goes by."""
    raise RuntimeError


def rollout_legal(s: State, out: Ints) -> int:
    """A slot: the legal actions of the rollout agent."""
    raise RuntimeError


def rollout_weigh(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A slot: its policy."""
    raise RuntimeError


def rollout_play(s: State, a: int) -> None:
    """A slot: how its actions, and chance, are played."""
    raise RuntimeError


class Data(NamedTuple):
    """What look-ahead thinks with."""

    worlds: Any  # [2] a world; the same, played on
    options: Any  # [actions] of the rollout agent
    chances: Any  # [actions] of these
    odds: Any  # [outcomes]
    luck: Any  # [4]
    rollouts: int
    longest: int
    rollout_data: Any  # of the rollout agent
    belief: Any  # of `guess`
    moves: int  # how many are tried at most; 0: all
    tried: Any  # [actions] 1.0 if it is tried


def choose_moves(states: Any, g: int, p: int, moves: Ints, n: int, data: Data) -> None:
    """Mark the moves to try: all of them, or those that the rollout agent is most likely to make."""
    tried = data.tried
    if data.moves:
        rollout_weigh(states, g, p, moves, n, tried, data.luck, data.rollout_data)
    if data.moves == 0 or tried[0] < 0.0:  # all, or the rollout agent does not know this place
        for i in range(n):
            tried[i] = 1.0
        return
    for _ in range(data.moves):
        best = 0
        for i in range(1, n):
            if tried[i] > tried[best]:
                best = i
        if tried[best] > 0.0:
            tried[best] = -1.0
    for i in range(n):
        tried[i] = 1.0 if tried[i] < 0.0 else 0.0


def weigh_by_rollouts(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Data) -> None:
    """All on the move with the highest mean."""
    worlds = data.worlds
    luck, tried = data.luck, data.tried
    seed_stream(luck, 0, 0)
    choose_moves(states, g, p, moves, n, data)
    for i in range(n):
        out[i] = 0.0
    for _ in range(data.rollouts):
        guess(worlds, states, g, p, r, data.belief)
        seed = draw(r)
        for i in range(n):
            if tried[i] == 0.0:
                continue
            copy(worlds, 1, worlds, 0)
            seed_stream(luck, seed, 0)
            play(worlds[1], int(moves[i]))
            out[i] += roll_out(data, p)
    best = 0
    for i in range(1, n):
        if tried[i] > 0.0 and (tried[best] == 0.0 or out[i] > out[best]):
            best = i
    for i in range(n):
        out[i] = 1.0 if i == best else 0.0


def roll_out(data: Data, p: int) -> float:
    """Play on to the end; what player `p` gets."""
    worlds, options, chances, odd, luck, _, longest, rollout_data, _, _, _ = data
    s = worlds[1]
    for _ in range(longest):
        who = turn(s)
        if who == OVER:
            return payoff(s, p)
        if who == CHANCE:
            n = odds(s, odd)
            rollout_play(s, int(choose(luck, odd, n)))
            continue
        n = rollout_legal(s, options)
        if n == 1:
            rollout_play(s, int(options[0]))
            continue
        rollout_weigh(worlds, 1, who, options, n, chances, luck, rollout_data)
        if chances[0] < 0.0:  # it does not know this place
            for i in range(n):
                chances[i] = 1.0 / n
        rollout_play(s, int(options[choose(luck, chances, n)]))
    return 0.0


@dataclasses.dataclass(frozen=True, eq=False)
class PlainLookAhead:
    """Look-ahead in any game, from what its player has seen along the history of a position."""

    name: str
    game: Game
    rollouts: int
    policy: CompiledAgent
    moves: int = 0
    note: str = ""
    slow: bool = True
    uses_history: bool = True
    slots: Bindings = dataclasses.field(default_factory=dict)

    @property
    def concrete_game(self) -> Game:
        """The game it plays, which is no abstraction."""
        return self.game

    def sit(self, position: Position, player: int) -> PolicySeat:
        """Take a seat."""
        return PolicySeat(self.name, self)

    def prepare(self) -> None:
        """Load what plain Python needs."""
        self.policy.prepare()

    def __call__(self, position: Position) -> dict[str, float]:
        """All on the move with the highest mean."""
        return {position.game.describe(position.state, a): chance for a, chance in self.action_probabilities(position)}

    def action_probabilities(self, position: Position) -> list[tuple[int, float]]:
        """The same by action ids."""
        if position.game.name != self.game.name:
            raise GameError(f"{self.name} plays {self.game.name}, but this is a position of {position.game.name}.")
        actions, player = position.actions, position.turn
        if len(actions) == 1:
            return [(actions[0], 1.0)]
        tried = actions
        if self.moves:
            likely = sorted(self.policy.action_probabilities(position), key=lambda item: -item[1])
            tried = [action for action, chance in likely[: self.moves] if chance > 0.0]
        belief = believe(position, player, self.rollouts)
        stream, luck = [0, 0, 0, 0], [0, 0, 0, 0]
        seed_stream(stream, 0, position.key(player))  # the same knowledge gives the same decision
        weights = [weight for _, weight in belief]
        totals = dict.fromkeys(tried, 0.0)
        for _ in range(self.rollouts):
            world = belief.worlds[choose(stream, weights, len(weights))][0]
            seed = draw(stream)
            for action in tried:
                seed_stream(luck, seed, 0)
                state = world.state.copy()
                self.game.rules.play(state, action)
                totals[action] += self._rolled_out(state, player, luck)
        best = max(tried, key=totals.__getitem__)
        return [(action, 1.0 if action == best else 0.0) for action in actions]

    def _rolled_out(self, state: State, player: int, luck: list[int]) -> float:
        """Play on to the end; returns the payoff of `player`."""
        rules, out = self.game.rules, [0.0] * self.game.outcomes
        for _ in range(self.game.length):
            who = rules.turn(state)
            if who == OVER:
                return float(rules.payoff(state, player))
            action = choose(luck, out, rules.odds(state, out)) if who == CHANCE else self.policy.act(state, who, luck)
            rules.play(state, action)
        return 0.0


def make(concrete: Game, name: str, rollouts: int, policy: CompiledAgent, moves: int = 0) -> CompiledAgent:
    """With `rollouts` worlds for each decision; all players follow `policy` in them."""
    if moves and policy.game.concrete:
        raise GameError(
            f"look-ahead cannot take its moves from {policy.name}, which plays an abstraction: omit moves={moves}."
        )
    if policy.slots or isinstance(policy, PlainLookAhead):
        raise GameError(
            f"look-ahead cannot roll out with {policy.name}, itself a look-ahead agent; name another policy."
        )
    imagines = concrete.imagine is not None and concrete.native
    if imagines and policy.uses_history:
        raise GameError(
            f"look-ahead cannot roll out with {policy.name}: it depends on the whole history, and what the "
            f"others saw of it cannot be imagined. Give a policy of an abstraction instead."
        )
    if not imagines and not is_listable(concrete):
        return PlainLookAhead(name, concrete, rollouts, policy, moves)  # type: ignore[return-value]
    game = policy.game
    # an abstraction plays its own actions, faster than the concrete rules for what it leaves out
    own = concrete.abstract(game.name.rpartition("/")[2]).rules if game.concrete else concrete.rules

    def data(compiled: bool) -> Data:
        return Data(
            compiler.states(concrete, 2, compiled),
            np.zeros(concrete.actions, np.int64) if compiled else [0] * concrete.actions,
            np.zeros(concrete.actions) if compiled else [0.0] * concrete.actions,
            np.zeros(concrete.outcomes) if compiled else [0.0] * concrete.outcomes,
            np.zeros(4, np.int64) if compiled else [0] * 4,
            rollouts,
            concrete.length,
            policy.data(compiled),
            () if imagines else world_table(concrete, compiled),
            moves,
            np.zeros(concrete.actions) if compiled else [0.0] * concrete.actions,
        )

    slots: Bindings = {
        rollout_legal: own.legal,
        rollout_play: own.play,
        rollout_weigh: policy.weigh,
        key: own.key,
        guess: guess_as_imagined if imagines else guess_from_table,
        concrete_key: concrete.rules.key,
    }
    return CompiledAgent(name, concrete, weigh_by_rollouts, data, slots, slow=True)


LISTING = Listing(
    "tries every move in possible worlds and takes the one with the highest mean payoff",
    make,
    settings={
        "rollouts": Setting(20, "worlds for each decision", 1, 100_000, whole=True, server_limit=5),
        "policy": Setting("random", "the agent, or the file, that plays on in them for all players", names="agent"),
        "moves": Setting(0, "how many moves it tries, the policy's likeliest; 0: all", 0, 1000, whole=True),
    },
    name="Look-ahead Lou",
    made="Learned nothing: at each decision it plays every move to the end in a few possible worlds.",
)
