"""`parlor train` as a user meets it: in processes that are stopped and killed, and in sentences."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from parlor.cli.main import main
from parlor.games.kuhn import rules as kuhn
from parlor.runs.metrics import read_metrics
from parlor.runs.run import CONFIG, checkpoints
from parlor.runs.training import TrainingRun
from tests.cli.stopping import stopped
from tests.cli.test_cli import parlor

pytestmark = pytest.mark.slow(seconds=35)

TINY = "monopoly-deal(preset=tiny)"
RANDOM = "random(abstraction=none)"  # who shares the compiled kernels of the learner
QUICK = ["--rollouts", "1", "--evaluate-games", "20", "--against", RANDOM, "--threads", "1"]
LONG = ["--games", "200", "--rollouts", "10", "--checkpoint-every", "50", "--evaluate-every", "100",
        "--evaluate-games", "20", "--against", RANDOM]  # fmt: skip

SECOND_CHECKPOINT = """
from parlor.runs import training
at(training, "save_checkpoint", 2)
"""
SIXTH_BATCH = """
from parlor.runs.learners import rollout_cfr
def started(*given, start=rollout_cfr.start_ray):
    ray, mine = start(*given)
    at(ray, "get", 2 * 5 + 1)  # each worker plays a part of it
    return ray, mine
