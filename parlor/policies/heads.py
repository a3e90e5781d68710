"""Policy heads: from a network's outputs to the logits of actions.

A game may say that an action is a tuple of parts (`parlor.game.ActionHead`): what to suggest is a suspect, a weapon and
a room, what to bid so much of this and so much of that. A network then has an output for each part, and the logit of an
action is the sum of its parts' outputs: what is learned of a suspect serves in all suggestions of it. Where the game
gives logits besides, such as the logarithm of a probability that it has computed, or what a trade brings each side, one
more output b is learned for each of these terms, and (1 + b) times the given logit is added. Of other games the outputs
are the logits of the actions themselves.

    logit(a) = sum of outputs[parts[a]] + sum over k of (1 + outputs[b[k]]) * given[a, k]
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor.game import Game


@dataclass(frozen=True, eq=False)
class PolicyHead:
    """The head of networks for one game. A actions of H parts."""

    parts: npt.NDArray[np.int64]  # [A, H] outputs; -1: none
    terms: int  # K logits that the game gives of each action
    plain: bool  # the outputs are the logits of actions: parts[a, 0] is a

    @property
    def sums(self) -> int:
        """The outputs that parts name."""
        return int(self.parts.max()) + 1

    @property
    def outputs(self) -> int:
        """All outputs that the policy uses: the multipliers of given logits are the last ones, if there are any."""
        return self.sums + self.terms

    @cached_property
    def matrix(self) -> npt.NDArray[np.float32]:
        """[outputs that parts name, A] how often an output is a part of an action."""
        made = np.zeros((self.sums, len(self.parts)), np.float32)
        actions, places = np.nonzero(self.parts >= 0)
        np.add.at(made, (self.parts[actions, places], actions), 1.0)
        return made


def policy_head(game: Game) -> PolicyHead:
    """The head of networks that use what a game declares for them; cached."""
    if "head" not in game.cache:
        declared = game.head
        parts = np.arange(game.actions)[:, None] if declared is None else np.array(declared.parts, np.int64)
        terms = declared.terms if declared is not None and declared.given is not None else 0
        game.cache["head"] = PolicyHead(np.ascontiguousarray(parts, np.int64), terms, declared is None)
    found: PolicyHead = game.cache["head"]
    return found


def action_logits(outputs: Any, head: PolicyHead, given: Any = None) -> Any:
    """The logits [..., A] of all actions, from the outputs [..., outputs or more] of a network and what is given.

    Arrays of NumPy or of JAX, through which gradients pass; `given` is [..., A × K]. The compiled counterpart is
    `parlor.policies.opponents.action_values`.
    """
    if head.plain:
        return outputs[..., : len(head.parts)]
    logits = outputs[..., : head.sums] @ head.matrix
    for k in range(head.terms):
        logits = logits + (1.0 + outputs[..., head.sums + k : head.sums + k + 1]) * given[..., k :: head.terms]
    return logits
