"""The requirements of the line protocol, as sentences: each is tried on the running program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from parlor.agents.programs import messages
from parlor.agents.programs.process import Process, ProgramFailure, words_of
from parlor.agents.programs.program_agent import START_SECONDS, Program, ProgramMind, seated
from parlor.game import CHANCE, Game, Position
from parlor.game.errors import AgentError
from parlor.game.rng import seed_stream
from parlor.game.seats.observation import observe
from parlor.game.seats.play import play_on, sample, uniform, uniform_agent
from parlor.game.seats.python_agent import as_distribution

GAMES = 50  # whole games, against random play
UNKNOWN = {"type": "weather", "sky": "blue"}  # a message that later versions of the protocol might send


@dataclass(frozen=True)
class Requirement:
    """One requirement, tried: whether the program fulfils it, and what was seen. None: not reached."""

    name: str
    ok: bool | None
    sentence: str


def check_program(command: str, game: Game, seconds: float) -> Iterator[Requirement]:
    """Try everything, in order; what needs a program that starts is not tried on one that does not."""
    reached = True
    for name, attempt in ATTEMPTS.items():
        if not reached:
            yield Requirement(name, None, "not tried: see above")
            continue
        try:
            yield Requirement(name, True, attempt(command, game, seconds))
        except (ProgramFailure, AgentError) as failure:
            yield Requirement(name, False, f"it {str(failure).removeprefix(command).strip().rstrip('.')}")
            reached = name != "starts"


def _starts(command: str, game: Game, seconds: float) -> str:
    program = Program(game, command, seconds)
    began = time.monotonic()
    program.start()
    program.close()
    called = f" and calls itself {program.title!r}" if program.title else ""
    return f"it is ready after {1000 * (time.monotonic() - began):.0f} ms{called}"


def _plays(command: str, game: Game, seconds: float) -> str:
    program = Program(game, command, seconds)
    agent = seated(program, command)
    try:
        for i in range(GAMES):
            streams = [[0, 0, 0, 0] for _ in range(game.players + 1)]
            for k, stream in enumerate(streams):
                seed_stream(stream, i, k)
            seats = [agent if p == i % game.players else uniform_agent for p in range(game.players)]
            play_on(game.start(), seats, streams)
    finally:
        program.close()
    each = 1000 * program.answer_seconds / max(program.answers, 1)
    return f"it has played {GAMES} games of {game.name}: {program.answers:,} answers, {each:.2f} ms each"


def _plays_two_at_once(command: str, game: Game, seconds: float) -> str:
    program = Program(game, command, seconds)
    positions = [_first_decision(game, seed) for seed in (1, 2)]
    minds = [ProgramMind(program) for _ in positions]
    try:
        for mind, position in zip(minds, positions, strict=True):
            mind.begin(position.turn, observe(position, position.turn))
        for mind, position in [*zip(minds, positions, strict=True), (minds[0], positions[0])]:
            as_distribution("it", mind.act(observe(position, position.turn)), position)
    finally:
        program.close()
    return "it answers in two games that go on at the same time"


def _ignores_the_unknown(command: str, game: Game, seconds: float) -> str:
    position = _first_decision(game, 1)
    seen = observe(position, position.turn)
    deadline = time.monotonic() + START_SECONDS
    process = Process(words_of(command))
    try:
        for message in (messages.hello(game), UNKNOWN, messages.begin(1, seen.player)):
            process.write(messages.line(message), deadline)
        question = messages.act(7, 1, seen, True) | {"weather": "fine"}
        process.write(messages.line(question), deadline)
        messages.parsed(process.read(deadline))
        answer = messages.parsed(process.read(time.monotonic() + seconds))
        if answer.get("id") != 7:
            raise ProgramFailure("garbage", f"answered with id {answer.get('id')!r:.40} where 7 was asked")
        as_distribution("it", messages.answer(answer), position)
    finally:
        process.kill()
    return "it ignores messages and fields that it does not know"


def _ends(command: str, game: Game, seconds: float) -> str:
    deadline = time.monotonic() + START_SECONDS
    process = Process(words_of(command))
    process.write(messages.line(messages.hello(game)), deadline)
    process.read(deadline)
    began = time.monotonic()
    if not process.close():
        raise ProgramFailure("timeout", "goes on after its input has ended, and had to be killed")
    return f"it ends {1000 * (time.monotonic() - began):.0f} ms after its input"


def _first_decision(game: Game, seed: int) -> Position:
    """A position in which somebody has a choice."""
    stream, position = [0, 0, 0, 0], game.start()
    seed_stream(stream, seed, 0)
    while not position.over and (position.turn == CHANCE or len(position.legal) < 2):
        chances = position.odds if position.turn == CHANCE else uniform(position)
        position = position.after(sample(chances, stream))
    return position


ATTEMPTS: dict[str, Callable[[str, Game, float], str]] = {
    "starts": _starts,
    "plays": _plays,
    "plays two games at once": _plays_two_at_once,
    "ignores what it does not know": _ignores_the_unknown,
    "ends": _ends,
}
