"""The replay buffers of an approximate best response: three in flat arrays, the latest entries of each.

States of the learner with what came of them, its decisions with the visits of a search, and its decisions with what was
hidden from it: every gradient step draws a batch from each (Li et al., 2023, appendix D). Features, legal actions and
possible codes are bits, 63 of them in a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile.kernel import Float32Array, FloatArray, IntArray
from parlor.game import Ints
from parlor.game.rng import below, seed_stream
from parlor.learn.experience import pack, spread

MAX_VISITS = (1 << 16) - 1


class Buffers(NamedTuple):
    """N places in each buffer; F features, A actions and C codes in words of 63 bits."""

    states: Any  # [N, ⌈F/63⌉] what the learner saw
    target: Any  # [N] float32: what came of it, as it is backed up
    game: Any  # [N] the game of the round it was written in, until that is over
    decisions: Any  # [N, ⌈F/63⌉] what it saw when it searched
    legal: Any  # [N, ⌈A/63⌉]
    visits: Any  # [N, A] uint16
    possible: Any  # [N, ⌈C/63⌉] codes of what could be hidden then
    code: Any  # [N] what was hidden
    count: Any  # [2] states and decisions ever written


STATES, DECISIONS = 0, 1


def words(bits: int) -> int:
    """The number of words with room for so many bits."""
    return max(-(-bits // 63), 1)


def new_buffers(places: int, features: int, actions: int, codes: int) -> Buffers:
    """Empty ones."""

    def bits(count: int) -> Any:
        return np.zeros((places, words(count)), np.int64)

    return Buffers(
        bits(features),
        np.zeros(places, np.float32),
        np.full(places, -1, np.int64),
        bits(features),
        bits(actions),
        np.zeros((places, actions), np.uint16),
        bits(codes),
        np.zeros(places, np.int64),
        np.zeros(2, np.int64),
    )


def write_state(buffers: Buffers, active: IntArray, count: int, game: int) -> None:
    """Write the features of a state of a game of the round; its target comes when the game is over."""
    i = buffers.count[STATES] % len(buffers.target)
    buffers.count[STATES] += 1
    pack(active, count, buffers.states[i])
    buffers.game[i] = game


def write_value(buffers: Buffers, active: IntArray, count: int, target: float) -> None:
    """Write the features of a state with its target, a value that is known already."""
    i = buffers.count[STATES] % len(buffers.target)
    buffers.count[STATES] += 1
    pack(active, count, buffers.states[i])
    buffers.target[i] = target
    buffers.game[i] = -1


def write_decision(
    buffers: Buffers,
    active: IntArray,
    count: int,
    moves: IntArray,
    n: int,
    visits: IntArray,
    codes: IntArray,
    m: int,
    code: int,
) -> None:
    """A decision after a search: `n` legal moves, visits of all actions; of the `m` possible codes, the true one."""
    i = buffers.count[DECISIONS] % len(buffers.code)
    buffers.count[DECISIONS] += 1
    pack(active, count, buffers.decisions[i])
    pack(moves, n, buffers.legal[i])
    pack(codes, m, buffers.possible[i])
    for a in range(buffers.visits.shape[1]):
        buffers.visits[i, a] = 0
    for k in range(n):
        buffers.visits[i, moves[k]] = min(visits[moves[k]], MAX_VISITS)
    buffers.code[i] = code


def settle(buffers: Buffers, returns: FloatArray | Float32Array) -> None:
    """The round is over: what came of each of its games."""
    for i in range(len(buffers.game)):
        if buffers.game[i] >= 0:
            buffers.target[i] = returns[buffers.game[i]]
            buffers.game[i] = -1


class BufferSizes(NamedTuple):
    """The number of bits of each kind."""

    features: int
    actions: int
    codes: int


class SearchBatches(NamedTuple):
    """Batches of all three buffers. K gradient steps of B."""

    seen: Any  # [K, B, F] uint8
    target: Any  # [K, B] float32
    decisions: Any  # [K, B, F] uint8
    legal: Any  # [K, B, A] uint8
    shares: Any  # [K, B, A] float32, of visits
    hidden_from: Any  # [K, B, F] uint8: what the learner saw
    possible: Any  # [K, B, C] uint8
    code: Any  # [K, B] int32


def draw_batches(
    buffers: Buffers, sizes: BufferSizes, updates: int, batch: int, seed: int, number: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Batches `number` of a seed, for the policy-value network and for the belief network."""

    def bits(count: int) -> npt.NDArray[np.uint8]:
        return np.zeros((updates, batch, count), np.uint8)

    made = SearchBatches(
        seen=bits(sizes.features),
        target=np.zeros((updates, batch), np.float32),
        decisions=bits(sizes.features),
        legal=bits(sizes.actions),
        shares=np.zeros((updates, batch, sizes.actions), np.float32),
        hidden_from=bits(sizes.features),
        possible=bits(sizes.codes),
        code=np.zeros((updates, batch), np.int32),
    )
    compiler.native(fill_batches)(buffers, made, np.zeros(4, np.int64), seed, number)
    arrays = made._asdict()
    hidden = {"seen": arrays.pop("hidden_from"), "possible": arrays.pop("possible"), "code": arrays.pop("code")}
    return arrays, hidden


def fill_batches(buffers: Buffers, out: SearchBatches, r: Ints, seed: int, number: int) -> None:
    """Draw uniformly from each buffer."""
    states = min(buffers.count[0], len(buffers.target))
    searched = min(buffers.count[1], len(buffers.code))
    seed_stream(r, seed, number)
    for k in range(out.seen.shape[0]):
        for b in range(out.seen.shape[1]):
            i = below(r, states)
            spread(buffers.states[i], out.seen[k, b])
            out.target[k, b] = buffers.target[i]
            i = below(r, searched)
            spread(buffers.decisions[i], out.decisions[k, b])
            spread(buffers.legal[i], out.legal[k, b])
            total = 0.0
            for a in range(out.shares.shape[2]):
                total += buffers.visits[i, a]
            for a in range(out.shares.shape[2]):
                out.shares[k, b, a] = buffers.visits[i, a] / total
            i = below(r, searched)
            spread(buffers.decisions[i], out.hidden_from[k, b])
            if out.possible.shape[2] > 0:
                spread(buffers.possible[i], out.possible[k, b])
            out.code[k, b] = buffers.code[i]


def saved(buffers: Buffers) -> dict[str, Any]:
    """The arrays as far as they are filled."""
    full = dict.fromkeys(("states", "target", "game"), buffers.count[STATES])
    rows = {name: int(min(full.get(name, buffers.count[DECISIONS]), len(buffers.code))) for name in Buffers._fields}
    return {f"buffers.{name}": array[: rows[name]] for name, array in buffers._asdict().items() if name != "count"} | {
        "buffers.count": buffers.count
    }


def restore(buffers: Buffers, state: Mapping[str, Any]) -> None:
    """As they were when `saved` was called."""
    for name, array in buffers._asdict().items():
        some = np.asarray(state[f"buffers.{name}"])
        array[: len(some)] = some
