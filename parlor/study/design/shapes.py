"""From plain data to the dataclasses of a description; what has another shape is a mistake.

Where a value cannot be used, its default or an empty one takes its place, so that everything else can be read.
"""

from __future__ import annotations

import dataclasses
import json
import math
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from parlor.study.design.description import (
    Comprehension,
    Condition,
    Delay,
    Description,
    Entry,
    Pay,
    Practice,
    Question,
    Screen,
    StudyAgent,
    Waiting,
)
from parlor.study.design.mistakes import Mistake, nearest
from parlor.study.design.toml_lines import Place

NOUNS: Mapping[type, str] = {
    **{Description: "A study", StudyAgent: "An agent", Condition: "A condition", Delay: "The delay", Pay: "The pay"},
    **{Practice: "Practice", Screen: "A screen", Question: "A question", Comprehension: "The test"},
    **{Waiting: "The waiting room", Entry: "The entry"},
}
KINDS: Mapping[type, str] = {
    str: "a text in quotation marks",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}
NOT_IN_FILES = ("hash",)


class Shapes:
    """Reads a study and notes mistakes."""

    def __init__(self, answers_by_text: bool) -> None:
        self.answers_by_text = answers_by_text  # whether the right answer of a question is given by its text
        self.mistakes: list[Mistake] = []

    def study(self, data: Mapping[str, Any]) -> Description:
        """The study that the data describe."""
        return self._table(Description, data, ())

    def _wrong(self, place: Place, sentence: str) -> None:
        self.mistakes.append(Mistake(place, sentence))

    def _table(self, kind: type, data: Mapping[str, Any], place: Place) -> Any:
        fields = {field.name: field for field in dataclasses.fields(kind) if field.name not in NOT_IN_FILES}
        hints = get_type_hints(kind)
        for key in data:
            if key not in fields:
                self._wrong((*place, key), self._unknown(kind, key, list(fields)))
        values = {}
        for name, field in fields.items():
            here = (*place, name)
            default = None if field.default is dataclasses.MISSING else field.default
            if name in data:
                given = self._index(data, here) if kind is Question and name == "right" else data[name]
                values[name] = self._value(hints[name], given, here, default)
                continue
            if field.default is dataclasses.MISSING:
                self._wrong(here, f"{NOUNS[kind]} needs {name}.")
                default = _empty(hints[name])
            values[name] = default
        return kind(**values)

    def _unknown(self, kind: type, key: str, known: list[str]) -> str:
        said = f"{NOUNS[kind]} has no key {key!r};"
        top = [field.name for field in dataclasses.fields(Description) if not dataclasses.is_dataclass(field.default)]
        if kind is not Description and key in top:
            return f"{said} {key} belongs to the whole study: move it to the top, before the first [table]."
        return f"{said} {nearest(key, known)}"

    def _index(self, data: Mapping[str, Any], place: Place) -> int | None:
        """The right answer, counted from 0."""
        right, answers = data["right"], data.get("answers")
        if not self.answers_by_text:
            return right
        if not isinstance(right, str):
            self._wrong(place, f"right must be the text of the right answer, not {_shown(right)}.")
            return None
        texts = [answer.strip() for answer in answers if isinstance(answer, str)] if isinstance(answers, list) else []
        if right.strip() not in texts:
            told = ", ".join(map(_shown, texts)) or "none"
            self._wrong(place, f"The right answer {_shown(right)} is not among the answers, which are: {told}.")
            return None
        return texts.index(right.strip())

    def _value(self, kind: Any, value: Any, place: Place, default: Any) -> Any:
        name = place[-1] if isinstance(place[-1], str) else f"{place[-2]}, number {int(place[-1]) + 1},"
        if get_origin(kind) in (Union, types.UnionType):
            if value is None:
                return None
            kind = next(each for each in get_args(kind) if each is not type(None))
        if dataclasses.is_dataclass(kind) and isinstance(kind, type):
            if isinstance(value, Mapping):
                return self._table(kind, value, place)
            self._wrong(place, f"{name} must be a table, not {_shown(value)}.")
            return _empty(kind) if default is None else default
        if get_origin(kind) is tuple:
            return self._list(get_args(kind)[0], value, place, name, default)
        if get_origin(kind) is Literal:
            words = get_args(kind)
            if value in words:
                return value
            self._wrong(place, f"{name} must be {' or '.join(words)}, not {_shown(value)}.")
            return ""
        allowed = (int, float) if kind is float else (kind,)
        if type(value) not in allowed or (isinstance(value, float) and not math.isfinite(value)):
            self._wrong(place, f"{name} must be {KINDS[kind]}, not {_shown(value)}.")
            return _empty(kind) if default is None else default
        return value.strip() if isinstance(value, str) else kind(value)

    def _list(self, kind: Any, value: Any, place: Place, name: str, default: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return tuple(self._value(kind, one, (*place, number), None) for number, one in enumerate(value))
        if dataclasses.is_dataclass(kind):
            said = f"{name} is a list: write [[{'.'.join(map(str, place))}]], with two brackets, above each of them."
        else:
            said = f'{name} must be a list, ["one", "another"], not {_shown(value)}.'
        self._wrong(place, said)
        return () if default is None else default


def _empty(kind: Any) -> Any:
    """Something of this shape, to read on with."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        missing = [field.name for field in dataclasses.fields(kind) if field.default is dataclasses.MISSING]
        return kind(**{name: _empty(hints[name]) for name in missing})
    if kind is float:
        return math.nan  # of which nothing is too large or too small
    return () if get_origin(kind) is tuple else "" if get_origin(kind) is Literal else kind()


def _shown(value: Any) -> str:
    """A value as TOML would write it; what is long only by its kind."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, (list, tuple)):
        return "a list"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else str(value)
