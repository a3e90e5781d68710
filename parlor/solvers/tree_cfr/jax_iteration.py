"""The iterations of CFR in JAX, level by level, on a GPU or wherever JAX runs.

The same sums as those of `iteration`, in another order: in double precision results differ in the last digits.
Instead of weighing each strategy, the average so far is discounted, which does not overflow in single precision.

Values go up level by level, reach goes down; all regrets of a player change at once in between. A block of iterations
is one loop of known length on the processor, so that nobody is asked in between. What many read is computed once and
written (`_written`): left alone, the compiler computes whole chains of levels again wherever a number of them is read.
"""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Iterable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from parlor.game import GameError
from parlor.solvers.solver import Evaluation
from parlor.solvers.tree_cfr.iteration import CfrTables, LockArrays, Variant, average_weight, discounts_of
from parlor.solvers.tree_cfr.levels import LevelLayout, PlayerArrays, Rectangle

TABLES = ("regret", "total", "strategy", "reach")
BLOCK = 64  # iterations of one call
FRACTION = 0.9  # of the processor's memory


def need_jax() -> ModuleType:
    """JAX, or the sentence that it is missing."""
    try:
        import jax
    except ImportError:
        raise GameError(
            "Solving on a GPU needs JAX, which is not installed: pip install 'parlor-games[gpu]'."
        ) from None
    return jax


def has_gpu() -> bool:
    """Whether JAX would find a GPU; where its plug-ins are missing, JAX is not even imported."""
    if importlib.util.find_spec("jax") is None or importlib.util.find_spec("jax_plugins") is None:
        return False
    try:
        return bool(need_jax().devices("gpu"))
    except RuntimeError:
        return False


class FixedArrays(NamedTuple):
    """The arrays of a player that do not change."""

    arrays: PlayerArrays
    locked: Any  # [S] whether a strategy is kept; None where none is
    bound: Any  # [S] the plan of one who is bound to a strategy; None where nobody is
    share: Any  # how often


Tables = dict[str, tuple[Any, ...]]  # of the players


class LevelIterations:
    """The tables of a solve on a processor, and the compiled functions that change them."""

    def __init__(self, layout: LevelLayout, lock: LockArrays, simultaneous: bool, platform: str, double: bool) -> None:
        self._jax = need_jax()
        try:
            self.device = self._jax.devices(platform)[0]
        except RuntimeError:
            raise GameError(
                "JAX finds no GPU here: solve on the CPU (--device cpu), or install JAX for the card, "
                "pip install 'parlor-games[gpu]'."
            ) from None
        self.layout, self._double = layout, double
        self._float = np.float64 if double else np.float32
        self.bytes = layout.memory(8 if double else 4)
        self._check_memory()
        with self._precision():
            self._given = tuple(self._put(given) for given in self._players(lock))
        steps = Steps(self._jax, simultaneous)
        self._block = self._jax.jit(steps.block, donate_argnums=(1,))
        self._iterate = self._jax.jit(steps.several, donate_argnums=(1,))
        self._respond = self._jax.jit(steps.respond)
        self.tables: Tables = {}

    def _precision(self) -> Any:
        if hasattr(self._jax, "enable_x64"):
            return self._jax.enable_x64(self._double)
        from jax.experimental import enable_x64  # where older versions have it

        return enable_x64(self._double)

    def _put(self, arrays: Any) -> Any:
        """Arrays on the processor, in its precision."""
        kept = self._jax.tree.map(lambda a: np.asarray(a, self._float) if a.dtype == np.float64 else a, arrays)
        return self._jax.device_put(kept, self.device)

    def _check_memory(self) -> None:
        """Refuse what the processor has no room for, before any of it is taken."""
        stats = self.device.memory_stats() or {}
        free = stats.get("bytes_limit", 0) - stats.get("bytes_in_use", 0)
        if stats and self.bytes > FRACTION * free:
            raise GameError(
                f"This takes about {self.bytes / 1e9:.1f} GB, and {self.device.device_kind} has {free / 1e9:.1f} GB "
                f"free: solve on the CPU (--device cpu), or with --precision single."
            )

    def _players(self, lock: LockArrays) -> Iterable[FixedArrays]:
        """The arrays of each player, and its locks."""
        infoset, order = self.layout.infoset, self.layout.order
        for p, (low, high) in enumerate(itertools.pairwise(self.layout.bounds.tolist())):
            locked = bound = None
            if len(lock.locked):
                locked = np.where(infoset[low:high] >= 0, lock.locked[np.maximum(infoset[low:high], 0)], False)
            if len(lock.bound):
                bound = lock.bound[order[low:high]]
            yield FixedArrays(self.layout.players[p], locked, bound, np.asarray(lock.share[p], np.float64))

    def _split(self, table: Any) -> tuple[Any, ...]:
        """A table of the tree as those of the players."""
        return tuple(np.split(table[self.layout.order], self.layout.bounds[1:-1]))

    def push(self, tables: CfrTables, weight: float) -> None:
        """Take over tables of the tree, in which the last strategy has this weight."""
        named = {name: self._split(getattr(tables, name)) for name in TABLES}
        named["total"] = tuple(total / weight for total in named["total"])
        with self._precision():
            self.tables = self._put(named)

    def pull(self, name: str) -> Any:
        """A table as the tree has it."""
        found = np.zeros(len(self.layout.order))
        found[self.layout.order] = np.concatenate([np.asarray(table, np.float64) for table in self.tables[name]])
        return found

    def run(self, variant: Variant, done: int, iterations: int) -> None:
        """Iterations done + 1 … done + iterations."""
        with self._precision():
            while iterations > 0:
                now = min(iterations, BLOCK)
                numbers = np.zeros((BLOCK, 5))
                for k in range(now):
                    t = done + 1 + k
                    before = average_weight(t - 1, variant) if t > 1 else 0.0
                    numbers[k] = (*discounts_of(t, variant), before / average_weight(t, variant))
                given, tables, there = self._given, self.tables, self._put(numbers)
                if now == BLOCK:
                    self.tables = self._block(given, tables, there)
                else:
                    self.tables = self._iterate(given, tables, there, now)
                done, iterations = done + now, iterations - now

    def evaluate(self, strategy: Any) -> Evaluation:
        """Values and best responses of a strategy of the tree."""
        with self._precision():
            best, values = self._respond(self._given, self._put(self._split(strategy)))
        return Evaluation(tuple(np.asarray(values, float).tolist()), tuple(np.asarray(best, float).tolist()))

    def wait(self) -> None:
        """Wait for what has been asked for."""
        self._jax.block_until_ready(self.tables)


