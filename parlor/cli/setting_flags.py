"""Command line flags made from the settings of algorithms: one for each name, whoever has a setting of that name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import tyro

from parlor.game.parameters import Parameter

#: Settings of one flag, each with the algorithm that has it; empty: the command itself.
Owners = Sequence[tuple[str, Parameter]]


def flag_of(one: Parameter) -> str:
    """The flag of a setting, as a Python name; what is on by default is switched off."""
    return one.flag or (f"no_{one.name}" if one.default is True else one.name)


def flag_field(flag: str, owners: Owners, text: str, metavar: str = "") -> tuple[str, Any, Any]:
    """A field of a dataclass of flags: its name, its type with its help, its default."""
    kind = owners[0][1].type if owners else str
    names = {int: "N", float: "X", tuple: "N" if owners and owners[0][1].items is int else "AGENT", str: "NAME"}
    shown = tyro.conf.arg(metavar=metavar or names.get(kind), help=text, help_behavior_hint="")
    if kind is bool:
        return flag, Annotated[bool, tyro.conf.arg(help=text, help_behavior_hint="")], False
    types: dict[type, Any] = {int: int | None, float: float | None, tuple: tuple[str, ...] | None}
    return flag, Annotated[types.get(kind, str | None), shown], None


def help_of(owners: Owners, words: Sequence[str] = (), usual: Sequence[tuple[str, Any]] = ()) -> str:
    """Return a setting's help: its meaning, its possible values and its defaults, for each algorithm that has it.

    `words` are what it may be, if the setting does not say; `usual` are more defaults, by algorithm.
    """
    one = owners[0][1]
    words = words or [word for word in one.words if word]
    said = f"do not {one.help}" if one.default is True else one.help
    if words and not all(word in said for word in words):
        said += f": {', '.join(words)}"
    said += "".join(f"; of {whose}: {each.help}" for whose, each in owners if each.help != one.help)
    whose = [(f"of {owner} " if owner else "", each.default) for owner, each in owners]
    whose += [(f"of {owner} ", value) for owner, value in usual]
    defaults = [f"{of}{_shown(value)}" for of, value in whose if value not in ("", ())]
    if one.type is bool or not defaults:
        defaults = [of.strip() for of, _ in whose if of]
    told = ", ".join(defaults)
    return f"{said[0].upper()}{said[1:]}." + (f" {told[0].upper()}{told[1:]}." if told else "")


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return " ".join(map(_shown, value))
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)
