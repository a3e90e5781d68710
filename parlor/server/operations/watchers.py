"""Events for those who wait for news of something."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator

from parlor.server.refusal import Refusal


class Watchers:
    """Whoever watches something, by its id: a seat, or None, may do so several times."""

    def __init__(self, too_many: str) -> None:
        """`too_many` is what those are told who may not watch as well."""
        self.too_many = too_many
        self._watchers: dict[str, list[tuple[int | None, asyncio.Event]]] = {}

    def notify(self, id: str) -> None:
        """Wake those who watch."""
        for _, watcher in self._watchers.get(id, ()):
            watcher.set()

    @contextlib.contextmanager
    def watching(self, id: str, viewer: int | None, most: int) -> Iterator[asyncio.Event]:
        """Within this, the event is set whenever something happens; at most so many of a viewer."""
        watchers = self._watchers.setdefault(id, [])
        if Counter(one for one, _ in watchers)[viewer] >= most:
            raise Refusal(429, self.too_many)
        entry = (viewer, asyncio.Event())
        watchers.append(entry)
        try:
            yield entry[1]
        finally:
            watchers.remove(entry)
            if not watchers:
                self._watchers.pop(id, None)
