"""A mistake: in which file, what stands there, what is planted instead, and the tests that should notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """A small mistake somebody might make. `old` stands in the file exactly once."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def planted(self, text: str) -> str:
        """The file with the mistake in it."""
        if text.count(self.old) != 1:
            raise ValueError(
                f"{self.name}: {self.file} has {self.old!r} {text.count(self.old)} times; it must stand there once."
            )
        return text.replace(self.old, self.new)


def of(file: str, *rows: tuple[str, str, str, str]) -> list[Mistake]:
    """Several mistakes of one file: name, old, new, tests in a line."""
    return [Mistake(name, f"parlor/{file}", old, new, tuple(tests.split())) for name, old, new, tests in rows]
