"""`parlor tune` as a user meets it: in processes that are killed and interrupted, and in sentences."""

import io
import json
import signal
from pathlib import Path

import pytest
from rich.console import Console

from parlor.cli.commands.tune import TunePicture
from parlor.cli.main import main
from parlor.tuning.run import TuneRun
from parlor.tuning.search import TuneConfig
from parlor.tuning.tuner import Tuner
from tests.cli.stopping import stopped
from tests.tuning.test_tuning import contents

pytestmark = pytest.mark.slow(seconds=9)

LONG = ["--games", "40000", "--games-each", "100", "--final-games", "2000", "--against", "matching", "--threads", "1"]

FOURTH_ROW = """
from parlor.tuning.journal import TuningJournal
at(TuningJournal, "add", 4)
"""


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """What a command says, run in this process."""
    capsys.readouterr()
    assert main(["tune", *arguments]) == code
    told = capsys.readouterr()
    return told.err if code in (1, 2) else told.out


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tune") / "whole"
    assert main(["tune", "goofspiel", "matching", *LONG, "--out", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_or_interrupted_it_goes_on_to_the_same_result(
    number: signal.Signals, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    done = stopped(number, FOURTH_ROW, "tune", "goofspiel", "matching", *LONG, "--out", str(folder))
    assert not (folder / "best.json").exists() or "unfinished" in (folder / "best.json").read_text()
    if number == signal.SIGINT:
        assert done.returncode == 130
        assert "best so far matching(shift=" in done.stdout
        assert f"games; parlor tune --resume {folder} continues the run." in done.stderr
    assert "more than the start" in said(capsys, "--resume", str(folder))
    assert contents(folder) == contents(whole)


def test_what_it_prints(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(capsys, "--resume", str(whole))
    best = json.loads((whole / "best.json").read_bytes())
    assert "win-share against matching" in told
    assert "games each on fresh deals, 95 % intervals" in told
    assert "cma-es looked at" in told
    assert "on fresh deals that candidate has" in told
    assert f"agent  '{best['agent']}'" in told
    found = json.loads(said(capsys, "--resume", str(whole), "--json"))
    assert found["agent"] == best["agent"]
    assert not found["interrupted"]


def test_figures(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["figures", str(whole), str(whole), "--out", str(tmp_path)]) == 0
    paths = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert [path.name for path in paths] == ["score.svg", "options.svg"]
    assert "win-share of a generation" in paths[0].read_text()
    assert all(name in paths[1].read_text() for name in ("shift", "spread", "give_up"))


def test_the_picture_while_it_runs(tmp_path: Path) -> None:
    config = TuneConfig(
        game="goofspiel",
        agent="matching",
        against=("matching",),
        games_each=20,
        generations=6,
        games=0,
        final_games=100,
    )
    run = TuneRun.begin(tmp_path / "run", config)
    picture = TunePicture(run)
    console = Console(width=120, record=True, file=io.StringIO())
    console.print(picture.draw())

    def on_progress(run: TuneRun, tuner: Tuner) -> bool:
        picture.tuner = tuner
        return bool(picture.draw())

    run.run(on_progress=on_progress)
    console.print(picture.draw())
    told = console.export_text()
    assert "preparing" in told
    assert "goofspiel matching" in told
    assert "generation" in told
    assert "▁" in told
    assert "give_up" in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name a game and an agent: parlor tune GAME AGENT …, or parlor tune --resume FOLDER."),
        (["goofspiel"], "Name a game and an agent"),
        (["goofspiel", "matching", "--options", "bravery"], "matching has no option 'bravery'"),
        (["goofspiel", "matching", "--options", "shift=0:9"], "The range of shift must lie between -2 and 4, not 0:9."),
        (["goofspiel", "random"], "random has no option that is a number in a range"),
        (["goofspiel", "matching", "--against", "careful"], "careful plays monopoly-deal, not goofspiel."),
        (["goofspiel", "matching", "--games", "100"], "games must be at least 1,400, not 100."),
        (["goofspiel", "matching", "--method", "guess"], "method must be one of cma-es, coordinate, not 'guess'."),
        (["goofspiel", "matching", "--threads", "0"], "threads must be between 1 and"),
        (["--resume", "nowhere"], "There is no tuning run in nowhere: it has no config.json."),
        (["goofspiel", "matching", "--resume", "x"], "A resumed run has its game, its folder and its settings already"),
    ],
)
def test_sentences(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert sentence in said(capsys, *arguments, code=1)


def test_nothing_is_written_for_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "goofspiel", "matching", "--games", "100", "--out", str(tmp_path / "run"), code=1)
    assert not (tmp_path / "run").exists()
