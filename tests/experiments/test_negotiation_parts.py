"""Parts of the tournament of negotiators: pairs are played once, and who is chosen, also from the paper's table."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import parlor
from experiments.figure6 import experiment as figure6
from experiments.lab import Lab, MissingError
from experiments.negotiation.experiment import Options
from experiments.negotiation.report import NAMES, PAPER, made_by
from experiments.negotiation.runs import Pairs, Workers, taken
from experiments.negotiation.selection import CRITERIA, against_all, best_first, ranking_table, select
from parlor.population.empirical.empirical_game_files import from_one_shot
from parlor.population.empirical.empirical_games import SimulatedGame

pytestmark = pytest.mark.slow


def game_of(table: Sequence[Sequence[float]], names: tuple[str, ...]) -> SimulatedGame:
    mine = np.array(table)
    return from_one_shot(parlor.matrix_game(np.stack([mine, mine.T]), actions=names))


def test_the_agents_of_the_paper_have_their_places_in_their_own_table() -> None:
    game = game_of(PAPER["payoff"], NAMES)
    order = {name: best_first(ranking_table(game, criterion)) for name, criterion in CRITERIA.items()}
    assert order["competitive"][0] == "IndRL"
    assert order["cooperative"][:2] == ["Coop", "Fair"]
    assert order["fair"][:2] == ["IndRL", "Fair"]  # which stands apart
    rows = {row["agent"]: row for row in against_all(game)}
    assert rows["Coop"]["itself"] == pytest.approx(2 * 6.67)
    assert rows["IndRL"]["payoff"] == pytest.approx(np.mean(PAPER["payoff"][0]))
    tables = {
        measure: game.estimates(measure, True, of_means=True).payoffs[0] for measure in ("welfare", "nash-product")
    }
    assert np.abs(tables["welfare"] - PAPER["welfare"]).max() < 0.011  # theirs are rounded
    assert np.abs(tables["nash-product"] - PAPER["product"]).max() < 0.1


def test_whoever_never_agrees_is_not_fair() -> None:
    table = [[7, 7, 5, 0], [5, 6, 5, 0], [8, 7, 5, 0], [0, 0, 0, 0]]
    game = game_of(table, ("one", "other", "third", "silent"))
    assert best_first(ranking_table(game, CRITERIA["fair"]))[0] == "silent"  # always equal, at nothing
    assert select(game)["chosen"]["Fair"] != "silent"


def test_one_agent_is_chosen_once_and_the_best_of_each_kind_comes_first() -> None:
    """The first agent is best in every way; the second competes, the third cooperates."""
    game = game_of([[9, 8, 9, 9], [7, 6, 7, 7], [9, 2, 6, 5], [0, 0, 0, 0]], ("all", "selfish", "kind", "none"))
    chosen = select(game)["chosen"]
    assert chosen["Comp1"] == "all"
    assert len(set(chosen.values())) == 4
    ranked = ranking_table(game, CRITERIA["competitive"])
    assert ranked["agents"]["all"]["mean_place"] == 1.0
    assert ranked["agents"]["all"]["chosen"] == 1.0  # the payoffs are known exactly


def test_pairs_are_played_once_and_games_are_added(tmp_path: Path) -> None:
    lab, closed = Lab(tmp_path, 1), Lab(tmp_path, 1, closed=True)
    few = Pairs("some", "kuhn", ("random", "solver"), 20, 1)
    with pytest.raises(MissingError):
        few.ask(closed, Workers())
    assert few.ask(lab, Workers()).games == 60  # three pairs
    seconds, written = taken(lab, "some", few.about), few.file(lab).stat().st_mtime_ns
    assert few.ask(lab, Workers()).games == few.ask(closed, Workers()).games == 60
    assert (taken(lab, "some", few.about), few.file(lab).stat().st_mtime_ns) == (seconds, written)
    more = dataclasses.replace(few, games=40)
    assert more.file(lab) == few.file(lab)
    assert more.ask(lab, Workers()).games == 120


def test_what_is_given_stays_with_the_numbers_of_the_paper() -> None:
    """Also if it is what one gets without them; the report says how it was made."""
    o = Options(paper=True, simulations=64)
    assert (o.simulations, o.rational, o.episodes) == (64, 300, 10000)
    command = "python -m experiments negotiation"
    assert (made_by(o), made_by(Options(seed=2))) == (f"{command} --paper --simulations 64", f"{command} --seed 2")
    plain, paper = figure6.Options(), figure6.Options(paper=True)
    assert (plain.simulations, paper.simulations) == (64, 300)
    question = figure6.Question("kuhn", "random", "learned", 1, 500, 8, 200, 512, paper=True)
    assert (question.settings.belief, question.settings.simulations, question.settings.round) == ("learned", 8, 200)
