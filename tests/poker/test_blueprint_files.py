"""Training hold'em in runs: blueprints on disk and at the table."""

import csv
import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor import GameError
from parlor.agents.registry import concrete_game, make_agent
from parlor.arena.batch import shared_batch
from parlor.arena.match import play_match
from parlor.cli.main import main
from parlor.game.loading import GAMES, load
from parlor.poker.blueprint import WHOLE, Blueprint, is_learned, round_rows
from parlor.poker.hands.cards import cards
from parlor.poker.hands.isomorphism import hand_class
from parlor.poker.measures.duel import Duel
from parlor.poker.measures.local_best_response import local_best_response
from parlor.runs import training as module
from parlor.runs.config import Config
from parlor.runs.files.container import FileError, map_array, read_arrays
from parlor.runs.files.strategy_files import kind_of, load_strategy, read_header, save, write_strategy
from parlor.runs.metrics import read_metrics
from parlor.runs.run import checkpoints
from parlor.runs.saved_agents import load_compiled_agent, read_policy
from parlor.runs.training import TrainingRun

pytestmark = pytest.mark.slow(seconds=20)

TINY = Config.of(
    "holdem(stack=20,streets=2)/pot", "mccfr-public", games=6000, parallel="none", evaluate_every=0,
    checkpoint_every=2000, cards="suitless", seed=1,
)  # fmt: skip


def class_of(text: str) -> int:
    return hand_class(*cards(text))


def trained(folder: Path, config: Config = TINY, **options: Any) -> TrainingRun:
    run = TrainingRun.begin(folder, config)
    run.run(**options)
    return run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> TrainingRun:
    return trained(tmp_path_factory.mktemp("runs") / "tiny")


def test_a_killed_run_goes_on_to_the_same_bytes(run: TrainingRun, tmp_path: Path) -> None:
    trained(tmp_path / "cut", on_progress=lambda run, learner: learner.games < 2000)
    resumed = TrainingRun.resume(tmp_path / "cut")
    resumed.run()
    assert run.last is not None
    assert resumed.last is not None
    assert resumed.last.read_bytes() == run.last.read_bytes()


def test_rows_for_other_buckets_are_refused(run: TrainingRun, tmp_path: Path) -> None:
    """A blueprint that was trained before hands were sorted otherwise would play its rows with the wrong ones."""
    assert run.last is not None
    plan = _blueprint(run.last)
    other = dataclasses.replace(plan, about={**plan.about, "mark": "00000000"})
    with pytest.raises(GameError, match="was trained with other buckets than suitless"):
        make_agent("old.npz", load("holdem(stack=20,streets=2)"), lambda text: other)
    shutil.copytree(run.folder, tmp_path / "old")
    newest = checkpoints(tmp_path / "old")[0]
    head, state = read_arrays(newest, state=True)
    write_strategy(other, newest, head, state | {"mark": np.frombuffer(b"00000000", np.uint8)})
    again = TrainingRun.resume(tmp_path / "old", games=8000)
    with pytest.raises(FileError, match="buckets are not those of this version"):
        again.run()


@pytest.mark.parametrize("n", range(2, 8))
def test_rounding_is_never_off_by_one(n: int) -> None:
    rng = np.random.default_rng(n)
    shares = np.vstack([np.ones(n), rng.dirichlet(np.full(n, 0.3), 50)])
    cells = np.hstack([np.zeros_like(shares), shares]).astype(np.float32).ravel()
    play = np.zeros(shares.size, np.uint8)
    nodes, stride, sizes = np.array([[0, n, 0, 0]]), np.array([2 * n]), np.array([len(shares)])
    round_rows(cells, nodes, stride, sizes, play, np.zeros(n))
    rows = play.reshape(-1, n).astype(int)
    assert (rows.sum(axis=1) == WHOLE).all()
    assert np.abs(rows - shares / shares.sum(axis=1, keepdims=True) * WHOLE).max() < 1.0
    assert not is_learned(play, 0, n)
    assert all(is_learned(play, row * n, n) for row in range(1, 51))


def _blueprint(path: Path) -> Blueprint:
    plan = load_strategy(path)
    assert isinstance(plan, Blueprint)
    return plan


def _state(path: Path) -> dict[str, Any]:
    return read_arrays(path, state=True)[1]


