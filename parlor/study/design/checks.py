"""Checks of a study before it is run: every mistake that its shape does not show, in a sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from parlor.game import CHANCE, OVER, Game
from parlor.game.errors import GameError
from parlor.game.loading import load_once
from parlor.game.rng import below, seed_stream
from parlor.game.seats.play import sample
from parlor.runs.files.container import FileError
from parlor.runs.saved_agents import load_agent
from parlor.study.design.description import Condition, Description, Practice, Question, Screen
from parlor.study.design.exclusions import EXCLUSIONS
from parlor.study.design.mistakes import Mistake, nearest
from parlor.study.design.orientation import ITEMS
from parlor.study.design.toml_lines import Place

ROUNDING = 0.001  # shares may be rounded to so much: three thirds are 0.333 each
TRIED_MOVES = 10_000  # that were possible or made in random games, in which kinds of moves are looked for
LONGEST_NAME = 80
ID = re.compile(r"[A-Za-z0-9_-]{1,80}")
PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


def mistakes_in(study: Description) -> Iterator[Mistake]:
    """Everything that is wrong with a study."""
    yield from _whole(study)
    yield from _money(study)
    yield from _times(study)
    yield from _entry(study)
    yield from _conditions(study)
    yield from _screens(study)
    yield from _questions(study)
    try:
        game = load_once(study.game)
    except (GameError, FileError) as error:
        yield Mistake(("game",), str(error))
        return
    yield from _game(study, game)
    yield from _agents(study, game)
    for number, screen in enumerate(study.screens):
        if screen.practice is not None:
            yield from _practice(study, game, screen.practice, ("screens", number, "practice"))


def _whole(study: Description) -> Iterator[Mistake]:
    if not study.title:
        yield Mistake(("title",), "The title is empty.")
    if not 0 <= study.seed < 2**63:
        yield Mistake(("seed",), f"seed must be between 0 and 2**63 - 1, not {study.seed}.")
    if study.episodes < 1:
        yield Mistake(("episodes",), f"episodes must be at least 1, not {study.episodes}.")
    for number, rule in enumerate(study.exclude):
        if rule not in EXCLUSIONS:
            yield Mistake(("exclude", number), f"There is no exclusion rule {rule!r}; {nearest(rule, EXCLUSIONS)}")
    yield from _repeated(study.exclude, ("exclude",), "exclude", "")


def _money(study: Description) -> Iterator[Mistake]:
    pay = study.pay
    for name, amount in (("base", pay.base), ("point", pay.point), ("show_up", pay.show_up)):
        if amount < 0:
            yield Mistake(("pay", name), f"{name} must not be negative; it is {amount:g}.")
    if not re.fullmatch("[A-Z]{3}", pay.currency):
        yield Mistake(("pay", "currency"), f"currency is written with three letters, like USD, not {pay.currency!r}.")


def _times(study: Description) -> Iterator[Mistake]:
    delay, waiting = study.delay, study.waiting
    if study.seconds <= 0:
        yield Mistake(("seconds",), f"An episode must last longer than {study.seconds:g} seconds.")
    for place, seconds in (
        (("delay", "mean"), delay.mean),
        (("delay", "deviation"), delay.deviation),
        (("delay", "least"), delay.least),
        (("waiting", "pause"), waiting.pause),
    ):
        if seconds < 0:
            yield Mistake(place, f"{place[-1]} must not be negative; it is {seconds:g} seconds.")
    for name, seconds in (("longest", waiting.longest), ("gone", waiting.gone)):
        if seconds <= 0:
            yield Mistake(("waiting", name), f"{name} must be more than 0 seconds, not {seconds:g}.")
    if 0 < study.seconds <= max(delay.mean, delay.least) and study.agents:
        yield Mistake(
            ("delay",), f"Agents would wait {delay.mean:g} seconds, but an episode ends after {study.seconds:g}."
        )


def _entry(study: Description) -> Iterator[Mistake]:
    entry = study.entry
    if not PARAMETER.fullmatch(entry.parameter):
        yield Mistake(
            ("entry", "parameter"),
            f"parameter must be a word of letters, digits and _, such as PROLIFIC_PID, not {entry.parameter!r}.",
        )
    try:
        re.compile(entry.pattern)
    except re.error as error:
        yield Mistake(("entry", "pattern"), f"pattern is no regular expression: {error}.")
    if entry.hourly < 0:
        yield Mistake(("entry", "hourly"), f"hourly must not be negative; it is {entry.hourly}.")
    for name in ("completion_url", "failed_url"):
        url = getattr(entry, name)
        if url and not re.match(r"https?://[^\s/]+", url):
            yield Mistake(("entry", name), f"{name} must begin with https://, not {url[:40]!r}.")


def _conditions(study: Description) -> Iterator[Mistake]:
    if not study.conditions:
        yield Mistake(("conditions",), "The study has no conditions; write [[conditions]] for each.")
        return
    for number, condition in enumerate(study.conditions):
        place = ("conditions", number)
        yield from _name(condition.name, place, "condition")
        if not 0 < condition.share <= 1:
            yield Mistake(
                (*place, "share"), f"share must be more than 0 and at most 1, all of them, not {condition.share:g}."
            )
        if condition.partners == "people":
            yield from _with_people(study, condition, place)
        elif condition.partners == "agents":
            yield from _with_agents(study, condition, place)
    yield from _repeated([c.name for c in study.conditions], ("conditions",), "conditions are called", "name")
    total = sum(condition.share for condition in study.conditions)
    if abs(total - 1) > ROUNDING + 1e-9:
        last = len(study.conditions) - 1
        yield Mistake(("conditions", last, "share"), f"The shares of the conditions sum to {total:g}, not to 1.")


def _with_people(study: Description, condition: Condition, place: Place) -> Iterator[Mistake]:
    if condition.agents:
        yield Mistake((*place, "agents"), f"In {condition.name!r} people play with people: leave agents out.")
    if condition.group < 2 or condition.group % 2:
        yield Mistake((*place, "group"), f"group must be an even number of participants, not {condition.group}.")
    elif study.episodes > condition.group - 1:
        yield Mistake(
            ("episodes",),
            f"episodes must be at most {condition.group - 1}, not {study.episodes}: "
            f"in {condition.name!r} nobody in a group of {condition.group} meets anybody twice.",
        )


def _with_agents(study: Description, condition: Condition, place: Place) -> Iterator[Mistake]:
    known = [agent.name for agent in study.agents]
    for number, name in enumerate(condition.agents):
        if name not in known:
            yield Mistake((*place, "agents", number), f"The study has no agent {name!r}; {nearest(name, known)}")
    yield from _repeated(condition.agents, (*place, "agents"), f"agents of {condition.name!r} are", "")
    met = len(condition.agents or known)
    if not met:
        yield Mistake(
            place, f"In {condition.name!r} people play with agents, but the study has none: write [[agents]]."
        )
    elif study.episodes > met:
        yield Mistake(
            ("episodes",),
            f"episodes must be at most {met}, not {study.episodes}: in {condition.name!r} nobody meets an agent twice.",
        )


def _game(study: Description, game: Game) -> Iterator[Mistake]:
    people = [number for number, condition in enumerate(study.conditions) if condition.partners == "people"]
    if game.players < 2:
        yield Mistake(("game",), f"{game.name} has {game.players} player: a study needs a game for two or more.")
    elif game.players > 2 and people:
        yield Mistake(
            ("conditions", people[0], "partners"),
            f"{game.name} has {game.players} players, but people meet in pairs: use agents, or another game.",
        )
    if game.concrete is not None:
        yield Mistake(("game",), f"{game.name} is an abstraction; people play {game.concrete.name}.")


def _agents(study: Description, game: Game) -> Iterator[Mistake]:
    for number, agent in enumerate(study.agents):
        yield from _name(agent.name, ("agents", number), "agent")
        if wrong := _unusable(agent.agent, game):
            yield Mistake(("agents", number, "agent"), wrong)
    yield from _repeated([agent.name for agent in study.agents], ("agents",), "agents are called", "name")


def _unusable(agent: str, game: Game) -> str:
    """Why an agent cannot play a game; empty if it can."""
    if not agent:
        return "agent is empty; `parlor agents` lists them."
    try:
        load_agent(agent, game)
    except (GameError, FileError) as error:
        return str(error)
    return ""


def _screens(study: Description) -> Iterator[Mistake]:
    yield from _readable(study.consent, ("consent",), "The consent form")
    if study.consent.practice is not None:
        yield Mistake(("consent", "practice"), "There is no practice on the consent form; put it on a screen.")
    for number, screen in enumerate(study.screens):
        yield from _readable(screen, ("screens", number), "The screen")


def _readable(screen: Screen, place: Place, what: str) -> Iterator[Mistake]:
    for name in ("title", "text"):
        if not getattr(screen, name):
            yield Mistake((*place, name), f"{what} has no {name}.")


def _practice(study: Description, game: Game, practice: Practice, place: Place) -> Iterator[Mistake]:
    named = [agent.name for agent in study.agents]
    if practice.agent not in named and (wrong := _unusable(practice.agent, game)):
        yield Mistake((*place, "agent"), wrong)
    if not 0 <= practice.seat < game.players:
        yield Mistake((*place, "seat"), f"{game.name} has seats 0 to {game.players - 1}, not {practice.seat}.")
        return
    if not 0 <= practice.seed < 2**63:
        yield Mistake((*place, "seed"), f"seed must be between 0 and 2**63 - 1, not {practice.seed}.")
    if practice.until and practice.until not in (found := verbs(game, practice.seat, practice.until)):
        yield Mistake(
            (*place, "until"), f"{game.name} has no move {practice.until!r} to try; {nearest(practice.until, found)}"
        )
    if not practice.hint:
        yield Mistake((*place, "hint"), "Practice needs a hint: a sentence that says what to try.")


def verbs(game: Game, seat: int, wanted: str = "") -> tuple[str, ...]:
    """The kinds of moves of a seat, as random games show them, until one that is wanted is found."""
    found: set[str] = set()
    position, stream = game.start(), [0, 0, 0, 0]
    seed_stream(stream, 1, 0)
    seen = 0
    while seen < TRIED_MOVES and wanted not in found:
        who = position.turn
        seen += 1
        if who == OVER:
            position = game.start()
        elif who == CHANCE:
            position = position.after(sample(position.odds, stream))
        else:
            actions = position.actions
            if who == seat:
                seen += len(actions)
                found.update(position.move(action).verb for action in actions)
            position = position.after(actions[below(stream, len(actions))])
    return tuple(sorted(found))


def _questions(study: Description) -> Iterator[Mistake]:
    test = study.test
    for number, question in enumerate(test.questions):
        place: Place = ("test", "questions", number)
        yield from _question(question, place)
        if question.kind != "choice":
            yield Mistake((*place, "kind"), "A question of the test must be of the kind choice.")
        elif question.right is None:
            yield Mistake((*place, "right"), f'The question {question.id!r} has no right answer: write right = "…".')
        elif not 0 <= question.right < max(len(question.answers), 1):
            yield Mistake((*place, "right"), f"right must be below {len(question.answers)}, not {question.right}.")
    if not 0 <= test.must <= len(test.questions):
        yield Mistake(
            ("test", "must"), f"must is {test.must}, but the test has {_count(len(test.questions), 'question')}."
        )
    for number, question in enumerate(study.questions):
        place = ("questions", number)
        yield from _question(question, place)
        if question.right is not None:
            yield Mistake((*place, "right"), "Only questions of the test have a right answer.")
    for stage, asked in ((("test", "questions"), test.questions), (("questions",), study.questions)):
        yield from _repeated([question.id for question in asked], stage, "questions have the id", "id")


def _question(question: Question, place: Place) -> Iterator[Mistake]:
    if not ID.fullmatch(question.id):
        yield Mistake((*place, "id"), f"An id has letters, digits, - and _ only, not {question.id!r}.")
    elif question.id in ITEMS:
        yield Mistake((*place, "id"), f"{question.id} is the id of a slider of the orientation; choose another.")
    if not question.text:
        yield Mistake((*place, "text"), f"The question {question.id!r} has no text.")
    if question.kind == "choice":
        if len(question.answers) < 2:
            yield Mistake((*place, "answers"), f"The question {question.id!r} needs at least two answers.")
        if "" in question.answers:
            yield Mistake((*place, "answers", question.answers.index("")), "The answer is empty.")
        yield from _repeated(question.answers, (*place, "answers"), "answers are", "")
    elif question.answers and question.kind:
        yield Mistake((*place, "answers"), f"A question of the kind {question.kind} has no answers to choose from.")
    yield from _bounds(question, place)


def _bounds(question: Question, place: Place) -> Iterator[Mistake]:
    if not question.kind:  # it could not be read
        return
    least, most = question.least, question.most
    for name in ("least", "most"):
        if getattr(question, name) is not None and question.kind not in ("number", "slider"):
            yield Mistake((*place, name), f"{name} is for questions of the kind number or slider, not {question.kind}.")
        elif getattr(question, name) is None and question.kind == "slider":
            yield Mistake((*place, name), f"A slider needs {name}.")
    if least is not None and most is not None and least >= most:
        yield Mistake((*place, "least"), f"least must be less than most; they are {least:g} and {most:g}.")


def _name(name: str, place: Place, what: str) -> Iterator[Mistake]:
    if not name:
        yield Mistake((*place, "name"), f"The name of the {what} is empty.")
    elif len(name) > LONGEST_NAME:
        yield Mistake((*place, "name"), f"The name of the {what} is longer than {LONGEST_NAME} characters.")


def _repeated(words: Sequence[str], place: Place, what: str, key: str) -> Iterator[Mistake]:
    """Words that stand more than once, where they do so for the second time."""
    seen: Counter[str] = Counter()
    for number, word in enumerate(words):
        seen[word] += 1
        if word and seen[word] == 2:
            yield Mistake((*place, number, *([key] if key else [])), f"Two {what} {word!r}.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
