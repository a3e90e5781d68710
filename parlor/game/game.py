"""The definition of a game: a schema of integers and seven plain functions.

    start(s)        set up the initial state
    turn(s)         who acts: a player, CHANCE or OVER
    odds(s, out)    at a chance turn: fill the probabilities of the outcomes 0, 1, …; return how many
    legal(s, out)   at a player's turn: fill the legal action ids; return how many
    play(s, a)      apply an action or an outcome
    payoff(s, p)    at the end
    key(s, p)       a non-negative 63-bit number: all that player p knows, and nothing more

A rules file is an ordinary module with these seven functions and the constants PLAYERS, ACTIONS (action ids lie below
it), OUTCOMES (chance outcomes lie below it), LENGTH (no game has more moves and outcomes), ZERO_SUM and STATE, the
schema. The schema says who sees each field, and that is what `view` shows. All else is optional:

    TITLE               the game's title
    KIND                "common-payoff", if payoffs do not sum to zero and everybody always gets the same
    describe(s, a)      names a move or an outcome; move(s, a) says as data what it does, see `parlor.game.moves`
    show(view)          puts a view into one line; display(view) names the things in it for drawings
    table(view)         puts a view into a table (`parlor.game.words.TextTable`), which terminals show where there is
                        one
    narrate(before, after)  what a player has seen happen between two views of it: sentences without capital and stop
    agreed(s)           at the end, whether the players came to an agreement, where they can
    secret(s, a, p)     whether a move is hidden from player p (it is, unless this says no)
    imagine(s, p, r)    replaces what player p does not see by something equally possible, drawn with the stream r;
                        forget(s, p) then clears what the others remember
    deal(s, out, r)     draws an outcome faster than through `odds`, and must agree with them
    features(view)      a view as a list of numbers, always as many, for networks; without it they get the view's bits
    ACTION_WORDS        names of actions -> what people read, where moves do not say it: {"2-5": "two fives"}
    PAYOFFS             the least and the greatest payoff of a player, and the greatest sum of all: (0.0, 1.0, 1.0)
    UNITS               other units of payoffs: {"mbb/h": 500.0} where the big blind is two chips
    ABSTRACTIONS        games made from this one, each with the rules it replaces, and what else `Game.abstract` reads;
                        USUAL_ABSTRACTION names the one that agents use
    POKER               of a poker game, see `parlor.poker.door`
    TRAINING            how the game is usually trained, see `parlor.game.training`
    OPPONENT            the agent, by name, that plays it best without having been trained
    CARD_ABSTRACTIONS   how hands are put into buckets, see `parlor.poker.hands.buckets`
    WORLDS              how many codes there are for what is hidden from a player; then the game has the functions of
                        `HiddenWorlds`, each where a player is to move: searches weigh worlds by what others have done

The same source serves plain Python (states are objects of ints and lists) and `parlor.compile` (states are records in
an array). `Position` wraps a plain state immutably, for people.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

from parlor.game.errors import GameError
from parlor.game.html import html_table
from parlor.game.position import Position
from parlor.game.schema import (
    Field,
    Floats,
    Ints,
    PlainState,
    State,
    View,
    state_class,
    view_by_schema,
)
from parlor.game.training import Training
from parlor.game.words import TextTable

__all__ = [
    "CONSTANTS",
    "RULES",
    "Game",
    "HiddenWorlds",
    "Rules",
    "describe_by_number",
    "from_module",
    "same_action",
    "secret_by_default",
    "title_of",
]

RULES = ("start", "turn", "odds", "legal", "play", "payoff", "key")
CONSTANTS = ("PLAYERS", "ACTIONS", "OUTCOMES", "LENGTH", "ZERO_SUM", "STATE")


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
    suppose: Callable[[State, int, int], None]  # make a code what is hidden from p
    hidden: Callable[[State, int], int]  # the code of what is hidden from p now
    decisions: Callable[[State], int]  # how many moves players have made
    decision: Callable[[State, int], int]  # the k-th of them, from 0
    rewind: Callable[[State, int], None]  # become the state before the k-th, with the same cards and values dealt
    world_numbers: Callable[[int], Sequence[int]] | None = None  # a code as numbers, always as many
    describe_world: Callable[[int], str] | None = None  # a code in words


HIDDEN_WORLDS = ("possible", "suppose", "hidden", "decisions", "decision", "rewind")


def describe_by_number(s: State, a: int) -> str:
    """The name of a move in a game without `describe`."""
    return str(a)


def secret_by_default(s: State, a: int, p: int) -> bool:
    """Moves are secret unless the game says otherwise: what is known of them is in the view."""
    return True


def same_action(s: State, a: int) -> int:
    """The concrete action in a game that is no abstraction, or one of keys only."""
    return a


def title_of(name: str) -> str:
    """The title of a game without TITLE: its name capitalized, without options and folders."""
    base = name.partition("(")[0].rpartition("/")[2].rpartition(":")[2].removesuffix(".py")
    return " ".join(word.capitalize() for word in base.replace("_", "-").split("-"))


@dataclasses.dataclass(frozen=True, eq=False)
class Game:
    """A game with its options fixed. Made by `parlor.load`, or from a module by `from_module`."""

    name: str
    rules: Rules
    players: int
    actions: int
    outcomes: int
    length: int
    kind: str  # "zero-sum", "general-sum" or "common-payoff"
    new_state: Callable[[], State]
    view: Callable[[State, int], View]
    describe: Callable[[State, int], str]
    show: Callable[[View], str]
    secret: Callable[[State, int, int], bool]  # whether a move is hidden from a player
    display: Callable[[View], Mapping[str, Any]] | None = None  # what is on the table: names with words, numbers, lists
    move: Callable[[State, int], Mapping[str, int | str]] | None = None  # what a move does: a verb and its arguments
    action_words: Mapping[str, str] = dataclasses.field(default_factory=dict)  # names of actions -> what a person reads
    table: Callable[[View], TextTable] | None = None  # a view for terminals
    narrate: Callable[[View, View], Sequence[str]] | None = None  # what has happened between two views of a player
    title: str = ""  # the game's title
    schema: Mapping[str, Field] | None = None  # None: states are opaque and the game cannot be compiled
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    summary: str = ""
    abstractions: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    lossless: bool = True  # False: `key` merges what the view tells apart, on purpose
    seat_in_keys: bool = True  # False, of an abstraction: what is learned in one seat serves in all
    deal: Callable[[State, Floats, Ints], int] | None = None  # draws an outcome faster than through `odds`
    progress: tuple[int, ...] = ()  # actions that advance the game, for learners that use this
    pointless: tuple[int, ...] = ()  # actions that nobody should choose
    payoffs: tuple[float, float, float] | None = None  # the least and the greatest of a player, and the greatest sum
    units: Mapping[str, float] = dataclasses.field(default_factory=dict)  # of payoffs: how many of each a point is
    concrete: Game | None = None  # of an abstraction: the game it was made from
    resolve: Callable[[State, int], int] = (
        same_action  # of an abstraction: the concrete action that an action stands for
    )
    stands_for: Callable[[State, int, Ints], int] | None = (
        None  # the same if it is drawn from several, all alike: fills these and returns how many; `resolve` is one
    )
    agreed: Callable[[State], bool] | None = None  # whether the players came to an agreement, in games where they can
    imagine: Callable[[State, int, Ints], None] | None = None  # replace what a player does not see by a possible guess
    forget: Callable[[State, int], None] | None = None  # clear what the others remember, which a player cannot know
    public_history: Callable[[State, int], int] | None = (
        None  # a code of the public moves so far, as a player takes them
    )
    decode_key: Callable[[int], Mapping[str, Any]] | None = None  # what a key says, if keys can be read
    describe_key: Callable[[Mapping[str, Any]], str] = str  # the same in words
    usual_abstraction: str = ""  # the one that agents use by default
    poker: Any = None  # of a poker game: its `parlor.poker.door.PokerRules`
    card_abstractions: Any = None  # how hands are put into buckets: a `parlor.poker.hands.buckets.CardAbstractions`
    training: Training = dataclasses.field(default_factory=Training)  # how it is usually trained
    opponent: str = ""  # the agent that plays it best without having been trained; empty: one that plays any game
    features: Callable[[View], Sequence[float]] | None = None  # a view as numbers for networks, if not its bits
    worlds: HiddenWorlds | None = None  # codes for what is hidden from a player, if the game has them
    source: str = ""  # the full path of the file that the rules were loaded from, if it is not Parlor's own

    def start(self) -> Position:
        """The initial position."""
        state = self.new_state()
        self.rules.start(state)
        return Position(self, state, ())

    @property
    def unit(self) -> tuple[str, float]:
        """The unit of payoffs where there is room for only one, and how many of it a point is."""
        return next(iter(self.units.items()), ("payoff", 1.0))

    @property
    def native(self) -> bool:
        """Whether the rules can be compiled."""
        return self.schema is not None

    @functools.cached_property
    def cache(self) -> dict[str, Any]:
        """Things computed once about this game, such as its tree."""
        return {}

    def abstract(self, name: str) -> Game:
        """The abstraction `name` of this game: a game over the same states with some of the seven rules replaced."""
        if name not in self.abstractions:
            known = ", ".join(self.abstractions) or "none"
            raise GameError(f"{self.name} has no abstraction {name!r}; it has: {known}.")
        row = dict(self.abstractions[name])
        replaced = {rule: row[rule] for rule in RULES if rule in row}
        return dataclasses.replace(
            self,
            name=f"{self.name}/{name}",
            rules=dataclasses.replace(self.rules, **replaced),
            describe=row.get("describe", self.describe),
            move=row.get("move", None if "describe" in row else self.move),
            action_words=row.get("action_words", {}),
            show=row.get("show", self.show),
            abstractions={},
            lossless=False,
            seat_in_keys=row.get("seat_in_keys", True),
            progress=row.get("progress", self.progress),
            pointless=row.get("pointless", self.pointless),
            concrete=self,
            resolve=row.get("resolve", same_action),
            stands_for=row.get("stands_for"),
            outcomes=row.get("outcomes", self.outcomes),
            length=row.get("length", self.length),
            deal=None if "odds" in row else self.deal,
            public_history=row.get("public_history"),
            decode_key=row.get("decode_key"),
            describe_key=row.get("describe_key", str),
            features=row.get("features"),
            worlds=None if {"legal", "play", "odds"} & row.keys() else self.worlds,
        )

    def __repr__(self) -> str:
        return f"<{self.name}: {self.players} players, {self.kind}>"

    def _repr_html_(self) -> str:
        facts = {"players": self.players, "payoffs": self.kind, "actions": self.actions, **self.options}
        return html_table(f"{self.name}: {self.summary}", tuple(facts), [tuple(facts.values())])


def from_module(module: ModuleType | SimpleNamespace, name: str, options: Mapping[str, str] | None = None) -> Game:
    """The game a rules module defines."""
    missing = [n for n in (*RULES, *CONSTANTS) if not hasattr(module, n)]
    if missing:
        raise GameError(
            f"{name} is not a game yet: it lacks {', '.join(missing)}. "
            f"A rules file needs the functions {', '.join(RULES)} and the constants {', '.join(CONSTANTS)}."
        )
    for rule, count in zip(RULES, (1, 1, 2, 2, 2, 2, 2), strict=True):
        function = getattr(module, rule)
        if not inspect.isfunction(function):
            raise GameError(f"{name}: {rule} must be a plain function.")
        if len(inspect.signature(function).parameters) != count:
            raise GameError(f"{name}: {rule} must take {count} argument{'s' if count > 1 else ''}.")
    schema: Mapping[str, Field] = module.STATE
    if not isinstance(schema, Mapping):
        raise GameError(f"{name}: STATE must be a dictionary of fields.")
    for field, spec in schema.items():
        if hasattr(PlainState, field):
            raise GameError(f"{name}: a field of STATE cannot be called {field}; please give it another name.")
        if not isinstance(spec, Field):
            raise GameError(f"{name}: STATE[{field!r}] must be public(...), private(...) or hidden(...).")
        if spec.seen_by == "owner" and (not spec.shape or spec.shape[0] != module.PLAYERS):
            raise GameError(f"{name}: the private field {field!r} must have the players as its first dimension.")
    return Game(
        worlds=_hidden_worlds(module, name),
        name=name,
        rules=Rules(*(getattr(module, rule) for rule in RULES)),
        players=module.PLAYERS,
        actions=module.ACTIONS,
        outcomes=max(module.OUTCOMES, 1),
        length=module.LENGTH,
        kind="zero-sum" if module.ZERO_SUM else getattr(module, "KIND", "general-sum"),
        new_state=state_class(schema),
        view=getattr(module, "view", None) or view_by_schema(schema),
        describe=getattr(module, "describe", describe_by_number),
        show=getattr(module, "show", str),
        secret=getattr(module, "secret", secret_by_default),
        display=getattr(module, "display", None),
        move=getattr(module, "move", None),
        table=getattr(module, "table", None),
        narrate=getattr(module, "narrate", None),
        title=getattr(module, "TITLE", None) or title_of(name),
        schema=schema,
        options=options or {},
        summary=(module.__doc__ or "").strip().split("\n")[0],
        abstractions=getattr(module, "ABSTRACTIONS", {}),
        deal=getattr(module, "deal", None),
        progress=getattr(module, "PROGRESS", ()),
        pointless=getattr(module, "POINTLESS", ()),
        payoffs=getattr(module, "PAYOFFS", None),
        units=getattr(module, "UNITS", {}),
        action_words=getattr(module, "ACTION_WORDS", {}),
        agreed=getattr(module, "agreed", None),
        imagine=getattr(module, "imagine", None),
        forget=getattr(module, "forget", None),
        usual_abstraction=getattr(module, "USUAL_ABSTRACTION", ""),
        poker=getattr(module, "POKER", None),
        features=getattr(module, "features", None),
        training=getattr(module, "TRAINING", Training()),
        opponent=getattr(module, "OPPONENT", ""),
        card_abstractions=getattr(module, "CARD_ABSTRACTIONS", None),
    )


def _hidden_worlds(module: ModuleType | SimpleNamespace, name: str) -> HiddenWorlds | None:
    """The codes that a module declares by WORLDS."""
    if not hasattr(module, "WORLDS"):
        return None
    missing = [one for one in HIDDEN_WORLDS if not inspect.isfunction(getattr(module, one, None))]
    if missing:
        raise GameError(f"{name} has WORLDS, but lacks the function {missing[0]}: see parlor.game.HiddenWorlds.")
    words = (getattr(module, one, None) for one in ("world_numbers", "describe_world"))
    return HiddenWorlds(module.WORLDS, *(getattr(module, one) for one in HIDDEN_WORLDS), *words)
