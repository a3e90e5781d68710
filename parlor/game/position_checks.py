"""Calls the rules of a game at one position at a time and reports what is wrong with their answers.

What is wrong becomes a sentence for a clause of `parlor.contract`: which rule, where (by the names of the moves), the
numbers, and what would be right. If the game can be played on regardless, the sentence goes into `failures`; if
not, it is raised as `Broken`.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from operator import is_not
from typing import Any

import numpy as np

from parlor.game.errors import GameError
from parlor.game.game import Game, Position, secret_by_default
from parlor.game.schema import CHANCE, OVER, State
from parlor.game.seats.visibility import visible_move

LARGEST = (1 << 63) - 1  # that a field can hold
ENDLESS = 10.0  # seconds that one call of a rule may take
TICK = 0.5  # seconds between two looks at it
ROOM = 64  # buffers are longer by this, to detect writes past their end


class Endless(BaseException):
    """A rule has run for longer than any rule should; what a rule catches by itself must not stop it."""


def _line_of(error: BaseException) -> str:
    """The line of a rule in which it was stopped: the last one that is neither Parlor's own machinery nor the alarm."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    return f"in line {frames[-1].lineno} of {os.path.basename(frames[-1].filename)}" if frames else ""


class NegativeIndex(Exception):
    """A rule has used an index below 0."""


