"""Figures."""

import itertools
import random
import re
from pathlib import Path
from typing import Any

import pytest

from parlor.game.loading import load
from parlor.runs.config import Config
from parlor.runs.figures import bundle, convergence, training_figures
from parlor.runs.files.container import FileError
from parlor.runs.metrics import Metrics
from parlor.runs.run import save_config

pytestmark = pytest.mark.slow(seconds=9)

CURVE = [(1, 1.0), (10, 0.1), (100, 0.01)]


@pytest.mark.parametrize(("suffix", "magic"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_a_figure_is_drawn(tmp_path: Path, suffix: str, magic: bytes) -> None:
    path = convergence({"cfr+": CURVE, "cfr": CURVE}, "a game", tmp_path / "new" / f"curve{suffix}")
    assert path.read_bytes().startswith(magic)


def test_the_same_curve_gives_the_same_file(tmp_path: Path) -> None:
    a, b = (convergence({"cfr+": CURVE}, "a game", tmp_path / name).read_bytes() for name in ("a.svg", "b.svg"))
    assert a == b


def test_a_wrong_ending_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"should end in \.svg, \.png or \.pdf"):
        convergence({"cfr+": CURVE}, "a game", tmp_path / "curve.jpeg")


# ------------------------------------------------------------------------------------------------------ training runs


def trained(folder: Path, seed: int = 1, games: int = 300, **other: Any) -> Path:
    """A run folder with metrics as training writes them; a keyword replaces a part of each row, None removes it."""
    stream = random.Random(seed)
    with Metrics(folder) as metrics:
        for g in range(50, games + 1, 50):
            rate = 0.5 + 0.4 * g / games + 0.05 * stream.random()
            wins = {"rate": rate, "low": rate - 0.2, "high": min(1.0, rate + 0.1), "games": 20}
            row: dict[str, Any] = {
                "games": g,
                "regret": {"max_expected": 20.0 / g + 0.1 * stream.random(), "mean_expected": 1.0 / g},
                "updates": {"0": 0, "25": g // 50, "50": g // 10, "100": 2 * g},
                "policy": {"JustSayNo": rate, "GiveOpponentProperty": 1 - rate, "Cash": 0.2, "AddToPropertySet": 0.7},
                "wins": {name: {"first": wins, "alternating": wins} for name in ("random", "risk-aware")},
            }
            metrics.log({key: value for key, value in (row | other).items() if value is not None})
    return folder


@pytest.mark.parametrize(("suffix", "magic"), [(".svg", b"<?xml"), (".png", b"\x89PNG")])
def test_the_four_figures_of_the_paper_are_drawn(tmp_path: Path, suffix: str, magic: bytes) -> None:
    paths = training_figures([trained(tmp_path / "run")], tmp_path / "new" / "figures", suffix)
    assert [path.name for path in paths] == [f"{name}{suffix}" for name in ("regret", "win-rates", "updates", "policy")]
    assert all(path.read_bytes().startswith(magic) for path in paths)


def test_games_that_are_about_points_have_a_figure_of_them(tmp_path: Path) -> None:
    told = {"rate": 0.4, "low": 0.3, "high": 0.5, "games": 20, "payoff": {"value": -1.5, "low": -2.0, "high": -1.0}}
    run = trained(tmp_path / "run", wins={"fish": {"first": told, "alternating": told}})
    figures = {path.stem: path.read_text() for path in training_figures([run], tmp_path)}
    assert "Payoff against fish</text>" in figures["payoffs"]
    assert ">−2.0</text>" in figures["payoffs"]  # the axis goes as far as the interval
    game = load("holdem(small_blind=2,big_blind=4)")
    save_config(run, game, Config(game.name, "mccfr-outcome"), "training")
    payoffs = next(path for path in training_figures([run], tmp_path) if path.stem == "payoffs").read_text()
    assert ">sb/h</text>" in payoffs
    assert ">−1.0</text>" in payoffs
    assert ">−2.0</text>" not in payoffs


def test_whatever_was_measured_is_drawn(tmp_path: Path) -> None:
    """Also what nobody has thought of, under its own name."""
    run = trained(tmp_path / "run", exploitability=0.5, infosets=[3, 4], gap_to_best=2.0)
    figures = {path.stem: path.read_text() for path in training_figures([run], tmp_path)}
    assert "Exploitability</text>" in figures["exploitability"]
    assert "player 1</text>" in figures["infosets"]
    assert "Gap to best</text>" in figures["gap_to_best"]


def test_the_same_metrics_give_the_same_files(tmp_path: Path) -> None:
    runs = [trained(tmp_path / f"run-{seed}", seed) for seed in (1, 2)]
    first, again = (training_figures(runs, tmp_path / name) for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in again]
    other = training_figures(runs[:1], tmp_path / "c")
    assert first[0].read_bytes() != other[0].read_bytes()


def test_lines_are_named_and_several_runs_say_so(tmp_path: Path) -> None:
    runs = [trained(tmp_path / f"run-{seed}", seed) for seed in (1, 2, 3)]
    game = load("monopoly-deal(preset=tiny)")
    save_config(runs[0], game, Config(game.name, "rollout-cfr"), "training")
    one, three = (
        {path.stem: path.read_text() for path in training_figures(runs[:n], tmp_path / str(n))} for n in (1, 3)
    )
    for figure, words in {
        "regret": ("Maximum expected regret", "games of self-play"),
        "win-rates": ("against random", "against risk-aware", "agent first", "alternating start"),
        "updates": ("most", "median", "25 %"),
        "policy": ("Response phase", "JustSayNo", "Own turn", "AddToPropertySet"),
    }.items():
        assert all(f"{word}</text>" in one[figure] for word in words), figure
        assert "mean and range of 3 runs" in three[figure]
        assert "mean and range" not in one[figure]
    assert "95 % interval" in one["win-rates"]
    assert "95 % interval" not in three["win-rates"]  # there the band is the range
    assert "least</text>" not in one["updates"]  # 0 has no place on a logarithmic axis


def test_several_runs_are_drawn_as_mean_and_range_where_all_were_measured() -> None:
    runs = [[{"games": g, "x": {"y": float(g * factor)}} for g in games] for games, factor in
            (((1, 2, 3, 4), 1), ((2, 3, 4, 5), 2), ((2, 3), 3))]  # fmt: skip
    curve = bundle(runs, "x", "y")
    assert curve
    assert (curve.games, curve.middle, curve.low, curve.high) == ([2, 3], [4.0, 6.0], [2.0, 3.0], [6.0, 9.0])


def test_one_run_is_drawn_with_its_own_interval() -> None:
    rows: list[dict[str, Any]] = [{"games": g, "wins": {"rate": 0.5, "low": 0.4, "high": 0.7}} for g in (1, 2)]
    bare: list[dict[str, Any]] = [{"games": 1}, {"games": 2}]
    for runs in ([rows], [bare, rows]):  # also if another run has not measured it
        curve = bundle(runs, "wins", "rate")
        assert curve
        assert (curve.middle, curve.low, curve.high, curve.runs) == ([0.5] * 2, [0.4] * 2, [0.7] * 2, 1)


def test_only_what_was_measured_is_drawn(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", wins=None, updates="odd", policy={"fold": 0.1, "call": {"odd": 1}, "raise": 0.4})
    paths = training_figures([run], tmp_path)
    assert [path.stem for path in paths] == ["regret", "policy"]
    assert "Response phase" not in paths[1].read_text()


def test_labels_do_not_lie_on_each_other(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", policy={f"action {i}": 0.5 + i / 1000 for i in range(20)})
    text = next(path for path in training_figures([run], tmp_path) if path.stem == "policy").read_text()
    heights = sorted(float(y) for y in re.findall(r'translate\([\d.]+ ([\d.]+)\)[^>]*>action \d+<', text)
                     or re.findall(r'y="([\d.]+)"[^>]*>action \d+<', text))  # fmt: skip
    assert len(heights) == 10
    assert "the 10 most probable of 20</text>" in text
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 8.5  # the size of the letters


@pytest.mark.parametrize(
    ("games", "suffix", "sentence"),
    [
        (0, ".svg", "has no evaluation yet; a curve needs two."),
        (50, ".svg", "has one evaluation; a curve needs two."),
        (300, ".jpeg", "A figure ends in .svg, .png or .pdf, not '.jpeg'."),
    ],
)
def test_what_cannot_be_drawn_gets_a_sentence(tmp_path: Path, games: int, suffix: str, sentence: str) -> None:
    with pytest.raises(FileError) as error:
        training_figures([trained(tmp_path / "run", games=games)], tmp_path / "out", suffix)
    assert sentence in str(error.value)
    assert not (tmp_path / "out").exists()


def test_a_run_without_numbers_gets_a_sentence(tmp_path: Path) -> None:
    run = trained(tmp_path / "run", regret=None, wins=None, updates=None, policy=None)
    with pytest.raises(FileError, match="run measured nothing that could be drawn together"):
        training_figures([run], tmp_path)
