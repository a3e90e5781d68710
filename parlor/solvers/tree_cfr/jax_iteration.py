"""The iterations of CFR in JAX, level by level, on a GPU or wherever JAX runs.

The same sums as those of `iteration`, in another order: in double precision results differ in the last digits.
Instead of weighing each strategy, the average so far is discounted, which does not overflow in single precision.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from parlor.game import GameError
from parlor.solvers.solver import Evaluation
from parlor.solvers.tree_cfr.iteration import CfrTables, LockArrays, Variant, average_weight, discounts_of
from parlor.solvers.tree_cfr.levels import Level, LevelLayout, PlayerLevels

TABLES = ("regret", "total", "strategy", "reach", "met")
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
            self._fixed = {name: self._put(array) for name, array in self._arrays(lock).items()}
        self._iterate = self._jax.jit(_iterate(self._jax, layout, simultaneous), donate_argnums=(1,))
        self._respond = self._jax.jit(_respond(self._jax, layout))
        self.tables: dict[str, Any] = {}

    def _precision(self) -> Any:
        if hasattr(self._jax, "enable_x64"):
            return self._jax.enable_x64(self._double)
        from jax.experimental import enable_x64  # where older versions have it

        return enable_x64(self._double)

    def _put(self, array: Any) -> Any:
        kept = np.asarray(array)
        return self._jax.device_put(kept.astype(self._float) if kept.dtype == np.float64 else kept, self.device)

    def _check_memory(self) -> None:
        """Refuse what the processor has no room for, before any of it is taken."""
        stats = self.device.memory_stats() or {}
        free = stats.get("bytes_limit", 0) - stats.get("bytes_in_use", 0)
        if stats and self.bytes > FRACTION * free:
            raise GameError(
                f"This takes about {self.bytes / 1e9:.1f} GB, and {self.device.device_kind} has {free / 1e9:.1f} GB "
                f"free: solve on the CPU (--device cpu), or with --precision single."
            )

    def _arrays(self, lock: LockArrays) -> dict[str, Any]:
        """The arrays that do not change."""
        fixed = {name: array for name, array in self.layout.arrays.items() if name != "infoset"}
        infoset, order = self.layout.arrays["infoset"], self.layout.order
        locked = np.zeros(len(order), np.bool_)
        if len(lock.locked):
            locked = np.where(infoset >= 0, lock.locked[np.maximum(infoset, 0)], False)
        bound = lock.bound[order] if len(lock.bound) else np.zeros(len(order))
        return fixed | {"locked": locked, "bound": bound, "share": np.asarray(lock.share, np.float64)}

    def push(self, tables: CfrTables, weight: float) -> None:
        """Take over tables of the tree, in which the last strategy has this weight."""
        named = {name: getattr(tables, name)[self.layout.order] for name in TABLES}
        named["total"] = named["total"] / weight
        with self._precision():
            self.tables = {name: self._put(table) for name, table in named.items()}

    def pull(self, name: str) -> Any:
        """A table as the tree has it."""
        found = np.zeros(len(self.layout.order))
        found[self.layout.order] = np.asarray(self.tables[name], np.float64)
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
                self.tables = self._iterate(self._fixed, self.tables, self._put(numbers), now)
                done, iterations = done + now, iterations - now

    def evaluate(self, strategy: Any) -> Evaluation:
        """Values and best responses of a strategy of the tree."""
        with self._precision():
            best, values = self._respond(self._fixed, self._put(strategy[self.layout.order]))
        return Evaluation(tuple(np.asarray(values, float).tolist()), tuple(np.asarray(best, float).tolist()))

    def wait(self) -> None:
        """Wait for what has been asked for."""
        self._jax.block_until_ready(self.tables)


def _rows(fixed: dict[str, Any], player: PlayerLevels, level: Level) -> tuple[slice, Any, Any, slice]:
    """Of a level: its slice among the player's, the segments, the parents among the player's, its slice among all."""
    here = slice(level.begin, level.end)
    everywhere = slice(player.low + level.begin, player.low + level.end)
    return here, fixed["segment"][everywhere], fixed["parent"][everywhere] - player.low, everywhere


def _endings(jax: ModuleType, fixed: dict[str, Any], player: PlayerLevels, met: Any) -> Any:
    """The value of the endings right after each of a player's sequences."""
    entries = slice(*player.entries)
    product = fixed["weight"][entries]
    for k in range(fixed["other"].shape[1]):
        product = product * met[fixed["other"][entries, k]]
    own = fixed["own"][entries] - player.low
    return jax.ops.segment_sum(product, own, player.high - player.low, indices_are_sorted=True)


def _to_parents(jax: ModuleType, value: Any, utility: Any, rows: tuple[Any, Any], level: Level) -> Any:
    """Add what each information set is worth to the sequence that leads there."""
    segment, parent = rows
    first = jax.numpy.searchsorted(segment, jax.numpy.arange(level.infosets, dtype=segment.dtype))
    return value.at[parent[first]].add(utility)