class Steps:
    """The functions that JAX compiles. All arrays are those of a player, in the order of its levels."""

    def __init__(self, jax: ModuleType, simultaneous: bool) -> None:
        self._jax, self._np, self._written = jax, jax.numpy, jax.lax.optimization_barrier
        self._simultaneous = simultaneous

    def block(self, given: Any, tables: Tables, numbers: Any) -> Tables:
        """A block of iterations."""
        return self._loop(given, tables, numbers, BLOCK)

    def several(self, given: Any, tables: Tables, numbers: Any, count: Any) -> Tables:
        """Some iterations, fewer than a block."""
        return self._loop(given, tables, numbers, count)

    def _loop(self, given: Any, tables: Tables, numbers: Any, count: Any) -> Tables:
        met = tuple(self._met(one, reach) for one, reach in zip(given, tables["reach"], strict=True))

        def one(k: Any, now: Any) -> Any:
            tables, met = now
            return self._one(given, tables, met, numbers[k])

        found: Tables = self._jax.lax.fori_loop(0, count, one, (tables, met))[0]
        return found

    def _one(self, given: Any, tables: Tables, met: Any, numbers: Any) -> Any:
        """An iteration."""
        now, met = {name: list(table) for name, table in tables.items()}, list(met)
        before = [self._endings(p, one, met) for p, one in enumerate(given)] if self._simultaneous else []
        for p, one in enumerate(given):
            endings = before[p] if self._simultaneous else self._endings(p, one, met)
            now["total"][p] = now["total"][p] * numbers[4] + now["reach"][p]
            self._update(p, one, now, endings, numbers)
            now["reach"][p] = self._reach(one, now["strategy"][p])
            met[p] = self._met(one, now["reach"][p])
        return {name: tuple(table) for name, table in now.items()}, tuple(met)

    def _endings(self, p: int, one: FixedArrays, met: Any) -> Any:
        """The values of the endings right after each of a player's sequences, level by level."""
        sums = []
        for entries in one.arrays.entries:
            product = entries.weight
            for other, plan in zip(entries.other, [*met[:p], *met[p + 1 :]], strict=True):
                product = product * _at(plan, other)
            sums.append(self._np.sum(product, axis=0))
        place = one.arrays.of_sequence
        if not sums:
            return self._by_level(one, self._np.zeros(place.shape, one.arrays.uniform.dtype))
        total = self._written(self._np.concatenate(sums))
        return [
            self._np.where(here >= 0, _at(total, self._np.maximum(here, 0)), 0.0) for here in self._by_level(one, place)
        ]

    def _by_level(self, one: FixedArrays, table: Any) -> list[Any]:
        """The parts of a table: the empty sequence, and those of each level."""
        sizes = [1, *(len(level.parent) for level in one.arrays.levels)]
        return [table[end - size : end] for size, end in zip(sizes, itertools.accumulate(sizes), strict=True)]

    def _sums(self, rows: tuple[Rectangle, ...], *factors: Any) -> list[Any]:
        """Sums over rows."""
        sums = []
        for row in rows:
            product = _at(factors[0], row.places)
            for factor in factors[1:]:
                product = product * _at(factor, row.places)
            real = self._np.arange(len(row.places))[:, None] < row.sizes
            sums.append(self._np.sum(self._np.where(real, product, 0.0), axis=0))
        return sums

    def _update(self, p: int, one: FixedArrays, now: Any, endings: Any, numbers: Any) -> None:
        """Regrets and the next strategy of a player."""
        jnp, arrays = self._np, one.arrays
        keep_positive, keep_negative, keep_next, predictive, _ = numbers
        regret, strategy = now["regret"][p], now["strategy"][p]
        gain = self._gains(one, strategy, endings)
        r = regret * jnp.where(regret > 0.0, keep_positive, keep_negative) + gain
        expected = jnp.where(predictive > 0.0, jnp.maximum(r, 0.0) * keep_next + predictive * gain, r)
        r, positive = self._written((r, jnp.maximum(expected, 0.0)))
        whole = self._of_infoset(arrays, self._sums(arrays.actions, positive))
        new = jnp.where(whole > 0.0, positive / jnp.where(whole > 0.0, whole, 1.0), arrays.uniform).at[0].set(1.0)
        if one.locked is not None:
            new, r = jnp.where(one.locked, strategy, new), jnp.where(one.locked, regret, r)
        now["regret"][p], now["strategy"][p] = r, self._written(new)

    def _of_infoset(self, arrays: PlayerArrays, sums: list[Any]) -> Any:
        """The sum of each sequence's infoset; that of the empty sequence means nothing."""
        if not sums:
            return self._np.zeros_like(arrays.uniform)
        return _at(self._written(self._np.concatenate(sums)), arrays.of_action)

    def _gains(self, one: FixedArrays, strategy: Any, endings: Any) -> Any:
        """The gain of each action; values go up from the deepest level."""
        chances, values = self._by_level(one, strategy), list(endings)
        values[-1] = self._written(values[-1])
        for k, level in reversed(list(enumerate(one.arrays.levels))):
            values[k] = self._raised(values[k], self._sums(level.after, chances[k + 1], values[k + 1]))
        value = self._written(self._np.concatenate(values))
        worth = self._of_infoset(one.arrays, self._sums(one.arrays.actions, strategy, value))
        return (value - worth).at[0].set(0.0)

    def _raised(self, endings: Any, after: list[Any]) -> Any:
        """Values of sequences, with what comes after the first of them."""
        parts, begin = [], 0
        for sums in after:
            parts.append(endings[begin : begin + len(sums)] + sums)
            begin += len(sums)
        return self._written(self._np.concatenate([*parts, endings[begin:]]))

    def _reach(self, one: FixedArrays, strategy: Any) -> Any:
        """The realisation plan of a strategy, from the first level down."""
        first, *chances = self._by_level(one, strategy)
        parts = [self._np.ones_like(first)]
        for level, chance in zip(one.arrays.levels, chances, strict=True):
            parts.append(self._written(_at(parts[-1], level.parent) * chance))
        return self._written(self._np.concatenate(parts))

    def _met(self, one: FixedArrays, reach: Any) -> Any:
        """The plan as the others meet it."""
        return reach if one.bound is None else one.share * one.bound + (1.0 - one.share) * reach

    def respond(self, given: Any, strategies: Any) -> Any:
        """The values of best responses and of the strategies."""
        met = [self._met(one, self._reach(one, strategy)) for one, strategy in zip(given, strategies, strict=True)]
        both = [self._response(p, one, strategies[p], met) for p, one in enumerate(given)]
        return self._np.stack([best for best, _ in both]), self._np.stack([value for _, value in both])

    def _response(self, p: int, one: FixedArrays, strategy: Any, met: Any) -> tuple[Any, Any]:
        """A player's values of a best response and of its strategy."""
        jnp, arrays = self._np, one.arrays
        chances, endings = self._by_level(one, strategy), self._endings(p, one, met)
        shares, places = self._by_level(one, arrays.uniform), self._by_level(one, arrays.of_action)
        locked = None if one.locked is None else self._by_level(one, one.locked)
        best, values = list(endings), list(endings)
        for k, level in reversed(list(enumerate(arrays.levels, 1))):
            everywhere = jnp.concatenate(best)
            most = jnp.concatenate([jnp.max(_at(everywhere, row.places), axis=0) for row in arrays.actions])
            worth = _at(most, places[k]) * shares[k]  # each action stands for its part of the best one
            if locked is not None:
                worth = jnp.where(locked[k], chances[k] * best[k], worth)
            best[k - 1] = self._raised(endings[k - 1], self._sums(level.after, worth))
            values[k - 1] = self._raised(endings[k - 1], self._sums(level.after, chances[k], values[k]))
        return best[0][0], values[0][0]


def _at(table: Any, places: Any) -> Any:
    """The numbers at places that are known to be there."""
    return table.at[places].get(mode="promise_in_bounds")
