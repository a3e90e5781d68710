"""A learned belief: how likely the hidden numbers of a state are, by what a player has seen, in any game.

An autoregressive network (NADE: Larochelle and Murray, *The neural autoregressive distribution estimator*, 2011) over
the numbers of `parlor.policies.hidden_numbers`, in the order of the schema. A perceptron makes a context of what the
player sees; each symbol has a softmax of the context and of the symbols before it:

    units_j = context(seen) + Σ V[symbols before j]      P(symbol j = a | …) ∝ exp(b[a] + U[a] · max(units_j, 0))

The network has two voices, told apart by one more input: what really was hidden in the games it learned from, and what
the game's derived belief drew in the same places, by chance alone. So

    weight of a world = P(its numbers | really) / P(its numbers | drawn by chance)

says how much likelier a world is than chance alone makes it: worlds that were drawn by chance and are weighed so follow
the learned distribution, and none of them breaks a hard fact, since the derived belief breaks none. `trust`, found in
games that it did not learn from, is a power of the weights: 0 leaves the derived belief as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from parlor.compile import AlwaysCompiled, version
from parlor.compile.kernel import Float32Array, IntArray
from parlor.game import Game, GameError, Position
from parlor.policies.features import features
from parlor.policies.hidden_numbers import FIRST, LOW, WHOLE, WIDTH, hidden_numbers
from parlor.policies.nets import Weights, initial_weights, parameters

CHANCE_VOICE, REAL_VOICE = 0, 1


@dataclass(frozen=True, eq=False)
class FieldBelief:
    """A belief that was learned, with the games that it was learned from."""

    kind: ClassVar[str] = "belief"

    game: str
    rules: str  # the version of its rules
    features: npt.NDArray[np.int64]  # [F', 3] the code of what a player sees, see `parlor.policies.features`
    code: npt.NDArray[np.int64]  # [J, 4] that of the hidden numbers
    sizes: tuple[int, ...]  # of the context: features + 1, hidden layers, units
    weights: Weights
    trust: float = 1.0
    about: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        """Refuse parts that do not fit together."""
        needed = weight_count(self.sizes, int(self.code[:, WIDTH].sum()))
        if len(self.weights) != needed:
            raise GameError(f"A belief for {self.game} has {len(self.weights):,} weights where {needed:,} are needed.")
        if int(self.features[:, 1].sum()) + 1 != self.sizes[0]:
            raise GameError(f"A belief for {self.game} has {self.sizes[0]} inputs, which its features do not fill.")
        if not np.isfinite(self.weights).all():
            raise GameError(f"A belief for {self.game} has weights that are not finite: its training has diverged.")

    @property
    def name(self) -> str:
        """Its name where agents are named."""
        return f"belief for {self.game}"

    @property
    def table(self) -> None:
        """It has no moves."""

    def __call__(self, position: Position) -> dict[str, float]:
        """It plays no moves: a search is to use it."""
        raise GameError(f"A belief plays no moves; search with it: search(worlds=…) in {self.game}.")

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return True

    def describe(self) -> str:
        """Describe it in a few words."""
        return f"belief for {self.game}: {'-'.join(map(str, self.sizes))}, trusted {self.trust:.2f}"

    def __repr__(self) -> str:
        return f"<{self.describe()}>"

    def check_game(self, game: Game) -> None:
        """Raise GameError for a game, or rules, that it was not learned for."""
        if game.name != self.game:
            raise GameError(f"The belief is for {self.game}, not for {game.name}.")
        same = np.array_equal(self.features, features(game).code) and np.array_equal(
            self.code, hidden_numbers(game).code
        )
        if self.rules != version(game) or not same:
            raise GameError(f"The rules of {game.name} are not the ones that this belief was learned for. Learn anew.")


def weight_count(sizes: tuple[int, ...], symbols: int) -> int:
    """The number of weights: of the context, and of V, U and b."""
    return parameters(sizes) + symbols * (2 * sizes[-1] + 1)


def first_weights(sizes: tuple[int, ...], symbols: int, seed: int) -> Weights:
    """Weights that say little; both voices say the same at first."""
    random, units = np.random.Generator(np.random.PCG64(seed + 1)), sizes[-1]
    context = initial_weights((*sizes, 1), seed)[: parameters(sizes)]  # the units are no last layer
    context[: sizes[0] * sizes[1]].reshape(sizes[0], sizes[1])[-1] = 0.0
    bound = (3.0 / units) ** 0.5
    parts = [random.uniform(-bound, bound, symbols * units), random.uniform(-0.1, 0.1, symbols * units) * bound]
    return np.concatenate([context, *parts, np.zeros(symbols)]).astype(np.float32)


def likelihood_slowly(
    code: IntArray, numbers: IntArray, symbols: int, weights: Float32Array, begin: int, units: Float32Array
) -> float:
    """The log-probability of hidden numbers; `units` has the context, and is used up. V begins at `begin`."""
    wide = len(units)
    found = 0.0
    outputs = begin + symbols * wide
    biases = outputs + symbols * wide
    for j in range(len(code)):
        width = code[j, WIDTH]
        first = code[j, FIRST]
        whole = code[j, WHOLE] == 1
        most = width - 1 if whole else (1 << width) - 1
        value = min(max(numbers[j] - code[j, LOW], 0), most)
        top = -1e30
        total = 0.0
        for i in range(width):
            row = weights[outputs + (first + i) * wide : outputs + (first + i + 1) * wide]
            logit = float(weights[biases + first + i])
            for h in range(wide):
                if units[h] > 0.0:
                    logit += row[h] * units[h]
            if whole:
                if logit > top:
                    total = total * np.exp(top - logit) + 1.0
                    top = logit
                else:
                    total += np.exp(logit - top)
                if i == value:
                    found += logit
                continue
            one = (value >> i) & 1
            away = -logit if one == 1 else logit
            found -= max(away, 0.0) + np.log1p(np.exp(-abs(away)))
            if one == 1:
                add_row(units, weights, begin + (first + i) * wide)
        if whole and width > 0:
            found -= top + np.log(total)
            add_row(units, weights, begin + (first + value) * wide)
    return found


def add_row(units: Float32Array, weights: Float32Array, at: int) -> None:
    """Add a row of V."""
    for h in range(len(units)):
        units[h] += weights[at + h]


likelihood = AlwaysCompiled(likelihood_slowly)


def pack(belief: FieldBelief, head: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The entries of the header and the arrays of a belief."""
    entries = {"sizes": list(belief.sizes), "trust": belief.trust}
    return entries, {"features": belief.features, "hidden": belief.code, "weights": belief.weights}


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> FieldBelief:
    """A belief from its file."""
    return FieldBelief(
        head["game"],
        head["rules"],
        arrays["features"].astype(np.int64),
        arrays["hidden"].astype(np.int64),
        tuple(map(int, head["sizes"])),
        arrays["weights"].astype(np.float32),
        float(head["trust"]),
        head["about"],
        str(head.get("source", "")),
    )
