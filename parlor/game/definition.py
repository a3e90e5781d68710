"""The parts of a game's definition: rules, words, hidden information, and an abstraction's way back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from parlor.game.schema import Floats, Ints, State, View
from parlor.game.words import TextTable

RULES = ("start", "turn", "odds", "legal", "play", "payoff", "key")


@dataclasses.dataclass(frozen=True)
class Rules:
    """The seven functions of one game."""

    start: Callable[[State], None]
    turn: Callable[[State], int]
    odds: Callable[[State, Floats], int]
    legal: Callable[[State, Ints], int]
    play: Callable[[State, int], None]
    payoff: Callable[[State, int], float]
    key: Callable[[State, int], int]


@dataclasses.dataclass(frozen=True)
class HiddenWorlds:
    """Information hidden from a player as a number, a code, and the way back through the moves of players.

    A code says all that player p does not see, so that a state is what p sees and a code. A rules file has WORLDS and
    the first six functions, compiled as the others are; the last two, for people and networks, are optional.
    """

    count: int  # WORLDS: codes lie below it
    possible: Callable[[State, int, Ints, Floats], int]  # fill the codes that fit what p has seen, ascending, and the
    # chance of each, not normalised, the moves of the others saying nothing; returns how many
    set_hidden_state: Callable[[State, int, int], None]  # make a code what is hidden from p
    hidden: Callable[[State, int], int]  # the code of what is hidden from p now
    decisions: Callable[[State], int]  # how many moves players have made
    decision: Callable[[State, int], int]  # the k-th of them, from 0
    rewind: Callable[[State, int], None]  # become the state before the k-th, with the same cards and values dealt
    world_numbers: Callable[[int], Sequence[int]] | None = None  # a code as numbers, always as many
    describe_world: Callable[[int], str] | None = None  # a code in words


HIDDEN_WORLDS = ("possible", "set_hidden_state", "hidden", "decisions", "decision", "rewind")


def describe_by_number(s: State, a: int) -> str:
    """The name of a move in a game without `describe`."""
    return str(a)


def secret_by_default(s: State, a: int, p: int) -> bool:
    """Moves are secret unless the game says otherwise: what is known of them is in the view."""
    return True


def same_action(s: State, a: int) -> int:
    """The concrete action in a game that is no abstraction, or one of keys only."""
    return a


@dataclasses.dataclass(frozen=True)
class Words:
    """A game for people: names of moves and keys, and views in a line, in a table and for drawings."""

    describe: Callable[[State, int], str] = describe_by_number
    show: Callable[[View], str] = str
    display: Callable[[View], Mapping[str, Any]] | None = None  # what is on the table: names with words, numbers, lists
    move: Callable[[State, int], Mapping[str, int | str]] | None = None  # what a move does: a verb and its arguments
    action_words: Mapping[str, str] = dataclasses.field(default_factory=dict)  # names of actions -> what a person reads
    table: Callable[[View], TextTable] | None = None  # a view for terminals
    narrate: Callable[[View, View], Sequence[str]] | None = None  # what has happened between two views of a player
    title: str = ""
    summary: str = ""
    decode_key: Callable[[int], Mapping[str, Any]] | None = None  # what a key says, if keys can be read
    describe_key: Callable[[Mapping[str, Any]], str] = str  # the same in words


@dataclasses.dataclass(frozen=True)
class HiddenInformation:
    """Information hidden from players, and the functions that draw it."""

    secret: Callable[[State, int, int], bool] = secret_by_default  # whether a move is hidden from a player
    # whether a player does not even notice that a move or an outcome happens; None: everybody notices everything
    unseen: Callable[[State, int, int], bool] | None = None
    imagine: Callable[[State, int, Ints], None] | None = None  # replace what a player does not see by a possible guess
    forget: Callable[[State, int], None] | None = None  # clear what the others remember, which a player cannot know
    worlds: HiddenWorlds | None = None  # codes for what is hidden from a player, if the game has them


@dataclasses.dataclass(frozen=True)
class OwnFeatures:
    """Numbers that a game computes for networks from what player p may know, compiled as the rules are."""

    count: int  # how many
    fill: Callable[..., None]  # fill(s, p, out), or fill(s, p, out, work): out[0:count] are 32-bit floats
    work: int = 0  # how many integers of working memory it gets as `work`, whose contents mean nothing before
    replaces_view: bool = False  # networks read these numbers alone, and not the view beside them


@dataclasses.dataclass(frozen=True)
class ActionHead:
    """The output head of policy networks: an action is a tuple of parts, and its logit is the sum of theirs.

    Logits may be given besides, K terms of each action: that of action a is then the sum and, of each term, (1 + b)
    times what is given; each b is learned, too.
    """

    parts: tuple[tuple[int, ...], ...]  # of each action: the numbers of its outputs; -1: none
    # given(s, p, moves, n, out), or with `work` as `OwnFeatures.fill` left it: out[i * terms + k] of moves[i]
    given: Callable[..., None] | None = None
    terms: int = 1  # K


@dataclasses.dataclass(frozen=True)
class Abstraction:
    """The way from an abstraction to its concrete game; a game that is no abstraction has the defaults."""

    resolve: Callable[[State, int], int] = same_action  # the concrete action that an action stands for
    # the same if it is drawn from several, all alike: fills these and returns how many; `resolve` is one
    concrete_actions: Callable[[State, int, Ints], int] | None = None
    lossless: bool = True  # False: `key` merges what the view tells apart, on purpose
    seat_in_keys: bool = True  # False: what is learned in one seat serves in all
    # a code of the public moves so far, as a player takes them
    public_history: Callable[[State, int], int] | None = None