def test_older_checkpoints_are_cut_down_to_the_blueprint(run: TrainingRun) -> None:
    newest, before, oldest = checkpoints(run.folder)
    assert [path.stem for path in (newest, before, oldest)] == ["00006000", "00004000", "00002000"]
    assert _state(newest)["cells"].shape == _state(before)["cells"].shape
    assert _state(oldest) == {}
    assert 7 * oldest.stat().st_size < newest.stat().st_size
    assert _blueprint(oldest).infosets == _blueprint(newest).infosets


def test_two_threads_train_as_well(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, parallel="unordered")
    assert read_policy(trained(tmp_path / "two", config, workers=2).folder).about["games"] == 6000


def test_minutes_end_a_run_and_may_be_added(tmp_path: Path) -> None:
    config = dataclasses.replace(TINY, games=0, minutes=0.01, checkpoint_every=0)
    run = trained(tmp_path / "short", config)
    assert run.left <= 0.0
    assert TrainingRun.resume(run.folder).finished
    with pytest.raises(
        GameError, match=r"The run has trained for .* minutes already, so minutes must be more, not 0.005"
    ):
        TrainingRun.resume(run.folder, minutes=0.005)
    again = TrainingRun.resume(run.folder, minutes=60.0)
    assert not again.finished
    again.run(on_progress=lambda run, learner: run.seconds == 0.0)
    assert 0.0 < again.left < 60.0 * 60.0 - run.seconds
    assert again.last is not None
    assert run.last is not None
    assert int(again.last.stem) > int(run.last.stem)


def test_what_is_asked_for_is_what_ends_a_run(run: TrainingRun, tmp_path: Path) -> None:
    by_games = shutil.copytree(run.folder, tmp_path / "by games")
    assert TrainingRun.resume(by_games).finished
    assert not TrainingRun.resume(by_games, minutes=60.0).finished
    assert TrainingRun.resume(by_games, games=6000, minutes=60.0).finished  # whichever comes first
    by_clock = trained(tmp_path / "by clock", dataclasses.replace(TINY, games=0, minutes=0.001, checkpoint_every=0))
    assert by_clock.last is not None
    with pytest.raises(
        GameError, match=r"has trained for \d+\.\d minutes already, so minutes must be more, not 0.001\.$"
    ):
        TrainingRun.resume(by_clock.folder, minutes=0.001)
    more = TrainingRun.resume(by_clock.folder, games=int(by_clock.last.stem) + 1000)
    assert not more.finished
    assert more.run().games == more.config.games


def test_rows_are_distributions_or_untrained(run: TrainingRun) -> None:
    plan = read_policy(run.folder)
    assert isinstance(plan, Blueprint)
    for node in range(len(plan.nodes)):
        sums = plan.strategy(node).sum(axis=1)
        assert np.isin(sums.round(9), (0.0, 1.0)).all()
    assert plan.strategy(0).any(axis=1).all()  # every hand is met before the flop
    assert plan.actions(0) == [0, 1, 2]
    assert plan.slot(plan.after(0, 1)) == (1, 0)


def test_the_agent_plays_alike_natively_and_plainly_and_translates(run: TrainingRun) -> None:
    table = load("holdem(stack=20,streets=2)")
    agent, wild = load_compiled_agent(str(run.folder), table), make_agent("wild", table)
    natively, plainly = (play_match(table, [agent, wild], 60, compiled=compiled) for compiled in (True, False))
    assert np.array_equal(natively.payoffs, plainly.payoffs)
    position = table.start().after(0, 45, 12, 16, 6)  # the button raises to 5; the tree knows 6
    assert sum(agent(position).values()) == pytest.approx(1.0)


def test_it_beats_who_plays_anything(run: TrainingRun) -> None:
    table = load("holdem(stack=20,streets=2)")
    result = play_match(table, [load_compiled_agent(str(run.folder), table), make_agent("wild", table)], 20_000)
    assert result.payoff.low > 0.0


