"""Functions that are compiled also where the rules that call them run as plain Python, because they compute much."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class AlwaysCompiled:
    """A plain function of numbers and arrays that is called compiled; inside compiled rules it is compiled with them.

    draw = AlwaysCompiled(draw_slowly)    # at the top of a rules file
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __call__(self, *arguments: Any) -> Any:
        """Call it compiled."""
        from parlor.compile.binding import native

        return native(self.function)(*arguments)
