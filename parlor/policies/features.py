"""A player's view as zeros and ones for networks, in compiled loops.

The numbers are those of the view (`parlor.compile.kernel.see`): who is looking, then every number of every field that
the player sees; in an abstraction the key. Each number becomes some features: one for each value if there are at most
sixteen, else one for each bit. Key and view tell the same positions apart (`parlor check`), so nothing that a player
knows is missing.

A game may say how large the numbers of a field get (`most` in its schema): they have one feature for each value then.
Otherwise it is found as for the vectors of `parlor.policies.feature_vectors`, which have the bits of all numbers: by a
walk through the whole game. A game too large for that is played at random some times, and numbers then get a bit more
than they needed there; in a game that gets even further, what lies above is not seen.

Behind these, or in their place, networks may read numbers that the game computes (`OwnFeatures`): see `network_inputs`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from parlor import compile as compiler
from parlor.compile import AlwaysCompiled
from parlor.compile.kernel import see
from parlor.compile.link import fingerprint
from parlor.game import CHANCE, OVER, Game, GameError, Position
from parlor.game.rng import below, choose, seed_stream
from parlor.policies.feature_vectors import WORD, survey

ONE_HOT_BITS = 4  # bits: numbers of at most 16 values get a feature for each value
STEPS, GAMES = 50_000, 2_000  # of random games


@dataclass(frozen=True, eq=False)
class Features:
    """The code of one game: J numbers become `size` features."""

    code: npt.NDArray[np.int64]  # [J, 3] of each number: its first feature, how many, 1 if there is one for each value

    @property
    def size(self) -> int:
        """The number of features."""
        return int(self.code[:, 1].sum())

    def active(self, game: Game, position: Position, player: int) -> list[int]:
        """The features that are one, for a player at a position, in plain Python."""
        numbers, active = np.zeros(len(self.code), np.int64), np.zeros(self.size, np.int64)
        compiler.bindings(game)[see](position.state, player, numbers)
        return active[: encode_slowly(self.code, numbers, active)].tolist()


def encode_slowly(code: Any, numbers: Any, active: Any) -> int:
    """Fill the features of some numbers that are one, in ascending order; returns how many."""
    count = 0
    for j in range(len(code)):
        first = code[j, 0]
        width = code[j, 1]
        value = numbers[j]
        if code[j, 2] == 1:
            if 0 <= value < width:
                active[count] = first + value
                count += 1
            continue
        for b in range(width):
            if (value >> b) & 1 == 1:
                active[count] = first + b
                count += 1
    return count


encode = AlwaysCompiled(encode_slowly)


def features(game: Game) -> Features:
    """The features of a game; cached."""
    if not game.native:
        raise GameError(f"{game.name} belongs to another library; networks can be trained for Parlor's own games only.")
    if "features" not in game.cache:
        game.cache["features"] = Features(_code(game))
    found: Features = game.cache["features"]
    return found


@dataclass(frozen=True, eq=False)
class NetworkInputs:
    """The inputs of networks for a game, in this order: some that are zero or one, then the numbers it computes."""

    code: npt.NDArray[np.int64]  # [J, 3] as in `Features`; empty if the game's own numbers replace the view
    dense: int  # numbers that the game computes
    digest: str = ""  # the hash of what the game declares for networks, its head included; empty: nothing

    @property
    def bits(self) -> int:
        """Inputs that are zero or one."""
        return int(self.code[:, 1].sum())

    @property
    def size(self) -> int:
        """The number of inputs."""
        return self.bits + self.dense


NO_CODE = np.zeros((0, 3), np.int64)


def network_inputs(game: Game) -> NetworkInputs:
    """The inputs of networks that use what the game declares for them; cached."""
    if "inputs" not in game.cache:
        own = game.features
        code = NO_CODE if own is not None and own.replaces_view else features(game).code
        game.cache["inputs"] = NetworkInputs(code, own.count if own is not None else 0, _digest(game, code))
    found: NetworkInputs = game.cache["inputs"]
    return found


def _digest(game: Game, code: npt.NDArray[np.int64]) -> str:
    own, head = game.features, game.head
    if own is None and head is None:
        return ""
    functions = [one for one in (own and own.fill, head and head.given) if one]
    terms = (head.terms,) if head and head.terms > 1 else ()
    declared = (code.tolist(), own and own.count, head and head.parts, fingerprint(functions), *terms)
    return hashlib.sha256(repr(declared).encode()).hexdigest()[:16]


def _code(game: Game) -> npt.NDArray[np.int64]:
    """Numbers in the order of `see`: the player, then the fields."""
    assert game.schema is not None
    if game.abstraction.lossless:
        fields = [(name, f) for name, f in game.schema.items() if f.seen_by != "nobody"]
        counts = [int(np.prod(f.shape[1 if f.seen_by == "owner" else 0 :])) for _, f in fields]
        declared = [f.most for _, f in fields]
        if min(declared, default=0) >= 0:
            widths = [top.bit_length() for top in declared]
        else:
            exact = survey(game).bits
            widths = [exact[name] for name, _ in fields] if exact else _sampled_widths(game, counts)
    else:
        counts, widths, declared = [1], _sampled_widths(game, [1]), [-1]
    bits = np.array([game.players, *np.repeat(widths, counts)], np.int64)
    most = np.array([-1, *np.repeat(declared, counts)], np.int64)
    each = (bits <= ONE_HOT_BITS) | (most >= 0)
    each[0] = False  # the player: its bit is one
    sizes = np.where(each, 1 << np.minimum(bits, ONE_HOT_BITS), bits)
    sizes = np.where(most >= 0, np.where(most > 0, most + 1, 0), sizes)  # what is always 0 tells nothing
    return np.stack([np.cumsum(sizes) - sizes, sizes, each.astype(np.int64)], axis=1)


def _sampled_widths(game: Game, counts: list[int]) -> list[int]:
    """Return the bits that the numbers of each field need: one more than in random games, if they need any."""
    seen = sample(game).seen
    ends = 1 + np.cumsum(counts)
    found = [int(np.bitwise_or.reduce(seen[end - count : end])) for end, count in zip(ends, counts, strict=True)]
    return [WORD if number < 0 else min(number.bit_length() + (number > 0), WORD - 1) for number in found]


@dataclass(frozen=True)
class FeatureSample:
    """Statistics of random games."""

    seen: npt.NDArray[np.int64]  # [J] the bits of each number that were ever one, whoever looked
    scale: float  # the standard deviation of payoffs: networks learn payoffs divided by it
    decisions: float  # of all players in a game, where there was a choice
    payoffs: npt.NDArray[np.float64]  # [games, P]


def sample(game: Game) -> FeatureSample:
    """Some random games in plain Python, always the same ones; cached."""
    if "sample" not in game.cache:
        game.cache["sample"] = _sample(game)
    found: FeatureSample = game.cache["sample"]
    return found


def _sample(game: Game) -> FeatureSample:
    rules, look, r = game.rules, compiler.bindings(game)[see], [0] * 4
    moves, chances, numbers = [0] * game.actions, [0.0] * game.outcomes, [0] * (2 + _words(game))
    seen, payoffs, steps, choices = [0] * len(numbers), list[float](), 0, 0
    while steps < STEPS and len(payoffs) < GAMES * game.players:
        seed_stream(r, 0, len(payoffs))
        s = game.new_state()
        rules.start(s)
        for _ in range(game.length):
            who = rules.turn(s)
            if who == OVER:
                break
            if who == CHANCE:
                move = choose(r, chances, rules.odds(s, chances))
            else:
                for i in range(look(s, who, numbers)):
                    seen[i] |= int(numbers[i])
                n = rules.legal(s, moves)
                choices += n > 1
                move = moves[below(r, n)]
            rules.play(s, move)
            steps += 1
        payoffs += [float(rules.payoff(s, p)) for p in range(game.players)]
    rows = np.array(payoffs).reshape(-1, game.players)
    return FeatureSample(np.array(seen, np.int64), float(np.std(payoffs)) or 1.0, choices / len(rows), rows)


def _words(game: Game) -> int:
    return sum(int(np.prod(field.shape)) for field in (game.schema or {}).values())
