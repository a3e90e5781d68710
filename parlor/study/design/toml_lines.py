"""Line numbers of every table, key and value in a TOML file that tomllib can read."""

from __future__ import annotations

import bisect
import re
import tomllib

#: Where something stands: keys and, in lists, numbers from 0: ("conditions", 1, "share").
Place = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"""+|\'\'\'.*?\'\'\'+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.DOTALL)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]+")


def lines_of(text: str) -> dict[Place, int]:
    """The line of every place in a TOML document, counted from 1."""
    return _Scanner(text).document()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.ends = [found.start() for found in re.finditer("\n", text)]
        self.lines: dict[Place, int] = {}
        self.counts: dict[Place, int] = {}  # tables so far in an array of tables

    def document(self) -> dict[Place, int]:
        table: Place = ()
        while self._skip():
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                self._pair(table)
        return self.lines

    def _header(self) -> Place:
        array = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 1 + array
        *parents, last = self._keys()
        self._skip()
        self.at += 1 + array
        place: Place = ()
        for key in parents:
            place = self._latest((*place, key))
        place = (*place, last)
        if array:
            count = self.counts[place] = self.counts.get(place, -1) + 1
            self._note(place, start)
            place = (*place, count)
        self._note(place, start)
        return place

    def _latest(self, place: Place) -> Place:
        """Of an array of tables, the last one so far."""
        return (*place, self.counts[place]) if place in self.counts else place

    def _pair(self, table: Place) -> None:
        start = self.at
        place = (*table, *self._keys())
        for end in range(len(table) + 1, len(place) + 1):
            self._note(place[:end], start)
        self._skip()
        self.at += 1  # =
        self._skip()
        self._value(place)

    def _keys(self) -> list[str]:
        keys = []
        while True:
            self._skip()
            found = _STRING.match(self.text, self.at) or _BARE_KEY.match(self.text, self.at)
            assert found is not None
            self.at = found.end()
            quoted = found[0][0] in "\"'"
            keys.append(tomllib.loads(f"x = {found[0]}")["x"] if quoted else found[0])
            self._skip()
            if not self.text.startswith(".", self.at):
                return keys
            self.at += 1

    def _value(self, place: Place) -> None:
        opening = self.text[self.at]
        if opening in "[{":
            self._inside(place, opening)
            return
        found = _STRING.match(self.text, self.at) or _SCALAR.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def _inside(self, place: Place, opening: str) -> None:
        """The values of a list, or the pairs of a table in braces."""
        self.at += 1
        number = 0
        while self._skip() and self.text[self.at] not in "]}":
            if opening == "{":
                self._pair(place)
            else:
                self._note((*place, number), self.at)
                self._value((*place, number))
                number += 1
            self._skip()
            self.at += self.text.startswith(",", self.at)
        self.at += 1

    def _note(self, place: Place, at: int) -> None:
        self.lines.setdefault(place, bisect.bisect_left(self.ends, at) + 1)

    def _skip(self) -> bool:
        """Go on to what is not blank; false at the end."""
        found = _BLANK.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        return self.at < len(self.text)
