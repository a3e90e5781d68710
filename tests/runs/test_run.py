"""Training runs: stopped, killed or damaged, they end as if nothing had happened, or say why they cannot."""

import json
import re
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import parlor
from parlor.compile import version
from parlor.game import GameError
from parlor.game.keys import paper_key
from parlor.game.loading import load
from parlor.policies.policy import Policy
from parlor.runs.config import Config
from parlor.runs.files import table_files as module
from parlor.runs.files.container import FileError
from parlor.runs.files.strategy_files import load_policy
from parlor.runs.learners.learner import Job, Learner
from parlor.runs.learners.rollout_cfr import RolloutLearner, WorkerError
from parlor.runs.metrics import read_metrics
from parlor.runs.run import checkpoints, load_checkpoint, newest, save_checkpoint
from parlor.runs.saved_agents import load_agent, read_policy
from parlor.runs.training import TrainingRun, labels
from parlor.solvers.sampling.rollout_cfr import RolloutCfr
from parlor.solvers.sampling.rollouts import RolloutGames, Simulator, Threads

TINY = "monopoly-deal(preset=tiny)"
RANDOM = "random(abstraction=none)"  # who shares the compiled kernels of the learner
GAMES = 60

EVERY: dict[str, Any] = {
    "game": TINY, "games": GAMES, "evaluate_every": 20, "evaluate_games": 20, "against": (RANDOM,),
    "checkpoint_every": 20,
}  # fmt: skip
MCCFR = {"algorithm": "mccfr-outcome"}
ROBUST = {"algorithm": "mccfr-robust", "keep": 2, "baseline": 0.1, "prune": 1.0, "linear": True}


def config(**other: Any) -> Config:
    few = {} if "algorithm" in other else {"algorithm": "rollout-cfr", "rollouts": 1, "ring": 3}
    return Config.of(**{**EVERY, **few, **other})


USUAL = config()


def trained(folder: Path, workers: int = 1, until: int = 10**9, **other: Any) -> TrainingRun:
    """A run that was begun and stopped once it had so many games."""
    run = TrainingRun.begin(folder, config(**other))
    run.run(workers=workers, on_progress=lambda run, learner: learner.games < until)
    return run


def resumed(folder: Path, workers: int = 1, games: int | None = None) -> TrainingRun:
    run = TrainingRun.resume(folder, games=games)
    run.run(workers=workers)
    return run


def contents(folder: Path) -> dict[str, bytes]:
    """What must be the same to the byte, whatever happened on the way; a stop leaves one checkpoint more."""
    files = [path for path in checkpoints(folder) if int(path.stem) % 20 == 0]
    return {path.name: path.read_bytes() for path in (*files, folder / "metrics.jsonl")}


