"""The options of an agent that are tuned: the range and the scale of each, and the agent that has given values.

An optimiser sees places from 0 to 1, one for each option. What is played is always the agent that its name says: values
are rounded to about four digits of their range, whole numbers to whole ones, before they are tried.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parlor.agents.registry import AGENTS
from parlor.game import Game, GameError
from parlor.game.loading.registry import is_python, split
from parlor.game.parameters import Parameter
from parlor.game.seats.python_agent import PythonAgent, load_mind

DIGITS = 4
FLOOR = 1000.0  # on a logarithmic scale from 0, values below the highest divided by this are alike

Point = list[float]  # a place from 0 to 1 for each option


class TunedParameter(Parameter):
    """A number that is tuned: its default is the start of the search, its range the scale."""

    @property
    def start(self) -> float:
        """The start of the search."""
        return float(self.default)

    @property
    def grid(self) -> float:
        """The distance between two whole numbers, as places; 0 if there is none."""
        low, high = self.bounds
        return 1.0 / (high - low) if self.type is int and not self.log else 0.0

    @property
    def _raised(self) -> float:
        """The offset added to values before logarithms are taken."""
        low, high = self.bounds
        return high / FLOOR if low == 0.0 else 0.0

    def place(self, value: float) -> float:
        """The place of a value on the scale from 0 to 1."""
        low, high = self.bounds
        if self.log:
            low, high, value = (math.log(x + self._raised) for x in (low, high, value))
        return (value - low) / (high - low)

    def value(self, place: float) -> float:
        """The value at a place, rounded as it is written."""
        place = min(max(place, 0.0), 1.0)
        first, last = self.bounds
        if self.log:
            low, high = (math.log(x + self._raised) for x in (first, last))
            value = math.exp(low + place * (high - low)) - self._raised
        else:
            value = first + place * (last - first)
        return min(max(self._rounded(value), first), last)

    def _rounded(self, value: float) -> float:
        low, high = self.bounds
        if self.type is int:
            return float(round(value))
        if self.log and value > self._raised / FLOOR:
            return float(f"{value:.{DIGITS}g}")
        return round(value, max(DIGITS - math.floor(math.log10(high - low)), 0))


@dataclass(frozen=True)
class TunedAgent:
    """An agent and the options of it that are tuned; the others keep their values."""

    base: str
    fixed: Mapping[str, str]
    options: tuple[TunedParameter, ...]

    @property
    def start(self) -> Point:
        """The start of the search."""
        return [option.place(option.start) for option in self.options]

    def values(self, point: Sequence[float]) -> dict[str, float]:
        """The values at a point."""
        return {option.name: option.value(place) for option, place in zip(self.options, point, strict=True)}

    def name(self, point: Sequence[float]) -> str:
        """The agent with the values at a point, by the name it can be made from."""
        values = {name: f"{value:.10g}" for name, value in self.values(point).items()}
        return f"{self.base}({','.join(f'{key}={value}' for key, value in {**self.fixed, **values}.items())})"


def tuned_agent(text: str, game: Game, wanted: Sequence[str] = ()) -> TunedAgent:
    """The agent that a text names, with the options that are wanted, or with all of its numbers.

    An option is wanted by its name, `rent`, perhaps with a range, `rent=0:10`, and a scale, `rent=0.1:10:log`. What the
    text itself gives is where the search for a wanted option begins; otherwise it is fixed.
    """
    base, given = _split(text)
    settings = _settings(base, game)
    ranges = dict(_range(item) for part in wanted for item in part.split(",") if item.strip())
    for name in (*given, *ranges):
        if settings is not None and name not in settings:
            raise GameError(f"{base} has no option {name!r}; it has: {', '.join(settings) or 'none'}.")
    if settings is None:  # somebody's own code, which does not say what its options may be
        if not ranges or not all(bounds for bounds, _ in ranges.values()):
            raise GameError(f"{base} does not say what its options may be: write --options NAME=LOW:HIGH.")
        own = defaults(base)
        options = [_of_python(base, name, *found, given.get(name, own.get(name))) for name, found in ranges.items()]
    else:
        names = list(ranges) or [key for key, one in settings.items() if one.tunable and key not in given]
        if not names:
            raise GameError(
                f"{base} has no option that is a number in a range{' left' * bool(given)}, so nothing can be tuned."
            )
        options = [_of_setting(settings[name], *ranges.get(name, (None, False)), given.get(name)) for name in names]
    tuned = {option.name for option in options}
    return TunedAgent(base, {key: value for key, value in given.items() if key not in tuned}, tuple(options))


def _split(text: str) -> tuple[str, dict[str, str]]:
    if not is_python(text):
        return split(text)
    where, _, rest = text.strip().rpartition(":")
    name, given = split(rest)
    return f"{where}:{name}", given


def _settings(base: str, game: Game) -> Mapping[str, Parameter] | None:
    """The declared options of an agent; None of somebody's own code."""
    if is_python(base):
        return None
    if base not in AGENTS:
        able = [
            name for name, row in AGENTS.items() if row.plays(game) and any(s.tunable for s in row.settings.values())
        ]
        raise GameError(f"There is no agent {base!r} to tune; at {game.name} there are {', '.join(able) or 'none'}.")
    return AGENTS[base].settings


