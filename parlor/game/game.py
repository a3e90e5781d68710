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
    unseen(s, a, p)     whether player p does not even notice that a move or an outcome happens, which then changes
                        neither what p sees nor whose turn it is (everybody notices everything, unless this says so)
    imagine(s, p, r)    replaces what player p does not see by something equally possible, drawn with the stream r;
                        forget(s, p) then clears what the others remember
    deal(s, out, r)     draws an outcome faster than through `odds`, and must agree with them
    FEATURES            numbers that the game computes for networks from what a player may know, see `OwnFeatures`
    HEAD                how networks say what to play, if an action has parts (what, where, how much), see `ActionHead`
    ACTION_WORDS        names of actions -> what people read, where moves do not say it: {"2-5": "two fives"}
    PAYOFFS             the least and the greatest payoff of a player, and the greatest sum of all: (0.0, 1.0, 1.0)
    UNITS               other units of payoffs: {"mbb/h": 500.0} where the big blind is two chips
    ABSTRACTIONS        games made from this one, each with the rules it replaces, and what else `Game.abstract` reads;
                        DEFAULT_ABSTRACTION names the one that agents use
    POKER               of a poker game, see `parlor.poker.poker_rules`
    TRAINING            how the game is usually trained, see `parlor.game.training`
    OPPONENT            the agent, by name, that plays it best without having been trained
    WORLDS              how many codes there are for what is hidden from a player; then the game has the functions of
                        `HiddenWorlds`, each where a player is to move: searches weigh worlds by what others have done

The same source serves plain Python (states are objects of ints and lists) and `parlor.compile` (states are records in
an array). `Position` wraps a plain state immutably, for people.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from parlor.game.errors import GameError
from parlor.game.moves import Move, listed
from parlor.game.schema import CHANCE, OVER, Field, Floats, Ints, State, View
from parlor.game.training import Training
from parlor.game.words import TextTable, html_table

MOVE_FIELDS = ("verb", "text", "amount", "card", "to")
RECENT = 8  # moves that a position prints


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
    words: Words = dataclasses.field(default_factory=Words)
    hidden: HiddenInformation = dataclasses.field(default_factory=HiddenInformation)
    training: Training = dataclasses.field(default_factory=Training)  # how it is usually trained
    schema: Mapping[str, Field] | None = None  # None: states are opaque and the game cannot be compiled
    options: Mapping[str, str] = dataclasses.field(default_factory=dict)
    deal: Callable[[State, Floats, Ints], int] | None = None  # draws an outcome faster than through `odds`
    agreed: Callable[[State], bool] | None = None  # whether the players came to an agreement, in games where they can
    payoffs: tuple[float, float, float] | None = None  # the least and the greatest of a player, and the greatest sum
    units: Mapping[str, float] = dataclasses.field(default_factory=dict)  # of payoffs: how many of each a point is
    features: OwnFeatures | None = None  # numbers for networks, beside the view or in its place
    head: ActionHead | None = None  # how networks say what to play, if an action is a tuple of parts
    poker: Any = None  # of a poker game: its `parlor.poker.poker_rules.PokerRules`
    abstractions: Mapping[str, Mapping[str, Any]] = dataclasses.field(default_factory=dict)
    concrete: Game | None = None  # of an abstraction: the game it was made from
    abstraction: Abstraction = dataclasses.field(default_factory=Abstraction)
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
        row = self.abstractions[name]

        def given(part: Any, **defaults: Any) -> Any:
            """A part of the definition with what the abstraction replaces; `defaults` are for what it leaves out."""
            names = {field.name for field in dataclasses.fields(part)}
            return dataclasses.replace(part, **defaults | {key: row[key] for key in row if key in names})

        worlds = None if {"legal", "play", "odds"} & row.keys() else self.hidden.worlds
        move = None if "describe" in row else self.words.move
        return dataclasses.replace(
            self,
            name=f"{self.name}/{name}",
            rules=given(self.rules),
            words=given(self.words, move=move, action_words={}, decode_key=None, describe_key=str),
            hidden=dataclasses.replace(self.hidden, worlds=worlds),
            training=given(self.training),
            abstractions={},
            concrete=self,
            abstraction=given(Abstraction(lossless=False)),
            outcomes=row.get("outcomes", self.outcomes),
            length=row.get("length", self.length),
            deal=None if "odds" in row else self.deal,
            features=row.get("features"),
            head=row.get("head"),
        )

    def __repr__(self) -> str:
        return f"<{self.name}: {self.players} players, {self.kind}>"

    def _repr_html_(self) -> str:
        facts = {"players": self.players, "payoffs": self.kind, "actions": self.actions, **self.options}
        return html_table(f"{self.name}: {self.words.summary}", tuple(facts), [tuple(facts.values())])


