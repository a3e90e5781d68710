"""Local best response against what an exact one wins."""

import numpy as np
import pytest

import parlor
from parlor.games import load
from parlor.solvers.deals import listed_deals, outcomes_of, policy_of
from parlor.solvers.local_best_response import ListedCards, Ways, respond
from parlor.solvers.public_mccfr import PublicMccfr
from parlor.solvers.public_tree import public_tree


def solved(name: str, iterations: int) -> PublicMccfr:
    tree = public_tree(load(name))
    solve = PublicMccfr(tree, listed_deals(tree), seed=1)
    solve.run(iterations)
    return solve


@pytest.mark.parametrize(("name", "streets"), [("kuhn", (0,)), ("leduc", (0, 1)), ("leduc", (1,))])
@pytest.mark.parametrize("iterations", [0, 100, 20_000])
def test_it_never_wins_more_than_a_best_response(name: str, streets: tuple[int, ...], iterations: int) -> None:
    solve = solved(name, iterations)
    cards = ListedCards(solve, outcomes_of(solve.tree))
    won = respond(solve.tree, cards, cards.chances, 4000, 1, streets)
    pairs = won.reshape(-1, 2).mean(axis=1)  # both seats
    error = pairs.std() / np.sqrt(len(pairs))
    exact = parlor.exploitability(load(name), policy_of(solve))
    assert pairs.mean() - 3.0 * error <= exact
    if iterations == 0 and 0 in streets:  # who plays anything is punished
        assert pairs.mean() - 3.0 * error > 0.3 * exact


def test_what_calling_costs_is_read_off_the_tree() -> None:
    ways = Ways.of(public_tree(load("kuhn")))
    assert ways.stake.tolist() == [1.0, 1.0, 2.0, 2.0]
    assert ways.passive.tolist() == [0, 0, 1, 1]  # pass, pass; facing a bet, betting is calling
    assert ways.folding.tolist() == [-1, -1, 0, 0]
