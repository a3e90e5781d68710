"""Empirical games that are played: what is played does not depend on who plays it when; files; other sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError, Observation
from parlor.arena.match import play_match
from parlor.arena.tournament import play_tournament
from parlor.population.empirical.empirical_game import EXACT, symmetrised
from parlor.population.empirical.empirical_game_files import from_one_shot, load_empirical_game
from parlor.population.empirical.empirical_games import SimulatedGame, empirical_game
from parlor.runs.files.container import FileError
from parlor.runs.saved_agents import load_agent

AGENTS = ["random", "solver"]
CHICKEN = [[[-5, 1], [-1, -1]], [[-5, -1], [1, -1]]]


def timid(seen: Observation) -> str:
    return "pass"


def broken(seen: Observation) -> str:
    raise ValueError("I forgot")


def same(one: SimulatedGame, other: SimulatedGame) -> bool:
    return all(
        np.array_equal(getattr(one.measured[name], part), getattr(other.measured[name], part))
        for name in one.measured
        for part in ("counts", "sums", "squares")
    )


@pytest.fixture(scope="module")
def exact() -> SimulatedGame:
    game = SimulatedGame.of("kuhn")
    for agent in AGENTS:
        game.add(agent)
    assert game.compute() == {}
    return game


@pytest.fixture(scope="module")
def played() -> SimulatedGame:
    return empirical_game("kuhn", AGENTS, 4000)


def test_cells_are_what_they_are_expected_to_be(played: SimulatedGame, exact: SimulatedGame) -> None:
    assert (played.payoffs.counts == 4000).all()
    assert played.games == 16_000
    widths = played.payoffs.half_widths()
    assert (np.abs(played.payoffs.payoffs - exact.payoffs.payoffs) < 1.6 * widths).all()
    assert exact.payoffs.payoffs[0, 1, 1] == pytest.approx(-1 / 18, abs=1e-3)
    assert (exact.payoffs.counts == EXACT).all()
    random = parlor.tabulate("kuhn", load_agent("random", "kuhn"))
    assert exact.payoffs.payoffs[:, 0, 0] == pytest.approx(parlor.evaluate("kuhn", random).values)


def test_it_does_not_matter_who_plays_what_when(played: SimulatedGame) -> None:
    other = empirical_game("kuhn", AGENTS[::-1], 1500, workers=2)
    other.play(4000, workers=3)
    assert np.array_equal(other.payoffs.sums, played.payoffs.sums[:, ::-1, ::-1])
    assert np.array_equal(other.payoffs.squares, played.payoffs.squares[:, ::-1, ::-1])
    assert not np.array_equal(empirical_game("kuhn", AGENTS, 400, seed=1).payoffs.sums, played.payoffs.sums / 10)


def test_a_new_agent_plays_only_its_own_cells(played: SimulatedGame, tmp_path: Path) -> None:
    played.save(tmp_path / "game.json")
    more = load_empirical_game(tmp_path / "game.json")
    more.add(timid)
    assert more.play(40)
    assert more.games == 16_000 + 5 * 40
    assert np.array_equal(more.payoffs.sums[:, :2, :2], played.payoffs.sums)
    assert more.payoffs.counts[2, 2] == 40
    assert more.payoffs.payoffs[0, 2, 2] == pytest.approx(0.0, abs=1.0)


def test_seats_are_drawn_on_the_same_deals() -> None:
    game = empirical_game("kuhn", AGENTS, 2000, symmetric=True)
    match = play_match("kuhn", [load_agent(name, "kuhn") for name in AGENTS], 2000)
    payoffs, widths = game.payoffs.payoffs, game.payoffs.half_widths()
    assert game.payoffs.counts.tolist() == [[2000, 1000], [1000, 2000]]  # deals, of one and of two games
    assert np.array_equal(payoffs, symmetrised(payoffs))
    assert payoffs[:, 0, 0].tolist() == [0.0, 0.0]
    assert abs(payoffs[0, 0, 1] - match.payoff.value) < 2 * widths[0, 0, 1]
    assert widths[0, 0, 1] == pytest.approx((match.payoff.high - match.payoff.low) / 2, rel=0.1)
    assert game.measured["win-share"].payoffs[:, 0, 0].tolist() == [0.5, 0.5]
    assert game.solve("nash").marginals[0][1] == pytest.approx(1.0)


def test_three_players_in_all_orders() -> None:
    game = empirical_game("kuhn(players=3)", AGENTS, 60, symmetric=True)
    assert game.cells() == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
    payoffs = game.payoffs.payoffs
    assert np.allclose(payoffs, symmetrised(payoffs))
    assert payoffs[0, 0, 0, 1] == payoffs[1, 0, 0, 1] == payoffs[1, 1, 0, 0]
    assert np.allclose(payoffs.sum(axis=0), 0.0)
    assert game.payoffs.counts[0, 0, 1] == 20
    assert len(game.rank("borda")) == 1


def test_each_player_may_have_agents_of_its_own(exact: SimulatedGame) -> None:
    game = empirical_game("kuhn", [["solver"], ["random", "solver"]], 100, exact=True)
    assert game.payoffs.shape == (1, 2)
    assert np.array_equal(game.payoffs.payoffs, exact.payoffs.payoffs[:, 1:])
    with pytest.raises(GameError, match="kuhn has 2 players, but there are 3 lists"):
        empirical_game("kuhn", [["random"]] * 3)


def test_more_games_are_played_where_intervals_are_wide() -> None:
    game = empirical_game("kuhn", [["random"], ["random", "solver"]], 0, until=0.06)
    assert (game.payoffs.half_widths() <= 0.06).all()
    assert len(set(game.payoffs.counts.ravel().tolist())) == 2  # more where payoffs vary more
    assert game.play(0, until=0.06)
    limited = empirical_game("kuhn", [["random"], ["random"]], 0, until=0.01, most=500)
    assert limited.payoffs.counts.tolist() == [[500]]


def test_measures_are_taken_game_by_game() -> None:
    game = empirical_game("kuhn", [["random"], ["random"]], 500)
    match = play_match("kuhn", [load_agent("random", "kuhn")] * 2, 500, start="first")
    assert game.measured["inequity"].payoffs[0, 0, 0] == pytest.approx(match.measure("inequity").value, abs=0.3)
    assert game.estimates("inequity").payoffs[0, 0, 0] == -game.measured["inequity"].payoffs[0, 0, 0]
    assert game.estimates("inequity").correlation.tolist() == [[1.0]]
    assert game.estimates("welfare").payoffs.tolist() == [[[0.0]], [[0.0]]]


def test_measures_of_means_are_derived_from_the_payoffs(played: SimulatedGame) -> None:
    payoffs = played.estimates(symmetric=True).payoffs
    for name, expected in (
        ("welfare", payoffs[0] + payoffs[1]),
        ("nash-product", np.maximum(payoffs[0], 0) * np.maximum(payoffs[1], 0)),
        ("inequity", -np.abs(payoffs[0] - payoffs[1])),
    ):
        derived = played.estimates(name, True, of_means=True)
        assert derived.payoffs == pytest.approx(np.stack([expected, expected]))
        again = np.array(list(derived.resampled(200)))  # derived anew from payoffs that are drawn anew
        assert derived.half_widths == pytest.approx(1.96 * again.std(axis=0), rel=1e-3, abs=1e-9)
    assert (derived.half_widths[:, [0, 1], [0, 1]] == 0).all()  # with itself nobody has more, on average
    [ranking] = played.rank("borda-combinations", "inequity", True, resamples=3, of_means=True)
    assert ranking.places.tolist() == [1, 1]  # with two agents there is only one pair


# ---------------------------------------------------------------------------------------------------------- failures


def test_a_cell_that_cannot_be_played_does_not_spoil_the_others() -> None:
    agents: list[Any] = ["random", broken, timid]
    game = empirical_game("kuhn", agents, 20)
    assert set(game.failures) == {
        (a, b) for a in ("random", "broken", "timid") for b in ("random", "broken", "timid") if "broken" in (a, b)
    }
    assert "I forgot" in game.failures["random", "broken"]
    estimates = game.estimates()
    assert estimates.labels == [["random", "timid"]] * 2
    assert estimates.payoffs.shape == (2, 2, 2)
    assert game.play(20) is True  # they are tried again
    assert game.failures


def test_nothing_is_lost_when_it_is_stopped(tmp_path: Path) -> None:
    whole = empirical_game("kuhn", AGENTS, 2500)
    part = SimulatedGame.of("kuhn")
    for agent in AGENTS:
        part.add(agent)
    assert part.play(2500, on_progress=lambda done, total: done < 3000) is False
    part.save(tmp_path / "part.json")
    again = load_empirical_game(tmp_path / "part.json")
    assert 0 < again.games < 10_000
    again.play(2500)
    again.save(tmp_path / "again.json")
    whole.save(tmp_path / "whole.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_an_agent_that_has_changed_is_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("def act(seen):\n    return 'pass'\n")
    game = empirical_game("kuhn", ["random", "mine.py:act"], 10)
    game.save("game.json")
    Path("mine.py").write_text("def act(seen):\n    return 'bet'\n")
    with pytest.raises(GameError, match=r"mine\.py:act has changed since its games were played"):
        load_empirical_game("game.json").play(20)
    assert load_empirical_game("game.json").estimates().payoffs.shape == (2, 2, 2)


def test_one_agent_is_listed_once() -> None:
    with pytest.raises(GameError, match="random is in the empirical game already"):
        empirical_game("kuhn", ["random", "random"], 1)
    with pytest.raises(GameError, match="all players have the same agents"):
        empirical_game("kuhn", [["random"], ["solver"]], 1, symmetric=True)
    with pytest.raises(GameError, match="2 to 4 players"):
        empirical_game("leodopoly(players=6)", ["random"], 1)


# ------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("name", ["game.json", "game.npz"])
def test_a_file_has_everything(name: str, tmp_path: Path, played: SimulatedGame) -> None:
    drawn = empirical_game("kuhn", AGENTS, 30, symmetric=True, seed=7)
    for game in (played, drawn, from_one_shot(parlor.matrix_game(CHICKEN, actions=["C", "S"]))):
        game.save(tmp_path / name)
        read = load_empirical_game(tmp_path / name)
        assert same(game, read)
        assert (read.name, read.labels, read.seed, read.symmetric) == (
            game.name,
            game.labels,
            game.seed,
            game.symmetric,
        )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is not an empirical game, or it is damaged"),
        ("{}", "its format is 'none'"),
        ('{"format": "parlor empirical game 1"}', "or it is damaged .KeyError."),
        ("7", "is not an empirical game, or it is damaged"),
    ],
)
def test_a_damaged_file_gets_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(text)
    with pytest.raises(FileError, match=sentence):
        load_empirical_game(tmp_path / "game.json")
    with pytest.raises(FileError, match="There is no file"):
        load_empirical_game(tmp_path / "other.json")


def test_a_cross_table_is_an_empirical_game(tmp_path: Path) -> None:
    agents = [load_agent(name, "kuhn") for name in AGENTS]
    table = play_tournament(parlor.load("kuhn"), agents, 400)
    (tmp_path / "table.json").write_text(json.dumps(table.row()))
    game = load_empirical_game(tmp_path / "table.json")
    match = table.matches[0, 1]
    assert game.symmetric
    assert game.payoffs.payoffs[:, 0, 1] == pytest.approx([match.payoff.value, -match.payoff.value])
    assert game.payoffs.payoffs[:, 1, 1].tolist() == [0.0, 0.0]
    [half, _] = game.payoffs.half_widths()[:, 0, 1]
    assert half == pytest.approx((match.payoff.high - match.payoff.low) / 2, rel=0.02)
    assert game.measured["inequity"].payoffs[0, 0, 1] == pytest.approx(match.measure("inequity").value)
    assert game.rank("mean")[0].order == [1, 0]


def test_a_matrix_is_an_empirical_game(tmp_path: Path) -> None:
    (tmp_path / "chicken.json").write_text(json.dumps(CHICKEN))
    game = load_empirical_game(tmp_path / "chicken.json")
    assert np.array_equal(game.payoffs.payoffs, CHICKEN)
    assert game.measured["welfare"].payoffs[0].tolist() == [[-10.0, 0.0], [0.0, -2.0]]
    assert np.allclose(game.solve("mnce").joint, [[0, 0.5], [0.5, 0]], atol=1e-6)
    with pytest.raises(GameError, match="decides at more than one place"):
        from_one_shot(parlor.load("kuhn"))
