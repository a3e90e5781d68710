"""The functions that kernels are written in.

A kernel is a plain function that plays through states at speed: a solver's inner loop, an enumeration, a playout. It
imports these names and knows no game; `parlor.compile` binds the seven rules, `see`, `resolve`, `deal`, `imagine`,
`public_history`, `own_features`, `given_logits` and the functions of hidden worlds to those of a game and
`action_probabilities` to that of an agent, and replaces the last four functions, shown here as plain Python runs them,
by their compiled counterparts.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from parlor.game import Floats, Ints, State
from parlor.game.rng import choose

Part = TypeVar("Part", bound=Callable[..., Any])


def inlined(part: Part) -> Part:
    """Mark a part of a long kernel, which is compiled into its callers: calls with many arrays take time."""
    part.inlined = True  # type: ignore[attr-defined]
    return part


def _unbound() -> Any:
    raise RuntimeError("a kernel runs only after parlor.compile has bound it to a game")


def start(s: State) -> None:
    """Bound to the game's rule."""
    _unbound()


def turn(s: State) -> int:
    """Bound to the game's rule."""
    return int(_unbound())


def odds(s: State, out: Floats) -> int:
    """Bound to the game's rule."""
    return int(_unbound())


def legal(s: State, out: Ints) -> int:
    """Bound to the game's rule."""
    return int(_unbound())


def play(s: State, a: int) -> None:
    """Bound to the game's rule."""
    _unbound()


def payoff(s: State, p: int) -> float:
    """Bound to the game's rule."""
    return float(_unbound())


def key(s: State, p: int) -> int:
    """Bound to the game's rule."""
    return int(_unbound())


def see(s: State, p: int, out: Ints) -> int:
    """Bound to the game: fill the numbers that player `p` sees; returns how many. See `parlor.game.schema`.

    The first is 1 << p; in an abstraction, which merges what the fields tell apart, there is only the key besides.
    """
    return int(_unbound())


def resolve(s: State, a: int) -> int:
    """Bound to the game's resolver: the concrete action; the same action, if the game is no abstraction."""
    return int(_unbound())


def deal(s: State, out: Floats, r: Ints) -> int:
    """Draw an outcome of chance; a game may have a faster way than through its odds."""
    return choose(r, out, odds(s, out))


def imagine(s: State, p: int, r: Ints) -> None:
    """Bound to the game's `imagine`: replace what player `p` does not see by something equally possible."""
    _unbound()


def possible(s: State, p: int, codes: Ints, weights: Floats) -> int:
    """Bound to the game: the codes of what may be hidden from player `p`, see `parlor.game.HiddenWorlds`."""
    return int(_unbound())


def set_hidden_state(s: State, p: int, code: int) -> None:
    """Bound to the game: make a code what is hidden from player `p`."""
    _unbound()


def hidden(s: State, p: int) -> int:
    """Bound to the game: the code of what is hidden from player `p`."""
    return int(_unbound())


def decisions(s: State) -> int:
    """Bound to the game: how many moves players have made."""
    return int(_unbound())


def decision(s: State, k: int) -> int:
    """Bound to the game: the `k`-th move of players."""
    return int(_unbound())


def rewind(s: State, k: int) -> None:
    """Bound to the game: become the state before the `k`-th move of players."""
    _unbound()


def own_features(s: State, p: int, out: Floats, work: Ints) -> None:
    """Fill the numbers that a game computes for networks; nothing, unless it does. See `parlor.game.OwnFeatures`."""


def given_logits(s: State, p: int, moves: Ints, n: int, out: Floats, work: Ints) -> None:
    """Fill the logits that a game gives legal moves, right after `own_features`; 0, unless it gives any."""
    for i in range(n):
        out[i] = 0.0


def public_history(s: State, p: int) -> int:
    """A code of the public moves so far, as player `p` sees them; see `parlor.poker.public_tree`."""
    return 0


def action_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """Bound to an agent: fill the probabilities of the `n` legal `moves` of player `p` in `states[g]`.

    `r` is a random stream of the agent's own, `data` its own data.
    """
    _unbound()


def decide(states: Any, g: int, p: int, moves: Ints, n: int, r: Ints, data: Any) -> int:
    """Bound to an agent that never draws: the index of its move. Of others -1: draw by `action_probabilities`."""
    return -1


def remember(states: Any, g: int, p: int, moves: Ints, n: int, i: int, data: Any) -> None:
    """Bound to an agent with a memory: of the `n` legal `moves` of player `p` it makes the one at `i`."""


def copy(target: Any, i: int, source: Any, j: int) -> None:
    """Make `target[i]` equal to `source[j]`, both arrays of states."""
    target[i].assign(source[j])


def assign(target: Any, i: int, s: State) -> None:
    """Make `target[i]` equal to a state `s`, where that is not known by its place in an array."""
    target[i].assign(s)


def claim(slots: Any, i: int, value: int) -> int:
    """Write `value` into `slots[i]` if that is 0; return what was there. Atomic when compiled."""
    seen = slots[i]
    if seen == 0:
        slots[i] = value
    return seen


def fetch_add(counters: Any, i: int, value: int) -> int:
    """Add `value` to `counters[i]`; return what was there. Atomic when compiled."""
    seen = counters[i]
    counters[i] = seen + value
    return seen


def meet(gate: Any, threads: int) -> None:
    """Wait until all threads have come here; `gate`: a barrier, when compiled 64 numbers that were 0 at first."""
    gate.wait()


States: TypeAlias = MutableSequence[State]
IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
Float32Array: TypeAlias = npt.NDArray[np.float32]
Bits: TypeAlias = npt.NDArray[np.uint8]
