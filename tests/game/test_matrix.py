"""Games from an array."""

import json
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor import GameError
from parlor.compile import version

RPS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
CHICKEN = [[[0, -1], [1, -10]], [[0, 1], [-1, -10]]]  # swerve, straight


def test_rock_paper_scissors() -> None:
    game = parlor.matrix_game(RPS, actions=["rock", "paper", "scissors"])
    assert game.kind == "zero-sum"
    policy, report = parlor.solve(game, iterations=2000)
    assert report.values == pytest.approx((0.0, 0.0), abs=1e-3)
    third = pytest.approx({"rock": 1 / 3, "paper": 1 / 3, "scissors": 1 / 3}, abs=1e-2)
    assert policy[game.start()] == third
    assert parlor.with_words(game, policy)["player 1 has not chosen yet"] == third
    played = game.start().after("paper", "rock")
    assert played.payoffs == [1.0, -1.0]
    assert all(finding.ok is not False for finding in parlor.check(game))


def test_an_uneven_zero_sum_game() -> None:
    """Matching pennies where one match pays 3: value (3·1 − 1·1) / (3 + 1 + 1 + 1) = 1/3, heads with 1/3."""
    game = parlor.matrix_game([[3, -1], [-1, 1]])
    policy, report = parlor.solve(game, "pcfr+", iterations=20_000)
    assert report.values[0] == pytest.approx(1 / 3, abs=1e-4)
    assert policy[game.start()]["0"] == pytest.approx(1 / 3, abs=1e-3)


def test_chicken_is_general_sum_and_keeps_its_payoffs() -> None:
    game = parlor.matrix_game(CHICKEN, name="chicken", actions=["swerve", "straight"])
    assert game.kind == "general-sum"
    assert game.name == "chicken"
    assert game.start().after("straight", "swerve").payoffs == [1.0, -1.0]
    assert game.start().after("straight", "straight").payoffs == [-10.0, -10.0]

    def mixes(position: parlor.Position) -> dict[str, float]:  # the mixed equilibrium: straight with 1/10
        return {"swerve": 0.9, "straight": 0.1}

    assert parlor.nash_conv(game, parlor.tabulate(game, mixes)) == pytest.approx(0.0, abs=1e-12)


def test_three_players_of_different_sizes() -> None:
    table = np.random.default_rng(1).normal(size=(3, 2, 3, 4))
    game = parlor.matrix_game(table)
    assert (game.players, game.actions, game.kind) == (3, 4, "general-sum")
    for cell in [(0, 0, 0), (1, 2, 3), (1, 0, 2)]:
        assert game.start().after(*cell).payoffs == table[:, *cell].tolist()
    uniform = parlor.evaluate(game, parlor.Policy.uniform(game))
    assert uniform.values == pytest.approx(table.mean(axis=(1, 2, 3)), abs=1e-12)
    assert uniform.best_responses == pytest.approx(
        [table[0].mean(axis=(1, 2)).max(), table[1].mean(axis=(0, 2)).max(), table[2].mean(axis=(0, 1)).max()]
    )
    assert parlor.matrix_game(np.stack([table[0]] * 3)).kind == "common-payoff"


def test_names_and_versions_stand_for_the_array() -> None:
    one, same, other = parlor.matrix_game(RPS), parlor.matrix_game(np.array(RPS) * 1.0), parlor.matrix_game(CHICKEN)
    assert one.name == same.name == "matrix-3x3-8dc6e0a3"
    assert version(one) == version(same)
    assert other.name != one.name
    assert version(other) != version(parlor.matrix_game(np.array(CHICKEN) + 1))


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("rps.npy", np.array(RPS))
    Path("rps.json").write_text(json.dumps(RPS))
    Path("rps.csv").write_text("0,-1,1\n1,0,-1\n-1,1,0\n")
    games = [parlor.load(f"rps.{end}") for end in ("npy", "json", "csv")]
    assert [game.name for game in games] == ["rps.npy", "rps.json", "rps.csv"]
    assert len({version(game) for game in games} | {version(parlor.matrix_game(RPS))}) == 1
    assert parlor.solve("rps.csv", iterations=10).report.infosets == 2


def test_the_classics_have_names() -> None:
    chicken = parlor.load("normal-form(preset=chicken)")
    assert chicken.start().after("swerve", "go on").payoffs == [-1.0, 1.0]
    assert chicken.start().after("go on", "go on").payoffs == [-5.0, -5.0]
    assert chicken.payoffs == (-5.0, 1.0, 0.0)
    kinds = {parlor.load(f"normal-form(preset={name})").kind for name in ("chicken", "shapley", "stag-hunt")}
    assert kinds == {"general-sum"}
    assert parlor.load("normal-form(preset=coordination)").kind == "common-payoff"
    pennies = parlor.load("normal-form(preset=matching-pennies)")
    assert pennies.words.table is not None
    assert pennies.words.table(pennies.start().view(1)).rows[0] == ["heads", "1, -1", "-1, 1"]


def test_payoff_tensors() -> None:
    table = np.random.default_rng(1).normal(size=(3, 2, 3, 4))
    assert np.array_equal(parlor.payoff_tensor(parlor.matrix_game(table)), table)
    bach = parlor.payoff_tensor(parlor.load("normal-form(preset=bach-or-stravinsky)"))
    assert bach.tolist() == [[[3.0, 0.0], [0.0, 2.0]], [[2.0, 0.0], [0.0, 3.0]]]
    with pytest.raises(GameError, match="kuhn has no payoff tensor: player 1 decides at more than one place"):
        parlor.payoff_tensor(parlor.load("kuhn"))


@pytest.mark.parametrize(
    ("payoffs", "sentence"),
    [
        ([1, 2], "The payoffs must be one matrix (zero-sum), or have the shape [players, actions of 0,"),
        (np.zeros((3, 2, 2)), "not [3, 2, 2]"),
        ([[1, 2], [3]], "must be an array of numbers with rows of equal length"),
        ([[1, float("nan")]], "must be finite numbers"),
        (np.zeros((5, 1, 1, 1, 1, 1)), "for 2 to 4 players"),
        (np.zeros((2, 0, 1)), "1 to 1,000,000 cells, not 0 for 2"),
        ("rps.txt", "rps.txt should end in .npy, .json or .csv to hold payoffs."),
        ("nosuch.csv", "There is no file nosuch.csv."),
    ],
)
def test_what_is_no_game_gets_a_sentence(payoffs: object, sentence: str) -> None:
    with pytest.raises(GameError) as error:
        parlor.matrix_game(payoffs)  # type: ignore[arg-type]
    assert sentence in str(error.value)


def test_wrong_files_and_names_get_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_text("rock,paper\n")
    with pytest.raises(GameError, match=r"words.csv does not hold an array of numbers"):
        parlor.matrix_game(tmp_path / "words.csv")
    saved = parlor.save(parlor.solve("kuhn", iterations=2).policy, tmp_path / "kuhn.json")
    with pytest.raises(GameError, match=r"kuhn.json does not hold an array of payoffs but parlor policy 1"):
        parlor.load(str(saved))
    with pytest.raises(GameError, match="has neither options nor abstractions"):
        parlor.load(f"{tmp_path}/words.csv(players=3)")
    with pytest.raises(GameError, match="actions must name each of the 3, 3 actions of the players, once"):
        parlor.matrix_game(RPS, actions=["rock", "paper"])
