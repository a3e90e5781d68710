"""Exact best responses, exploitability, NashConv and expected values.

With the others' strategies fixed, a player's best response is a maximum at each of its information sets, taken from the
leaves up: one pass over the flat arrays of `tree.py`. NashConv is the sum of what the players could gain by best
responses; exploitability is that sum divided by the number of players. Games that are too large for that are measured
as exactly by a walk through their information sets, see `large`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from parlor import compile as compiler
from parlor.compile.random_games import estimate_in_time
from parlor.game import Game, GameError
from parlor.game.loading import as_game
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.sequence_form.enumeration import TooLarge
from parlor.sequence_form.tree import Floats, Sequences, Tree, tree
from parlor.solvers.large import MEMORY
from parlor.solvers.solver import Evaluation, Policies

if TYPE_CHECKING:
    from parlor.solvers.large.measurement import Measurement

log = logging.getLogger("parlor.solvers")


NOT_LOCKED = np.zeros(0, np.bool_)
FEASIBLE = 1e11  # histories: an hour or two on one core


def evaluate(
    game: Game | str,
    policy: Policies,
    *,
    enumerated: bool | None = None,
    threads: int = 1,
    memory: float = MEMORY,
    on_progress: Callable[[Measurement], bool] = lambda measurement: True,
) -> Evaluation:
    """Values and best-response values, exactly, of a policy that all follow or of one policy for each player.

    Information sets that a policy does not know are played uniformly. A game too large to be enumerated is walked
    through by the information sets of each player, on so many threads, with so many GiB of memory; `enumerated` says
    which is done, whatever its size. A log message of `parlor.solvers` says so; `on_progress` is told how far it is.
    """
    game = as_game(game)
    t = _tree(game, enumerated)
    if t is not None:
        return expected(t, sequence_strategy(t, policy))
    measurement = _measurement(game, policy, threads=threads, memory=memory)
    if not measurement.run(on_progress):
        raise GameError("The measurement was stopped before its end.")
    return measurement.evaluation()


def _tree(game: Game, enumerated: bool | None) -> Tree | None:
    """The tree of a game; None if it is too large, but not too large to be walked through by information sets."""
    if enumerated is False:
        return None
    try:
        return tree(game)
    except TooLarge as error:
        if enumerated or not game.native:
            raise
        histories = estimate_in_time(game, 200)[0]
        if histories > FEASIBLE:
            raise TooLarge(
                f"{error} enumerated=False measures it exactly all the same, however long it takes."
            ) from None
        log.info("%s has about %.1e histories: its information sets are walked through", game.name, histories)
        return None


def _measurement(game: Game, policy: Policies, **settings: Any) -> Measurement:
    from parlor.solvers.large.measurement import Measurement  # which imports all kinds of strategies

    return Measurement(game, of_each_player(game, policy), **settings)


def exploitability(game: Game | str, policy: Policies, **walk: Any) -> float:
    """The mean gain of a player by a best response; further arguments as of `evaluate`."""
    return evaluate(game, policy, **walk).exploitability


def nash_conv(game: Game | str, policy: Policies, **walk: Any) -> float:
    """The sum of the players' gains by best responses; further arguments as of `evaluate`."""
    return evaluate(game, policy, **walk).nash_conv


def best_response(
    game: Game | str, policy: Policies, player: int, *, enumerated: bool | None = None, threads: int = 1
) -> Policy:
    """A best response of `player` to the others following `policy`: one action at each of its information sets.

    In a game too large to be enumerated, at each that the others let it reach.
    """
    game = as_game(game)
    if not 0 <= player < game.players:
        raise GameError(f"{game.name} has players 0 to {game.players - 1}, not {player}.")
    t = _tree(game, enumerated)
    if t is None:
        measurement = _measurement(game, policy, threads=threads, players=[player], choices=True)
        measurement.run()
        return measurement.response(player)
    strategy = sequence_strategy(t, policy)
    value, _ = _responses(t, strategy)
    mine = np.flatnonzero(t.player == player)
    rows = []
    for i in mine:
        options = value[t.first[i] : t.first[i] + t.count[i]]
        rows.append((np.arange(len(options)) == np.argmax(options)).astype(float))
    return Policy.from_rows(game, t.keys[mine], t.counts[mine], np.concatenate([np.zeros(0), *rows]))


