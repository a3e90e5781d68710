"""What a game is: a schema of integers and seven plain functions.

    start(s)        lay the table
    turn(s)         who acts: a player, CHANCE or OVER
    odds(s, out)    at a chance turn: fill the probabilities of the outcomes 0, 1, …; return how many
    legal(s, out)   at a player's turn: fill the legal action ids; return how many
    play(s, a)      apply an action or an outcome
    payoff(s, p)    at the end
    key(s, p)       a non-negative 63-bit number: all that player p knows, and nothing more

A rules file is an ordinary module with these seven functions and the constants PLAYERS, ACTIONS (action ids lie below
it), OUTCOMES (chance outcomes lie below it), LENGTH (no game has more moves and outcomes), ZERO_SUM and STATE, the
schema. The schema says who sees each field, and that is what `view` shows. Words are optional: `describe(s, a)` names a
move or an outcome, `show(view)` puts a view into one line, `lay(view)` names the things in it for whoever draws a
table, `secret(s, a, p)` says whether player p is kept from seeing a move (it is, unless this says no). So is a belief:
`imagine(s, p, r)` replaces what player p does not see by something it might as well be, drawn with the random stream r.
So is `deal(s, out, r)`, which draws an outcome faster than through `odds` and must agree with them. UNITS says in which
other units payoffs are told, and how many of each a point is worth: `{"mbb/h": 500.0}` where the big blind is two
chips.

The same source serves plain Python (states are objects of ints and lists) and `parlor.native` (states are records in an
array). `Position` wraps a plain state immutably, for people.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any, TypeAlias

from parlor.ranges import listed

CHANCE = -1
OVER = -2

#: A game's state inside its rules: attribute access only, each an integer or a (nested) fixed-size array of integers.
State: TypeAlias = Any
Ints: TypeAlias = MutableSequence[int]
Floats: TypeAlias = MutableSequence[float]
View: TypeAlias = Any


class GameError(ValueError):
    """Something a person asked of a game that it cannot do; the message is a sentence for that person."""


# --------------------------------------------------------------------------------------------------- the schema


@dataclasses.dataclass(frozen=True)
class Field:
    """One field of a state: its shape (empty for a single integer) and who sees it."""

    seen_by: str  # "all", "owner" (the first index is the player) or "nobody"
    shape: tuple[int, ...]


def public(*shape: int) -> Field:
    """A field everybody sees."""
    return Field("all", shape)


def private(*shape: int) -> Field:
    """A field whose first index is the player who sees that part of it."""
    return Field("owner", shape)


def hidden(*shape: int) -> Field:
    """A field nobody sees: the order of a deck, a secret."""
    return Field("nobody", shape)


# --------------------------------------------------------------------------------------------------- the options


@dataclasses.dataclass(frozen=True)
class Option:
    """A declared option of a rules file: a number in a range, or one of a few words."""

    default: int
    low: int
    high: int
    words: tuple[str, ...]
    help: str

    def read(self, name: str, value: int | str) -> int:
        """The integer the rules see for what a person wrote."""
        if self.words:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if text in self.words:
                return self.words.index(text)
            raise GameError(f"{name} must be one of {', '.join(self.words)}, not {value!r}.")
        try:
            number = int(value)
        except ValueError:
            raise GameError(f"{name} must be a whole number, not {value!r}.") from None
        if not self.low <= number <= self.high:
            raise GameError(f"{name} must lie between {self.low} and {self.high}, not {number}.")
        return number

    def write(self, value: int) -> str:
        """The inverse of `read`."""
        return self.words[value] if self.words else str(value)


class _Loading:
    """The options given to the rules file being executed, and those it declared so far."""

    def __init__(self, given: Mapping[str, int | str]) -> None:
        self.given = given
        self.declared: dict[str, Option] = {}
        self.values: dict[str, int] = {}


_loading: _Loading | None = None


@contextmanager
def loading(given: Mapping[str, int | str]) -> Iterator[_Loading]:
    """While a rules file runs inside this, its `option` calls answer with `given`."""
    global _loading
    outer, _loading = _loading, _Loading(given)
    try:
        yield _loading
    finally:
        _loading = outer


def _declare(name: str, declared: Option) -> int:
    if _loading is None:
        return declared.default
    value = declared.default
    if name in _loading.given:
        value = declared.read(name, _loading.given[name])
    _loading.declared[name] = declared
    _loading.values[name] = value
    return value


def option(name: str, default: int, low: int, high: int, help: str = "") -> int:
    """Declare a number that can be set from outside, with its default and its range."""
    return _declare(name, Option(default, low, high, (), help))


def choice(name: str, default: str, words: Sequence[str], help: str = "") -> int:
    """Declare a choice between words; the rules see the index of the word."""
    return _declare(name, Option(words.index(default), 0, len(words) - 1, tuple(words), help))


def switch(name: str, default: bool, help: str = "") -> int:
    """Declare something that is on or off: 1 or 0."""
    return choice(name, "true" if default else "false", ("false", "true"), help)


# --------------------------------------------------------------------------------------------------- the rules

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


def describe_by_number(s: State, a: int) -> str:
    """The name of a move in a game that names none."""
    return str(a)


def unless_said(s: State, a: int, p: int) -> bool:
    """A move is secret unless the game says that it is not: what can be known of it is in the view."""
    return True


def as_it_is(s: State, a: int) -> int:
    """The concrete action of a game that is no abstraction, or one by keys alone."""
    return a


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
    secret: Callable[[State, int, int], bool]  # whether a move is kept from a player
    lay: Callable[[View], Mapping[str, Any]] | None = None  # what lies on the table: names with words, numbers, lists
    schema: Mapping[str, Field] | None = None  # None: states are opaque and the game cannot be compiled
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    summary: str = ""
    abstractions: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    lossless: bool = True  # False: `key` merges what the view tells apart, on purpose
    deal: Callable[[State, Floats, Ints], int] | None = None  # draws an outcome faster than through `odds`
    progress: tuple[int, ...] = ()  # actions that bring the game forward, for learners that ask
    pointless: tuple[int, ...] = ()  # actions that nobody should want
    units: Mapping[str, float] = dataclasses.field(default_factory=dict)  # of payoffs: how many of each a point is
    concrete: Game | None = None  # of an abstraction: the game it was made from
    resolve: Callable[[State, int], int] = as_it_is  # of an abstraction: the concrete action that an action stands for
    imagine: Callable[[State, int, Ints], None] | None = None  # replace what a player does not see by a likely guess
    line: Callable[[State, int], int] | None = None  # a code of the public moves so far, as a player takes them
    read: Callable[[int], Mapping[str, Any]] | None = None  # what a key says, if keys can be read
    tell: Callable[[Mapping[str, Any]], str] = str  # the same in words

    def start(self) -> Position:
        """The position at the beginning."""
        state = self.new_state()
        self.rules.start(state)
        return Position(self, state, ())

    @property
    def unit(self) -> tuple[str, float]:
        """What payoffs are told in where there is room for one unit, and how many of it a point is."""
        return next(iter(self.units.items()), ("payoff", 1.0))

    @property
    def native(self) -> bool:
        """Whether the rules can be compiled."""
        return self.schema is not None

    @functools.cached_property
    def cache(self) -> dict[str, Any]:
        """What has been worked out about this game once and for all, such as its tree."""
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
            show=row.get("show", self.show),
            abstractions={},
            lossless=False,
            progress=row.get("progress", self.progress),
            pointless=row.get("pointless", self.pointless),
            concrete=self,
            resolve=row.get("resolve", as_it_is),
            line=row.get("line"),
            read=row.get("read"),
            tell=row.get("tell", str),
        )

    def __repr__(self) -> str:
        return f"<{self.name}: {self.players} players, {self.kind}>"


def from_module(module: ModuleType, name: str, options: Mapping[str, str] | None = None) -> Game:
    """The game a rules module defines."""
    missing = [n for n in (*RULES, *CONSTANTS) if not hasattr(module, n)]
    if missing:
        raise GameError(
            f"{name} is not a game yet: it lacks {', '.join(missing)}. "
            f"A rules file needs the functions {', '.join(RULES)} and the constants {', '.join(CONSTANTS)}."
        )
    for rule, wanted in zip(RULES, (1, 1, 2, 2, 2, 2, 2), strict=True):
        function = getattr(module, rule)
        if not inspect.isfunction(function):
            raise GameError(f"{name}: {rule} must be a plain function.")
        if len(inspect.signature(function).parameters) != wanted:
            raise GameError(f"{name}: {rule} must take {wanted} argument{'s' if wanted > 1 else ''}.")
    schema: Mapping[str, Field] = module.STATE
    if not isinstance(schema, Mapping):
        raise GameError(f"{name}: STATE must be a dictionary of fields.")
    for field, spec in schema.items():
        if not isinstance(spec, Field):
            raise GameError(f"{name}: STATE[{field!r}] must be public(...), private(...) or hidden(...).")
        if spec.seen_by == "owner" and (not spec.shape or spec.shape[0] != module.PLAYERS):
            raise GameError(f"{name}: the private field {field!r} must have the players as its first dimension.")
    return Game(
        name=name,
        rules=Rules(*(getattr(module, rule) for rule in RULES)),
        players=module.PLAYERS,
        actions=module.ACTIONS,
        outcomes=max(module.OUTCOMES, 1),
        length=module.LENGTH,
        kind="zero-sum" if module.ZERO_SUM else getattr(module, "KIND", "general-sum"),
        new_state=_state_class(schema),
        view=getattr(module, "view", None) or _visible(schema),
        describe=getattr(module, "describe", describe_by_number),
        show=getattr(module, "show", str),
        secret=getattr(module, "secret", unless_said),
        lay=getattr(module, "lay", None),
        schema=schema,
        options=options or {},
        summary=(module.__doc__ or "").strip().split("\n")[0],
        abstractions=getattr(module, "ABSTRACTIONS", {}),
        deal=getattr(module, "deal", None),
        progress=getattr(module, "PROGRESS", ()),
        pointless=getattr(module, "POINTLESS", ()),
        units=getattr(module, "UNITS", {}),
        imagine=getattr(module, "imagine", None),
    )


# --------------------------------------------------------------------------------------------------- plain states


class PlainState:
    """A state in plain Python. Subclasses, one a schema, have a slot for each field and copy it as deep as it is."""

    __slots__: tuple[str, ...] = ()

    def assign(self, other: Any) -> None:
        """Become equal to `other`."""

    def copy(self) -> PlainState:
        """Another state that equals this one."""
        made = object.__new__(type(self))
        made.assign(self)
        return made

    def values(self) -> dict[str, Any]:
        """The fields and their values, for comparison and for a look in the debugger."""
        copy = self.copy()
        return {name: getattr(copy, name) for name in self.__slots__}

    def __repr__(self) -> str:
        return f"State({', '.join(f'{n}={getattr(self, n)}' for n in self.__slots__)})"


def _zeros(shape: tuple[int, ...]) -> Any:
    return [_zeros(shape[1:]) for _ in range(shape[0])] if shape else 0


def _state_class(schema: Mapping[str, Field]) -> Callable[[], PlainState]:
    def __init__(self: PlainState) -> None:
        for name, field in schema.items():
            setattr(self, name, _zeros(field.shape))

    def listed(value: str, depth: int) -> str:
        return value if not depth else f"{value}[:]" if depth == 1 else f"[{listed('v', depth - 1)} for v in {value}]"

    lines = [f"self.{name} = {listed(f'other.{name}', len(field.shape))}" for name, field in schema.items()]
    assign = _written("def made(self, other):\n " + "\n ".join(lines or ["pass"]))
    return type("State", (PlainState,), {"__slots__": tuple(schema), "__init__": __init__, "assign": assign})


def _visible(schema: Mapping[str, Field]) -> Callable[[State, int], View]:
    """The part of a state that a player may see: the default `view`."""
    seen = {name: field for name, field in schema.items() if field.seen_by != "nobody"}
    view_class = dataclasses.make_dataclass("View", [("player", int), *((n, Any) for n in seen)], frozen=True)

    def frozen(value: str, depth: int) -> str:
        inner = value if depth <= 1 else f"[{frozen('v', depth - 1)} for v in {value}]"
        return f"tuple({inner})" if depth else value

    def shown(name: str, field: Field) -> str:
        owned = field.seen_by == "owner"
        return frozen(f"s.{name}[p]" if owned else f"s.{name}", len(field.shape) - owned)

    values = ", ".join(["p", *(shown(name, field) for name, field in seen.items())])
    return _written(f"def made(s, p):\n return View({values})", View=view_class)


def _written(source: str, **names: Any) -> Callable[..., Any]:
    """A function from its source, as dataclasses make theirs: every move copies states and shows views."""
    exec(source, names)
    made: Callable[..., Any] = names["made"]
    return made


# --------------------------------------------------------------------------------------------------- positions


class Position:
    """A state of a game, immutable, with its history, for people: `position.after("bet").legal`."""

    __slots__ = ("_state", "game", "history")

    def __init__(self, game: Game, state: State, history: tuple[str, ...]) -> None:
        self.game = game
        self._state = state
        self.history = history

    @property
    def turn(self) -> int:
        """The player to act, CHANCE or OVER."""
        return self.game.rules.turn(self._state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == OVER

    @property
    def actions(self) -> list[int]:
        """The ids that can be played here: legal actions, or the outcomes of chance that can happen."""
        turn = self.turn
        if turn == OVER:
            return []
        if turn == CHANCE:
            return [a for a, odds in enumerate(self._odds()) if odds > 0.0]
        buffer = [0] * self.game.actions
        return buffer[: self.game.rules.legal(self._state, buffer)]

    @property
    def legal(self) -> list[str]:
        """The names of what can be played here."""
        return [self.game.describe(self._state, a) for a in self.actions]

    @property
    def odds(self) -> dict[str, float]:
        """At a chance turn: the probability of each outcome."""
        if self.turn != CHANCE:
            raise GameError(f"It is not chance's turn in {self.game.name}, so there are no odds to list.")
        odds = self._odds()
        return {self.game.describe(self._state, a): odds[a] for a in self.actions}

    def _odds(self) -> list[float]:
        buffer = [0.0] * self.game.outcomes
        return buffer[: self.game.rules.odds(self._state, buffer)]

    def after(self, *moves: str | int) -> Position:
        """The position after these moves or outcomes, by name (or id); a move that is not legal is an error."""
        position = self
        for move in moves:
            position = position._after(move)
        return position

    def _after(self, move: str | int) -> Position:
        actions, names = self.actions, self.legal
        if isinstance(move, str) and move in names:
            index = names.index(move)
        elif not isinstance(move, str) and move in actions:
            index = actions.index(move)
        elif self.over:
            raise GameError(f"The game is over; {move!r} cannot be played.")
        else:
            raise GameError(f"{move!r} cannot be played here; what can: {listed(names)}.")
        state = self._state.copy()
        self.game.rules.play(state, actions[index])
        return Position(self.game, state, (*self.history, names[index]))

    def told(self, move: str, player: int) -> str:
        """What `player` is told about a move made here by another: its name, unless it is a secret one."""
        action = self.actions[self.legal.index(move)]
        return "a secret move" if self.game.secret(self._state, action, player) else move

    def view(self, player: int) -> View:
        """What `player` may see: the only door to a state."""
        if not 0 <= player < self.game.players:
            raise GameError(f"{self.game.name} has the players 0 to {self.game.players - 1}, not {player}.")
        return self.game.view(self._state, player)

    def key(self, player: int) -> int:
        """The key of what `player` knows."""
        return self.game.rules.key(self._state, player)

    def show(self, player: int) -> str:
        """What `player` sees, in a line."""
        return self.game.show(self.view(player))

    @property
    def payoffs(self) -> list[float]:
        """At the end: what each player gets."""
        if not self.over:
            raise GameError(f"{self.game.name} is not over yet, so there are no payoffs.")
        return [self.game.rules.payoff(self._state, p) for p in range(self.game.players)]

    def __repr__(self) -> str:
        return f"<{self.game.name} after {', '.join(self.history) or 'nothing'}>"
