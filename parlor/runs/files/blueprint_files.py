"""Blueprints on disk: their rows stay in the file, mapped into memory.

A checkpoint of a run also has the learner's table, which is needed to continue and is eight times as large. The two
newest checkpoints of a run have it; older ones are reduced to the blueprint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.poker.blueprint import Blueprint
from parlor.poker.hands.buckets import suitless_name
from parlor.runs.files.container import FileError

SMALL = ("nodes", "stride", "sizes", "code", "action", "child", "folds", "shows")


def pack(plan: Blueprint, head: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entries of the header and the arrays of a blueprint."""
    return {"cards": plan.cards, "buckets": list(plan.buckets)}, {n: getattr(plan, n) for n in (*SMALL, "play")}


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Blueprint:
    """A blueprint from its file."""
    made = head["game"], head["rules"], head["cards"], tuple(head["buckets"])
    plan = Blueprint(*made, **{name: arrays[name] for name in (*SMALL, "play")}, about=head["about"])
    if len(plan.play) != int((plan.stride * plan.sizes).sum()):
        raise FileError("its rows do not add up.")
    return plan


def suitless_rows(plan: Blueprint) -> Iterator[tuple[str, str]]:
    """A blueprint as rows of hand, flop and moves, and the probabilities of fold, call and raise (Mendes da Luz, 2025).

    Rows that were never trained are left out, and so are, as there, uniform ones.
    """
    if plan.cards != "suitless" or set(plan.action.tolist()) - {0, 1, 2}:
        raise GameError(
            f"The .csv format has hands without suits and three moves; a blueprint for {plan.game} with the card "
            f"abstraction {plan.cards} does not fit into it."
        )
    names = [[suitless_name(street, bucket) for bucket in range(plan.sizes[street])] for street in range(plan.streets)]
    stack = [(0, "")]
    while stack:
        node, line = stack.pop()
        street, actions = plan.slot(node)[1], plan.actions(node)
        chances = np.zeros((len(names[street]), 3))
        chances[:, actions] = plan.strategy(node)
        for bucket in np.flatnonzero(plan.learned(node)).tolist():
            fold, call, more = chances[bucket]
            yield f"{names[street][bucket]} {line}".strip(), f"[{fold:.2f},{call:.2f},{more:.2f}]"
        for action in reversed(actions):
            if (after := plan.after(node, action)) >= 0:
                stack.append((after, line + "fcr"[action]))
