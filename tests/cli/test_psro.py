"""`parlor psro` as a user meets it: in processes that are killed and interrupted, and in sentences."""

import io
import json
import shutil
import signal
from pathlib import Path

import pytest
from rich.console import Console

from parlor.cli.commands.psro import PsroPicture
from parlor.cli.main import main
from parlor.population.meta import META_SOLVERS
from parlor.population.psro import Psro
from parlor.population.run import figures
from parlor.population.run.checkpoints import PsroConfig
from parlor.population.run.run import PsroRun
from tests.cli.stopping import stopped
from tests.population.test_psro_run import contents

pytestmark = pytest.mark.slow(seconds=6)

LONG = ["kuhn", "--meta", "regret-matching(iterations=5000)", "--iterations", "12", "--threads", "1"]

SIXTH_ROW = """
from parlor.runs.metrics import Metrics
at(Metrics, "log", 6)
"""


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What a command says, run in this process."""
    capsys.readouterr()
    assert main(["psro", *arguments]) == code
    told = capsys.readouterr()
    return told.err if code in (1, 2) else told.out


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("psro") / "whole"
    assert main(["psro", *LONG, "--out", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_or_interrupted_it_goes_on_to_the_same_result(
    number: signal.Signals, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    done = stopped(number, SIXTH_ROW, "psro", *LONG, "--out", str(folder))
    assert not (folder / "checkpoints" / "00000012.npz").exists()
    if number == signal.SIGINT:
        assert done.returncode == 130
        assert "player 1 plays" in done.stdout
        assert f"Stopped early; parlor psro --resume {folder} continues the run." in done.stderr
    assert "12 iterations, seed 0" in said(capsys, "--resume", str(folder))
    assert contents(folder) == contents(whole)


def test_what_it_prints(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "--resume", str(whole))
    assert "kuhn: PSRO, regret-matching, exact oracles, 12 iterations, seed 0" in told
    assert told.splitlines()[1].split()[:2] == ["iteration", "NashConv"]
    assert [line.split()[0] for line in told.splitlines()[2:8]] == ["0", "1", "2", "5", "10", "12"]
    assert "of 13 strategies, value -0.05" in told
    found = json.loads(said(capsys, "--resume", str(whole), "--json"))
    assert found["metrics"]["iteration"] == 12
    assert not found["interrupted"]
    joint = said(capsys, "kuhn", "--meta", "mwcce", "--iterations", "2", "--out", str(tmp_path / "joint"))
    assert "PSRO, mwcce, exact oracles, 2 iterations" in joint


def test_help_lists_what_can_be_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "--help")
    assert all(f"\n  {name} " in told for name in [*META_SOLVERS, "exact"])
    assert "settings: iterations exploration" in told
    assert "--checkpoint-every" in told


def test_figures(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    three, other = tmp_path / "three", tmp_path / "other"
    said(capsys, "kuhn(players=3)", "--meta", "mwcce", "--iterations", "2", "--out", str(three))
    assert main(["figures", str(three)]) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()[-5:]]
    names = ["nash-conv.svg", "meta-nash-conv.svg", "welfare.svg", "payoffs.svg", "mixture.svg"]
    assert paths == [three / "figures" / name for name in names]
    assert "NashConv of the average policy" in paths[0].read_text()
    assert "strategy of player 1; player 2 plays" in paths[3].read_text()
    shutil.copytree(whole, other)
    monkeypatch.setattr(figures, "_mixtures", lambda rows, path: path)  # drawn above, and slow
    monkeypatch.setattr(figures, "_payoffs", lambda runs, path: path)
    assert main(["figures", str(whole), str(other), "--out", str(tmp_path)]) == 0
    assert "regret-matching, other" in (tmp_path / "nash-conv.svg").read_text()
    capsys.readouterr()
    assert main(["figures", str(whole), str(three)]) == 1
    assert "game is kuhn in one, kuhn(players=3) in the other" in capsys.readouterr().err


def test_the_picture_while_it_runs(tmp_path: Path) -> None:
    config = PsroConfig.of("kuhn", meta="uniform", iterations=3, payoffs="simulated", games=10)
    run = PsroRun.begin(tmp_path / "run", config)
    picture = PsroPicture(run)
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(picture.draw())

    def on_progress(run: PsroRun, psro: Psro) -> bool:
        picture.psro = psro
        console.print(picture.draw())
        return True

    run.run(on_progress=on_progress)
    assert run.simulator is not None
    run.simulator.total += 5
    console.print(picture.draw())
    told = console.export_text()
    assert "preparing" in told
    assert "kuhn uniform, exact iteration 3 of 3" in told
    assert "meta NashConv" in told
    assert "█" in told
    assert "player 1 plays 0: 25 %  1: 25 %" in told
    assert "7 of 12 new cells simulated" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name a game or a run: parlor psro GAME …, or parlor psro --resume FOLDER."),
        (["kuhn", "--meta", "magic"], "There is no meta-solver 'magic'; there are: uniform, prd, "),
        (["kuhn", "--oracle", "delphi"], "There is no oracle 'delphi'; there are: exact"),
        (["kuhn(players=3)", "--meta", "nash"], "nash is for 2 players at most; kuhn(players=3) has 3."),
        (["clue(players=5)", "--meta", "mgcce"], "mgcce is for 4 players at most; clue(players=5) has 5."),
        (["kuhn(players=4)", "--iterations", "100"], "would have 104,060,401 cells for 4 players; at most 78"),
        (["kuhn", "--backend", "cloud"], "--backend must be threads or processes or ray, not 'cloud'."),
        (["kuhn", "--threads", "0"], "threads must be at least 1, not 0."),
        (["--resume", "nowhere"], "There is no psro run in nowhere: it has no config.json."),
        (["kuhn", "--resume", "x"], "A resumed run has its game, its folder and its settings already"),
        (["--resume", "x", "--meta", "prd"], "only --iterations may be given anew."),
    ],
)
def test_sentences(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in said(capsys, *arguments, code=1)
    assert not list(tmp_path.iterdir())
