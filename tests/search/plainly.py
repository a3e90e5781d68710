"""What tests by hand share: Pledges, a game whose numbers are known, and kernels that run as plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor import compile as compiler
from parlor.compile import AlwaysCompiled, binding
from parlor.game import Game, Position
from parlor.game.loading import load
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import tree

PLEDGES = load(str(Path(__file__).with_name("pledges.py")))
CARDS = {0: (1, 2), 1: (1, 2, 3)}  # of each player


class States(list[Any]):
    """Plain states that can be chosen by an array of numbers, as records can."""

    def __getitem__(self, which: Any) -> Any:
        return (
            States(list.__getitem__(self, int(i)) for i in which) if np.ndim(which) else list.__getitem__(self, which)
        )


bind, bound = compiler.interpret, dict[Any, Callable[..., Any]]()


def interpret(entry: Callable[..., Any], game: Game, extra: Any = None) -> Callable[..., Any]:
    """What `parlor.compile.interpret` returns; each kernel is bound once."""
    which = entry, id(game), frozenset((extra or {}).items())
    if which not in bound:
        bound[which] = bind(entry, game, extra)
    return bound[which]


def interpreted(entry: Callable[..., Any], game: Game | None = None, extra: Any = None) -> Callable[..., Any]:
    """What `parlor.compile.native` returns, as plain Python."""
    return entry if game is None else interpret(entry, game, extra)


def plain_states(game: Game, count: int, compiled: bool) -> Any:
    """What `parlor.compile.states` returns, for plain Python."""
    return States(game.new_state() for _ in range(count))


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled: kernels are plain functions."""
    for module in (compiler, binding):
        monkeypatch.setattr(module, "native", interpreted)
        monkeypatch.setattr(module, "states", plain_states)
        monkeypatch.setattr(module, "interpret", interpret)
    monkeypatch.setattr(AlwaysCompiled, "__call__", lambda self, *arguments: self.function(*arguments))


def dealt(first: int, second: int, *moves: int) -> Position:
    """A position of Pledges: the cards of both, and what they have chosen."""
    return PLEDGES.start().after(first - 1, second - 1, *moves)


def pledging(
    opening: Mapping[int, float], answer: Mapping[int, float], last: Sequence[float] = (1 / 3, 1 / 3, 1 / 3)
) -> Policy:
    """By the card, how likely player 0 begins with 2 and player 1 answers with 2; and the three last moves."""
    t, rows = tree(PLEDGES), list[float]()
    for i, count in enumerate(t.counts.tolist()):
        position = PLEDGES.start().after(*t.trail[t.trail_begin[i] : t.trail_begin[i] + t.trail_length[i]].tolist())
        card = position.view(position.turn).card
        if count == 2:
            chance = (answer if position.turn else opening)[card]
            rows += [1.0 - chance, chance]
        else:
            rows += [1.0] if count == 1 else last
    return Policy.from_rows(PLEDGES, t.keys, t.counts, np.array(rows))


def always(opening: int, answer: int, last: int) -> Policy:
    """Whatever is dealt, these three moves."""
    rows = dict.fromkeys((1, 2, 3), float(opening == 2)), dict.fromkeys((1, 2, 3), float(answer == 2))
    return pledging(*rows, [float(move == last) for move in range(3)])
