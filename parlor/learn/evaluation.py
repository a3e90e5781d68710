"""Policy-value networks at the leaves of searches: features to logits and values, by NumPy or by JAX.

Without either, a search computes them inside its own compiled loop, which on a CPU is fastest for small networks.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from parlor.learn.training import libraries
from parlor.policies.nets import Weights, apply

NATIVE, NUMPY, JAX = WAYS = ("native", "numpy", "jax")

#: From features [B, F] to logits [B, actions] and values [B], in points of payoff.
Evaluate = Callable[[Any], tuple[Any, Any]]


def evaluation(sizes: tuple[int, ...], weights: Weights, scale: float, way: str) -> Evaluate | None:
    """A function for searches; None if they need none. JAX computes on a GPU, if it finds one."""
    if way == NATIVE:
        return None
    if way == NUMPY:

        def evaluate(seen: Any) -> tuple[Any, Any]:
            outputs = apply(sizes, weights, seen)
            return outputs[:, :-1], outputs[:, -1] * scale

        return evaluate
    jax, _ = libraries()
    there, compute = jax.numpy.asarray(weights), _compiled(sizes)

    def evaluate_by_jax(seen: Any) -> tuple[Any, Any]:
        rows = 1 << max(len(seen) - 1, 0).bit_length()  # few different sizes, each of which is compiled
        padded = np.zeros((rows, seen.shape[1]), bool)
        padded[: len(seen)] = seen
        outputs = np.asarray(compute(there, padded))[: len(seen)]
        return outputs[:, :-1], outputs[:, -1] * scale

    return evaluate_by_jax


@functools.lru_cache(maxsize=32)
def _compiled(sizes: tuple[int, ...]) -> Any:
    jax, _ = libraries()
    return jax.jit(lambda weights, seen: apply(sizes, weights, seen.astype(jax.numpy.float32)))
