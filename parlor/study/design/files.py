"""Study files: `study.toml`, or a Python file with `STUDY = Description(…)`.

A file is read whole and checked whole before anything runs; all mistakes are reported together, each in a sentence with
its line. The keys of a TOML file are the fields of the dataclasses in `parlor.study.design.description`; only the right
answer of a question is named by its text.
"""

from __future__ import annotations

import ast
import dataclasses
import hashlib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from parlor.game.errors import GameError
from parlor.game.loading.registry import module_of
from parlor.study.design.checks import mistakes_in
from parlor.study.design.description import Description, Screen
from parlor.study.design.mistakes import StudyError
from parlor.study.design.shapes import Shapes
from parlor.study.design.toml_lines import Place, lines_of

PYTHON_NAME = "STUDY"


def read_study(path: str | Path) -> Description:
    """The study that a file describes; `StudyError` has a sentence for each mistake in it."""
    path = Path(path)
    if path.suffix not in (".toml", ".py"):
        raise GameError(f"{path} should be a study file, which ends in .toml or .py.")
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise GameError(f"There is no file {path}; `parlor study new {path}` writes one to begin from.") from None
    except OSError as error:
        raise GameError(f"{path} cannot be read: {error.strerror}.") from None
    data, lines = _from_toml(path, content) if path.suffix == ".toml" else _from_python(path, content)
    shapes = Shapes(answers_by_text=path.suffix == ".toml")
    study = shapes.study(data)
    wrong = [mistake.place for mistake in shapes.mistakes]
    more = [mistake for mistake in mistakes_in(study) if not any(_related(mistake.place, place) for place in wrong)]
    if mistakes := shapes.mistakes + more:
        raise StudyError(path, mistakes, lines)
    screens = tuple(_with_its_agent(screen, study) for screen in study.screens)
    return dataclasses.replace(study, screens=screens, hash=hashlib.sha256(content).hexdigest())


def _with_its_agent(screen: Screen, study: Description) -> Screen:
    """A screen whose practice says who the agent is, where the file has its name in the study."""
    if screen.practice is None:
        return screen
    named = {agent.name: agent.agent for agent in study.agents}
    agent = named.get(screen.practice.agent, screen.practice.agent)
    return dataclasses.replace(screen, practice=dataclasses.replace(screen.practice, agent=agent))


def _related(one: Place, other: Place) -> bool:
    """Whether one is a part of the other: of what is unreadable nothing else is said."""
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def _from_toml(path: Path, content: bytes) -> tuple[dict[str, Any], Mapping[Place, int]]:
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise GameError(f"{path}, line {line}: this is not UTF-8 text; save the file with that encoding.") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise GameError(_syntax(path, text, str(error))) from None
    return data, lines_of(text)


def _syntax(path: Path, text: str, said: str) -> str:
    """Return tomllib's message, with the line in front and the usual cause behind."""
    what, _, place = said.partition(" (at ")
    found = re.match(r"line (\d+)", place)
    lines = text.split("\n")
    number = int(found[1]) if found else len(lines)
    line = lines[number - 1] if number <= len(lines) else ""
    hint = ""
    if any(mark in line for mark in "“”„‘’") and what == "Invalid value":
        hint = ' Write straight quotation marks, ", not curved ones.'
    elif what == "Invalid value":
        hint = ' A text stands in quotation marks: title = "My study".'
    elif what.startswith("Illegal character"):
        hint = ' A text of several lines stands in """three quotation marks""".'
    elif what.startswith("Cannot overwrite"):
        hint = " The same key stands here twice."
    return f"{path}, line {number}: {what[:1].lower()}{what[1:].rstrip('.')}.{hint}"


def _from_python(path: Path, content: bytes) -> tuple[dict[str, Any], Mapping[Place, int]]:
    study = getattr(module_of(str(path)), PYTHON_NAME, None)
    if not isinstance(study, Description):
        raise GameError(
            f"{path} must define {PYTHON_NAME} = Description(…), of parlor.study.design.description"
            + ("." if study is None else f"; it is a {type(study).__name__}.")
        )
    data = dataclasses.asdict(study)
    del data["hash"]
    return data, _python_lines(ast.parse(content))


def _python_lines(tree: ast.Module) -> dict[Place, int]:
    """Return the line of each part of the description, as far as they are written in one place."""
    lines: dict[Place, int] = {}

    def visit(node: ast.expr, place: Place) -> None:
        lines[place] = node.lineno
        if isinstance(node, ast.Call):
            for word in node.keywords:
                if word.arg is not None:
                    visit(word.value, (*place, word.arg))
        elif isinstance(node, (ast.Tuple, ast.List)):
            for number, item in enumerate(node.elts):
                visit(item, (*place, number))

    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.Assign) and any(isinstance(t, ast.Name) and t.id == PYTHON_NAME for t in targets):
            visit(statement.value, ())
    return lines