class FromZero(list[Any]):
    """A list without negative indexes, which in rules are nearly always a mistake.

    Plain Python and compiled code both count them from the end, so nothing else would notice.
    """

    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(_from_zero(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(_from_zero(index), value)


def _from_zero(index: Any) -> Any:
    if isinstance(index, (int, np.integer)) and index < 0:
        raise NegativeIndex(index)
    return index


def _counted_from_zero(value: Any) -> Any:
    return FromZero(map(_counted_from_zero, value)) if isinstance(value, list) else value


class Broken(Exception):
    """A clause is broken so that the game cannot be played on."""

    def __init__(self, clause: str, sentence: str) -> None:
        super().__init__(sentence)
        self.clause = clause
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Place:
    """A position, as the first `ply` moves and outcomes of a game."""

    moves: Sequence[int]
    ply: int


@dataclass(frozen=True, slots=True)
class Look:
    """The rules' answers at a position: who acts, what can be played, and its odds (at the end, the payoffs)."""

    turn: int
    options: tuple[int, ...]
    numbers: tuple[float, ...] = ()


class PositionChecks:
    """Calls the rules of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.schema = game.schema or {}
        self.failures: dict[str, str] = {}  # clause -> the first sentence about it
        self.from_zero = False  # whether negative indexes are refused
        self._began = math.inf  # when the rule was called that is running
        self._functions: dict[str, Callable[..., Any]] = {}  # by their names, as far as they were called

    def fail(self, clause: str, sentence: str) -> None:
        """Store what is wrong; only the first sentence about a clause is kept."""
        self.failures.setdefault(clause, sentence)

    def call(self, rule: str, place: Place, *arguments: Any) -> Any:
        """The answer of a rule (or another function of the game); an exception becomes a sentence."""
        function = self._functions.get(rule) or self._function(rule)
        try:
            self._began = time.monotonic()
            return function(*arguments)
        except Endless as error:
            raise Broken(
                "runs",
                f"{rule} does not come to an end {self.story(place)}: after {ENDLESS:g} s it was still running, "
                f"{_line_of(error)}; a loop there may not end.",
            ) from None
        except KeyboardInterrupt as error:
            if where := _line_of(error):
                error.add_note(f"{rule} was running {self.story(place)}, {where}.")
            raise
        except NegativeIndex as error:
            frame = traceback.extract_tb(error.__traceback__)[-3]
            where = f"in line {frame.lineno} of {os.path.basename(frame.filename)}"
            raise Broken(
                "indexes",
                f"{rule} uses the index {error} {where} {self.story(place)}; it would be counted from the end, and "
                f"indexes of rules go from 0.",
            ) from None
        except GameError as error:
            raise Broken("runs", f"{rule} stops {self.story(place)}: {error}") from None
        except Exception as error:
            frames = traceback.extract_tb(error.__traceback__)[1:]
            where = f" in line {frames[-1].lineno} of {os.path.basename(frames[-1].filename)}" if frames else ""
            what = f"{type(error).__name__}{where}: {error}".rstrip(".")
            raise Broken("runs", f"{rule} stops {self.story(place)} with {what}.") from None
        finally:
            self._began = math.inf

    def _function(self, rule: str) -> Callable[..., Any]:
        game = self.game
        owners = (game.rules, game.words, game.hidden, game.hidden.worlds, game)
        function: Callable[..., Any] = getattr(next(owner for owner in owners if hasattr(owner, rule)), rule)
        self._functions[rule] = function
        return function

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within this a rule that does not come to an end is stopped; only in the main thread, which has alarms."""
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return

        def look(number: int, frame: object) -> None:
            if time.monotonic() - self._began > ENDLESS:
                self._began = math.inf
                raise Endless

        before = signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)

    # ----------------------------------------------------------------------------------------------- the rules

    def look(self, state: State, place: Place) -> Look:
        """Return who acts, and the answer of the rule that applies: legal, odds or payoff."""
        turn = self.call("turn", place, state)
        players = self.game.players
        if not _is_int(turn) or not OVER <= turn < players:
            right = f"a player from 0 to {players - 1}, CHANCE or OVER"
            raise Broken("turns", f"turn returns {turn!r} {self.story(place)}; it must be {right}.")
        if turn == OVER:
            return Look(OVER, (), self._payoffs(state, place))
        if place.ply >= self.game.length:
            raise Broken(
                "ending",
                f"the game is not over {self.story(place)}, which is {place.ply} moves and outcomes, and LENGTH is "
                f"{self.game.length}; raise LENGTH, or make turn return OVER.",
            )
        if turn == CHANCE:
            return self._odds(state, place)
        return self._legal(state, place, int(turn))

    def _odds(self, state: State, place: Place) -> Look:
        odds = self._filled("odds", "OUTCOMES", self.game.outcomes, math.nan, state, place)
        shown = ", ".join(f"{x:g}" for x in odds)
        total = sum(odds)
        options = tuple(a for a, x in enumerate(odds) if x > 0.0)
        if not options:
            raise Broken("odds", f"odds gives {shown} {self.story(place)}; some outcome must be possible.")
        if min(odds) < 0.0:
            self.fail("odds", f"odds gives {shown} {self.story(place)}; no probability may be negative.")
        if not abs(total - 1.0) <= 1e-9:
            self.fail("odds", f"odds gives {shown} {self.story(place)}, in sum {total:.10g}; they must sum to 1.")
        return Look(CHANCE, options, tuple(odds[a] for a in options))

    def _legal(self, state: State, place: Place, player: int) -> Look:
        actions = self.game.actions
        ids = self._filled("legal", "ACTIONS", actions, None, state, place)
        for a in ids:
            if not _is_int(a) or not 0 <= a < actions:
                right = f"from 0 to ACTIONS - 1 = {actions - 1}"
                raise Broken("legal", f"legal lists {a!r} {self.story(place)}; action ids go {right}.")
        if len(set(ids)) < len(ids):
            self.fail("legal", f"legal lists {_listed(ids)} {self.story(place)}; every id may occur once.")
        return Look(player, tuple(int(a) for a in ids))

    def _filled(self, rule: str, constant: str, most: int, empty: Any, state: State, place: Place) -> list[Any]:
        """Return the entries that odds or legal fill, checked by a buffer that shows where they did not write."""
        buffer = (FromZero if self.from_zero else list)([empty] * (most + ROOM))
        count = self.call(rule, place, state, buffer)
        if not _is_int(count) or not 1 <= count <= most:
            right = f"a number from 1 to {constant} = {most}"
            raise Broken(rule, f"{rule} returns {count!r} {self.story(place)}; it must be {right}.")
        filled = list(map(is_not, buffer, repeat(empty)))
        if not all(filled[:count]):
            said = f"returns {count} {self.story(place)} but does not fill out[{filled.index(False)}]"
            raise Broken(rule, f"{rule} {said}; every entry below the number returned must be set, zeros too.")
        if any(filled[most:]):
            raise Broken(rule, f"{rule} writes past out[{most - 1}] {self.story(place)}; {constant} is {most}.")
        return buffer[:count]

    def _payoffs(self, state: State, place: Place) -> tuple[float, ...]:
        paid = [self.call("payoff", place, state, p) for p in range(self.game.players)]
        wrong = ""
        if not all(isinstance(u, (int, float, np.number)) and math.isfinite(u) for u in paid):
            wrong = "; payoffs must be finite numbers"
        elif self.game.kind == "zero-sum" and abs(sum(paid)) > 1e-9 * max(1.0, *map(abs, paid)):
            wrong = f", in sum {sum(paid):g}; with ZERO_SUM they must sum to 0"
        elif self.game.kind == "common-payoff" and max(paid) - min(paid) > 1e-9:
            wrong = "; a common payoff must be the same for all"
        if wrong:
            self.fail("payoffs", f"payoff gives {_listed(paid)} {self.story(place)}{wrong}.")
        return tuple(0.0 if u != u else u for u in paid)  # nan is not equal to itself

    def key(self, state: State, p: int, place: Place) -> int:
        """The key of player `p`."""
        key = self.call("key", place, state, p)
        if not _is_int(key) or not 0 <= key < 1 << 63:
            right = "a whole number from 0 to 2⁶³ - 1 (parlor.game.rng.mix makes such numbers)"
            self.fail("keys", f"key returns {key!r} for player {p} {self.story(place)}; it must be {right}.")
            return 0
        return int(key)

    def view(self, state: State, p: int, place: Place) -> tuple[int, int]:
        """Hashes of the view of player `p`, and of its text and display."""
        view = self.call("view", place, state, p)
        shown = self.call("show", place, view)
        if not isinstance(shown, str):
            self.fail("names", f"show puts the view of player {p} as {shown!r} {self.story(place)}; it must be a text.")
        display = self.call("display", place, view) if self.game.words.display is not None else None
        return hash(repr(view)), hash((shown, repr(display)))

    def goes_unnoticed(self, state: State, turn: int, action: int, p: int, place: Place) -> bool:
        """Whether player `p` does not even notice a move or an outcome of somebody else."""
        if self.game.hidden.unseen is None or turn == p:
            return False
        return bool(self.call("unseen", place, state, action, p))

    def visible_name(self, state: State, turn: int, action: int, p: int, place: Place) -> str | None:
        """The name of a move or an outcome if `secret` lets player `p` see it; else None."""
        name: str = self.call("describe", place, state, action)
        if self.game.hidden.secret is not secret_by_default:
            return None if self.call("secret", place, state, action, p) else name
        try:
            return visible_move(Position(self.game, self.copy(state), ()), name, p)
        except Exception:  # a rule is broken, and another clause reports it
            return None

    def names(self, state: State, look: Look, place: Place) -> tuple[str, ...]:
        """The names of what can be played, checked for duplicates."""
        named: dict[str, int] = {}
        for a in look.options:
            name = self.call("describe", place, state, a)
            if not isinstance(name, str):
                self.fail("names", f"describe calls {a} {name!r} {self.story(place)}; a name must be a text.")
            elif named.setdefault(name, a) != a:
                clash = f"both {named[name]} and {a} {name!r} {self.story(place)}"
                self.fail(
                    "names", f"describe calls {clash}; what can be played at the same time needs different names."
                )
        return tuple(named)

    # ----------------------------------------------------------------------------------------------- states

    def copy(self, state: State) -> State:
        """A state equal to this one."""
        copy = state.copy()
        for name in self.schema if self.from_zero else ():
            setattr(copy, name, _counted_from_zero(getattr(copy, name)))
        return copy

    def fields(self, state: State, place: Place) -> dict[str, Any]:
        """The fields of a state as tuples of integers; anything else in them is an error."""
        fields = {}
        for name, field in self.schema.items():
            try:
                fields[name] = _frozen(getattr(state, name), field.shape)
            except ValueError as error:
                value, right = error.args
                raise Broken("integers", f"the field {name} holds {value} {self.story(place)}; {right}.") from None
        return fields

    def seen(self, fields: dict[str, Any], p: int) -> list[Any]:
        """The fields, or parts of them, that the schema lets player `p` see."""
        shown = [(fields[name], field.seen_by) for name, field in self.schema.items()]
        return [value[p] if seen_by == "owner" else value for value, seen_by in shown if seen_by != "nobody"]

    def difference(self, one: State, other: State) -> tuple[str, Any, Any] | None:
        """The first field in which two states differ, and what it is in each."""
        for name in self.schema:
            a, b = getattr(one, name), getattr(other, name)
            if a != b:
                return name, a, b
        return None

    def untouched(self, before: State, after: State, place: Place) -> None:
        """Check that calling the rules has not changed the state."""
        change = self.difference(before, after)
        if change:
            culprit = next((rule for rule, ask in self._questions() if self._changes(before, ask)), "a rule")
            change_text = f"{culprit} changes {change[0]} from {change[1]} to {change[2]} {self.story(place)}"
            self.fail("pure", f"{change_text}; only start and play may change the state.")

    def _changes(self, state: State, ask: Callable[[State], Any]) -> bool:
        probe = self.copy(state)
        try:
            ask(probe)
        except Exception:  # the rule does not apply at this turn
            return False
        return self.difference(state, probe) is not None

    def _questions(self) -> Iterator[tuple[str, Callable[[State], Any]]]:
        game, rules, players = self.game, self.game.rules, range(self.game.players)
        yield "turn", rules.turn
        yield "odds", lambda s: rules.turn(s) == CHANCE and rules.odds(s, [0.0] * (game.outcomes + ROOM))
        yield "legal", lambda s: rules.turn(s) >= 0 and rules.legal(s, [0] * (game.actions + ROOM))
        yield "payoff", lambda s: rules.turn(s) == OVER and [rules.payoff(s, p) for p in players]
        yield "key", lambda s: [rules.key(s, p) for p in players]
        yield "view", lambda s: [game.view(s, p) for p in players]
        yield "describe", lambda s: [game.words.describe(s, a) for a in range(game.actions)]

    # ----------------------------------------------------------------------------------------------- words

    def state(self, place: Place) -> State:
        """The state at a position."""
        state = self.game.new_state()
        self.game.rules.start(state)
        for move in place.moves[: place.ply]:
            self.game.rules.play(state, move)
        return state

    def story(self, place: Place) -> str:
        """Describe the history of a position by the names of the moves: "after A to player 0, bet"."""
        names = self._names(place)
        if len(names) > 8:
            names = [*names[:3], f"… {len(names) - 7} more …", *names[-4:]]
        return f"after {', '.join(names)}" if names else "at the start"

    def _names(self, place: Place) -> list[str]:
        names: list[str] = []
        moves = place.moves[: place.ply]
        try:
            state = self.state(Place((), 0))
            for move in moves:
                names.append(str(self.game.words.describe(state, move)))
                self.game.rules.play(state, move)
        except Exception:  # a rule is broken, and this is the text of the error
            names += [f"move {a}" for a in moves[len(names) :]]
        return names


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer))


def _listed(values: Sequence[Any]) -> str:
    shown = [f"{v:g}" if isinstance(v, float) else str(v) for v in values]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _frozen(value: Any, shape: tuple[int, ...]) -> Any:
    if shape:
        if not isinstance(value, list) or len(value) != shape[0]:
            raise ValueError(repr(value), f"by the schema it has {shape[0]} entries")
        if len(shape) == 1 and set(map(type, value)) == {int} and -LARGEST - 1 <= min(value) <= max(value) <= LARGEST:
            return tuple(value)  # nearly always, and much faster
        return tuple(_frozen(v, shape[1:]) for v in value)
    if not _is_int(value):
        raise ValueError(repr(value), "states are made of whole numbers (divide with //)")
    if not -LARGEST - 1 <= value <= LARGEST:
        raise ValueError(repr(value), "numbers must fit into 64 bits")
    return int(value)
