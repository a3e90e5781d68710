"""A cache of the most recently used values, for many threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class LruCache(OrderedDict[Any, T]):
    """Keeps the most recently used values."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.lock = threading.Lock()

    def get_or(self, key: Any, make: Callable[[], T]) -> T:
        """The value, computed if it is missing."""
        with self.lock:
            if key in self:
                self.move_to_end(key)
                return self[key]
        made = make()
        with self.lock:
            self[key] = made
            while len(self) > self.most:
                self.popitem(last=False)
        return made