def _range(text: str) -> tuple[str, tuple[tuple[float, float] | None, bool]]:
    """A wanted option: its name, its range if that is given, and whether its scale is logarithmic."""
    name, equals, written = (part.strip() for part in text.partition("="))
    if not equals:
        return name, (None, False)
    low, colon, rest = written.partition(":")
    high, _, scale = rest.partition(":")
    try:
        bounds = float(low), float(high)
    except ValueError:
        bounds = math.nan, math.nan
    if not colon or scale not in ("", "log") or not all(map(math.isfinite, bounds)):
        raise GameError(f"A range is written like {name}=0:10 or {name}=0.1:10:log, not {text.strip()!r}.")
    if bounds[0] >= bounds[1]:
        raise GameError(f"The range of {name} must go from low to high, not from {bounds[0]:g} to {bounds[1]:g}.")
    if scale and bounds[0] < 0.0:
        raise GameError(f"{name} has negative values in its range, so it cannot have a logarithmic scale.")
    return name, (bounds, bool(scale))


def _of_setting(setting: Parameter, bounds: tuple[float, float] | None, log: bool, given: str | None) -> TunedParameter:
    if not setting.tunable:
        raise GameError(f"{setting.name} is not a number in a range, so it cannot be tuned.")
    first, last = setting.bounds
    low, high = bounds or setting.bounds
    if low < first or high > last:
        raise GameError(f"The range of {setting.name} must lie between {first:g} and {last:g}, not {low:g}:{high:g}.")
    start = setting.default if given is None else setting.parse(given)
    log = log or (setting.log and low >= 0.0)
    return TunedParameter(setting.type(min(max(start, low), high)), setting.help, low, high, name=setting.name, log=log)


def _of_python(
    base: str, name: str, bounds: tuple[float, float] | None, log: bool, given: str | None
) -> TunedParameter:
    assert bounds is not None
    low, high = bounds
    if given is None:
        raise GameError(f"{base} gives {name} no value of its own: write where to start, {base}({name}={low:g}).")
    try:
        start = float(given)
    except ValueError:
        raise GameError(f"{name} must be a number, not {given!r}.") from None
    if not low <= start <= high:
        raise GameError(
            f"{name} is {start:g}, where the search would start, and that is outside of {low:g}:{high:g}: give another "
            f"range, or another start, {base}({name}={low:g})."
        )
    return TunedParameter(start, "", low, high, name=name, log=log)


def defaults(base: str) -> dict[str, str]:
    """The numbers that somebody's own code has for its options where it is not told others."""
    loaded = load_mind(base)
    made = isinstance(loaded, PythonAgent)
    known = inspect.signature(loaded.mind if made else loaded).parameters
    found = {name: option.default for name, option in known.items()}
    found |= dict(loaded.options) if made else {}
    numbers = {name: value for name, value in found.items() if isinstance(value, int | float)}
    return {name: repr(float(value)) for name, value in numbers.items()}
