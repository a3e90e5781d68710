"""Exact best responses, exploitability, NashConv and expected values, on an enumerated game.

With the others' strategies fixed, a player's best response is a maximum at each of its information sets, taken from the
leaves up: one pass over the flat arrays of `tree.py`. NashConv is the sum of what the players could gain by best
responses; exploitability is that sum divided by the number of players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parlor import compile as compiler
from parlor.game import Game, GameError
from parlor.game.html import html_table
from parlor.game.loading import as_game
from parlor.policies.policy import Policy
from parlor.sequence_form.tree import Floats, Sequences, Tree, tree


@dataclass(frozen=True)
class Evaluation:
    """The values of a policy when everybody follows it, and of best responses to it."""

    values: tuple[float, ...]  # of the players, when all follow the policy
    best_responses: tuple[float, ...]  # of each player, when it alone departs from it

    @property
    def nash_conv(self) -> float:
        """The sum of what the players could gain."""
        return float(sum(b - v for b, v in zip(self.best_responses, self.values, strict=True)))

    @property
    def exploitability(self) -> float:
        """The mean of what the players could gain."""
        return self.nash_conv / len(self.values)

    def __repr__(self) -> str:
        values, best = (", ".join(f"{x:.4g}" for x in numbers) for numbers in (self.values, self.best_responses))
        return f"<evaluation: values {values}; best responses {best}; exploitability {self.exploitability:.4g}>"

    def _repr_html_(self) -> str:
        rows = [
            (p, f"{v:+.6f}", f"{b:+.6f}", f"{b - v:.6f}")
            for p, (v, b) in enumerate(zip(self.values, self.best_responses, strict=True))
        ]
        return html_table(
            f"exploitability {self.exploitability:.4g}", ("player", "value", "best response", "gain"), rows
        )


Policies = Policy | Sequence[Policy]  # one that all players follow, or one for each player


def evaluate(game: Game | str, policy: Policies) -> Evaluation:
    """Values and best-response values, exactly, of a policy that all follow or of one policy for each player.

    Information sets that a policy does not know are played uniformly.
    """
    t = tree(as_game(game))
    return expected(t, sequence_strategy(t, policy))


def exploitability(game: Game | str, policy: Policies) -> float:
    """The mean gain of a player by a best response."""
    return evaluate(game, policy).exploitability


def nash_conv(game: Game | str, policy: Policies) -> float:
    """The sum of the players' gains by best responses."""
    return evaluate(game, policy).nash_conv


def best_response(game: Game | str, policy: Policies, player: int) -> Policy:
    """A best response of `player` to the others following `policy`: one action at each of its information sets."""
    game = as_game(game)
    if not 0 <= player < game.players:
        raise GameError(f"{game.name} has players 0 to {game.players - 1}, not {player}.")
    t = tree(game)
    strategy = sequence_strategy(t, policy)
    value, _ = _responses(t, strategy)
    mine = np.flatnonzero(t.player == player)
    rows = []
    for i in mine:
        options = value[t.first[i] : t.first[i] + t.count[i]]
        rows.append((np.arange(len(options)) == np.argmax(options)).astype(float))
    return Policy.from_rows(game, t.keys[mine], t.counts[mine], np.concatenate([np.zeros(0), *rows]))


def sequence_strategy(t: Tree, policy: Policies) -> Floats:
    """The probability of each sequence's last action."""
    policies = list(policy) if isinstance(policy, Sequence) else [policy]
    if isinstance(policy, Sequence) and len(policies) != t.game.players:
        raise GameError(f"{t.game.name} has {t.game.players} players, but there are {len(policies)} policies.")
    strategy = np.ones(t.sequences)
    for p, one in enumerate(policies):
        if one.game != t.game.name:
            hint = " parlor.lift turns it into one." if one.game.startswith(f"{t.game.name}/") else ""
            raise GameError(f"The policy for {one.game} is not a policy for {t.game.name}.{hint}")
        row = one.rows(t.keys, t.counts)
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
    compiler.native(respond)(t.sequence_form, strategy, reaches(t, strategy), best, values)
    return best, values


def fill_reaches(sequences: Sequences, strategy: Floats, reach: Floats) -> None:
    """Parents come before children."""
    parent, first, count, _, _, _, _, _ = sequences
    for i in range(len(parent)):
        for q in range(first[i], first[i] + count[i]):
            reach[q] = reach[parent[i]] * strategy[q]


def respond(sequences: Sequences, strategy: Floats, reach: Floats, best: Floats, values: Floats) -> None:
    """Fill, for each sequence, its worth if its player goes on with a best response, and if it follows the strategy."""
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
        for q in range(begin, begin + count[i]):
            top = max(top, best[q])
            utility += strategy[q] * values[q]
        best[parent[i]] += top
        values[parent[i]] += utility
