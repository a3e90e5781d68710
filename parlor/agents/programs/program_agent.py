"""A program as an agent: `program:./mybot --level 3`, or `program(seconds=2):./mybot` with a limit for each answer.

One process serves all seats and all games of its agent. It is started when it is needed, and again after it has failed;
a game in which it fails is lost, and counted by kind.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from parlor.agents.programs import messages
from parlor.agents.programs.process import KINDS, MISSING, Process, ProgramFailure, words_of
from parlor.game import Game, GameError, Position
from parlor.game.errors import AgentError, Forfeit
from parlor.game.loading.registry import PROGRAM, split
from parlor.game.parameters import Parameter
from parlor.game.seats.distribution import draw_move
from parlor.game.seats.observation import Event, Observation
from parlor.game.seats.python_agent import Answer, PythonAgent, PythonSeat, as_distribution

SECONDS = 10.0  # for an answer, unless the agent's name says otherwise
START_SECONDS = 30.0  # between start and `ready`
MAX_RESTARTS = 20  # failures one after the other; a program that fails so often is not started again

SECONDS_PARAMETER = Parameter(SECONDS, "for each answer", 0.001, 86_400.0, name="seconds")


class Program:
    """A program and its process; safe to use from several threads."""

    def __init__(self, game: Game, command: str, seconds: float = SECONDS) -> None:
        self.game, self.command, self.seconds = game, command, seconds
        self.failures: Counter[str] = Counter()  # lost games by kind of failure
        self.last_failure = ""
        self.title = ""  # what it calls itself
        self.answers, self.answer_seconds = 0, 0.0
        self._process: Process | None = None
        self._wants: frozenset[str] = frozenset()
        self._ids, self._seats = itertools.count(1), itertools.count(1)
        self._in_a_row = 0
        self._lock = threading.RLock()

    def start(self) -> None:
        """Start the process unless it runs, and wait until it is ready."""
        with self._lock:
            if self._process is not None:
                return
            if self._in_a_row >= MAX_RESTARTS:
                raise ProgramFailure("crash", f"is not started again after {MAX_RESTARTS} failures in a row")
            deadline = time.monotonic() + START_SECONDS
            process = Process(words_of(self.command))
            try:
                process.write(messages.line(messages.hello(self.game)), deadline)
                self.title, self._wants = messages.readiness(messages.parsed(process.read(deadline)))
            except BaseException:
                process.kill()
                raise
            self._process = process

    def begin(self, player: int) -> int:
        """A new seat, by number."""
        seat = next(self._seats)
        self._tell(messages.begin(seat, player))
        return seat

    def observe(self, seat: int, happened: Event) -> None:
        """Pass on what has happened, if the program asked for that."""
        if "events" in self._wants:
            self._tell(messages.event(seat, happened))

    def end(self, seat: int, payoffs: Sequence[float]) -> None:
        """Pass on how a game ended."""
        self._tell(messages.end(seat, payoffs))

    def _tell(self, message: dict[str, Any]) -> None:
        with self._lock:
            self.start()
            assert self._process is not None
            self._process.write(messages.line(message), time.monotonic() + self.seconds)

    def ask(self, seat: int, seen: Observation) -> Answer:
        """The answer to an observation."""
        with self._lock:
            self.start()
            assert self._process is not None
            id, began = next(self._ids), time.monotonic()
            question = messages.act(id, seat, seen, "history" in self._wants)
            self._process.write(messages.line(question), began + self.seconds)
            found = messages.answer_to(id, messages.parsed(self._process.read(began + self.seconds)))
            self.answers, self.answer_seconds = self.answers + 1, self.answer_seconds + time.monotonic() - began
            self._in_a_row = 0
            return found

    def failed(self, failure: ProgramFailure) -> str:
        """Count a lost game; returns a sentence. What may have put question and answer out of step ends the process."""
        with self._lock:
            self.failures[failure.kind] += 1
            self.last_failure = f"{self.command} {failure}."
            if failure.kind != "illegal":
                self._in_a_row += 1
                if self._process is not None:
                    self._process.kill()
                    self._process = None
            return self.last_failure

    def refuse(self, sentence: str) -> None:
        """Tell the program why its last answer was refused."""
        with self._lock, contextlib.suppress(ProgramFailure):
            if self._process is not None:
                self._process.write(messages.line(messages.error(sentence)), time.monotonic() + self.seconds)

    def close(self) -> None:
        """End the process."""
        with self._lock:
            if self._process is not None:
                self._process.close()
                self._process = None


class ProgramMind:
    """A program in one seat of one game, as an object with `act`. A failure loses the game: it raises Forfeit."""

    def __init__(self, program: Program) -> None:
        self.program, self.seat, self.player = program, 0, 0

    @contextlib.contextmanager
    def _lost_if_it_fails(self) -> Iterator[None]:
        try:
            yield
        except ProgramFailure as failure:
            raise Forfeit(self.program.failed(failure), self.player) from None

    def begin(self, player: int, observation: Observation) -> None:
        """Take a seat."""
        self.player = player
        with self._lost_if_it_fails():
            self.seat = self.program.begin(player)

    def observe(self, event: Event, observation: Observation) -> None:
        """Pass on what has happened."""
        with self._lost_if_it_fails():
            self.program.observe(self.seat, event)

    def act(self, observation: Observation) -> Answer:
        """Ask for a move."""
        with self._lost_if_it_fails():
            return self.program.ask(self.seat, observation)

    def end(self, payoffs: Sequence[float]) -> None:
        """Pass on the payoffs; a program that fails now has lost nothing."""
        with contextlib.suppress(ProgramFailure):
            self.program.end(self.seat, payoffs)

    def refused(self, error: AgentError) -> Forfeit:
        """Count an answer that cannot be played, and tell the program."""
        self.program.refuse(str(error))
        return Forfeit(self.program.failed(ProgramFailure("illegal", said(error, self.program.command))), self.player)


def said(error: AgentError, who: str) -> str:
    """The sentence of an error without its subject and full stop."""
    return str(error).removeprefix(f"{who} ").removesuffix(".")


class ProgramSeat(PythonSeat):
    """The seat of a program: an answer that cannot be played loses the game."""

    mind: ProgramMind

    def act(self, position: Position, stream: list[int]) -> str:
        """The name of its move."""
        answer = self.answer(position)
        try:
            return draw_move(as_distribution(self.mind.program.command, answer, position), stream)
        except AgentError as error:
            raise self.mind.refused(error) from None


@dataclass(frozen=True, eq=False, repr=False)
class ProgramAgent(PythonAgent):
    """A program as an agent."""

    program: Program = field(kw_only=True)

    def sit(self, position: Position, player: int) -> ProgramSeat:
        """Take a seat, at the beginning of a game or later."""
        return ProgramSeat(self.name, self.instance(), position, player)

    @property
    def failures(self) -> dict[str, float]:
        """The number of games that it has lost by each kind of failure."""
        return dict(self.program.failures)

    def failure_report(self) -> str:
        """Sentences about the games it has lost by failing; empty if there are none."""
        failures = self.program.failures
        if not failures:
            return ""
        each = ", ".join(f"{count:,} {KINDS[kind]}" for kind, count in failures.most_common())
        total = sum(failures.values())
        games = "1 game" if total == 1 else f"{total:,} games"
        return f"{self.name} lost {games} by failing ({each}). The last time: {self.program.last_failure}"

    def __repr__(self) -> str:
        return f"<{self.name}, a program>"


def program_agent(text: str, game: Game) -> ProgramAgent:
    """The agent that a text names. The program is started, so that one that cannot play is refused now."""
    match = PROGRAM.fullmatch(text.strip())
    if match is None or not match["command"].strip():
        raise GameError(f"{text!r} names no program; write it like program:./mybot or program(seconds=2):./mybot.")
    _, given = split(f"program{match['settings'] or ''}", "a program", "program(seconds=2):./mybot")
    if unknown := set(given) - {"seconds"}:
        raise GameError(f"program has no option {min(unknown)!r}; it has: seconds.")
    seconds = SECONDS_PARAMETER.parse(given["seconds"]) if given else SECONDS
    program = Program(game, match["command"].strip(), seconds)
    try:
        program.start()
    except ProgramFailure as failure:
        missing = f"There is no program {program.command.split()[0]}."
        raise GameError(missing if str(failure) == MISSING else f"{program.command} {failure}.") from None
    return seated(program, text.strip())


def seated(program: Program, name: str) -> ProgramAgent:
    """An agent of that name that is this program."""
    return ProgramAgent(functools.partial(ProgramMind, program), name, program=program)
