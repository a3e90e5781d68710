"""PSRO runs: stopped, killed or damaged, they end as if nothing had happened, or say why they cannot."""

import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlor
from parlor.game import GameError
from parlor.game.loading import load
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.population.empirical import cells
from parlor.population.oracles import ORACLES, OracleRow, Task, exact
from parlor.population.psro import Psro
from parlor.population.run.asking import Answers, Asker, CellSimulator
from parlor.population.run.checkpoints import PsroConfig, load_empirical
from parlor.population.run.run import PsroRun
from parlor.runs.files.container import FileError
from parlor.runs.files.strategy_files import load_strategy
from parlor.runs.metrics import read_metrics, read_timing
from parlor.runs.run import checkpoints, locked_folder
from parlor.runs.saved_agents import load_agent
from parlor.runs.training import TrainingRun
from parlor.runs.workers import start_pool
from tests.lasting import lasting

pytestmark = pytest.mark.slow(seconds=20)

QUICK = "regret-matching(iterations=1000)"
GAMES: dict[str, dict[str, Any]] = {
    "independent": {"game": "kuhn", "meta": QUICK, "iterations": 9},
    "joint": {"game": "kuhn(players=3)", "meta": "mgcce", "iterations": 4},
    "simulated": {"game": "kuhn", "meta": QUICK, "iterations": 4, "payoffs": "simulated", "games": 50},
    "shared": {"game": "kuhn", "meta": QUICK, "iterations": 4, "population": "shared"},
}


