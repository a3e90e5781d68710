"""The summary of a study, for those who take part and those who pay: its steps, its duration and its cost."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

from parlor.agents.registry import opponent
from parlor.game import Game
from parlor.game.loading import load
from parlor.game.seats.play import play_game
from parlor.runs.saved_agents import load_agent
from parlor.study.design.description import Condition, Description, Screen

# Rules of thumb, for somebody who reads a foreign language well.
WORDS_A_MINUTE = 200
SECONDS_OF = {"choice": 12.0, "number": 10.0, "text": 40.0, "slider": 10.0}
SECONDS_OF_TEST_QUESTION = 20.0
SECONDS_OF_PRACTICE = 30.0
SECONDS_OF_ORIENTATION = 90.0
PART_OF_AN_EPISODE = 0.5  # how much of its time a game takes

TRIED_GAMES, TRIED_SECONDS = 60, 3.0
BLANK = re.compile(r"\[[^\[\]\n]*(?:\n[^\[\]\n]*)?\]")


@dataclass(frozen=True)
class Minutes:
    """The duration of a study in minutes: a rule of thumb, and the longest that games and waiting room can take."""

    about: float
    games: float  # at most, with the pauses between them
    waiting: float  # at most; 0 where nobody waits for others


@dataclass(frozen=True)
class Money:
    """The pay of a participant who finishes, in the study's currency."""

    least: float
    about: float  # if participants do as well as the agents do among themselves
    most: float | None  # None: the game does not say how many points there can be
    points: float  # of a game between agents, on average
    games: int  # that were played to find out


def steps(study: Description) -> Iterator[str]:
    """Yield the steps of a participant, in order."""
    yield f"read a consent form ({_words(study.consent):,} words), and agree or leave"
    if study.screens:
        tried = sum(screen.practice is not None for screen in study.screens)
        words = sum(map(_words, study.screens))
        yield f"read {_count(len(study.screens), 'screen')} ({words:,} words)" + (
            f"; on {tried} of them they try something" if tried else ""
        )
    if study.test.questions:
        yield f"answer {_count(len(study.test.questions), 'question')}, of which {study.test.must} must be right"
    conditions = [f"{c.name}, {c.share:.1%} of them: {_plays(study, c)}" for c in study.conditions]
    yield "play, by chance in one of these conditions:\n" + "\n".join(conditions)
    if study.orientation:
        yield "set the six sliders of Social Value Orientation"
    if study.questions:
        yield f"answer {_count(len(study.questions), 'question')} about themselves and the study"


def _plays(study: Description, condition: Condition) -> str:
    games, limit = _count(study.episodes, "game"), f"at most {study.seconds:g} seconds each"
    if condition.partners == "people":
        return f"wait until {condition.group} are there, then {games} with one another, {limit}"
    names = condition.agents or tuple(agent.name for agent in study.agents)
    whom = ", ".join(names) if len(names) == study.episodes else f"{study.episodes} of {', '.join(names)}"
    delay = f"after {study.delay.mean:g} ± {study.delay.deviation:g} seconds"
    return f"{games} with {whom}, which answer {delay}, {limit}"


def minutes(study: Description) -> Minutes:
    """Estimate the duration of a study."""
    reading = (_words(study.consent) + sum(map(_words, study.screens))) / WORDS_A_MINUTE * 60
    practice = SECONDS_OF_PRACTICE * sum(screen.practice is not None for screen in study.screens)
    asked = SECONDS_OF_TEST_QUESTION * len(study.test.questions)
    asked += sum(SECONDS_OF[question.kind] for question in study.questions)
    asked += SECONDS_OF_ORIENTATION * study.orientation
    pauses = study.episodes * study.waiting.pause
    games = study.episodes * study.seconds
    people = any(condition.partners == "people" for condition in study.conditions)
    about = reading + practice + asked + PART_OF_AN_EPISODE * games + pauses
    return Minutes(about / 60, (games + pauses) / 60, study.waiting.longest / 60 if people else 0.0)


def money(study: Description) -> Money:
    """Estimate the pay of each participant who finishes."""
    game, pay = load(study.game), study.pay
    points, games = _points(study, game)
    most = None if game.payoffs is None else pay.base + max(0.0, pay.point * study.episodes * game.payoffs[1])
    return Money(pay.base, pay.base + max(0.0, pay.point * study.episodes * points), most, points, games)


def _points(study: Description, game: Game) -> tuple[float, int]:
    """The mean payoff of games between the study's agents, some seconds' worth of them, and how many these were."""
    agents = [load_agent(agent.agent, game) for agent in study.agents] or [load_agent(opponent(game), game)]
    total, games, until = 0.0, 0, time.monotonic() + TRIED_SECONDS
    while games < TRIED_GAMES and (not games or time.monotonic() < until):
        first, step = games % len(agents), 1 + games // len(agents)
        seats = [agents[(first + seat * step) % len(agents)] for seat in range(game.players)]
        total += sum(play_game(game, seats, study.seed, games).payoffs) / game.players
        games += 1
    return total / games, games


def remarks(study: Description) -> Iterator[str]:
    """Yield remarks on parts that may have been forgotten."""
    blanks = [blank for screen in (study.consent, *study.screens) for blank in BLANK.findall(screen.text)]
    if blanks:
        listed = ", ".join(" ".join(blank.split()) for blank in dict.fromkeys(blanks))
        yield f"The texts still have blanks to fill in: {listed}."
    if not study.entry.completion_url:
        yield "completion_url is empty: at the end participants get a code to copy, and no link back to the platform."
    if not study.test.questions:
        yield "There is no comprehension test: everybody goes on."
    elif study.test.must == 0:
        yield "must is 0: everybody passes the test."


def _words(screen: Screen) -> int:
    return len(f"{screen.title} {screen.text}".split())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
