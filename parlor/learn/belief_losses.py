"""The loss of each kind of belief network."""

from __future__ import annotations

from parlor.learn.descent import Loss, belief_loss, heads_loss
from parlor.policies.beliefs import HEADS, LEARNED

LOSSES: dict[str, Loss] = {LEARNED: belief_loss, HEADS: heads_loss}
