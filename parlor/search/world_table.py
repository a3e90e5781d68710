"""All worlds of a small game: for every key, its possible states and their probabilities by chance.

It is what `belief.worlds` finds at one position, for all positions at once and as arrays, so that compiled agents can
draw from it. With perfect recall a key contains all its player has seen; so the states with one key are its worlds, and
its player's own moves are the same in all of them.

Guesses in compiled search: a world that agrees with what a player has seen, drawn into an array of states.

By the game's own `imagine`; from the list of all worlds of a small game; from worlds that `parlor.search.belief` has
found along a history; or, where nothing is hidden, the state itself.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from parlor import compile as compiler
from parlor.compile.kernel import FloatArray, IntArray, States, copy, imagine, key, legal, odds, play, start, turn
from parlor.compile.random_games import estimate_histories
from parlor.game import CHANCE, OVER, Game, Ints, State
from parlor.game.rng import choose, uniform


def sample_world(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """A slot: put into `worlds[i]` a state that player `p` cannot tell from `states[g]`."""
    raise RuntimeError


def sample_imagined(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """By the game's own `imagine`; `belief` is the data of whoever guesses the others' moves."""
    copy(worlds, i, states, g)
    imagine(worlds[i], p, r)
    sample_secret_moves(worlds, i, p, r, belief)


def sample_from_table(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """One of the worlds that are listed for what the player knows."""
    draw_world(worlds, i, concrete_key(states[g], p), r, belief)


def sample_from_list(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """One of the worlds that were found along the history: `belief` has their weights, and the states."""
    weights, found = belief
    copy(worlds, i, found, choose(r, weights, len(weights)))


def keep_state(worlds: Any, i: int, states: Any, g: int, p: int, r: Ints, belief: Any) -> None:
    """The state itself: the player sees all of it."""
    copy(worlds, i, states, g)


def sample_secret_moves(states: Any, g: int, p: int, r: Ints, data: Any) -> None:
    """A slot: replace what the others of player `p` have done in secret by what an agent would have done."""


def concrete_key(s: State, p: int) -> int:
    """A slot: the key of the concrete game, whatever the rollout agent goes by."""
    raise RuntimeError


def is_open(game: Game) -> bool:
    """Whether nothing is ever hidden from anybody."""
    return game.schema is not None and all(field.seen_by == "all" for field in game.schema.values())


MAX_HISTORIES = 400_000  # estimated histories of a game whose worlds are listed


def is_listable(game: Game) -> bool:
    """Whether the game is small enough, estimated by random games in plain Python, so that nothing is compiled."""
    if "listable" not in game.cache:
        game.cache["listable"] = (
            game.native and game.abstraction.lossless and estimate_histories(game, 100, compiled=False) <= MAX_HISTORIES
        )
    found: bool = game.cache["listable"]
    return found


def world_table(game: Game, compiled: bool) -> tuple[Any, ...]:
    """Keys in order; where the worlds of each begin; their odds, added up within a key; and the states."""
    name = "world table" if compiled else "plain world table"
    if name not in game.cache:
        game.cache[name] = _listed(game, compiled)
    found: tuple[Any, ...] = game.cache[name]
    return found


def _listed(game: Game, compiled: bool) -> tuple[Any, ...]:
    kernel = compiler.native(list_worlds, game) if compiled else compiler.interpret(list_worlds, game)
    depth, width = game.length + 2, max(game.actions, game.outcomes)
    room = 0
    while True:  # first to count them, then to list them
        states = compiler.states(game, max(room, 1), compiled)
        keys, weights = np.zeros(room, np.int64), np.zeros(room)
        found = kernel(
            compiler.states(game, depth, compiled), np.zeros((depth, width), np.int64), np.zeros((depth, width)),
            np.zeros((3, depth), np.int64), np.zeros(depth), states, keys, weights, room,
        )  # fmt: skip
        if found <= room:
            break
        room = found
    order = np.argsort(keys, kind="stable")
    keys, weights = keys[order], weights[order]
    states = states[order] if compiled else [states[i] for i in order.tolist()]
    different, first = np.unique(keys, return_index=True)
    begins = np.append(first, len(keys))
    for begin, end in pairwise(begins.tolist()):
        summed = np.cumsum(weights[begin:end])
        weights[begin:end] = summed / summed[-1]
    return (different, begins, weights, states) if compiled else (different.tolist(), begins.tolist(), weights, states)


def list_worlds(
    stack: States,  # [D] the states on the way
    options: IntArray,  # [D, A] what can be done there
    chances: FloatArray,  # [D, A] and how likely it is: moves of players count 1
    places: IntArray,  # [3, D] how many options, which one is next, whether they are known
    reach: FloatArray,  # [D] the odds of chance on the way
    states: States,  # [room] the decisions found
    keys: IntArray,  # [room]
    weights: FloatArray,  # [room]
    room: int,
) -> int:
    """Walk through the whole game and store every decision; returns how many there are, stored or not."""
    found = 0
    d = 0
    start(stack[0])
    reach[0] = 1.0
    places[2][0] = 0
    while d >= 0:
        if places[2][d] == 0:
            who = turn(stack[d])
            if who == OVER:
                d -= 1
                continue
            if who == CHANCE:
                n = odds(stack[d], chances[d])
                for i in range(n):
                    options[d][i] = i
            else:
                n = legal(stack[d], options[d])
                for i in range(n):
                    chances[d][i] = 1.0
                if found < room:
                    copy(states, found, stack, d)
                    keys[found] = key(stack[d], who)
                    weights[found] = reach[d]
                found += 1
            places[0][d] = n
            places[1][d] = 0
            places[2][d] = 1
        i = places[1][d]
        if i == places[0][d]:
            d -= 1
            continue
        places[1][d] = i + 1
        if chances[d][i] > 0.0:
            copy(stack, d + 1, stack, d)
            play(stack[d + 1], int(options[d][i]))
            reach[d + 1] = reach[d] * chances[d][i]
            places[2][d + 1] = 0
            d += 1
    return found


def draw_world(worlds: States, target: int, wanted: int, r: Ints, table: Any) -> None:
    """Put one of the worlds of the key `wanted` into `worlds[target]`, drawn by its odds."""
    keys, begins, weights, states = table
    low = 0
    high = len(keys) - 1
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    u = uniform(r)
    i = begins[low]
    while weights[i] <= u and i < begins[low + 1] - 1:
        i += 1
    copy(worlds, target, states, i)
