"""Look-ahead: try every move in imagined worlds, and take the one that did best.

At each decision it imagines so many worlds that agree with what it sees (`imagine` of the game), and in each of them
plays every legal move of the concrete game to the end, both sides following a rollout agent. The same worlds and the
same luck serve all moves, so that differences between moves are not differences of luck.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor import native as compiler
from parlor.agents.agent import CompiledAgent
from parlor.game import CHANCE, OVER, Floats, Game, GameError, Ints, State
from parlor.kernel import copy, imagine, key, odds, payoff, play, turn
from parlor.native import Bindings
from parlor.rng import choose, draw, seed_stream


def rollout_legal(s: State, out: Ints) -> int:
    """A slot: the legal actions of the rollout agent."""
    raise RuntimeError


def rollout_weigh(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """A slot: its mind."""
    raise RuntimeError


def rollout_play(s: State, a: int) -> None:
    """A slot: how its actions, and chance, are played."""
    raise RuntimeError


def weigh_by_rollouts(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """All on the move with the highest mean."""
    worlds, options, chances, odd, luck, rollouts, longest, rollout_data = data
    for i in range(n):
        out[i] = 0.0
    for _ in range(rollouts):
        copy(worlds, 0, states, g)
        imagine(worlds[0], p, r)
        seed = draw(r)
        for i in range(n):
            copy(worlds, 1, worlds, 0)
            seed_stream(luck, seed, 0)
            play(worlds[1], int(moves[i]))
            out[i] += roll_out(worlds, 1, p, options, chances, odd, luck, longest, rollout_data)
    best = 0
    for i in range(1, n):
        if out[i] > out[best]:
            best = i
    for i in range(n):
        out[i] = 1.0 if i == best else 0.0


def roll_out(
    worlds: Any,
    w: int,
    p: int,
    options: Ints,
    chances: Floats,
    odd: Floats,
    luck: Ints,
    longest: int,
    rollout_data: Any,
) -> float:
    """Play on to the end; what player `p` gets."""
    s = worlds[w]
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
        rollout_weigh(worlds, w, who, options, n, chances, luck, rollout_data)
        if chances[0] < 0.0:  # it does not know this place
            for i in range(n):
                chances[i] = 1.0 / n
        rollout_play(s, int(options[choose(luck, chances, n)]))
    return 0.0


def make(concrete: Game, name: str, rollouts: int, follow: CompiledAgent) -> CompiledAgent:
    """With so many imagined worlds for each decision; both sides `follow` an agent in them."""
    if concrete.imagine is None or not concrete.native:
        raise GameError(f"look-ahead needs a game that can imagine what is hidden; {concrete.name} has no `imagine`.")
    if follow.slots:
        raise GameError(f"look-ahead cannot roll out with {follow.name}, which looks ahead itself.")
    game = follow.game
    if follow.uses_history:
        raise GameError(
            f"look-ahead cannot roll out with {follow.name}: it goes by all that happened in the game, and what the "
            f"other side saw happen cannot be imagined. A policy of an abstraction can be followed."
        )
    # an abstraction plays its own actions, faster than the concrete rules for what it leaves out
    own = concrete.abstract(game.name.rpartition("/")[2]).rules if game.concrete else concrete.rules

    def data(compiled: bool) -> tuple[Any, ...]:
        return (
            compiler.states(concrete, 2, compiled),
            np.zeros(concrete.actions, np.int64) if compiled else [0] * concrete.actions,
            np.zeros(concrete.actions) if compiled else [0.0] * concrete.actions,
            np.zeros(concrete.outcomes) if compiled else [0.0] * concrete.outcomes,
            np.zeros(4, np.int64) if compiled else [0] * 4,
            rollouts,
            concrete.length,
            follow.data(compiled),
        )

    slots: Bindings = {rollout_legal: own.legal, rollout_play: own.play, rollout_weigh: follow.weigh, key: own.key}
    return CompiledAgent(name, concrete, weigh_by_rollouts, data, slots, slow=True)
