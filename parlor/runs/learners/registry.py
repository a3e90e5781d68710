"""The learners, by name, and which one suits a game.

A new learner is a module with its settings and its row, and a line here.
"""

from __future__ import annotations

from collections.abc import Collection

from parlor.game import Game, GameError
from parlor.game.loading.registry import Registry
from parlor.game.parameters import declared
from parlor.runs.learners import abr, belief, dqn, gradient, mccfr, mccfr_public, rollout_cfr
from parlor.runs.learners.learner import PARALLEL, Entry, Job, Learner, LearnerRow, from_outside
from parlor.sequence_form.tree import tree_if_small
from parlor.solvers.sampling.mccfr import traversal

__all__ = [
    "LEARNERS",
    "PARALLEL",
    "Entry",
    "Job",
    "Learner",
    "LearnerRow",
    "choose_learner",
]

LEARNERS = Registry("algorithm", "dqn", "parlor.learners", LearnerRow, from_outside)
LEARNERS |= {
    "rollout-cfr": rollout_cfr.ROW,
    "abr": abr.ROW,
    "belief": belief.ROW,
    "boltzmann-dqn": dqn.BOLTZMANN,
    "dqn": dqn.DQN,
    "mccfr-external": mccfr.EXTERNAL,
    "mccfr-outcome": mccfr.OUTCOME,
    "mccfr-robust": mccfr.ROBUST,
    "mccfr-public": mccfr_public.ROW,
    **gradient.GRADIENTS,
}

QUICK_LINES = 1e5  # in a traversal: a tenth of a second or so


def choose_learner(game: Game, requested: Collection[str] = ()) -> tuple[str, str]:
    """A learner for a game and why it was chosen; `requested` are settings that it must have."""
    if game.training.algorithm:
        return game.training.algorithm, f"as {game.name} declares"
    choice, why = "mccfr-outcome", "because the game is too large for the traversals of mccfr-external"
    if game.players > 1 and traversal(game) <= QUICK_LINES:
        good = game.players == 2 and game.kind == "zero-sum"
        choice, why = "mccfr-external", f"{'which converges, and its' if good else 'whose'} traversals are quick here"
    anywhere = {name: row for name, row in LEARNERS.items() if row.plan is None}  # others need a game that names them
    able = [name for name, row in anywhere.items() if set(requested) <= {one.name for one in declared(row.settings)}]
    if not able or choice in able:
        return choice, why
    return able[-1], f"which has the setting {next(iter(requested))}"


CARDS = "abstraction"  # the flag of a learner's own setting: how it puts cards together


def learns_betting_trees(row: LearnerRow, game: Game) -> bool:
    """Whether the abstraction of the game is a betting tree, and that of the cards is a setting of the learner."""
    there = any("public_history" in each for each in (game.concrete or game).abstractions.values())
    return there and any(one.flag == CARDS for one in declared(row.settings))


def choose_abstraction(
    game: Game, algorithm: str = "", abstraction: str = "", bets: str = "", resolver: str = ""
) -> Game:
    """The game with its abstraction; GameError for what it does not have, or what is named twice."""
    full, named = game.concrete or game, game.name.partition("/")[2] if game.concrete else ""
    algorithm = algorithm or full.training.algorithm
    if algorithm in LEARNERS and learns_betting_trees(LEARNERS[algorithm], full):
        return _betting_tree(full, named, bets)
    if bets:
        raise GameError(f"{full.name} has no betting trees, or its learner reads none: omit --bets.")
    if named and abstraction:
        raise GameError(f"The abstraction is named twice: {named} in {game.name!r}, and {abstraction}.")
    concrete = algorithm in LEARNERS and LEARNERS[algorithm].concrete
    chosen = named or abstraction or ("none" if concrete else _usual(full))
    if chosen == "none":
        if resolver:
            raise GameError("Without an abstraction there is nothing to resolve: omit --resolver.")
        return full
    return full.abstract(_resolved(full, chosen, resolver) if resolver else chosen)


def _betting_tree(game: Game, named: str, bets: str) -> Game:
    """The abstraction of a game whose moves are all public."""
    known = [name for name, row in game.abstractions.items() if "public_history" in row]
    if named and bets:
        raise GameError(f"The betting tree is named twice: {named} in {game.name!r}, and {bets}.")
    tree = named or bets or game.training.abstraction or known[0]
    if tree not in known:
        raise GameError(f"{game.name} has no betting tree {tree!r}; it has: {', '.join(known)}.")
    return game.abstract(tree)


def _resolved(game: Game, abstraction: str, resolver: str) -> str:
    """The name of an abstraction together with how its intents become moves; the usual way has no name in it."""
    known = sorted({name.partition("+")[2] for name in game.abstractions if "+" in name})
    if not known:
        raise GameError(f"{game.name} has no resolvers: omit --resolver.")
    if resolver not in ("greedy", *known):
        raise GameError(f"There is no resolver {resolver!r}; there are {', '.join(['greedy', *known])}.")
    plain, _, named = abstraction.partition("+")
    if named not in ("", resolver):
        raise GameError(f"The resolver is named twice: {named} in {abstraction}, and {resolver}.")
    return plain if resolver == "greedy" else f"{plain}+{resolver}"


def _usual(game: Game) -> str:
    """The abstraction that a game declares, or its first one, if it cannot be enumerated; small ones need none."""
    if tree_if_small(game) is not None:
        return "none"
    return game.training.abstraction or next(iter(game.abstractions), "none")
