"""Guesses in compiled search: a world that agrees with what a player has seen, drawn into an array of states.

By the game's own `imagine`; from the list of all worlds of a small game; from worlds that `parlor.search.belief` has
found along a history; or, where nothing is hidden, the state itself.
"""

from __future__ import annotations

from typing import Any

from parlor.compile.kernel import copy, imagine
from parlor.game import Game, Ints, State
from parlor.game.rng import choose
from parlor.search.world_table import draw_world


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
