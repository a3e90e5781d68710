"""Gradient steps a second on this machine's device, and whether the loss goes down.

Games are played where Numba is, and their transitions saved: `python benchmarks/network_training.py --play FILE.npz`.
Training needs JAX and Optax only, so that it can run on another machine, for example one with a GPU:
`python benchmarks/network_training.py --train FILE.npz [--layers 128 128] [--batch 256] [--updates 64]`; without a
file, on made-up transitions whose payoffs are a sum of features. The last line is JSON: the device, steps a second, and
the loss before and after.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np

from parlor.learn.nets import initial_weights, shape
from parlor.learn.replay import Batch
from parlor.learn.training import Trainer, libraries

GAME, GAMES, KEPT = "leduc", 40_000, 50_000


def play(path: str) -> None:
    """Random games, as transitions."""
    from parlor.games import load
    from parlor.learn.dqn import Dqn
    from parlor.learn.replay import draw_batch
    from parlor.learn.settings import DqnSettings

    game = load(GAME)
    dqn = Dqn(game, DqnSettings(explore=1.0, explore_end=1.0, round=10 * GAMES), 1)
    dqn.run_to(GAMES)
    batch = draw_batch(dqn.ring, dqn.sizes[0], game.actions, 1, KEPT, 1, 0)
    np.savez_compressed(path, **{name: array[0] for name, array in batch._asdict().items()})


def made_up() -> Batch:
    """Transitions of one decision each."""
    random = np.random.default_rng(1)
    seen, weights = random.random((KEPT, 88)) < 0.2, random.normal(size=88) / 4.0
    action, nothing = random.integers(3, size=KEPT), np.zeros((KEPT, 88), np.uint8)
    payoff = (seen @ weights * (action - 1)).astype(np.float32)
    return Batch(seen.astype(np.uint8), action.astype(np.int32), payoff, nothing, nothing[:, :3])


def train(path: str, layers: tuple[int, ...], size: int, updates: int, rounds: int) -> dict[str, Any]:
    """Train on what was played; the first round, which compiles, is not timed."""
    jax, _ = libraries()
    whole = made_up()
    if path:
        with np.load(path) as arrays:
            whole = Batch(**{name: arrays[name] for name in Batch._fields})
    sizes = shape(whole.seen.shape[1], layers, whole.legal.shape[1])
    trainer = Trainer(sizes, initial_weights(sizes, 1), 100)
    random, losses, began = np.random.default_rng(1), list[float](), 0.0
    for number in range(rounds + 1):
        rows = random.integers(len(whole.action), size=(updates, size))
        losses.append(trainer.train(Batch(*(array[rows] for array in whole)), 0.001))
        if not number:
            began = time.perf_counter()
    seconds = time.perf_counter() - began
    return {
        "device": str(jax.devices()[0]), "jax": jax.__version__, "layers": list(layers), "batch": size,
        "steps_per_s": rounds * updates / seconds, "loss_first": losses[0], "loss_last": losses[-1],
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--play", metavar="FILE")
    parser.add_argument("--train", metavar="FILE", nargs="?", const="")
    parser.add_argument("--layers", type=int, nargs="*", default=[128, 128])
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--updates", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    if options.play:
        play(options.play)
    if options.train is not None:
        found = train(options.train, tuple(options.layers), options.batch, options.updates, options.rounds)
        print(json.dumps(found))


if __name__ == "__main__":
    main()