def test_a_blueprint_survives_the_disk(run: TrainingRun, tmp_path: Path) -> None:
    plan = read_policy(run.folder)
    assert isinstance(plan, Blueprint)
    save(plan, tmp_path / "plan.npz")
    again = _blueprint(tmp_path / "plan.npz")
    assert np.array_equal(again.play, plan.play)
    assert isinstance(map_array(tmp_path / "plan.npz", "play"), np.memmap)
    assert (again.game, again.cards, again.about) == (plan.game, plan.cards, plan.about)
    (tmp_path / "half.npz").write_bytes((tmp_path / "plan.npz").read_bytes()[:1000])
    assert kind_of(read_header(tmp_path / "plan.npz")) == "blueprint"
    assert kind_of(read_header(tmp_path / "half.npz")) == ""
    with pytest.raises(FileError, match="damaged"):
        _blueprint(tmp_path / "half.npz")


def test_a_file_without_suits_has_what_was_trained(run: TrainingRun, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "cfr_training.csv"
    assert main(["export", "blueprint", "--run", str(run.folder), "--out", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    with path.open() as file:
        head, *rows = csv.reader(file)
    assert head == ["info_set", "strategies"]
    plan = read_policy(run.folder)
    assert isinstance(plan, Blueprint)
    nodes = range(len(plan.nodes))
    met = sum(int(plan.strategy(node).any(axis=1).sum()) for node in nodes)
    assert told["infosets"] == len(rows) == sum(int(plan.learned(node).sum()) for node in nodes) < met < len(plan)
    known = {name: json.loads(chances) for name, chances in rows}
    assert len(known) == len(rows)
    assert known["AA"] == pytest.approx(plan.strategy(0)[class_of("AsAh")], abs=0.006)
    fold, call, more = known["72o r"]  # the tree has no second raise
    assert [fold, call] == pytest.approx(plan.strategy(plan.after(0, 2))[class_of("7s2h")], abs=0.006)
    assert more == 0.0
    flops = [(name, chances) for name, chances in known.items() if name.endswith(" cc")]  # the big blind opens
    assert all(chances[0] == 0.0 and sum(chances) == pytest.approx(1.0, abs=0.011) for _, chances in flops)
    assert [0.33, 0.33, 0.33] not in known.values()


def test_what_does_not_fit_into_a_file_without_suits_leaves_no_file(
    run: TrainingRun, tmp_path: Path, capsys: Any
) -> None:
    plan = read_policy(run.folder)
    assert isinstance(plan, Blueprint)
    save(dataclasses.replace(plan, cards="ehs"), tmp_path / "other.npz")
    out = str(tmp_path / "out" / "cfr_training.csv")
    assert main(["export", "blueprint", "--run", str(tmp_path / "other.npz"), "--out", out]) == 1
    assert "does not fit into it" in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []
    assert main(["export", "blueprint", "--run", str(run.folder)]) == 1
    assert "the file: parlor export blueprint --run FOLDER --out FILE." in capsys.readouterr().err


def test_too_little_memory_or_disk_is_said_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = TrainingRun.begin(tmp_path / "large", TINY)
    monkeypatch.setattr(module, "available_memory", lambda: 1_000_000)
    with pytest.raises(GameError, match=r"Training needs .* GB of memory"):
        run.run()
    assert not (tmp_path / "large").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["leduc", "--bets", "fcpa"], "leduc has no betting trees, or its learner reads none: omit --bets."),
        (["holdem", "--bets", "nothing"], "has no betting tree 'nothing'; it has: pot, fcpa"),
        (["holdem", "--buckets", "many"], "--buckets takes whole numbers, such as 200 or 200 500 1000, not 'many'."),
        (
            ["holdem", "--stack", "20", "--streets", "2", "--bets", "pot", "--buckets", "9,9"],
            "one for each of these 1, not 2 numbers",
        ),
        (["holdem", "--stack", "4", "--bets", "fcpa", "--buckets", "3", "4"], "one for each of these 3, not 2 numbers"),
        (["holdem", "--minutes", "nan"], "minutes must be at least 0, not nan"),
        (
            ["holdem", "--abstraction", "nothing"],
            "must be one of ehs, ehs2, kmeans, ochs, suitless, not 'nothing'.",
        ),
        (["holdem", "--rollouts", "3"], "does not use --rollouts"),
        (
            ["kuhn", "--algorithm", "mccfr-public"],
            "of a card game whose moves are all public, and kuhn is not one.",
        ),
    ],
)
def test_nonsense_is_told(arguments: list[str], why: str, capsys: Any) -> None:
    assert main(["train", *arguments]) == 1
    assert why in capsys.readouterr().err


