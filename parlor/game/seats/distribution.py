"""Distributions over moves: checked, and drawn from. Every agent's answer goes through here.

Probabilities are finite, not negative, sum to 1, and are given to legal moves only. Any other answer is
an error that names the agent: nothing is repaired silently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from parlor.game.errors import AgentError
from parlor.game.rng import choose

TOLERANCE = 1e-6  # of the sum
MAX_LISTED = 12  # moves that are listed one by one


def check_distribution(chances: Mapping[str, float], legal: Sequence[str], who: str) -> dict[str, float]:
    """The probabilities that `who` gave, in the order of the legal moves."""
    for name in chances:
        if name not in legal:
            raise AgentError(
                f"{who} gave a probability to {name!r}, which cannot be played here; legal moves: {_listed(legal)}."
            )
    names = [name for name in legal if name in chances]
    check_probabilities([chances[name] for name in names], names.__getitem__, who)
    return {name: float(chances[name]) for name in names}


def check_probabilities(chances: Sequence[float], name: Callable[[int], str], who: str) -> None:
    """Raise AgentError unless the numbers that `who` gave are probabilities; `name(i)` is the move at `i`."""
    total = 0.0
    for i, chance in enumerate(chances):
        if not is_number(chance) or not 0.0 <= chance < 1e300:  # whose sums are finite
            raise AgentError(f"{who} gave {name(i)!r} the probability {chance!r}, which must be a number from 0 to 1.")
        total += chance
    if not abs(total - 1.0) <= TOLERANCE:
        given = ", ".join(f"{name(i)} {chance:g}" for i, chance in enumerate(chances[:6]))
        more = ", …" if len(chances) > 6 else ""
        raise AgentError(f"{who} gave probabilities that sum to {total:.6g}, not to 1: {given or 'none'}{more}.")


def is_number(value: object) -> bool:
    """Whether a value is a real number, of NumPy too."""
    return hasattr(value, "__float__") and not isinstance(value, str | bool) and not hasattr(value, "__len__")


def draw_move(chances: Mapping[str, float], stream: list[int]) -> str:
    """One of the moves; with only one, no random number is used."""
    names = list(chances)
    return names[choose(stream, list(chances.values()), len(names)) if len(names) > 1 else 0]


def _listed(names: Sequence[str]) -> str:
    rest = f", and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
    return ", ".join(names[:MAX_LISTED]) + rest
