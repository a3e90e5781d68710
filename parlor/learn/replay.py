"""Experience replay: a ring of decisions in flat arrays, filled and drawn from by compiled loops.

A decision has what its player saw and the legal actions, a bit each, the action, and the place of the same player's
next decision in that game; the last one has the payoff instead. So a transition needs no second copy of what was seen.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.game.rng import below, seed_stream

LAST = -1


class Ring(NamedTuple):
    """The arrays. N places, F features and A actions, 63 of them in a word."""

    seen: Any  # [N, ⌈F/63⌉] features
    legal: Any  # [N, ⌈A/63⌉] actions
    action: Any  # [N]
    after: Any  # [N] the place of the player's next decision, or LAST
    payoff: Any  # [N] float32, of last decisions
    count: Any  # [1] decisions ever written; the next one goes to this place, modulo N


class ReplayBatch(NamedTuple):
    """Transitions, as training reads them. K gradient steps of B."""

    seen: Any  # [K, B, F] uint8
    action: Any  # [K, B] int32
    payoff: Any  # [K, B] float32; 0 unless the game ended there
    after: Any  # [K, B, F] uint8: at the decision that it leads to; zeros if the game ended
    legal: Any  # [K, B, A] uint8, there; zeros if the game ended


def new_ring(places: int, features: int, actions: int) -> Ring:
    """An empty ring."""
    return Ring(
        np.zeros((places, -(-features // 63)), np.int64),
        np.zeros((places, -(-actions // 63)), np.int64),
        np.zeros(places, np.int64),
        np.full(places, LAST, np.int64),
        np.zeros(places, np.float32),
        np.zeros(1, np.int64),
    )


def draw_batch(
    ring: Ring, features: int, actions: int, updates: int, size: int, seed: int, number: int, steps: int = 1
) -> ReplayBatch:
    """Batch `number` of a seed: transitions drawn uniformly, each over so many decisions of its player."""
    batch = ReplayBatch(
        np.zeros((updates, size, features), np.uint8),
        np.zeros((updates, size), np.int32),
        np.zeros((updates, size), np.float32),
        np.zeros((updates, size, features), np.uint8),
        np.zeros((updates, size, actions), np.uint8),
    )
    compiler.native(fill_batch)(ring, batch, np.zeros(4, np.int64), seed, number, steps)
    return batch


def fill_batch(ring: Ring, batch: ReplayBatch, r: Any, seed: int, number: int, steps: int) -> None:
    """Draw transitions."""
    seen, legal, action, after, payoff, count = ring
    full = min(count[0], len(action))
    seed_stream(r, seed, number)
    for k in range(batch.seen.shape[0]):
        for b in range(batch.seen.shape[1]):
            i = below(r, full)
            spread(seen[i], batch.seen[k, b])
            batch.action[k, b] = action[i]
            j = after[i]
            for _ in range(1, steps):
                if j != LAST:
                    i = j
                    j = after[i]
            if j == LAST:
                batch.payoff[k, b] = payoff[i]
            else:
                spread(seen[j], batch.after[k, b])
                spread(legal[j], batch.legal[k, b])


def spread(words: Any, out: Any) -> None:
    """Bits as zeros and ones."""
    for w in range(len(words)):
        word = words[w]
        i = w * 63
        while word > 0:
            out[i] = word & 1
            word >>= 1
            i += 1


def write_decision(ring: Ring, active: Any, features: int, moves: Any, n: int, choice: int) -> int:
    """Write a decision to the next place, which is returned; it counts as the last one until another follows it."""
    seen, legal, action, after, payoff, count = ring
    i = count[0] % len(action)
    count[0] += 1
    for w in range(seen.shape[1]):
        seen[i, w] = 0
    for k in range(features):
        seen[i, active[k] // 63] |= 1 << (active[k] % 63)
    for w in range(legal.shape[1]):
        legal[i, w] = 0
    for k in range(n):
        legal[i, moves[k] // 63] |= 1 << (moves[k] % 63)
    action[i] = moves[choice]
    after[i] = LAST
    payoff[i] = 0.0
    return i
