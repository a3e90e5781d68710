"""A blueprint: the strategy of a public tree and a card abstraction, one byte a probability.

Its rows are in the order of the solve that made it (see `public_tree.Layout`), without the regrets: 255 parts of one,
rounded so that they add up. A row of zeros was never trained. It is three hundred times smaller than the same strategy
by keys in JSON, and is mapped into memory from its file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from parlor.compile import native, version
from parlor.compile.kernel import Bits, Float32Array, FloatArray, IntArray
from parlor.game import Floats, Game, GameError, Position
from parlor.poker.hands.buckets import Buckets, card_buckets
from parlor.poker.public_mccfr import PublicMccfr
from parlor.poker.public_tree import BASE, COUNT, FIRST, SLOT

WHOLE = 255


@dataclass(frozen=True, eq=False)
class Blueprint:
    """N nodes with E edges, whose rows are in `play`."""

    kind: ClassVar[str] = "blueprint"

    game: str  # the betting abstraction with the options of its game
    rules: str  # the version of its rules
    cards: str  # the card abstraction
    buckets: tuple[int, ...]  # as requested
    nodes: npt.NDArray[np.int32]  # [N, 4] slot, number of actions, base, first edge
    stride: npt.NDArray[np.int64]  # [slots] from a bucket to the next
    sizes: npt.NDArray[np.int64]  # [slots] buckets
    code: npt.NDArray[np.int64]  # [N]
    action: npt.NDArray[np.int64]  # [E]
    child: npt.NDArray[np.int64]  # [E] node, or ~ending
    folds: npt.NDArray[np.float64]  # [T] what player 0 gets at a fold, 0 at a showdown
    shows: npt.NDArray[np.float64]  # [T] what the winner gets at a showdown, 0 at a fold
    play: npt.NDArray[np.uint8]
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def infosets(self) -> int:
        """Number of rows."""
        return int(self.sizes[self.nodes[:, SLOT]].sum())

    @property
    def table(self) -> None:
        """None: it would be too large."""

    def __len__(self) -> int:
        return self.infosets

    @property
    def streets(self) -> int:
        """Number of streets."""
        return len(self.stride) // 2

    def slot(self, node: int) -> tuple[int, int]:
        """The player and the street of a node."""
        return divmod(int(self.nodes[node, SLOT]), self.streets)

    def actions(self, node: int) -> list[int]:
        """The moves of a node."""
        first = int(self.nodes[node, FIRST])
        return self.action[first : first + int(self.nodes[node, COUNT])].tolist()

    def after(self, node: int, action: int) -> int:
        """The node after a move; negative if the hand is over then."""
        return int(self.child[int(self.nodes[node, FIRST]) + self.actions(node).index(action)])

    def strategy(self, node: int) -> npt.NDArray[np.float64]:
        """[buckets, actions] the strategy at a node; zeros where nothing was learned."""
        return self._rows(node) / WHOLE

    def learned(self, node: int) -> npt.NDArray[np.bool_]:
        """[buckets] which rows of a node were learned, see `is_learned`."""
        rows = self._rows(node).astype(np.int64)
        return np.ptp(rows, axis=1) > 1

    def _rows(self, node: int) -> npt.NDArray[np.uint8]:
        slot, n, base, _ = self.nodes[node].tolist()
        rows = base + self.stride[slot] * np.arange(self.sizes[slot])
        return self.play[rows[:, None] + np.arange(n)]

    def played(self, node: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """[buckets, actions] what an agent plays at a node in every bucket, and which of it was learned.

        As in `read_row`: where nothing was learned, the row of the nearest bucket where something was.
        """
        rows, learned = self.strategy(node), self.learned(node)
        known, every = np.flatnonzero(learned), np.arange(len(rows))
        if not len(known):
            return np.full(rows.shape, 1.0 / rows.shape[1]), learned
        after = np.searchsorted(known, every)
        above, below = known[np.minimum(after, len(known) - 1)], known[np.maximum(after - 1, 0)]
        nearest = np.where((above >= every) & ((above - every <= every - below) | (below > every)), above, below)
        return rows[nearest], learned

    def __call__(self, position: Position) -> dict[str, float]:
        """The distribution at a position of its betting abstraction, by the names of the moves."""
        game, state, player = position.game, position.state, position.turn
        check_compatible(self, game)
        assert game.abstraction.public_history is not None
        [node] = np.flatnonzero(self.code == game.abstraction.public_history(state, player)).tolist()
        buckets = game.poker.card_abstractions.buckets(self.cards, self.buckets, self.streets)
        row = self.played(node)[0][game.poker.card_abstractions.bucket(state, player, buckets.data)]
        return {
            game.words.describe(state, a): chance for a, chance in zip(self.actions(node), row.tolist(), strict=True)
        }

    def describe(self) -> str:
        """Describe the blueprint in a few words."""
        return f"blueprint for {self.game}, {self.cards}: {self.infosets:,} information sets"

    def __repr__(self) -> str:
        return f"<{self.describe()}>"


def blueprint(solve: PublicMccfr, cards: str, buckets: tuple[int, ...], about: Mapping[str, Any]) -> Blueprint:
    """The average strategy of a solve."""
    tree, layout = solve.tree, solve.layout
    nodes = layout.packed.copy()
    nodes[:, BASE] //= 2  # rows here have no regrets
    play = np.zeros(layout.cells // 2, np.uint8)
    native(round_rows)(solve.cells, layout.packed, layout.stride, layout.sizes, play, np.zeros(int(tree.count.max())))
    return Blueprint(
        tree.game.name, version(tree.game), cards, buckets, nodes, layout.stride // 2, layout.sizes,
        tree.code, tree.action, tree.child, tree.folds, tree.shows, play, dict(about),
    )  # fmt: skip


def round_rows(
    cells: Float32Array, nodes: npt.NDArray[np.int32], stride: IntArray, sizes: IntArray, play: Bits, shares: FloatArray
) -> None:
    """Round every row of averages to parts of `WHOLE` that add up, each less than one off; equal shares may differ."""
    for node in range(nodes.shape[0]):
        slot = nodes[node][SLOT]
        n = nodes[node][COUNT]
        for bucket in range(sizes[slot]):
            row = nodes[node][BASE] + bucket * stride[slot]
            begin = row + n
            total = 0.0
            for i in range(n):
                shares[i] = float(cells[begin + i])
                total += shares[i]
            if total <= 0.0:  # never reached by the other's traversals: use its regrets, if any
                total = 0.0
                for i in range(n):
                    shares[i] = max(float(cells[row + i]), 0.0)
                    total += shares[i]
            if total <= 0.0:
                continue
            left = WHOLE
            for i in range(n):
                shares[i] *= WHOLE / total
                part = int(shares[i])
                play[row // 2 + i] = part
                shares[i] -= part
                left -= part
            for _ in range(left):  # one part each to those with the largest remainders
                most = 0
                for i in range(n):
                    if shares[i] > shares[most]:
                        most = i
                play[row // 2 + most] += 1
                shares[most] -= 1.0


class Lookup(NamedTuple):
    """A blueprint as kernels read it at a table; `Blueprint` says what the arrays are."""

    codes: Any  # in ascending order
    places: Any  # the node of each code
    nodes: Any
    stride: Any
    sizes: Any
    play: Any
    cards: Any  # the buckets of each street
    child: Any
    folds: Any
    shows: Any


def read_row(play: Bits, base: int, stride: int, size: int, bucket: int, n: int, out: Floats) -> None:
    """The probabilities of the `n` moves of a node for a bucket, or for the nearest one that was learned."""
    for distance in range(size):
        for side in range(2):
            near = bucket + distance if side == 0 else bucket - distance
            if near < 0 or near >= size:
                continue
            row = base + near * stride
            if is_learned(play, row, n):
                for i in range(n):
                    out[i] = play[row + i] / WHOLE
                return
    for i in range(n):
        out[i] = 1.0 / n


def is_learned(play: Bits, row: int, n: int) -> bool:
    """Whether a row was learned: zeros were never reached, and a uniform row is as it began."""
    low = WHOLE
    high = 0
    for i in range(n):
        low = min(low, int(play[row + i]))
        high = max(high, int(play[row + i]))
    return high - low > 1  # rounding may add a part


def check_compatible(plan: Blueprint, game: Game) -> str:
    """Raise GameError if a blueprint is not for this betting abstraction; a remark if its rules have changed."""
    if plan.game != game.name and plan.rules != version(game):
        raise GameError(f"This is a blueprint for {plan.game}, but the game here is {game.name}.")
    return "" if plan.rules == version(game) else f"The rules of {game.name} have changed since it was trained."


def cards_of(plan: Blueprint, name: str) -> Buckets:
    """The card abstraction of its rows."""
    cards = card_buckets(plan.cards, plan.buckets, plan.streets)
    if tuple(plan.sizes.tolist()) != cards.counts * 2 or plan.about.get("mark", cards.mark) != cards.mark:
        raise GameError(f"{name} was trained with other buckets than {plan.cards} has in this version; train it again.")
    return cards