def move_of(game: Game, state: State, action: int, actor: int | None = None) -> Move:
    """The move that `action` is in a state of a game; `actor` is whose turn it is, if that is known."""
    name = game.words.describe(state, action)
    said = dict(game.words.move(state, action)) if game.words.move else {"verb": name}
    if not isinstance(said.get("verb"), str) or not all(isinstance(value, int | str) for value in said.values()):
        raise GameError(f"{game.name}: move must give a verb and plain numbers or words for {name!r}, not {said}.")
    verb, text, amount, card, to = (said.pop(field, None) for field in MOVE_FIELDS)
    return Move(
        id=action,
        name=name,
        text=str(text) if text else game.words.action_words.get(name, name),
        actor=game.rules.turn(state) if actor is None else actor,
        verb=str(verb),
        amount=None if amount is None else int(amount),
        card=None if card is None else str(card),
        to=None if to is None else int(to),
        details=said,
    )


#: The moves of a game from the last one back: what was before it, and its name.
_Line: TypeAlias = "tuple[_Line | None, str]"


class Position:
    """A state of a game, immutable, with its history, for people: `position.after("bet").legal`.

    `state` is what the rules work on, hidden information included: copy it before you play on it. What a player may
    see of it is `view(player)`. Whose turn it is and what can be played are computed once.
    """

    __slots__ = ("_actions", "_begun", "_line", "_names", "_turn", "game", "ply", "state")

    def __init__(self, game: Game, state: State, history: tuple[str, ...]) -> None:
        self.game = game
        self.state = state
        self.ply = len(history)  # the number of moves and outcomes so far
        self._begun = history
        self._line: _Line | None = None  # the moves since, linked: a long game has them once, not once a position
        self._turn: int | None = None
        self._actions: list[int] | None = None
        self._names: list[str] | None = None

    @property
    def history(self) -> tuple[str, ...]:
        """The moves and outcomes so far, by name."""
        names, line = [], self._line
        while line is not None:
            line, name = line
            names.append(name)
        return (*self._begun, *reversed(names))

    @property
    def last(self) -> str:
        """The move or outcome before this position, by name; empty at the start."""
        return self._line[1] if self._line is not None else self._begun[-1] if self._begun else ""

    @property
    def turn(self) -> int:
        """The player to act, CHANCE or OVER."""
        if self._turn is None:
            self._turn = self.game.rules.turn(self.state)
        return self._turn

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.turn == OVER

    @property
    def actions(self) -> list[int]:
        """The ids that can be played here: legal actions, or the outcomes of chance that can happen."""
        if self._actions is None:
            self._actions = self._playable()
        return self._actions.copy()

    def _playable(self) -> list[int]:
        turn = self.turn
        if turn == OVER:
            return []
        if turn == CHANCE:
            return [a for a, odds in enumerate(self._odds()) if odds > 0.0]
        buffer = [0] * self.game.actions
        return buffer[: self.game.rules.legal(self.state, buffer)]

    @property
    def legal(self) -> list[str]:
        """The names of what can be played here."""
        if self._names is None:
            self._names = [self.game.words.describe(self.state, a) for a in self.actions]
        return self._names.copy()

    def action(self, name: str) -> int:
        """The id of a legal move or a possible outcome, by its name."""
        return self.actions[self.legal.index(name)]

    @property
    def moves(self) -> list[Move]:
        """The legal moves or outcomes as data: what each does, with its name and its text."""
        return [self.move(a) for a in self.actions]

    def move(self, action: int) -> Move:
        """An action here as a move."""
        return move_of(self.game, self.state, action, self.turn)

    @property
    def odds(self) -> dict[str, float]:
        """At a chance turn: the probability of each outcome."""
        if self.turn != CHANCE:
            raise GameError(f"It is not chance's turn in {self.game.name}, so there are no odds to list.")
        odds = self._odds()
        return {name: odds[a] for name, a in zip(self.legal, self.actions, strict=True)}

    def _odds(self) -> list[float]:
        buffer = [0.0] * self.game.outcomes
        return buffer[: self.game.rules.odds(self.state, buffer)]

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
            raise GameError(f"{move!r} cannot be played here; legal moves: {listed(self.moves)}.")
        state = self.state.copy()
        self.game.rules.play(state, actions[index])
        after = Position(self.game, state, self._begun)
        after._line, after.ply = (self._line, names[index]), self.ply + 1
        return after

    def view(self, player: int) -> View:
        """Return the view of `player`."""
        if not 0 <= player < self.game.players:
            raise GameError(f"{self.game.name} has the players 0 to {self.game.players - 1}, not {player}.")
        return self.game.view(self.state, player)

    def key(self, player: int) -> int:
        """The key of what `player` knows."""
        return self.game.rules.key(self.state, player)

    def show(self, player: int) -> str:
        """Return the view of `player` in a line."""
        return self.game.words.show(self.view(player))

    @property
    def payoffs(self) -> list[float]:
        """At the end: the payoff of each player."""
        if not self.over:
            raise GameError(f"{self.game.name} is not over yet, so there are no payoffs.")
        return [self.game.rules.payoff(self.state, p) for p in range(self.game.players)]

    def __repr__(self) -> str:
        recent = self.history[-RECENT:]
        before = len(self.history) - len(recent)
        moves = [*([f"{before} moves"] if before else []), *recent]
        return f"<{self.game.name} after {', '.join(moves) or 'nothing'}>"

    def _repr_html_(self) -> str:
        rows = [(p, self.show(p), listed(self.moves) if p == self.turn else "") for p in range(self.game.players)]
        return html_table(repr(self)[1:-1], ("player", "sees", "can play"), rows)