def contents(folder: Path) -> dict[str, bytes]:
    """What must be the same to the byte, whatever happened on the way."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "timing.jsonl")
    return {str(path.relative_to(folder)): lasting(path) for path in sorted(files)}


def begun(folder: Path, **values: Any) -> PsroRun:
    return PsroRun.begin(folder, PsroConfig.of(**{**GAMES["independent"], **values}))


def until(iteration: int) -> Callable[[PsroRun, Psro], bool]:
    return lambda run, psro: psro.iteration < iteration


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("psro") / "whole"
    begun(folder).run()
    return folder


# --------------------------------------------------------------------------------------------------- what a run leaves


def test_the_folder(whole: Path) -> None:
    rows = read_metrics(whole, "iteration")
    assert [row["iteration"] for row in rows] == list(range(10))
    assert rows[0]["nash_conv"] == pytest.approx(11 / 12)  # of uniform play
    assert rows[-1]["nash_conv"] < 0.02
    assert rows[-1]["values"] == pytest.approx([-1 / 18, 1 / 18], abs=0.01)
    assert rows[-1]["strategies"] == [10, 10]
    assert rows[-1]["cells"] == 100
    timing = read_timing(whole, "iteration")
    assert [row["iteration"] for row in timing] == list(range(1, 10))
    assert {"seconds", "oracle", "cells", "meta", "measure"} <= set(timing[0])
    assert [path.name for path in checkpoints(whole)] == ["00000009.npz", "00000008.npz"]
    assert len(list((whole / "strategies").iterdir())) == 20
    with pytest.raises(FileError, match="is not a training run but a psro run"):
        TrainingRun.load_config(whole)


def test_a_checkpoint_is_a_strategy_and_the_folder_an_agent(whole: Path) -> None:
    row = read_metrics(whole, "iteration")[-1]
    strategy = load_strategy(checkpoints(whole)[0])
    assert strategy.table is not None
    assert parlor.nash_conv("kuhn", strategy.table) == pytest.approx(row["nash_conv"])
    result = parlor.play_match("kuhn", [load_agent(str(whole), "kuhn"), load_agent("random", "kuhn")], 2000)
    assert result.payoff.low > 0.0


def test_checkpoints_that_are_asked_for_are_kept(tmp_path: Path) -> None:
    begun(tmp_path / "run", checkpoint_every=3, iterations=8).run()
    assert [path.stem.lstrip("0") for path in checkpoints(tmp_path / "run")] == ["8", "7", "6", "3"]


def test_the_door_from_python(whole: Path, tmp_path: Path) -> None:
    settings = {name: value for name, value in GAMES["independent"].items() if name != "game"}
    found = parlor.psro("kuhn", folder=tmp_path / "run", **settings)
    assert contents(tmp_path / "run") == contents(whole)
    assert [len(some) for some in found.members] == [10, 10]
    assert len(found.rows) == 10
    assert found.average is not None
    assert parlor.nash_conv("kuhn", found.average) == pytest.approx(found.rows[-1]["nash_conv"])
    chicken = parlor.matrix_game([[[-5, 1], [-1, -1]], [[-5, -1], [1, -1]]], name="chicken")
    found = parlor.psro(chicken, meta="mnce", iterations=3)
    assert not found.mixture.independent
    assert found.rows[-1]["joint_welfare"] == pytest.approx(0.0, abs=1e-6)  # in turn, which needs a signal
    assert found.rows[-1]["social_welfare"] == pytest.approx(-3.0, abs=1e-6)


# ---------------------------------------------------------------------------------------------------- stopped, resumed


@pytest.mark.parametrize("kind", GAMES)
def test_a_run_that_was_stopped_ends_as_if_it_had_not_been(kind: str, tmp_path: Path) -> None:
    config = PsroConfig.of(**GAMES[kind])
    PsroRun.begin(tmp_path / "whole", config).run()
    stopped = PsroRun.begin(tmp_path / "stopped", config)
    assert stopped.run(on_progress=until(2)).iteration == 2
    assert not stopped.finished
    resumed = PsroRun.resume(tmp_path / "stopped")
    assert not resumed.remarks
    resumed.run()
    assert resumed.finished
    assert contents(tmp_path / "stopped") == contents(tmp_path / "whole")


def test_stopped_before_the_first_iteration(whole: Path, tmp_path: Path) -> None:
    assert begun(tmp_path / "run").run(on_progress=until(0)).iteration == 0
    PsroRun.resume(tmp_path / "run").run()
    assert contents(tmp_path / "run") == contents(whole)


def test_what_is_not_yet_in_a_checkpoint_is_done_again(whole: Path, tmp_path: Path) -> None:
    """As after `kill -9` between the metrics of an iteration and its checkpoint, and while a line was written."""
    run = begun(tmp_path / "run")
    run.run(on_progress=until(5))
    checkpoints(run.folder)[0].unlink()
    (run.folder / "checkpoints" / ".00000005.npz.1.1.draft").write_bytes(b"half")
    (run.folder / "strategies" / "0-5.npz").write_bytes(b"of another code")
    with (run.folder / "metrics.jsonl").open("ab") as file:
        file.write(b'{"iteration": 6, "ga')
    PsroRun.resume(run.folder).run()
    assert contents(run.folder) == contents(whole)


def test_more_iterations(whole: Path, tmp_path: Path) -> None:
    run = begun(tmp_path / "run", iterations=4)
    run.run()
    assert PsroRun.resume(run.folder).finished
    PsroRun.resume(run.folder, iterations=9).run()
    assert contents(run.folder) == contents(whole)
    with pytest.raises(GameError, match="The run has 9 iterations already, more than 5"):
        PsroRun.resume(run.folder, iterations=5)


# ------------------------------------------------------------------------------------------------------ what may happen


def test_an_oracle_that_fails(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(task: Task) -> Strategy:
        if task.iteration == 4:
            raise GameError("The oracle is silent.")
        return exact(task)

    run = begun(tmp_path / "run")
    with monkeypatch.context() as patch:
        patch.setitem(ORACLES, "exact", OracleRow("fails", failing, exact=True))
        with pytest.raises(GameError) as error:
            run.run()
    kept = run.folder / "checkpoints" / "00000003.npz"
    assert str(error.value) == (
        f"The oracle is silent. Everything up to {kept} is saved; `parlor psro --resume {run.folder}` continues from "
        "there."
    )
    PsroRun.resume(run.folder).run()
    assert contents(run.folder) == contents(whole)


def test_what_a_slow_oracle_has_answered_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    broken = True

    def respond(task: Task) -> Strategy:
        asked.append((task.iteration, task.player))
        if broken and task.player == 1 and task.iteration == 2:
            raise GameError("The second player's worker is lost.")
        return Policy.uniform(task.game).with_about(seed=task.seed)

    monkeypatch.setitem(ORACLES, "lazy", OracleRow("uniform play", respond))
    run = begun(tmp_path / "run", oracle="lazy", iterations=3)
    with pytest.raises(GameError, match=r"^The second player's worker is lost\. Everything up to"):
        run.run()
    assert asked == [(1, 0), (1, 1), (2, 0), (2, 1)]
    assert [path.name for path in (run.folder / "answers").iterdir()] == ["00000002-0.npz"]
    broken = False
    asked.clear()
    PsroRun.resume(run.folder).run()
    assert asked == [(2, 1), (3, 0), (3, 1)]
    begun(tmp_path / "whole", oracle="lazy", iterations=3).run()
    assert contents(run.folder) == contents(tmp_path / "whole")


def test_an_answer_is_kept_while_another_player_is_still_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = threading.Event()
    keep = Answers.keep

    def keep_and_tell(answers: Answers, task: Task, strategy: Strategy) -> None:
        keep(answers, task, strategy)
        kept.set()

    def respond(task: Task) -> Strategy:
        if task.player == 0 and kept.wait(300.0):
            raise GameError("The first player's worker is lost.")
        return Policy.uniform(task.game)

    monkeypatch.setattr(Answers, "keep", keep_and_tell)
    monkeypatch.setitem(ORACLES, "lazy", OracleRow("uniform play", respond))
    run = begun(tmp_path / "run", oracle="lazy", iterations=1)
    with pytest.raises(GameError, match=r"^The first player's worker is lost\."):
        run.run(workers=2)
    assert [path.name for path in (run.folder / "answers").iterdir()] == ["00000001-1.npz"]


@pytest.mark.parametrize("what", ["strategies/1-4.npz", "checkpoints/00000004.npz"])
def test_a_full_disk(what: str, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begun(tmp_path / "run")
    full = run.folder / what
    opened = Path.open

    def open_or_not(path: Path, *arguments: Any, **others: Any) -> Any:
        if path.name.startswith(f".{full.name}."):
            raise OSError(28, "No space left on device")
        return opened(path, *arguments, **others)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", open_or_not)
        with pytest.raises(FileError) as error:
            run.run()
    assert str(error.value).startswith(f"{full} cannot be written: No space left on device. Everything up to")
    assert "00000003.npz is saved" in str(error.value)
    PsroRun.resume(run.folder).run()
    assert contents(run.folder) == contents(whole)


def test_games_that_cannot_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = PsroConfig.of(**GAMES["simulated"])
    PsroRun.begin(tmp_path / "whole", config).run()
    run = PsroRun.begin(tmp_path / "run", config)
    play = cells.play_cell

    def play_or_not(game: Any, agents: Any, *others: Any, **more: Any) -> Any:
        if [agent.name for agent in agents] == ["strategy 3 of player 0", "strategy 1 of player 1"]:
            raise GameError("It went on for more than LENGTH = 5 moves.")
        return play(game, agents, *others, **more)

    with monkeypatch.context() as patch:
        patch.setattr(cells, "play_cell", play_or_not)
        with pytest.raises(GameError) as error:
            run.run(workers=2)
    assert str(error.value).startswith(
        "The games between strategy 3 of player 0, strategy 1 of player 1 could not be played: It went on for more "
        f"than LENGTH = 5 moves. Everything up to {run.folder / 'checkpoints' / '00000002.npz'} is saved;"
    )
    PsroRun.resume(run.folder).run()
    assert contents(run.folder) == contents(tmp_path / "whole")


def test_a_damaged_checkpoint_is_named_and_the_one_before_is_used(whole: Path, tmp_path: Path) -> None:
    run = begun(tmp_path / "run")
    run.run(on_progress=until(5))
    newest, before = checkpoints(run.folder)
    newest.write_bytes(b"rubbish")
    resumed = PsroRun.resume(run.folder)
    assert resumed.remarks[0].startswith(f"{newest} is not a checkpoint of a PSRO run, or it is damaged")
    assert f"The run continues from {before}; later iterations are computed again." in resumed.remarks[0]
    resumed.run()
    assert contents(run.folder) == contents(whole)
    (run.folder / "strategies" / "0-3.npz").unlink()
    with pytest.raises(FileError, match=r"there is no file .*0-3\.npz.* There is no older checkpoint .* Delete"):
        PsroRun.resume(run.folder)


def test_folders_that_are_not_free(whole: Path, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"holds a psro run already; `parlor psro --resume .*` continues it, or choose"):
        begun(whole)
    with pytest.raises(FileError, match="There is no psro run in"):
        PsroRun.resume(tmp_path)
    run = begun(tmp_path / "run")
    with locked_folder(run.folder), pytest.raises(FileError, match="is running in another process; stop that one"):
        run.run()
    assert list(run.folder.iterdir()) == []


# ------------------------------------------------------------------------------------------------------------- workers


def test_workers_change_nothing(tmp_path: Path) -> None:
    config = PsroConfig.of(**GAMES["simulated"])
    for backend, workers in (("threads", 2), ("processes", 1)):
        PsroRun.begin(tmp_path / backend, config).run(backend=backend, workers=workers)
    PsroRun.begin(tmp_path / "one", config).run()
    assert contents(tmp_path / "one") == contents(tmp_path / "threads") == contents(tmp_path / "processes")


def test_simulated_payoffs_are_those_of_the_game(whole: Path) -> None:
    game, true = load("kuhn"), load_empirical(checkpoints(whole)[0])[1]
    members = [[load_strategy(whole / "strategies" / f"{p}-{i}.npz") for i in range(10)] for p in range(2)]
    some = [(0, 0), (3, 7), (9, 9)]
    for cell, (count, sums, squares) in zip(some, CellSimulator(game, 20_000, 1)(some, members), strict=True):
        error = np.sqrt(np.array(squares) - np.array(sums) ** 2 / count) / count
        assert np.abs(np.array(sums) / count - true.payoffs[(slice(None), *cell)]).max() < 4.0 * error.max()
    alone = CellSimulator(game, 500, 1)([some[1]], members)
    assert alone[0] == CellSimulator(game, 500, 1)(some, members)[1]  # whatever else is played


def test_a_task_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between processes go neither the rules nor the plans; the game is loaded where the oracle works."""
    seen = []

    def respond(task: Task) -> Strategy:
        seen.append((task.game.name, task.player, task.seed, len(task.members[0]), task.plans))
        return Policy.uniform(task.game)

    monkeypatch.setitem(ORACLES, "lazy", OracleRow("uniform play", respond))

    class Away:
        workers = 2

        def as_completed(self, function: Any, tasks: Any) -> Any:
            return enumerate(map(function, pickle.loads(pickle.dumps(tasks))))

    loop = Psro("kuhn", PsroConfig.of("kuhn", oracle="lazy", meta=QUICK), respond_all=Asker("lazy", Away()))  # type: ignore[arg-type]
    loop.step()
    assert [(name, player, many, plans) for name, player, _, many, plans in seen] == [
        ("kuhn", 0, 1, None),
        ("kuhn", 1, 1, None),
    ]
    assert seen[0][2] != seen[1][2]
    with start_pool("threads", 2) as pool:
        here = Psro("kuhn", loop.settings, respond_all=Asker("lazy", pool))
        assert here.step() == loop.measure()