def infosets(folder: Path) -> str:
    path = newest(folder)
    assert path
    return path.read_text().partition('"infosets"')[2]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing happened to."""
    return trained(tmp_path_factory.mktemp("runs") / "whole").folder


@pytest.fixture(scope="module")
def stopped_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trained(tmp_path_factory.mktemp("runs") / "stopped", until=20).folder


@pytest.fixture
def stopped(stopped_once: Path, tmp_path: Path) -> Path:
    """One that was stopped after 20 games or a few more."""
    return shutil.copytree(stopped_once, tmp_path / "stopped")


# ----------------------------------------------------------------------------------------------- whoever plays, however


@pytest.mark.slow(seconds=11)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_number_of_workers_changes_nothing(whole: Path, tmp_path: Path, seed: int) -> None:
    one = whole if seed == USUAL.seed else trained(tmp_path / "one", seed=seed).folder
    two = trained(tmp_path / "two", workers=2, seed=seed).folder
    assert contents(one) == contents(two)
    assert [path.name for path in checkpoints(two)] == [f"{games:08d}.json" for games in (60, 40, 20)]
    assert (infosets(one) == infosets(whole)) == (seed == USUAL.seed)


@pytest.mark.slow
def test_parallel_none_is_a_batch_of_one(whole: Path, tmp_path: Path) -> None:
    none = trained(tmp_path / "none", workers=2, parallel="none").folder
    one = trained(tmp_path / "one", workers=2, batch=1).folder
    assert infosets(none) == infosets(one)
    assert infosets(none) != infosets(whole)
    assert read_metrics(none) == read_metrics(one)


def test_unordered_enters_every_game_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entered: list[RolloutGames] = []
    enter = RolloutCfr.enter

    def noted(self: RolloutCfr, game: RolloutGames) -> None:
        entered.append(game)
        enter(self, game)

    monkeypatch.setattr(RolloutCfr, "enter", noted)
    run = trained(tmp_path / "run", workers=2, parallel="unordered")
    assert sorted(game.number for game in entered) == list(range(GAMES))
    assert run.last
    _, entries = load_checkpoint(run.last)
    assert sum(entry["updates"] for entry in entries) == sum(len(game.decided) for game in entered)


# ------------------------------------------------------------------------------------------------------------- resuming


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "large"), [(2, 20_000), (1, 50)])
@pytest.mark.parametrize("other", [{}, MCCFR, ROBUST], ids=["rollout-cfr", "mccfr-outcome", "mccfr-robust"])
def test_a_stopped_run_ends_like_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int, large: int, other: dict[str, Any]
) -> None:
    monkeypatch.setattr(module, "LARGE", large)
    one = trained(tmp_path / "one", **other).folder
    two = trained(tmp_path / "two", until=20, **other)
    assert 20 <= int(two.last.stem if two.last else 0) < GAMES
    assert two.row == read_metrics(two.folder)[-1]
    resumed(two.folder, workers)
    assert contents(one) == contents(two.folder)
    assert {path.suffix for path in checkpoints(one)} == {".json" if large > 50 else ".npz"}


def test_a_small_table_becomes_a_large_one(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = trained(tmp_path / "run", until=20)
    monkeypatch.setattr(module, "LARGE", 50)
    resumed(run.folder)
    large, small = newest(run.folder), newest(whole)
    assert large
    assert small
    assert large.suffix == ".npz"
    (head, entries), (readable_head, readable) = load_checkpoint(large), load_checkpoint(small)
    assert head == readable_head
    assert entries == [{name: value for name, value in e.items() if name not in ("sees", "play")} for e in readable]


def test_the_same_run_can_be_told_to_go_on(whole: Path, tmp_path: Path) -> None:
    run = trained(tmp_path / "run", until=20)
    run.run()
    assert contents(run.folder) == contents(whole)


def test_more_games_can_be_asked_for(whole: Path, tmp_path: Path) -> None:
    folder = trained(tmp_path / "run", games=40).folder
    resumed(folder, games=GAMES)
    assert infosets(folder) == infosets(whole)
    assert read_metrics(folder) == read_metrics(whole)
    assert TrainingRun.resume(folder).config.games == GAMES


def test_what_a_kill_tears_is_mended(whole: Path, stopped: Path) -> None:
    for path in checkpoints(stopped)[:-1]:
        path.unlink()
    draft = stopped / "checkpoints" / ".00000040.json.123.456.draft"
    draft.write_bytes(b'{"format": "parlor check')
    for name in ("metrics.jsonl", "timing.jsonl"):
        with (stopped / name).open("ab") as file:
            file.write(b'{"games": 40, "regr')
    resumed(stopped, 2)
    assert contents(stopped) == contents(whole)
    assert not draft.exists()


def test_a_run_killed_before_its_first_checkpoint_begins_again(whole: Path, stopped: Path) -> None:
    for path in checkpoints(stopped):
        path.unlink()
    resumed(stopped)
    assert contents(stopped) == contents(whole)


def test_a_finished_run_stays_as_it_is(whole: Path) -> None:
    before = contents(whole)
    run = resumed(whole)
    assert contents(whole) == before
    assert run.row == read_metrics(whole)[-1]


# ------------------------------------------------------------------------------------------------------ in a checkpoint


@pytest.mark.parametrize("large", [20_000, 0])
@pytest.mark.parametrize("other", [{}, MCCFR, ROBUST], ids=["rollout-cfr", "mccfr-outcome", "mccfr-robust"])
def test_a_round_trip_is_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int, other: dict[str, Any]
) -> None:
    monkeypatch.setattr(module, "LARGE", large)
    run = trained(tmp_path / "run", games=20, **other)
    again = TrainingRun.resume(run.folder)
    learner = again.run()
    assert run.last
    again.folder = tmp_path / "again"
    again.checkpoint(learner)
    assert again.last
    assert again.last.parent.parent == again.folder
    assert again.last.read_bytes() == run.last.read_bytes()
    assert load_policy(run.last) == learner.policy()


def test_it_says_where_it_comes_from(whole: Path) -> None:
    path = newest(whole)
    assert path
    head, entries = load_checkpoint(path)
    assert head["config"] == USUAL.data()
    assert (head["game"], head["rules"], head["games"]) == (TINY, version(load(TINY)), GAMES)
    assert head["code"].startswith(parlor.__version__)
    assert head["about"] == {"algorithm": "rollout-cfr", "games": GAMES, "seed": USUAL.seed}
    told = json.loads((whole / "config.json").read_text())
    assert (told["config"], told["rules"], told["code"]) == (USUAL.data(), head["rules"], head["code"])
    assert told["options"]["preset"] == "tiny"
    for entry in entries:
        assert entry["sees"].startswith(f"player {entry['player']} holds ")
        assert len(entry["play"]) == len(entry["actions"]) == len(entry["regrets"])


@pytest.mark.parametrize("other", [{}, MCCFR], ids=["rollout-cfr", "mccfr"])
def test_names_are_player_abstraction_digest(tmp_path: Path, other: dict[str, Any]) -> None:
    path = newest(trained(tmp_path / "run", games=20, **other).folder)
    assert path
    names = [name.split("@") for name in json.loads(path.read_text())["infosets"]]
    assert {name[0] for name in names} == {"0", "1"}
    assert {name[1] for name in names} == {"none"}
    assert all(re.fullmatch("[0-9a-f]{16}", name[2]) for name in names)  # keys that cannot be read back stay numbers


def test_keys_that_can_be_read_back_are_named_by_what_they_say(tmp_path: Path) -> None:
    game, few = load("monopoly-deal(preset=paper)/intent"), config(game="monopoly-deal(preset=paper)/intent", horizon=5)
    workers = Threads(Simulator(game, few.settings, 1, compiled=False))
    learner = RolloutLearner(Job(game, few.settings))
    learner.solver = RolloutCfr(game, few.settings, 1, compiled=False)  # it is too short to be worth compiling
    learner.solver.run(1, workers=workers)
    head = {"code": "code", "config": few.data(), "games": learner.games}
    path = save_checkpoint(tmp_path, head, game, learner.policy(), learner.entries())
    assert game.words.decode_key
    for name, entry in json.loads(path.read_text())["infosets"].items():
        told = game.words.decode_key(entry["key"])
        assert name == paper_key("intent", told)
        assert re.fullmatch("[01]@intent@[0-9a-f]{32}", name)
        assert entry["sees"] == game.words.describe_key(told)
        assert list(entry["play"]) == list(told["actions"])
    assert load_policy(path) == learner.policy()


@pytest.mark.slow
def test_it_is_a_policy_and_a_run_is_an_agent(whole: Path, tmp_path: Path) -> None:
    path = newest(whole)
    assert path
    policy = parlor.load_policy(path)
    assert len(policy.words) == len(policy)
    assert read_policy(whole) == policy
    assert load_agent(str(whole), load(TINY)).name == str(whole)
    checkpoints(whole)[-1].touch()  # the most games count, not the latest date
    parlor.save(Policy.uniform(load(TINY)), whole / "other.json")
    try:
        assert read_policy(whole) == policy
    finally:
        (whole / "other.json").unlink()
    run = trained(tmp_path / "run", games=20, against=(RANDOM, str(whole)))
    assert list(run.row["wins"]) == ["random", str(whole)]


def test_all_opponents_are_measured_alike(tmp_path: Path) -> None:
    """Against somebody who never bets every game of Kuhn poker is worth 1, against others some are worth 2."""
    (tmp_path / "shy.py").write_text("def shy(position):\n    return 'pass'\n")
    shy = f"{tmp_path}/shy.py:shy"
    run = trained(tmp_path / "run", game="kuhn", algorithm="mccfr-external", games=20, against=("random", shy))
    assert all(set(told) > {"rate", "payoff"} for starts in run.row["wins"].values() for told in starts.values())


def test_opponents_have_short_names_unless_two_would_be_one() -> None:
    assert labels(["random", "risk-aware(aggressiveness=1)", "run/a"]) == ["random", "risk-aware", "run/a"]
    assert labels(["x(a=1)", "random", "x(a=2)"]) == ["x(a=1)", "random", "x(a=2)"]


# -------------------------------------------------------------------------------------------------------- what is wrong


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"algorithm": "magic"}, "There is no algorithm 'magic'; there are: rollout-cfr, "),
        ({"parallel": "sideways"}, "parallel must be one of none, batch-ordered, unordered, not 'sideways'."),
        ({"games": 15}, "games must be a multiple of the batch of 10 games, not 15"),
        ({"checkpoint_every": 5}, "checkpoint_every must be a multiple of the batch"),
        ({"seed": 2**63}, "seed must be between 0 and 2**63 - 1"),
        ({"rollouts": 0}, "rollouts must be at least 1, not 0."),
        ({"explore": 1.5}, "explore must be between 0 and 1, not 1.5."),
        (MCCFR | {"parallel": "batch-ordered"}, "runs in parallel mode none or unordered, not batch-ordered."),
        (MCCFR | {"rollouts": 3}, "mccfr-outcome has no setting 'rollouts'; it has: baseline, explore, linear."),
        ({"against": ("grandma",)}, "There is no agent 'grandma'"),
        ({"game": TINY + "/blurry"}, "has no abstraction 'blurry'"),
    ],
)
def test_a_wrong_configuration_begins_nothing(tmp_path: Path, other: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError) as error:
        TrainingRun.begin(tmp_path / "run", config(**other))
    assert sentence in str(error.value)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("how", "other", "sentence"),
    [
        ({"backend": "dask"}, {}, "rollout-cfr runs with backend threads or ray, not 'dask'."),
        ({"workers": 0}, {}, "workers must be at least 1, not 0."),
        ({"address": "here:1"}, {}, "add --backend ray"),
        ({"backend": "ray"}, MCCFR, "mccfr-outcome runs with backend threads, not 'ray'."),
    ],
)
def test_workers_that_cannot_be_had_begin_nothing(
    tmp_path: Path, how: dict[str, Any], other: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError) as error:
        TrainingRun.begin(tmp_path / "run", config(**other)).run(**how)
    assert sentence in str(error.value)
    assert not (tmp_path / "run").exists()


def test_a_run_is_not_begun_over_another(whole: Path) -> None:
    before = contents(whole)
    with pytest.raises(FileError, match=r"holds a training run already; `parlor train --resume .*` continues it"):
        TrainingRun.begin(whole, USUAL)
    assert contents(whole) == before


def test_a_run_is_trained_by_one_process_at_a_time(tmp_path: Path) -> None:
    run = TrainingRun.begin(tmp_path / "run", config(games=20))

    def meddle(run: TrainingRun, learner: Learner) -> bool:
        with pytest.raises(FileError, match="is running in another process; stop that one first"):
            TrainingRun.resume(run.folder).run()
        return True

    run.run(on_progress=meddle)


def test_what_is_no_run_is_not_resumed(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(FileError, match=r"There is no training run in .*: it has no config.json\."):
            TrainingRun.resume(folder)
    for text in ("{", '{"config": {"game": 3}}', '{"config": {"game": "kuhn", "speed": 3}}'):
        (tmp_path / "config.json").write_text(text)
        with pytest.raises(FileError, match=r"config\.json (cannot be read|is not a usable configuration)"):
            TrainingRun.resume(tmp_path)


def test_other_rules_are_another_game(stopped: Path) -> None:
    path = stopped / "config.json"
    path.write_text(path.read_text().replace(version(load(TINY)), "0123456789abcdef"))
    before = contents(stopped)
    with pytest.raises(
        FileError, match=r"made with other rules of .* \(version 0123456789abcdef, now .*Start a new one"
    ):
        TrainingRun.resume(stopped)
    assert contents(stopped) == before


def test_another_version_of_the_code_is_remarked_on(stopped: Path) -> None:
    path = stopped / "config.json"
    path.write_text(path.read_text().replace(f'"code": "{parlor.__version__}', '"code": "0.0.7'))
    assert "The run was started with version 0.0.7" in TrainingRun.resume(stopped).remarks[0]


def test_fewer_games_than_there_are_get_a_sentence(whole: Path) -> None:
    before = (whole / "config.json").read_bytes()
    for games, sentence in ((40, "has 60 games already, more than 40"), (65, "must be a multiple of the batch")):
        with pytest.raises(GameError, match=sentence):
            TrainingRun.resume(whole, games=games)
    assert (whole / "config.json").read_bytes() == before


@pytest.mark.parametrize(
    ("mine", "other", "sentence"),
    [
        (f'"game": "{TINY}"', '"game": "kuhn"', r"another run: of kuhn \(rules .*\), not monopoly-deal\(preset=tiny\)"),
        ('"rules": "', '"rules": "0', "another run: of .* not"),
        ('"seed": 0,', '"seed": 7,', "another run: its seed is 7, not 0"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(stopped: Path, mine: str, other: str, sentence: str) -> None:
    path = checkpoints(stopped)[0]
    path.write_text(path.read_text().replace(mine, other))
    with pytest.raises(FileError, match=f"{path.name} is a checkpoint of {sentence}"):
        TrainingRun.resume(stopped)


@pytest.mark.parametrize("data", [b"", b'{"format": "parlor checkpoint 1"}', b"a copy"])
def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(whole: Path, tmp_path: Path, data: bytes) -> None:
    folder = trained(tmp_path / "run", until=40).folder
    for path in checkpoints(folder):
        if int(path.stem) > 40:
            path.unlink()
    path = checkpoints(folder)[0]
    path.write_bytes(checkpoints(folder)[-1].read_bytes() if data == b"a copy" else data)
    run = TrainingRun.resume(folder)
    (remark,) = run.remarks
    assert str(path) in remark
    assert f"continues from {checkpoints(folder)[1]}" in remark
    run.run()
    assert contents(folder) == contents(whole)


def test_without_a_checkpoint_that_can_be_read_it_says_so(stopped: Path) -> None:
    for path in checkpoints(stopped):
        path.write_bytes(b"{")
    with pytest.raises(FileError, match=r"damaged .* no older checkpoint .* start the run again from its first game"):
        TrainingRun.resume(stopped)


def test_a_checkpoint_whose_numbers_do_not_fit_is_named(stopped: Path) -> None:
    path = checkpoints(stopped)[0]
    data = json.loads(path.read_text())
    for damage, why in (({"regrets": [1.0]}, "do not fit together"), ({"ring": 3}, r"damaged \(TypeError\)")):
        first = next(iter(data["infosets"]))
        kept = dict(data["infosets"][first])
        data["infosets"][first] |= damage
        path.write_text(json.dumps(data))
        data["infosets"][first] = kept
        with pytest.raises(FileError, match=f"{path.name} cannot be used.*{why}.*continue from the checkpoint before"):
            TrainingRun.resume(stopped).run()


def test_a_full_disk_leaves_the_checkpoint_before(whole: Path, tmp_path: Path) -> None:
    """The limit on the size of a file stands for the disk: it too is met in the middle of a checkpoint."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    run = TrainingRun.begin(tmp_path / "run", USUAL)

    def fill(run: TrainingRun, learner: Learner) -> bool:
        if run.last:
            resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, limits[1]))
        return True

    try:
        with pytest.raises(FileError) as error:
            run.run(on_progress=fill)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    before = run.folder / "checkpoints" / "00000020.json"
    assert "00000040.json cannot be written: File too large." in str(error.value)
    assert f"Everything up to {before} is saved; `parlor train --resume {run.folder}` continues" in str(error.value)
    assert list(before.parent.iterdir()) == [before]  # no draft either
    assert len(load_policy(before)) > 0
    resumed(run.folder)
    assert contents(run.folder) == contents(whole)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "parallel", "problem", "sentence"),
    [
        (1, "batch-ordered", RuntimeError("the roof leaks"), "A worker failed: RuntimeError: the roof leaks."),
        (2, "batch-ordered", MemoryError(), "A worker failed: MemoryError"),
        (2, "unordered", RuntimeError("the roof leaks"), "A worker failed: RuntimeError: the roof leaks."),
        (2, "unordered", GameError("Too long."), "Too long."),
    ],
)
def test_a_thread_that_fails(
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    workers: int,
    parallel: str,
    problem: Exception,
    sentence: str,
) -> None:
    run = TrainingRun.begin(tmp_path / "run", config(parallel=parallel))
    with monkeypatch.context() as patch:
        patch.setattr(Simulator, "play", failing(35, problem))
        with pytest.raises(GameError if isinstance(problem, GameError) else WorkerError) as error:
            run.run(workers=workers)
    assert str(error.value).startswith(sentence)
    assert f"Everything up to {run.folder / 'checkpoints' / '00000020.json'} is saved" in str(error.value)
    resumed(run.folder)
    assert parallel == "unordered" or contents(run.folder) == contents(whole)


def failing(number: int, problem: Exception) -> Callable[..., RolloutGames]:
    play = Simulator.play

    def attempt(self: Simulator, table: Any, game: int) -> RolloutGames:
        if game == number:
            raise problem
        return play(self, table, game)

    return attempt
