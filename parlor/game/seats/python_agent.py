"""Agents written in Python, on equal terms with compiled ones: any class with `act`, or a function.

    class Cautious:
        def __init__(self, risk=0.2): ...                  options, if any
        def begin(self, player, observation): ...          optional, like observe and end
        def observe(self, event, observation): ...         after every move and outcome, its own too
        def act(self, observation): ...                    a move's name, its id, or {name: probability}
        def end(self, payoffs): ...

A function is an agent that remembers nothing: it is `act`. Both get an `Observation`, what their seat knows, and
never a state. Every seat of every game has an instance of its own, so that nothing one seat has seen can reach another.
If an agent answers with probabilities, the game's random stream draws the move, and its games can be repeated.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from parlor.game.errors import AgentError, GameError, errors_as_sentences
from parlor.game.game import Position
from parlor.game.loading.registry import installed, load_object, split
from parlor.game.seats.distribution import check_distribution, draw_move
from parlor.game.seats.observation import Event, Observation, event, events, observe

#: A move's name or id, or a distribution over them.
Answer = str | int | Mapping[Any, float]

GROUP = "parlor.agents"  # of the entry points of installed packages
WORDS = {"true": True, "false": False, "none": None}  # as options are written


@dataclass(frozen=True, eq=False)
class PythonAgent:
    """A class or a function as an agent: `PythonAgent(Cautious, options={"risk": 0.3})`."""

    mind: Callable[..., Any]
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)  # keyword arguments of the class
    note: str = ""  # a remark for the user, printed when it is seated

    def __post_init__(self) -> None:
        """Raise GameError for what is no agent, before a game begins."""
        made = self._made
        called = str(getattr(made, "__name__", type(made).__name__))
        if not self.name:
            object.__setattr__(self, "name", called)
        if isinstance(made, type):
            if not callable(getattr(made, "act", None)):
                raise GameError(f"{called} is no agent: a class needs a method act(self, observation).")
            _check_options(called, self.mind, self.options)
        elif hasattr(made, "act"):
            raise GameError(
                f"{called} must be given as a class, PythonAgent({called}, options={{…}}), not as an instance: every "
                f"seat of every game gets one of its own."
            )
        elif not callable(made):
            raise GameError(f"{self.mind!r} is no agent: it must be a class with a method act, or a function.")
        elif self.options:
            raise GameError(f"{called} is a function, which takes an observation and has no options.")

    @property
    def _made(self) -> Any:
        """The class that is called in the end, or the function."""
        mind = self.mind
        return mind.func if isinstance(mind, functools.partial) and isinstance(mind.func, type) else mind

    def instance(self) -> Any:
        """An object with `act` for one seat of one game."""
        if not isinstance(self._made, type):
            return _Function(self.mind)
        with errors_as_sentences(self.name):
            return self.mind(**self.options)

    def sit(self, position: Position, player: int) -> PythonSeat:
        """Take a seat, at the beginning of a game or later."""
        return PythonSeat(self.name, self.instance(), position, player)

    def answer(self, position: Position) -> Answer:
        """The answer of a new instance, after it has observed everything, at a position where it is to act."""
        before, player = position.game.start(), position.turn
        seat = self.sit(before, player)
        for move in position.history:
            after = before.after(move)
            seat.observe(before, move, after)
            before = after
        return seat.answer(position)

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution over the names of the legal moves, of a new instance: see `answer`."""
        chances = as_distribution(self.name, self.answer(position), position)
        return {name: chances.get(name, 0.0) for name in position.legal}

    @property
    def failures(self) -> dict[str, float]:
        """Counts of failures by kind, for agents that lose a game by failing."""
        return {}

    def failure_report(self) -> str:
        """The same in sentences, with what the agent has cost if that is counted; empty if there is nothing to say."""
        return ""

    def __repr__(self) -> str:
        return f"<{self.name}, written in Python>"


