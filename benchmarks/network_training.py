"""Gradient steps a second on this machine's device, and whether the loss goes down.

Games are played where Numba is, and their transitions saved: `python benchmarks/network_training.py --play FILE.npz`.
Training needs JAX and Optax only, so that it can run on another machine, for example one with a GPU:
`python benchmarks/network_training.py --train FILE.npz [--layers 128 128] [--batch 256] [--updates 64]`; without a
file, on made-up transitions whose payoffs are a sum of features. The last line is JSON: the device, steps a second, and
the loss before and after.

`--play-search FILE.npz` saves what approximate best responses learn from instead, policy, value and belief at Deal or
No Deal; `--train` then takes their steps, and says besides how many leaves of searches are evaluated a second.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from parlor.learn.experience import ReplayBatch
from parlor.learn.gradients import DqnTrainer, LossTrainer, belief_loss, libraries, policy_value_loss
from parlor.learn.network_search import JAX, evaluation
from parlor.policies.nets import initial_weights, shape

GAME, GAMES, KEPT = "leduc", 40_000, 50_000
SEARCHED, SEARCHES = "deal-or-no-deal", 1_000  # games with searches
KINDS = ("policy_value", "belief")
LEAVES = 4096  # in a batch


def play(path: str) -> None:
    """Random games, as transitions."""
    from parlor.game.loading import load
    from parlor.learn.dqn import Dqn, DqnSettings
    from parlor.learn.experience import draw_batch

    game = load(GAME)
    dqn = Dqn(game, DqnSettings(explore=1.0, explore_end=1.0, round=10 * GAMES), 1)
    dqn.run_to(GAMES)
    batch = draw_batch(dqn.ring, dqn.sizes[0], game.actions, 1, KEPT, 1, 0)
    np.savez_compressed(path, **{name: array[0] for name, array in batch._asdict().items()})


def play_search(path: str) -> None:
    """What searches against uniform play have found, as one batch for each network."""
    from parlor.game.loading import load
    from parlor.learn.abr import Abr
    from parlor.learn.abr_settings import AbrSettings
    from parlor.learn.buffers import draw_batches
    from parlor.policies.opponents import against_all
    from parlor.policies.policy import Policy

    game = load(SEARCHED)
    abr = Abr(game, AbrSettings(), 1, against_all(game, [Policy.uniform(game)]))
    abr.run_to(SEARCHES)
    kinds = draw_batches(abr.buffers, abr.bits, 1, KEPT // 2, 1, 0)
    found = {
        f"{kind}.{name}": array[0] for kind, batch in zip(KINDS, kinds, strict=True) for name, array in batch.items()
    }
    np.savez_compressed(path, **found)


def train_search(
    arrays: Mapping[str, Any], layers: tuple[int, ...], size: int, updates: int, rounds: int
) -> dict[str, Any]:
    """Train both networks on what was found; the first round, which compiles, is not timed."""
    jax, _ = libraries()
    answer: dict[str, Any] = {"device": str(jax.devices()[0]), "jax": jax.__version__, "layers": list(layers)}
    for kind, loss, last in zip(KINDS, (policy_value_loss, belief_loss), ("legal", "possible"), strict=True):
        whole = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{kind}.")}
        sizes = shape(whole["seen"].shape[1], layers, whole[last].shape[1] + (kind == KINDS[0]))
        network = LossTrainer(loss, sizes, initial_weights(sizes, 1))
        random, losses, began = np.random.default_rng(1), list[float](), 0.0
        for number in range(rounds + 1):
            rows = random.integers(len(whole["seen"]), size=(updates, size))
            losses.append(network.train({name: array[rows] for name, array in whole.items()}, 0.001))
            if not number:
                began = time.perf_counter()
        seconds = time.perf_counter() - began
        answer[f"{kind}_steps_per_s"] = rounds * updates / seconds
        answer[f"{kind}_loss"] = [losses[0], losses[-1]]
        if kind == KINDS[0]:
            evaluate = evaluation(sizes, network.weights, 1.0, JAX)
            assert evaluate is not None
            leaves = whole["seen"][:LEAVES].astype(bool)
            evaluate(leaves)
            began = time.perf_counter()
            for _ in range(rounds):
                evaluate(leaves)
            answer["leaves_per_s"] = rounds * len(leaves) / (time.perf_counter() - began)
    return answer


def made_up() -> ReplayBatch:
    """Transitions of one decision each."""
    random = np.random.default_rng(1)
    seen, weights = random.random((KEPT, 88)) < 0.2, random.normal(size=88) / 4.0
    action, nothing = random.integers(3, size=KEPT), np.zeros((KEPT, 88), np.uint8)
    payoff = (seen @ weights * (action - 1)).astype(np.float32)
    return ReplayBatch(seen.astype(np.uint8), action.astype(np.int32), payoff, nothing, nothing[:, :3])


def train(path: str, layers: tuple[int, ...], size: int, updates: int, rounds: int) -> dict[str, Any]:
    """Train on what was played; the first round, which compiles, is not timed."""
    jax, _ = libraries()
    whole = made_up()
    if path:
        with np.load(path) as arrays:
            if f"{KINDS[0]}.seen" in arrays:
                return train_search(dict(arrays), layers, size, updates, rounds)
            whole = ReplayBatch(**{name: arrays[name] for name in ReplayBatch._fields})
    sizes = shape(whole.seen.shape[1], layers, whole.legal.shape[1])
    trainer = DqnTrainer(sizes, initial_weights(sizes, 1), 100)
    random, losses, began = np.random.default_rng(1), list[float](), 0.0
    for number in range(rounds + 1):
        rows = random.integers(len(whole.action), size=(updates, size))
        losses.append(trainer.train(ReplayBatch(*(array[rows] for array in whole)), 0.001))
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
    parser.add_argument("--play-search", metavar="FILE")
    parser.add_argument("--train", metavar="FILE", nargs="?", const="")
    parser.add_argument("--layers", type=int, nargs="*", default=[128, 128])
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--updates", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    if options.play:
        play(options.play)
    if options.play_search:
        play_search(options.play_search)
    if options.train is not None:
        found = train(options.train, tuple(options.layers), options.batch, options.updates, options.rounds)
        print(json.dumps(found))


if __name__ == "__main__":
    main()
