"""Workers of Ray: real ones, started once for all these tests. Whoever plays the games, the run is the same."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from parlor.game import GameError
from parlor.game.loading import load
from parlor.runs.config import Config
from parlor.runs.files.strategy_files import load_policy
from parlor.runs.learners import rollout_cfr
from parlor.runs.learners.rollout_cfr import RayWorkers, WorkerError, start_workers
from parlor.runs.run import checkpoints, load_checkpoint
from parlor.runs.training import TrainingRun
from parlor.runs.workers import start_pool
from parlor.solvers.sampling.rollouts import Simulator

pytestmark = pytest.mark.slow(seconds=11)

pytest.importorskip("ray")
TINY = "monopoly-deal(preset=tiny)"
FEW: dict[str, Any] = {"games": 40, "rollouts": 1, "ring": 3, "evaluate_every": 0, "checkpoint_every": 20}


def simulator() -> Simulator:
    return Simulator(load(TINY), config().settings, config().seed)


@pytest.fixture(scope="module", autouse=True)
def ray() -> Iterator[None]:
    """Ray on this machine, as a run of two workers starts it."""
    before = signal.getsignal(signal.SIGTERM)
    workers = RayWorkers(simulator(), 2, None)
    assert workers.mine
    assert signal.getsignal(signal.SIGTERM) is before  # Ray has its own, under which a run would make no checkpoint
    yield
    workers.close()
    assert not workers.ray.is_initialized()


def config(**other: Any) -> Config:
    return Config.of(**{"game": TINY, "algorithm": "rollout-cfr", **FEW, **other})


def trained(folder: Path, backend: str, workers: int, **other: Any) -> dict[str, bytes]:
    run = TrainingRun.begin(folder, config(**other))
    run.run(backend=backend, workers=workers)
    return contents(folder)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in checkpoints(folder)}


@pytest.mark.parametrize("seed", [1, 2])
def test_threads_and_ray_and_any_number_of_workers_give_the_same_bytes(tmp_path: Path, seed: int) -> None:
    made = [
        trained(tmp_path / f"{backend}-{workers}", backend, workers, seed=seed)
        for backend in ("threads", "ray")
        for workers in (1, 2)
    ]
    assert list(made[0]) == ["00000040.json", "00000020.json"]
    assert made[1:] == made[:1] * 3


def test_a_run_changes_its_workers_on_the_way(tmp_path: Path) -> None:
    whole = trained(tmp_path / "whole", "threads", 1)
    run = TrainingRun.begin(tmp_path / "run", config())
    run.run(backend="ray", workers=2, on_progress=lambda run, learner: run.last is None)
    assert set(contents(run.folder)) == {"00000020.json"}
    TrainingRun.resume(run.folder).run(backend="threads", workers=2)
    assert contents(run.folder) == whole


def test_unordered_enters_every_game(tmp_path: Path) -> None:
    trained(tmp_path / "run", "ray", 2, parallel="unordered")
    head, entries = load_checkpoint(checkpoints(tmp_path / "run")[0])
    assert head["games"] == 40
    assert sum(entry["updates"] for entry in entries) > 40


# ------------------------------------------------------------------------------------------------ workers that are lost


def dying(numbers: set[int], once: Path | None) -> Callable[..., Any]:
    """What a Ray worker does, but that it is killed when it should play one of these games: always, or once."""
    play = rollout_cfr.play_some

    def attempt(game: str, settings: Any, seed: int, table: Any, games: list[int]) -> Any:
        if numbers & set(games) and (once is None or not once.exists()):
            if once is not None:
                once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return play(game, settings, seed, table, games)

    return attempt


def test_the_games_of_a_killed_worker_are_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trained(tmp_path / "whole", "threads", 1)
    monkeypatch.setattr(rollout_cfr, "play_some", dying({7, 33}, tmp_path / "killed"))
    assert trained(tmp_path / "run", "ray", 2) == whole
    assert (tmp_path / "killed").exists()


def test_a_worker_that_always_dies_gets_a_sentence_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = trained(tmp_path / "whole", "threads", 1)
    monkeypatch.setattr(rollout_cfr, "RETRIES", 1)
    run = TrainingRun.begin(tmp_path / "run", config())
    with monkeypatch.context() as patch:
        patch.setattr(rollout_cfr, "play_some", dying({33}, None))
        with pytest.raises(WorkerError) as error:
            run.run(backend="ray", workers=2)
    kept = run.folder / "checkpoints" / "00000020.json"
    assert str(error.value).startswith("A worker was lost, and so were its replacements (WorkerCrashedError).")
    assert f"Everything up to {kept} is saved; `parlor train --resume {run.folder}` continues" in str(error.value)
    assert len(load_policy(kept)) > 0
    TrainingRun.resume(run.folder).run(backend="ray", workers=2)
    assert contents(run.folder) == whole


def test_ray_itself_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: Any) -> None:
        raise ConnectionError("The store is gone.\nMore about it.")

    monkeypatch.setattr("ray.put", lost)
    for parallel in ("batch-ordered", "unordered"):
        with pytest.raises(WorkerError, match=r"^Ray failed: The store is gone\. There is no checkpoint yet;"):
            trained(tmp_path / parallel, "ray", 2, parallel=parallel)


@pytest.mark.parametrize(
    ("problem", "sentence"),
    [(OSError("the roof leaks."), "A worker failed: OSError: the roof leaks."), (GameError("Too long."), "Too long.")],
)
def test_an_error_in_a_worker_gets_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception, sentence: str
) -> None:
    def fail(*_: Any) -> None:
        raise problem

    monkeypatch.setattr(rollout_cfr, "play_some", fail)
    with pytest.raises(WorkerError) as error:
        trained(tmp_path / "run", "ray", 1)
    assert str(error.value).startswith(f"{sentence} There is no checkpoint yet; `parlor train --resume")


def test_a_pool_of_ray_for_any_tasks(tmp_path: Path) -> None:
    """As threads and processes are, see test_workers."""
    once = tmp_path / "killed"

    def squared(number: int) -> int:
        if number == 3 and not once.exists():
            once.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if number == 5:
            raise GameError("Five is too many.")
        return number * number

    with start_pool("ray", 2) as pool:
        assert list(pool.map(squared, range(5))) == [0, 1, 4, 9, 16]
        assert once.exists()
        with pytest.raises(WorkerError, match=r"^Five is too many\.$"):
            list(pool.map(squared, [4, 5]))


# ----------------------------------------------------------------------------------------------------- who is not there


def test_a_cluster_that_does_not_answer_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    with pytest.raises(GameError, match=r"The Ray cluster at 127.0.0.1:1 could not be reached: Connection refused\.$"):
        start_workers("ray", 2, "127.0.0.1:1", simulator())


def test_without_ray_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(GameError, match=r"Ray is not installed: pip install 'parlor-games\[ray\]'\."):
        start_workers("ray", 2, None, simulator())