class PythonSeat:
    """An object with `act` in its seat: it observes what happens and is asked for moves."""

    def __init__(self, name: str, mind: Any, position: Position, player: int) -> None:
        """`mind` has `act`, and perhaps `begin`, `observe` and `end`."""
        self.name, self.mind, self.player = name, mind, player
        self._history: tuple[Event, ...] = tuple(events(position, player))
        if hasattr(mind, "begin"):
            seen = self._observation(position)
            with errors_as_sentences(name):
                mind.begin(player, seen)

    def _observation(self, position: Position) -> Observation:
        return observe(position, self.player, self._history)

    def observe(self, before: Position, move: str, after: Position) -> None:
        """Pass on a move or an outcome, if its player notices it."""
        happened = event(before, move, self.player)
        if happened is None:
            return
        self._history += (happened,)
        if hasattr(self.mind, "observe"):
            seen = self._observation(after)
            with errors_as_sentences(self.name):
                self.mind.observe(happened, seen)

    def answer(self, position: Position) -> Answer:
        """Its answer where it is to act."""
        seen = self._observation(position)
        with errors_as_sentences(self.name):
            said: Answer = self.mind.act(seen)
        return said

    def act(self, position: Position, stream: list[int]) -> str:
        """The name of its move."""
        return draw_move(as_distribution(self.name, self.answer(position), position), stream)

    def end(self, position: Position) -> None:
        """Pass on the payoffs."""
        if hasattr(self.mind, "end"):
            with errors_as_sentences(self.name):
                self.mind.end(tuple(position.payoffs))


class _Function:
    """A function as an object with `act`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.act = function


def as_distribution(who: str, answer: Answer, position: Position) -> dict[str, float]:
    """An answer as a distribution over some names of the legal moves."""
    names = dict(zip(position.actions, position.legal, strict=True))
    legal = list(names.values())
    if isinstance(answer, Mapping):
        return check_distribution({_name(move, names): p for move, p in answer.items()}, legal, who)
    if (name := _name(answer, names)) in legal:
        return {name: 1.0}
    can = ", ".join(f"{name} ({a})" if name != str(a) else name for a, name in list(names.items())[:12])
    can += ", …" if len(names) > 12 else ""
    if isinstance(answer, str) or _id(answer) is not None:
        raise AgentError(f"{who} answered {answer!r}, which cannot be played here; legal moves: {can}.")
    raise AgentError(
        f"{who} answered {answer!r}; an answer is a move's name, its id, or a probability for each name: {can}."
    )


def _name(move: Any, names: Mapping[int, str]) -> Any:
    """The name of a move that may be given by its id; itself if there is none."""
    return move if isinstance(move, str) else names.get(_id(move), move)  # type: ignore[arg-type]


def _id(move: Any) -> int | None:
    """A whole number of any library, as an int."""
    if isinstance(move, bool | str):
        return None
    try:
        return operator.index(move)
    except TypeError:
        return None


def _check_options(called: str, mind: Callable[..., Any], options: Mapping[str, Any]) -> None:
    try:
        known = inspect.signature(mind)
    except ValueError:  # of a class that is not written in Python
        return
    try:
        known.bind(**options)
    except TypeError as error:
        names = [name for name, p in known.parameters.items() if p.kind is not p.VAR_KEYWORD] or ["none"]
        raise GameError(f"{called} cannot be made: {error}; its options are: {', '.join(names)}.") from None


def python_agent(text: str) -> PythonAgent:
    """The agent that a text names, `my_agents.py:Cautious(risk=0.3)`; its name is the text.

    An installed package may offer one by a shorter name.
    """
    name, given = split(text)
    mind = load_mind(name)
    if isinstance(mind, PythonAgent) and not given:  # one that was made in the file, of another library's bot for one
        return replace(mind, name=text.strip())
    return PythonAgent(mind, text.strip(), {key: _value(value) for key, value in given.items()})


def load_mind(name: str) -> Any:
    """The class, function or `PythonAgent` of a name, as its file has it."""
    return load_object(installed(GROUP, name) or name)


def _value(written: str) -> Any:
    """A number, true, false or none; anything else is a text."""
    if written.lower() in WORDS:
        return WORDS[written.lower()]
    for kind in (int, float):
        try:
            return kind(written)
        except ValueError:
            continue
    return written