def of_each_player(game: Game, policy: Policies) -> list[Strategy]:
    """The strategies of the players in a game."""
    given = list(policy) if isinstance(policy, Sequence) else [policy] * game.players
    if len(given) != game.players:
        raise GameError(f"{game.name} has {game.players} players, but there are {len(given)} policies.")
    for one in given:
        if one.game != game.name:
            hint = " parlor.lift turns it into one." if one.game.startswith(f"{game.name}/") else ""
            raise GameError(f"The {one.kind} for {one.game} is not a policy for {game.name}.{hint}")
    return given


def sequence_strategy(t: Tree, policy: Policies) -> Floats:
    """The probability of each sequence's last action."""
    given = of_each_player(t.game, policy)
    strategy = np.ones(t.sequences)
    policies = given if isinstance(policy, Sequence) else given[:1]
    for p, one in enumerate(policies):
        if one.table is None:
            raise GameError(f"The {one.kind} for {one.game} is not known at all information sets of {t.game.name}.")
        row = one.table.rows(t.keys, t.counts)
        own = slice(None) if len(policies) == 1 else np.repeat(t.player == p, t.counts)
        strategy[t.rows[own]] = row[own]
    return strategy


def reaches(t: Tree, strategy: Floats) -> Floats:
    """The realisation plan: for each sequence, the product of its own player's probabilities."""
    reach = np.ones(t.sequences)
    compiler.native(fill_reaches)(t.sequence_form, strategy, reach)
    return reach


def expected(t: Tree, strategy: Floats) -> Evaluation:
    """The evaluation of a strategy given by sequences."""
    best, values = _responses(t, strategy)
    empty = t.bounds[:-1]
    return Evaluation(tuple(values[empty].tolist()), tuple(best[empty].tolist()))


def _responses(t: Tree, strategy: Floats) -> tuple[Floats, Floats]:
    best, values = np.zeros(t.sequences), np.zeros(t.sequences)
    compiler.native(respond)(t.sequence_form, strategy, reaches(t, strategy), NOT_LOCKED, best, values)
    return best, values


def fill_reaches(sequences: Sequences, strategy: Floats, reach: Floats) -> None:
    """Parents come before children."""
    parent, first, count, _, _, _, _, _ = sequences
    for i in range(len(parent)):
        for q in range(first[i], first[i] + count[i]):
            reach[q] = reach[parent[i]] * strategy[q]


def respond(sequences: Sequences, strategy: Floats, reach: Floats, locked: Any, best: Floats, values: Floats) -> None:
    """Fill, for each sequence, its worth if its player goes on with a best response, and if it follows the strategy.

    `reach`: the realisation plans as others meet them; `locked` [I], or empty: infosets where all follow the strategy.
    """
    parent, first, count, _, _, entry_bounds, other, weight = sequences
    for q in range(len(best)):
        utility = 0.0
        for e in range(entry_bounds[q], entry_bounds[q + 1]):
            product = weight[e]
            for k in range(other.shape[1]):
                product *= reach[other[e, k]]
            utility += product
        best[q] = utility
        values[q] = utility
    for i in range(len(parent) - 1, -1, -1):
        begin = first[i]
        top = best[begin]
        utility = 0.0
        held = 0.0
        for q in range(begin, begin + count[i]):
            top = max(top, best[q])
            utility += strategy[q] * values[q]
            held += strategy[q] * best[q]
        if len(locked) > 0 and locked[i]:
            top = held
        best[parent[i]] += top
        values[parent[i]] += utility