# ------------------------------------------------------------------------------------------------------------- settings


def test_settings_are_written_and_read() -> None:
    config = PsroConfig.of("leduc", meta="nbs-joint(points=(1,2.5),method=gradient)", evaluate="prd", seed=3)
    assert config.meta == "nbs-joint"
    assert config.meta_settings.points == (1.0, 2.5)
    assert PsroConfig.read(config.data()) == config
    assert config.data()["meta_settings"]["method"] == "gradient"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"meta": "magic"}, "There is no meta-solver 'magic'; there are: uniform, prd, "),
        (
            {"meta": "prd("},
            "'prd(' is not the name of a meta-solver; write it like nash or prd(iterations=1000).",
        ),
        ({"meta": "prd(speed=3)"}, "prd has no setting 'speed'; it has: iterations, least, step."),
        ({"meta": "prd(iterations=many)"}, "iterations must be a whole number, not 'many'."),
        ({"meta": "nbs(method=slow)"}, "method must be one of fast, gradient, not 'slow'."),
        ({"oracle": "delphi"}, "There is no oracle 'delphi'; there are: exact"),
        ({"payoffs": "guessed"}, "payoffs must be one of auto, exact, simulated, not 'guessed'."),
        ({"bravery": 1}, "psro has no setting 'bravery'; it has: checkpoint_every, evaluate, "),
        ({"iterations": 0}, "iterations must be at least 1, not 0."),
    ],
)
def test_settings_that_are_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(GameError) as error:
        PsroConfig.of("kuhn", **values)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"game": "kuhn(players=3)", "meta": "nash"}, "nash is for 2 players at most; kuhn(players=3) has 3."),
        (
            {"game": "kuhn(players=4)", "iterations": 100},
            "After 100 iterations the empirical game of kuhn(players=4) would have 104,060,401 cells for 4 players; "
            "at most 78 iterations are possible.",
        ),
    ],
)
def test_what_does_not_suit_a_game_leaves_nothing_behind(values: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(GameError) as error:
        begun(tmp_path / "run", **values).run()
    assert str(error.value) == sentence
    assert not (tmp_path / "run").exists()


def test_too_little_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlor.population.run.run.available_memory", lambda: 10**9)
    with pytest.raises(GameError) as error:
        begun(tmp_path / "run", game="kuhn(players=3)", iterations=300).run()
    assert str(error.value) == (
        "After 300 iterations the empirical game of kuhn(players=3) would have 27,270,901 cells, which need 2.2 GB of "
        "memory, and 1.0 GB are free: ask for fewer iterations."
    )
