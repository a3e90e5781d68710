"""The game that a rules module defines; see `parlor.game.game` for what is in one."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

from parlor.game.errors import GameError
from parlor.game.game import (
    HIDDEN_WORLDS,
    RULES,
    ActionHead,
    Game,
    HiddenInformation,
    HiddenWorlds,
    OwnFeatures,
    Rules,
    Words,
)
from parlor.game.schema import Field, PlainState, state_class, view_by_schema
from parlor.game.training import Training

CONSTANTS = ("PLAYERS", "ACTIONS", "OUTCOMES", "LENGTH", "ZERO_SUM", "STATE")


def from_module(module: ModuleType | SimpleNamespace, name: str, options: Mapping[str, str] | None = None) -> Game:
    """The game a rules module defines."""
    _check(module, name)

    def given(*names: str, **constants: str) -> dict[str, Any]:
        """The values in the module of these names, and of these constants under names of fields."""
        there = {**dict(zip(names, names, strict=True)), **constants}
        return {field: getattr(module, own) for field, own in there.items() if hasattr(module, own)}

    return Game(
        name=name,
        rules=Rules(*(getattr(module, rule) for rule in RULES)),
        players=module.PLAYERS,
        actions=module.ACTIONS,
        outcomes=max(module.OUTCOMES, 1),
        length=module.LENGTH,
        kind="zero-sum" if module.ZERO_SUM else getattr(module, "KIND", "general-sum"),
        new_state=state_class(module.STATE),
        view=getattr(module, "view", None) or view_by_schema(module.STATE),
        words=Words(
            title=getattr(module, "TITLE", None) or title_of(name),
            summary=(module.__doc__ or "").strip().split("\n")[0],
            **given("describe", "show", "display", "move", "table", "narrate", action_words="ACTION_WORDS"),
        ),
        hidden=HiddenInformation(worlds=_hidden_worlds(module, name), **given("secret", "unseen", "imagine", "forget")),
        training=dataclasses.replace(
            getattr(module, "TRAINING", Training()),
            **given(opponent="OPPONENT", progress="PROGRESS", pointless="POINTLESS"),
            **given(default_abstraction="DEFAULT_ABSTRACTION"),
        ),
        schema=module.STATE,
        options=options or {},
        **given("deal", "agreed"),
        **given(features="FEATURES", head="HEAD"),
        **given(payoffs="PAYOFFS", units="UNITS", abstractions="ABSTRACTIONS", poker="POKER"),
    )


def title_of(name: str) -> str:
    """The title of a game without TITLE: its name capitalized, without options and folders."""
    base = name.partition("(")[0].rpartition("/")[2].rpartition(":")[2].removesuffix(".py")
    return " ".join(word.capitalize() for word in base.replace("_", "-").split("-"))


def _check(module: ModuleType | SimpleNamespace, name: str) -> None:
    """Raise GameError if the module is no game."""
    missing = [n for n in (*RULES, *CONSTANTS) if not hasattr(module, n)]
    if missing:
        raise GameError(
            f"{name} is not a game yet: it lacks {', '.join(missing)}. "
            f"A rules file needs the functions {', '.join(RULES)} and the constants {', '.join(CONSTANTS)}."
        )
    for rule, count in zip(RULES, (1, 1, 2, 2, 2, 2, 2), strict=True):
        function = getattr(module, rule)
        if not inspect.isfunction(function):
            raise GameError(f"{name}: {rule} must be a plain function.")
        if len(inspect.signature(function).parameters) != count:
            raise GameError(f"{name}: {rule} must take {count} argument{'s' if count > 1 else ''}.")
    _check_networks(module, name)
    schema: Mapping[str, Field] = module.STATE
    if not isinstance(schema, Mapping):
        raise GameError(f"{name}: STATE must be a dictionary of fields.")
    for field, spec in schema.items():
        if hasattr(PlainState, field) or field == "player":  # which a view has anyhow
            raise GameError(f"{name}: a field of STATE cannot be called {field}; please give it another name.")
        if not isinstance(spec, Field):
            raise GameError(f"{name}: STATE[{field!r}] must be public(...), private(...) or hidden(...).")
        if spec.seen_by == "owner" and (not spec.shape or spec.shape[0] != module.PLAYERS):
            raise GameError(f"{name}: the private field {field!r} must have the players as its first dimension.")


def _check_networks(module: ModuleType | SimpleNamespace, name: str) -> None:
    """Raise GameError for FEATURES or a HEAD that cannot be."""
    own = getattr(module, "FEATURES", None)
    if own is not None and not (isinstance(own, OwnFeatures) and own.count > 0 and own.work >= 0):
        raise GameError(f"{name}: FEATURES must be parlor.game.OwnFeatures(count, fill), with at least one number.")
    head = getattr(module, "HEAD", None)
    if head is None:
        return
    if not isinstance(head, ActionHead) or len(head.parts) != module.ACTIONS:
        raise GameError(f"{name}: HEAD must be parlor.game.ActionHead(parts), with a row for each of the actions.")
    widths = {len(row) for row in head.parts}
    if len(widths) != 1 or 0 in widths or any(part < -1 for row in head.parts for part in row):
        raise GameError(f"{name}: the rows of HEAD must be of one length, with numbers of outputs, or -1 for none.")


def _hidden_worlds(module: ModuleType | SimpleNamespace, name: str) -> HiddenWorlds | None:
    """The codes that a module declares by WORLDS."""
    if not hasattr(module, "WORLDS"):
        return None
    missing = [one for one in HIDDEN_WORLDS if not inspect.isfunction(getattr(module, one, None))]
    if missing:
        raise GameError(f"{name} has WORLDS, but lacks the function {missing[0]}: see parlor.game.HiddenWorlds.")
    words = (getattr(module, one, None) for one in ("world_numbers", "describe_world"))
    return HiddenWorlds(module.WORLDS, *(getattr(module, one) for one in HIDDEN_WORLDS), *words)