def test_the_command_shows_the_cost_and_trains(tmp_path: Path, capsys: Any) -> None:
    command = ["train", "holdem", "--stack", "20", "--streets", "2", "--bets", "pot", "--abstraction", "suitless"]
    quickly = ["--games", "2000", "--threads", "1", "--against", "wild", "--evaluate-games", "2000"]
    assert main([*command, *quickly, "--out", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr()
    assert "information sets; memory" in shown.err
    assert "2,000 games of mccfr-public" in shown.out
    payoff = read_metrics(tmp_path / "run")[-1]["wins"]["wild"]["alternating"]["payoff"]
    assert "sb/h against" in shown.out
    assert f"{payoff['value']:+.3f} ± " in shown.out  # a chip is a small blind


def test_blueprints_are_measured_against_bots_that_play_any_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without training: what the run would be."""
    begun: list[TrainingRun] = []

    def note(run: TrainingRun, **_: Any) -> None:
        begun.append(run)
        raise KeyboardInterrupt

    monkeypatch.setattr(TrainingRun, "run", note)
    command = ["train", "holdem", "--bets", "pot", "--abstraction", "suitless", "--out", str(tmp_path / "run")]
    assert main([*command, "--stack", "20", "--streets", "2"]) == 130  # which is compiled for other tests anyway
    assert begun[0].config.against == ("fish", "rule-based")
    for game in map(load, GAMES):
        for name in game.training.against:
            assert make_agent(name, game).name == name


def test_who_is_not_named_is_the_game_s_usual_opponent(tmp_path: Path) -> None:
    for game, algorithm, against in (
        ("monopoly-deal/intent", "rollout-cfr", load("monopoly-deal").training.against),
        ("leduc", "mccfr-external", ("random",)),
    ):
        assert TrainingRun.begin(tmp_path / "run", Config(game, algorithm)).config.against == against
        asked = Config(game, algorithm, against=("random",))
        assert TrainingRun.begin(tmp_path / "run", asked).config.against == ("random",)
    assert Config.read(TINY.data()) == TINY


def test_two_blueprints_of_one_tree_walk_it_as_the_arena_would(run: TrainingRun) -> None:
    table = load("holdem(stack=20,streets=2)")
    newest, _, oldest = (load_compiled_agent(str(path), table) for path in checkpoints(run.folder))
    assert shared_batch([newest, oldest]) is Duel
    assert shared_batch([newest, make_agent("fish", table)]) is None
    walked = play_match(table, [newest, oldest], 2000)
    assert np.array_equal(play_match(table, [newest, oldest], 40, compiled=False).payoffs, walked.payoffs[:40])
    one_by_one = [dataclasses.replace(agent, fast_batch=None) for agent in (newest, oldest)]
    assert np.array_equal(play_match(table, one_by_one, 2000).payoffs, walked.payoffs)


def test_a_local_best_response_is_told_in_blinds(run: TrainingRun, capsys: Any) -> None:
    command = ["evaluate", str(run.folder), "--lbr", "all", "--games", "64", "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["hands"] == 64
    assert told["in_units"]["mbb/h"]["value"] == pytest.approx(500.0 * told["payoff"]["value"])
    assert main(["evaluate", str(run.folder), "--lbr", "late"]) == 1
    assert "has no turn" in capsys.readouterr().err
    assert main(["evaluate", str(run.folder)]) == 1
    advice = capsys.readouterr().err
    assert "too large to be measured exactly" in advice
    assert "--lbr all, or in games, --against fish rule-based." in advice  # there is no turn


def test_a_response_knows_all_hands_at_once_as_it_would_one_by_one(run: TrainingRun) -> None:
    agent = load_compiled_agent(str(run.folder), concrete_game(load(run.config.game)))
    asked = dataclasses.replace(agent, every_hand={})
    one = local_best_response(agent, 2, seed=2)  # in both hands there is a flop, and somebody bets
    other = local_best_response(asked, 2, seed=2, compiled=False)
    assert one.won.tolist() == other.won.tolist() == [2.0, 6.0]
    assert np.allclose(one.adjusted, other.adjusted, atol=1e-9)  # which all 1,326 hands of the other are part of
