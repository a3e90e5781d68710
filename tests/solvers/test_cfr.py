"""CFR and its variants: against OpenSpiel, against theory, and in pieces."""

from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms import discounted_cfr, exploitability

import parlor
from parlor import GameError
from parlor.game.loading import load
from parlor.solvers.cfr import Cfr
from parlor.solvers.tree_cfr.iteration import VARIANTS, Variant

PEERS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker", "liars-dice(faces=3)": "liars_dice(dice_sides=3)"}


GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(num_cards=4,imp_info=True,points_order=descending,returns_type={}))"
)
PEERS["goofspiel"] = GOOFSPIEL.format("win_loss")
PEERS["goofspiel(returns=total-points)"] = GOOFSPIEL.format("total_points")  # general-sum: what is reached is the same


@pytest.mark.slow(seconds=8)
@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize(("variant", "peer"), [("cfr", pyspiel.CFRSolver), ("cfr+", pyspiel.CFRPlusSolver)])
def test_exploitability_is_openspiels_after_the_same_iterations(name: str, variant: str, peer: Any) -> None:
    spiel = pyspiel.load_game(PEERS[name])
    theirs, ours = peer(spiel), Cfr(load(name), variant)
    for _ in range(60):
        theirs.evaluate_and_update_policy()
    ours.run(60)
    assert ours.nash_conv() == pytest.approx(pyspiel.nash_conv(spiel, theirs.average_policy()), abs=1e-9)


@pytest.mark.parametrize(
    ("variant", "peer"), [("dcfr", discounted_cfr.DCFRSolver), ("linear-cfr", discounted_cfr.LCFRSolver)]
)
def test_discounted_variants_are_openspiels(variant: str, peer: Any) -> None:
    spiel = pyspiel.load_game("kuhn_poker")
    theirs, ours = peer(spiel), Cfr(load("kuhn"), variant)
    for _ in range(50):
        theirs.evaluate_and_update_policy()
    ours.run(50)
    assert ours.nash_conv() == pytest.approx(exploitability.nash_conv(spiel, theirs.average_policy()), abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel", "kuhn(players=3)"])
def test_every_variant_converges(name: str, variant: str) -> None:
    cfr = Cfr(load(name), variant)
    cfr.run(20)
    early = cfr.nash_conv()
    cfr.run(1980)
    assert cfr.nash_conv() < min(early / 5, 0.06)


@pytest.mark.slow
def test_the_better_variants_are_better() -> None:
    reached = {}
    for variant in VARIANTS:
        cfr = Cfr(load("leduc"), variant)
        cfr.run(1000)
        reached[variant] = cfr.nash_conv()
    assert reached["cfr"] == pytest.approx(0.0236, abs=0.0002)
    assert reached["dcfr"] < reached["cfr+"] < reached["linear-cfr"] < reached["cfr"] < reached["cfr-simultaneous"]


@pytest.mark.parametrize("name", ["kuhn", "goofspiel", "liars-dice(faces=4)"])
def test_predictive_cfr_is_far_ahead_in_some_games(name: str) -> None:
    """As Farina, Kroer and Sandholm (2021) found: by orders of magnitude, though not in Leduc."""
    reached = {}
    for variant in ("cfr+", "dcfr", "pcfr+"):
        cfr = Cfr(load(name), variant)
        cfr.run(1000)
        reached[variant] = cfr.nash_conv()
    assert reached["pcfr+"] < reached["cfr+"] / 10
    assert reached["pcfr+"] < reached["dcfr"] / 10


@pytest.mark.parametrize("variant", VARIANTS)
def test_pieces_make_the_whole(variant: str) -> None:
    whole, pieces = Cfr(load("leduc"), variant), Cfr(load("leduc"), variant)
    whole.run(100)
    for n in (1, 2, 47, 0, 50):
        pieces.run(n)
    assert pieces.iterations == 100
    assert whole.policy() == pieces.policy()


def test_an_abstraction_without_loss_reaches_the_same() -> None:
    fine, coarse = (parlor.solve(load(name), "cfr+", iterations=100).report for name in ("leduc", "leduc/ranks"))
    assert fine.exploitability == pytest.approx(coarse.exploitability, abs=1e-9)
    assert (fine.infosets, coarse.infosets) == (936, 288)


def test_a_variant_of_ones_own_is_a_row_of_numbers() -> None:
    cfr = Cfr(load("kuhn"), Variant(positive=2.0, negative=0.5, average=3.0))
    cfr.run(2000)
    assert cfr.nash_conv() < 0.005


def test_an_unknown_variant_gets_a_sentence() -> None:
    with pytest.raises(GameError, match="There is no CFR variant 'cfr--'; there are cfr,"):
        Cfr(load("kuhn"), "cfr--")
