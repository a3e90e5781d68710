"""Policy heads: from a network's outputs to the logits of actions.

A game may say that an action is a tuple of parts (`parlor.game.ActionHead`): what to suggest is a suspect, a weapon and
a room, what to bid so much of this and so much of that. A network then has an output for each part, and the logit of an
action is the sum of its parts' outputs: what is learned of a suspect serves in all suggestions of it. Where the game
gives a logit besides, such as the logarithm of a probability that it has computed, one more output b is learned, and
(1 + b) times the given logit is added. Of other games the outputs are the logits of the actions themselves.

    logit(a) = sum of outputs[parts[a]] + (1 + outputs[b]) * given[a]
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
    given: bool  # whether the game gives logits
    plain: bool  # the outputs are the logits of actions: parts[a, 0] is a

    @property
    def sums(self) -> int:
        """The outputs that parts name."""
        return int(self.parts.max()) + 1

    @property
    def outputs(self) -> int:
        """All outputs that the policy uses: the multiplier of given logits is the last one, if there are any."""
        return self.sums + self.given

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
        given = declared is not None and declared.given is not None
        game.cache["head"] = PolicyHead(np.ascontiguousarray(parts, np.int64), given, declared is None)
    found: PolicyHead = game.cache["head"]
    return found


def action_logits(outputs: Any, head: PolicyHead, given: Any = None) -> Any:
    """The logits [..., A] of all actions, from a network's outputs [..., outputs or more] and what is given [..., A].

    Arrays of NumPy or of JAX, through which gradients pass. The compiled counterpart is
    `parlor.policies.opponents.action_values`.
    """
    if head.plain:
        return outputs[..., : len(head.parts)]
    logits = outputs[..., : head.sums] @ head.matrix
    if head.given:
        logits = logits + (1.0 + outputs[..., head.sums : head.sums + 1]) * given
    return logits
