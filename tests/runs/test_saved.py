"""What earlier versions have saved still loads: policies, and runs that go on where they stopped."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import parlor
from parlor.agents.agent import CompiledAgent
from parlor.arena.match import Match, play_match
from parlor.cli.main import main
from parlor.game import Game
from parlor.runs import training as module

SAVED = Path(__file__).parent.parent / "golden" / "saved"
RUNS = sorted(path.name for path in SAVED.iterdir() if path.is_dir())


def test_a_policy_of_an_earlier_version_loads_and_is_as_good(capsys: pytest.CaptureFixture[str]) -> None:
    policy = parlor.load_policy(str(SAVED / "kuhn-cfr.json"))
    assert len(policy) == 12
    assert parlor.exploitability(parlor.load("kuhn"), policy) < 0.05
    assert main(["evaluate", str(SAVED / "kuhn-cfr.json"), "--json"]) == 0
    assert '"same_rules": true' in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
def test_a_run_of_an_earlier_version_goes_on(run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def few(game: Game, agents: list[CompiledAgent], games: int, *given: Any, **more: Any) -> Match:
        return play_match(game, agents, min(games, 10), *given, **more)  # too few to compile the opponents for

    monkeypatch.setattr(module, "play_match", few)
    folder = tmp_path / run
    shutil.copytree(SAVED / run, folder)
    [begun] = (folder / "checkpoints").iterdir()
    games = int(begun.stem)
    assert main(["train", "--resume", str(folder), "--games", str(2 * games), "--json"]) == 0
    assert [int(path.stem) for path in sorted((folder / "checkpoints").iterdir())] == [games, 2 * games]


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
def test_a_run_of_an_earlier_version_sits_down(run: str, tmp_path: Path) -> None:
    assert main(["evaluate", str(SAVED / run), "--against", "random", "--games", "20", "--json"]) == 0