rollout_cfr.start_ray = started
"""


def interrupted(folder: Path, number: signal.Signals, moment: str, *arguments: str) -> tuple[int, str]:
    """Train until there is a checkpoint and something else is being done."""
    done = stopped(number, moment, "train", TINY, *LONG, "--out", str(folder), *arguments)
    assert 50 <= int(checkpoints(folder)[0].stem) < 200, done.stderr
    return done.returncode, done.stderr


def contents(folder: Path) -> dict[str, bytes]:
    """What must be the same to the byte, whatever happened on the way; a stop leaves one checkpoint more."""
    files = [path for path in checkpoints(folder) if int(path.stem) % 50 == 0]
    return {path.name: path.read_bytes() for path in (*files, folder / "metrics.jsonl")}


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What a command says, run in this process."""
    capsys.readouterr()
    assert main(["train", *arguments]) == code
    told = capsys.readouterr()
    return told.err if code else told.out


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing happens to."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    parlor("train", TINY, *LONG, "--out", str(folder))
    assert len(checkpoints(folder)) == 4
    return folder


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a few games."""
    folder = tmp_path_factory.mktemp("runs") / "short"
    assert main(["train", TINY, "--games", "20", *QUICK, "--out", str(folder), "--json"]) == 0
    return folder


# --------------------------------------------------------------------------------------------------- stopped and killed


def test_a_killed_run_goes_on_as_if_it_had_not_been(whole: Path, tmp_path: Path) -> None:
    code, _ = interrupted(tmp_path / "run", signal.SIGKILL, SECOND_CHECKPOINT, "--threads", "2")
    assert code == -signal.SIGKILL
    parlor("train", "--resume", str(tmp_path / "run"), "--threads", "1")
    assert contents(tmp_path / "run") == contents(whole)


def test_ctrl_c_makes_a_checkpoint_and_the_run_goes_on(whole: Path, tmp_path: Path) -> None:
    code, told = interrupted(tmp_path / "run", signal.SIGINT, SECOND_CHECKPOINT)
    assert code == 130
    assert "Stopping; what has been computed so far is kept. Press Ctrl-C again to discard it." in told
    assert f"Stopped early; parlor train --resume {tmp_path / 'run'} continues the run." in told
    result = parlor("train", "--resume", str(tmp_path / "run"), "--json")
    assert contents(tmp_path / "run") == contents(whole)
    assert json.loads(result.stdout)["metrics"] == read_metrics(whole)[-1]
    assert result.stderr == ""


def test_ray_leaves_the_terminal_clean_and_hears_when_to_stop(whole: Path, tmp_path: Path) -> None:
    """Ctrl-C reaches all processes, those of Ray as well, and yet the games that are being played are finished."""
    pytest.importorskip("ray")
    code, told = interrupted(tmp_path / "run", signal.SIGINT, SIXTH_BATCH, "--backend", "ray", "--threads", "2")
    assert code == 130
    lines = [line for line in told.splitlines() if not line.startswith("compiling ")]
    assert lines == [
        f"{TINY}, rollout-cfr, in {tmp_path / 'run'}",
        "Stopping; what has been computed so far is kept. Press Ctrl-C again to discard it.",
        f"Stopped early; parlor train --resume {tmp_path / 'run'} continues the run.",
    ]
    parlor("train", "--resume", str(tmp_path / "run"))
    assert contents(tmp_path / "run") == contents(whole)


# --------------------------------------------------------------------------------------------------------- what it says


def test_the_help_lists_the_options_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, own in ((["train", "monopoly-deal", "--help"], True), (["train", "--help"], False)):
        assert main(arguments) == 0
        text = capsys.readouterr().out
        assert all(flag in text for flag in ("--rollouts N", "--parallel", "--resume FOLDER", "--backend", "--wandb"))
        assert all((flag in text) == own for flag in ("--preset standard|paper|", "--late-no false|true", "--sets N"))
        assert "None" not in text


def test_the_result_in_words_and_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "run")
    told = said(capsys, "monopoly-deal", "--preset", "tiny", "--games", "20", *QUICK, "--out", out)
    assert told.splitlines()[0] == f"{TINY}: 20 games of rollout-cfr, seed 0"
    assert "20 games each, 95 % intervals" in told
    assert f"checkpoint {out}/checkpoints/00000020.json" in told
    told = said(capsys, "--resume", out, "--games", "40", "--json")
    data = json.loads(told)
    assert data["checkpoint"] == f"{out}/checkpoints/00000040.json"
    assert (data["run"], data["games"], data["interrupted"]) == (out, 40, False)
    assert data["metrics"] == read_metrics(out)[-1]
    assert data["metrics"]["games"] == 40
    assert 0.0 <= data["metrics"]["wins"]["random"]["first"]["rate"] <= 1.0


def test_a_checkpoint_and_a_run_can_be_evaluated(short: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for path in (short, checkpoints(short)[0]):
        assert main(["evaluate", str(path), "--json"]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0]["exploitability"] == told[1]["exploitability"] == read_metrics(short)[-1]["exploitability"]


def test_a_new_run_gets_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert main(["train", TINY, "--games", "10", "--evaluate-every", "0", *QUICK, "--json"]) == 0
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [
        "monopoly-deal-preset-tiny-rollout-cfr",
        "monopoly-deal-preset-tiny-rollout-cfr-2",
    ]


def test_it_can_be_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WANDB_DISABLE_WEAVE", "true")  # or it would advertise itself where other tests import `mcp`
    pytest.importorskip("wandb")
    pytest.importorskip("tensorboard")
    out = str(tmp_path / "run")
    quick = [TINY, "--games", "20", *QUICK, "--evaluate-every", "10", "--out", out]
    result = parlor("train", *quick, "--wandb", "offline", "--tensorboard")
    lines = [line for line in result.stderr.splitlines() if not line.startswith("compiling ")]
    assert lines == [f"{TINY}, rollout-cfr, in {out}"]
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(f"{out}/tensorboard")
    events.Reload()
    assert [point.step for point in events.Scalars("wins/random/first/rate")] == [0, 10, 20]
    assert len(list((tmp_path / "run" / "wandb").glob("offline-run-*/*.wandb"))) == 1


# ---------------------------------------------------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name a game or a run: parlor train GAME …, or parlor train --resume FOLDER."),
        (
            [TINY, "--algorithm", "magic"],
            "There is no algorithm 'magic'; there are: rollout-cfr, abr, ",
        ),
        ([TINY, "--parallel", "sideways"], "parallel must be one of none, batch-ordered, unordered, not 'sideways'."),
        ([TINY, "--backend", "dask"], "--backend must be threads or ray, not 'dask'."),
        ([TINY, "--wandb", "maybe"], "--wandb must be offline or online, not 'maybe'."),
        ([TINY, "--threads", "0"], "threads must be at least 1, not 0."),
        ([TINY, "--address", "here:1"], "add --backend ray."),
        ([TINY, "--against", "grandma"], "There is no agent 'grandma'"),
        ([TINY, "--games", "15"], "games must be a multiple of the batch of 10 games, not 15"),
        ([TINY, "--out", "/proc/none/x"], "/proc/none/x cannot be written"),
        (["monopoly-deel"], "There is no game 'monopoly-deel'; did you mean monopoly-deal?"),
        (
            ["monopoly-deal", "--preset", "huge"],
            "preset must be one of standard, paper, small, large, tiny, not 'huge'.",
        ),
        (["monopoly-deal", "--abstraction", "blurry"], "has no abstraction 'blurry'; it has: intent, counts"),
        (["monopoly-deal", "--resolver", "sloppy"], "There is no resolver 'sloppy'; there are greedy, careful."),
        (["monopoly-deal", "--abstraction", "none", "--resolver", "careful"], "there is nothing to resolve"),
        (["monopoly-deal/intent", "--abstraction", "counts"], "The abstraction is named twice"),
        (["monopoly-deal/intent+careful", "--resolver", "greedy"], "The resolver is named twice: careful in"),
        (["leduc", "--abstraction", "ranks", "--resolver", "greedy"], "leduc has no resolvers: omit --resolver."),
        (["--resume", "nowhere"], "There is no training run in nowhere: it has no config.json."),
    ],
)
def test_wrong_input_gets_a_sentence_and_begins_nothing(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    told = said(capsys, *arguments, code=1)
    assert sentence in told
    assert list(tmp_path.iterdir()) == []


def test_the_game_may_come_after_its_options(short: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "--preset", "tiny", "monopoly-deal", "--games", "15", code=1)
    assert "games must be a multiple of the batch" in told
    assert "holds a training run already" in said(
        capsys, "--preset", "tiny", "monopoly-deal", "--out", str(short), code=1
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--buckets", "20", "holdem", "--stack", "20"],
        ["--out", "kuhn", "holdem", "--stack", "20"],
        ["--stack", "20", "--json", "holdem"],
        ["--stack=20", "holdem"],
        ["--against", "fish", "rule-based", "holdem", "--stack", "20"],
    ],
)
def test_the_game_is_not_the_value_of_a_flag_nor_swallowed_by_one(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert "holdem(stack=20) has no betting tree 'none'" in said(capsys, *arguments, "--bets", "none", code=1)


def test_a_wrong_flag_names_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", TINY, "--gmaes", "5"]) == 2
    assert "did you mean --games?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seed", "5"], "The run was started with seed 0, not 5: omit it, or start a new run."),
        (["--seed", "5", "--games", "40"], "The run was started with seed 0, not 5"),
        (["--no-clamp"], "The run was started with clamp True, not False"),
        (["--against", "random", "risk-aware"], "The run was started with against"),
        (["--games", "10"], "The run has 20 games already, more than 10."),
        (["--out", "elsewhere"], "A resumed run has its game and its folder already"),
        (["--abstraction", "none"], "A resumed run has its game and its folder already"),
        (["--backend", "ray", "--address", "127.0.0.1:1", "--games", "40"], "127.0.0.1:1 could not be reached"),
    ],
)
def test_a_run_goes_on_as_it_began(
    short: Path, arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "ray" in arguments:
        pytest.importorskip("ray")
    before = [path.read_bytes() for path in (short / CONFIG, *checkpoints(short))]
    assert sentence in said(capsys, "--resume", str(short), *arguments, code=1)
    assert [path.read_bytes() for path in (short / CONFIG, *checkpoints(short))] == before


def test_a_run_that_is_finished_says_so(short: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--resume", str(short)]) == 0
    told = capsys.readouterr()
    assert "The run is finished; continue it with more --games or --minutes." in told.err
    assert f"checkpoint {checkpoints(short)[0]}" in told.out
    more = TrainingRun.resume(short, minutes=5.0)
    assert not more.finished
    assert more.left == 300.0


def test_a_folder_that_holds_a_run_is_not_begun_again(short: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, TINY, "--games", "20", *QUICK, "--out", str(short), code=1)
    assert f"{short} holds a training run already; `parlor train --resume {short}` continues it" in told


def test_an_error_in_a_rules_file_says_where_and_what_is_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kuhn.__file__
    rules, out = tmp_path / "mine.py", str(tmp_path / "run")
    rules.write_text(Path(kuhn.__file__).read_text() + "\n\ndef payoff(s, p):\n    return 1 // (s.bets - s.bets)\n")
    quick = ["--abstraction", "none", "--games", "20", *QUICK, "--evaluate-every", "0", "--out", out]
    told = said(capsys, str(rules), *quick, code=1)
    assert "ZeroDivisionError" in told
    assert f"There is no checkpoint yet; `parlor train --resume {out}` starts again from the first game." in told


def test_the_paper_s_preset_is_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without training: what the run would be."""
    begun: list[TrainingRun] = []

    def note(run: TrainingRun, **_: Any) -> None:
        begun.append(run)
        raise KeyboardInterrupt

    monkeypatch.setattr(TrainingRun, "run", note)
    assert main(["train", "monopoly-deal", "--preset", "paper", "--out", str(tmp_path / "run")]) == 130
    c = begun[0].config
    assert c.game == "monopoly-deal(preset=paper)/intent"
    s = c.settings
    assert (c.games, s.rollouts, s.ring, s.explore, c.evaluate_every, c.evaluate_games) == (1000, 20, 10, 0.1, 50, 20)
    assert (c.parallel, c.seed) == ("unordered", 1)
    assert not (tmp_path / "run").exists()
    assert main(["train", "monopoly-deal", "--algorithm", "mccfr-outcome", "--resolver", "careful"]) == 130
    assert (begun[1].config.game, begun[1].config.parallel) == ("monopoly-deal/intent+careful", "none")


