"""The abstraction of a game that is trained: the one that is asked for, or one that suits the game and its learner."""

from __future__ import annotations

from parlor.game import Game, GameError
from parlor.game.parameters import declared
from parlor.runs.learners.learner import LearnerRow
from parlor.runs.learners.registry import LEARNERS
from parlor.sequence_form.tree import tree_if_small

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