def _iterate(jax: ModuleType, layout: LevelLayout, simultaneous: bool) -> Callable[..., Any]:
    """The function of several iterations."""
    jnp = jax.numpy

    def sums(x: Any, segment: Any, level: Level) -> Any:
        return jax.ops.segment_sum(x, segment, level.infosets, indices_are_sorted=True)

    def update(fixed: dict[str, Any], tables: dict[str, Any], number: int, value: Any, numbers: Any) -> dict[str, Any]:
        """Average, regrets, next strategy, reach."""
        player = layout.players[number]
        keep_positive, keep_negative, keep_next, predictive, ratio = numbers
        own = slice(player.low, player.high)
        regret, strategy, reach = tables["regret"], tables["strategy"], tables["reach"][own]
        total = tables["total"].at[own].set(tables["total"][own] * ratio + reach)
        for level in reversed(player.levels):
            here, segment, parent, everywhere = _rows(fixed, player, level)
            old, worth, past = strategy[everywhere], value[here], regret[everywhere]
            utility = sums(old * worth, segment, level)
            gain = worth - utility[segment]
            r = past * jnp.where(past > 0.0, keep_positive, keep_negative) + gain
            expected = jnp.where(predictive > 0.0, jnp.maximum(r, 0.0) * keep_next + predictive * gain, r)
            positive = jnp.maximum(expected, 0.0)
            whole = sums(positive, segment, level)[segment]
            uniform = 1.0 / fixed["count"][everywhere].astype(positive.dtype)
            new = jnp.where(whole > 0.0, positive / jnp.where(whole > 0.0, whole, 1.0), uniform)
            kept = fixed["locked"][everywhere]
            strategy = strategy.at[everywhere].set(jnp.where(kept, old, new))
            regret = regret.at[everywhere].set(jnp.where(kept, past, r))
            value = _to_parents(jax, value, utility, (segment, parent), level)
        for level in player.levels:
            here, _, parent, everywhere = _rows(fixed, player, level)
            reach = reach.at[here].set(reach[parent] * strategy[everywhere])
        share = fixed["share"][number]
        met = tables["met"].at[own].set(share * fixed["bound"][own] + (1.0 - share) * reach)
        plan = tables["reach"].at[own].set(reach)
        return {"regret": regret, "total": total, "strategy": strategy, "reach": plan, "met": met}

    def one(fixed: dict[str, Any], tables: dict[str, Any], numbers: Any) -> dict[str, Any]:
        before = [_endings(jax, fixed, player, tables["met"]) for player in layout.players] if simultaneous else []
        for number, player in enumerate(layout.players):
            value = before[number] if simultaneous else _endings(jax, fixed, player, tables["met"])
            tables = update(fixed, tables, number, value, numbers)
        return tables

    def several(fixed: dict[str, Any], tables: dict[str, Any], numbers: Any, count: Any) -> dict[str, Any]:
        found: dict[str, Any] = jax.lax.fori_loop(0, count, lambda k, now: one(fixed, now, numbers[k]), tables)
        return found

    return several


def _respond(jax: ModuleType, layout: LevelLayout) -> Callable[..., Any]:
    """The function of best responses and values."""
    jnp = jax.numpy

    def evaluate(fixed: dict[str, Any], strategy: Any) -> Any:
        met = jnp.ones_like(strategy)
        for number, player in enumerate(layout.players):
            reach = jnp.ones(player.high - player.low, strategy.dtype)
            for level in player.levels:
                here, _, parent, everywhere = _rows(fixed, player, level)
                reach = reach.at[here].set(reach[parent] * strategy[everywhere])
            share, own = fixed["share"][number], slice(player.low, player.high)
            met = met.at[own].set(share * fixed["bound"][own] + (1.0 - share) * reach)
        best, values = [], []
        for player in layout.players:
            top = value = _endings(jax, fixed, player, met)
            for level in reversed(player.levels):
                here, segment, parent, everywhere = _rows(fixed, player, level)
                chances, kept = strategy[everywhere], fixed["locked"][everywhere].astype(jnp.int32)
                most = jax.ops.segment_max(top[here], segment, level.infosets, indices_are_sorted=True)
                mean = jax.ops.segment_sum(chances * value[here], segment, level.infosets, indices_are_sorted=True)
                held = jax.ops.segment_sum(chances * top[here], segment, level.infosets, indices_are_sorted=True)
                locked = jax.ops.segment_max(kept, segment, level.infosets, indices_are_sorted=True)
                top = _to_parents(jax, top, jnp.where(locked > 0, held, most), (segment, parent), level)
                value = _to_parents(jax, value, mean, (segment, parent), level)
            best.append(top[0])
            values.append(value[0])
        return jnp.stack(best), jnp.stack(values)

    return evaluate
