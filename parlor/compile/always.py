"""Functions that are compiled also where the rules that call them run as plain Python, because they compute much."""

from __future__ import annotations

from typing import Any

from parlor.compile.binding import native
from parlor.compile.link import Wrapped


class AlwaysCompiled(Wrapped):
    """A plain function of numbers and arrays that is called compiled; inside compiled rules it is compiled with them.

    draw = AlwaysCompiled(draw_slowly)    # at the top of a rules file
    """

    def __call__(self, *arguments: Any) -> Any:
        """Call it compiled."""
        return native(self.function)(*arguments)