def test_the_config_is_what_was_asked_for(short: Path) -> None:
    config, _ = TrainingRun.load_config(short)
    assert (config.game, config.games, config.settings.rollouts, config.against) == (TINY, 20, 1, (RANDOM,))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--algorithm", "mccfr-external", "--rollouts", "5"], "mccfr-external does not use --rollouts."),
        (["--algorithm", "mccfr-outcome", "--no-clamp", "--batch", "5"], "does not use --no-clamp, --batch."),
    ],
)
def test_flags_that_an_algorithm_does_not_read_are_refused(
    arguments: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "kuhn", *arguments, "--out", str(tmp_path / "run")]) == 1
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_mccfr_explores_as_it_is_told_and_can_be_repeated_on_any_preset(tmp_path: Path) -> None:
    for name, explore in (("usual", []), ("less", ["--explore", "0.2"])):
        command = ["train", TINY, "--algorithm", "mccfr-outcome", "--games", "40", "--evaluate-every", "0", *explore]
        assert main([*command, "--out", str(tmp_path / name)]) == 0
    assert [TrainingRun.load_config(tmp_path / name)[0].settings.explore for name in ("usual", "less")] == [0.6, 0.2]
    [usual], [less] = (checkpoints(tmp_path / name) for name in ("usual", "less"))
    assert usual.read_text().partition("infosets")[2] != less.read_text().partition("infosets")[2]


def test_many_workers_and_an_odd_number_of_games(tmp_path: Path) -> None:
    """More workers than this machine has cores: they may be elsewhere."""
    command = ["train", TINY, "--games", "10", "--rollouts", "1", "--evaluate-games", "11", "--against", RANDOM]
    assert main([*command, "--threads", "20", "--out", str(tmp_path)]) == 0
    wins = read_metrics(tmp_path)[-1]["wins"][RANDOM.partition("(")[0]]
    assert (wins["first"]["games"], wins["alternating"]["games"]) == (11, 12)
