"""What a run measures: whole lines, the same bytes for the same numbers, also where it can be watched."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor.runs.files.container import FileError
from parlor.runs.metrics import Metrics, flat, read_metrics, read_timing


def row(games: int) -> dict[str, Any]:
    wins = {"rate": 0.75, "low": 0.5, "high": 0.9, "games": 20}
    return {
        "games": games,
        "regret": {"max_expected": 0.1 + 1.0 / (games + 1), "by_player": [0.3, 0.32]},
        "infosets": [118, 121],
        "wins": {"random": {"first": wins, "alternating": wins}},
    }


def logged(folder: Path, *games: int, **options: Any) -> bytes:
    with Metrics(folder, **options) as metrics:
        for g in games:
            metrics.log(row(g))
            metrics.log_timing({"games": g, "seconds": 1.5})
    return (folder / "metrics.jsonl").read_bytes()


# ------------------------------------------------------------------------------------------------------------ on disk


def test_what_is_logged_is_read_back(tmp_path: Path) -> None:
    data = logged(tmp_path / "deep" / "run", 50, 100)
    assert read_metrics(tmp_path / "deep" / "run") == [row(50), row(100)]
    assert read_timing(tmp_path / "deep" / "run") == [{"games": g, "seconds": 1.5} for g in (50, 100)]
    assert data == logged(tmp_path / "again", 50, 100)


def test_a_row_is_there_at_once(tmp_path: Path) -> None:
    with Metrics(tmp_path) as metrics:
        metrics.log(row(50))
        assert read_metrics(tmp_path) == [row(50)]


def test_numbers_that_json_does_not_know_are_made_plain(tmp_path: Path) -> None:
    with Metrics(tmp_path) as metrics:
        metrics.log({"games": np.int64(50), "a": np.array([1.0, np.nan]), "b": float("inf"), "c": np.float32(0.5)})
    assert read_metrics(tmp_path) == [{"games": 50, "a": [1.0, None], "b": None, "c": 0.5}]


def test_a_resumed_run_has_the_bytes_of_one_that_was_never_killed(tmp_path: Path) -> None:
    whole = logged(tmp_path / "whole", 0, 50, 100, 150, 200)
    logged(tmp_path / "killed", 0, 50, 100, 150)
    assert logged(tmp_path / "killed", 100, 150, 200, keep=100) == whole  # it measures again where it starts
    assert [r["games"] for r in read_timing(tmp_path / "killed")] == [0, 50, 100, 150, 200]
    assert logged(tmp_path / "killed", 0, 50, 100, 150, 200, keep=0) == whole
    assert logged(tmp_path / "late", keep=100) == b""


@pytest.mark.parametrize("torn", [b'{"games": 150, "regr', b"\0\0\0", b"{}\n", b"\xff\n"])
def test_a_torn_last_line_is_as_if_never_written(tmp_path: Path, torn: bytes) -> None:
    logged(tmp_path, 50, 100)
    with (tmp_path / "metrics.jsonl").open("ab") as file:
        file.write(torn)
    assert read_metrics(tmp_path) == [row(50), row(100)]
    logged(tmp_path, 150, keep=100)
    assert read_metrics(tmp_path) == [row(50), row(100), row(150)]


def test_a_last_line_that_lacks_only_its_end_counts(tmp_path: Path) -> None:
    whole = logged(tmp_path, 50, 100)
    (tmp_path / "metrics.jsonl").write_bytes(whole.rstrip())
    assert read_metrics(tmp_path) == [row(50), row(100)]
    assert logged(tmp_path, keep=100) == whole


def test_a_kill_in_the_middle_leaves_whole_lines(tmp_path: Path) -> None:
    code = (
        "import sys; from parlor.runs.metrics import Metrics\n"
        "metrics = Metrics(sys.argv[1])\n"
        "for i in range(10**9): metrics.log({'games': i}); print(i, flush=True)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for line in process.stdout:
            if int(line) >= 20:
                break
        process.kill()
    assert [r["games"] for r in read_metrics(tmp_path)][:21] == list(range(21))


def test_a_full_disk_gets_a_sentence_and_leaves_whole_lines(tmp_path: Path) -> None:
    """The limit on the size of a file stands for the disk: it too is met in the middle of a line."""
    line = len(logged(tmp_path, 50))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Metrics(tmp_path, keep=50) as metrics:
        resource.setrlimit(resource.RLIMIT_FSIZE, (line + line // 2, limits[1]))
        try:
            with pytest.raises(FileError, match=r"cannot be written: .+ the run can be resumed from its last checkp"):
                metrics.log(row(100))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert len((tmp_path / "metrics.jsonl").read_bytes()) == line
        metrics.log(row(100))
    assert read_metrics(tmp_path) == [row(50), row(100)]


def test_dropping_rows_is_all_or_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = logged(tmp_path, 50, 100, 150)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FileError, match="No space left on device"):
        Metrics(tmp_path, keep=50)
    assert (tmp_path / "metrics.jsonl").read_bytes() == whole


def test_a_new_run_does_not_overwrite_another(tmp_path: Path) -> None:
    whole = logged(tmp_path, 50)
    with pytest.raises(FileError, match="holds the metrics of another run"):
        Metrics(tmp_path)
    assert (tmp_path / "metrics.jsonl").read_bytes() == whole


def test_what_is_no_run_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"There is no run folder .+none\."):
        read_metrics(tmp_path / "none")
    with pytest.raises(FileError, match=r"is not the folder of a training run: there is no metrics\.jsonl in it\."):
        read_metrics(tmp_path)
    for damaged in (b'{"games": 50}\n{"ga\n{"games": 150}\n', b'{"games": 50}\n[]\n{"games": 150}\n'):
        (tmp_path / "metrics.jsonl").write_bytes(damaged)
        with pytest.raises(FileError, match=r"metrics\.jsonl is damaged: line 2 is not a row of metrics\."):
            read_metrics(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        Metrics(tmp_path / "file")


# ----------------------------------------------------------------------------------------------------------- trackers


def test_names_are_flattened() -> None:
    names = flat({"a": {"b": {"c": 1}}, "list": [2, {"d": 3.5}], "none": None, "word": "x"})
    assert names == {"a/b/c": 1, "list/0": 2, "list/1/d": 3.5}


def events(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard shows."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(folder / "tensorboard"))
    accumulator.Reload()
    return {tag: [(e.step, e.value) for e in accumulator.Scalars(tag)] for tag in accumulator.Tags()["scalars"]}


def test_tensorboard_reads_the_same_numbers(tmp_path: Path) -> None:
    logged(tmp_path, 50, 100, 150, tensorboard=True)
    shown = events(tmp_path)
    assert set(shown) == {*flat(row(50)), "timing/seconds"} - {"games"}
    for tag, points in shown.items():
        values = [1.5] * 3 if tag == "timing/seconds" else [flat(row(g))[tag] for g in (50, 100, 150)]
        assert [step for step, _ in points] == [50, 100, 150]
        assert [value for _, value in points] == pytest.approx(values)  # they are kept as float32


def test_tensorboard_goes_on_where_a_run_is_resumed(tmp_path: Path) -> None:
    logged(tmp_path, 50, 100, 150, tensorboard=True)
    logged(tmp_path, 125, 200, keep=100, tensorboard=True)
    assert [step for step, _ in events(tmp_path)["infosets/0"]] == [50, 100, 125, 200]


def test_tensorboard_needs_neither_torch_nor_tensorflow(tmp_path: Path) -> None:
    code = (
        "import sys; from parlor.runs.metrics import Metrics\n"
        "with Metrics(sys.argv[1], tensorboard=True) as metrics: metrics.log({'games': 1, 'x': 2.0})\n"
        "print({'torch', 'tensorflow', 'wandb'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, timeout=600)
    assert done.stdout == "set()\n", done.stderr


@pytest.mark.slow
def test_weights_and_biases_offline(tmp_path: Path) -> None:
    """In a process of its own, as wandb starts others, with no account; twice, as a run that is resumed."""
    code = (
        "import sys; from parlor.runs.metrics import Metrics\n"
        "for keep in (None, 50):\n"
        "    with Metrics(sys.argv[1], keep=keep, wandb='offline', config={'seed': 7}) as metrics:\n"
        "        for games in (50, 100): metrics.log({'games': games, 'wins': {'random': {'first': {'rate': 0.625}}}})"
    )
    run, home = tmp_path / "run", tmp_path / "home"
    home.mkdir()
    env = {"PATH": "/usr/bin:/bin", "HOME": str(home), "PYTHONPATH": ":".join(filter(None, sys.path))}
    env["WANDB__SERVICE_WAIT"] = "300"  # seconds, on a busy machine
    command = [sys.executable, "-c", code, str(run)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, env=env, cwd=home)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    identity = (run / "wandb" / "run-id").read_text()
    files = sorted(run.glob(f"wandb/offline-run-*/run-{identity}.wandb"))
    assert len(files) in (1, 2)  # the folder is named by the second
    data = b"".join(path.read_bytes() for path in files)
    assert b"wins/random/first/rate" in data
    assert b"0.625" in data
    assert b"seed" in data


@pytest.mark.parametrize(
    ("module", "option", "sentence"),
    [
        ("tensorboard", {"tensorboard": True}, "TensorBoard is not installed: pip install 'parlor-games[tracking]'."),
        ("wandb", {"wandb": "offline"}, "Weights & Biases is not installed: pip install 'parlor-games[tracking]'."),
        ("none", {"wandb": "sideways"}, "Weights & Biases runs offline or online, not 'sideways'."),
    ],
)
def test_a_tracker_that_cannot_be_had_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, option: dict[str, Any], sentence: str
) -> None:
    for name in [n for n in sys.modules if n.split(".")[0] == module] or [module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(FileError) as error:
        Metrics(tmp_path, **option)
    assert str(error.value) == sentence
    assert json.dumps(read_metrics(tmp_path)) == "[]"
    logged(tmp_path, 50)  # the folder is still good for the run
