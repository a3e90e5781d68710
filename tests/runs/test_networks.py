"""Networks in runs and on disk: a run that was interrupted ends with the same bytes."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load, load_agent, load_strategy, play_match, save
from parlor.agents.network import read_network, trained_players
from parlor.compile import version
from parlor.policies.features import features
from parlor.policies.nets import initial_weights
from parlor.policies.network import NetworkPolicy
from parlor.runs.config import Config, usual
from parlor.runs.files.container import FileError
from parlor.runs.measuring.trained_players import Measuring, export_player
from parlor.runs.metrics import read_metrics
from parlor.runs.run import checkpoints
from parlor.runs.training import TrainingRun

pytestmark = pytest.mark.slow

CONFIG: dict[str, Any] = {
    "game": "kuhn", "algorithm": "dqn", "games": 400, "evaluate_every": 200, "evaluate_games": 20,
    "against": ("random",), "checkpoint_every": 100, "layers": (32,), "round": 128, "updates": 16, "batch": 64,
    "replay": 300,
}  # fmt: skip


GRADIENT: dict[str, Any] = {
    "game": "kuhn", "algorithm": "ppo", "evaluate_games": 20, "against": ("random",), "layers": (16,), "lockstep": 32,
    "window": 8, "minibatches": 2, "past": 0.25, "past_every": 1,
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> TrainingRun:
    pytest.importorskip("jax")
    whole = TrainingRun.begin(tmp_path_factory.mktemp("runs") / "whole", Config.of(**CONFIG))
    whole.run()
    return whole


@pytest.fixture
def network() -> NetworkPolicy:
    game = load("kuhn")
    code, sizes = features(game).code, (22, 8, 2)
    return NetworkPolicy("kuhn", version(game), code, sizes, initial_weights(sizes, 1), 1.5, 0.25, {"seed": 1})


def test_an_interrupted_run_ends_with_the_same_bytes(run: TrainingRun, tmp_path: Path) -> None:
    """It is stopped between two trainings; all checkpoints and metrics are those of the run that was not."""
    begun = TrainingRun.begin(tmp_path / "run", Config.of(**CONFIG))
    begun.run(on_progress=lambda run, learner: learner.games < 300)
    TrainingRun.resume(tmp_path / "run").run()
    for file in ("metrics.jsonl", *(f"checkpoints/{path.name}" for path in checkpoints(run.folder))):
        assert (tmp_path / "run" / file).read_bytes() == (run.folder / file).read_bytes(), file


def test_policy_gradients_are_resumed_to_the_same_bytes_and_read_as_an_agent(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    config = Config.of(**usual(load("kuhn"), "ppo", {"games": 4}) | GRADIENT)
    assert (config.evaluate_every, config.checkpoint_minutes) == (1, 0.0)  # by rounds, not by the clock
    whole = TrainingRun.begin(tmp_path / "whole", config)
    whole.run()
    TrainingRun.begin(tmp_path / "run", config).run(on_progress=lambda run, learner: learner.games < 2, workers=2)
    TrainingRun.resume(tmp_path / "run").run()
    for file in ("metrics.jsonl", *(f"checkpoints/{path.name}" for path in checkpoints(whole.folder))):
        assert (tmp_path / "run" / file).read_bytes() == (whole.folder / file).read_bytes(), file
    first, *_, last = read_metrics(whole.folder)
    assert (first["decisions"], last["decisions"]) == (0, 4 * 32 * 8)
    assert last["exploitability"] != first["exploitability"]
    policy = load_strategy(checkpoints(whole.folder)[0])
    assert isinstance(policy, NetworkPolicy)
    assert policy.temperature == 1.0
    assert policy.search_networks is not None
    assert policy.search_networks.sizes == (22, 16, 3)  # the policy, and the value for searches
    card = export_player(whole.folder, tmp_path / "nia.npz", "Nia", Measuring(("random",), 20))
    assert json.loads((tmp_path / "nia.json").read_text()) == card
    assert (card["game"], card["seed"], card["decisions"]) == ("kuhn", config.seed, 4 * 32 * 8)
    assert card["settings"]["lockstep"] == 32
    [row] = card["measured"]
    player, other = trained_players(tmp_path)["nia"].make(load("kuhn"), "nia"), load_agent("random", "kuhn")
    match = play_match("kuhn", [player, other], row["games"], row["seed"])
    assert row["payoff"]["value"] == pytest.approx(match.payoff.value, abs=1e-4)
    assert row["their_payoff"]["value"] == pytest.approx(-match.payoff.value, abs=1e-4)
    sharper = export_player(whole.folder, tmp_path / "sharp.npz", "Sharp", Measuring(()), 0.25)
    assert (card["temperature"], sharper["temperature"]) == (1.0, 0.25)
    assert read_network(tmp_path / "sharp.npz").temperature == 0.25
    with pytest.raises(FileError, match="is not the folder of a training run"):
        export_player(tmp_path, tmp_path / "other.npz", "Other", Measuring(()))


def test_metrics_have_the_loss_and_the_exploitability(run: TrainingRun) -> None:
    first, *_, last = read_metrics(run.folder)
    assert last["loss"] > 0.0
    assert last["decisions"] > 400
    assert 0.05 < last["explore"] < first["explore"] == 0.5
    assert last["exploitability"] < first["exploitability"] + 1.0


def test_old_checkpoints_are_networks_and_nothing_else(run: TrainingRun, tmp_path: Path) -> None:
    newest, _, *older = checkpoints(run.folder)
    assert newest.stat().st_size > 2 * older[0].stat().st_size
    assert isinstance(load_strategy(older[0]), NetworkPolicy)
    agent = load_agent(str(older[0]), "kuhn")
    assert sum(agent(load("kuhn").start().after(0, 1)).values()) == pytest.approx(1.0)
    copy = TrainingRun.begin(tmp_path / "run", Config.of(**CONFIG))
    copy.run(on_progress=lambda run, learner: False)
    for path in checkpoints(copy.folder):
        path.unlink()
    (copy.folder / "checkpoints" / older[0].name).write_bytes(older[0].read_bytes())
    with pytest.raises(FileError, match="It is only a network"):
        TrainingRun.resume(copy.folder).run()


def test_a_network_comes_back_as_it_was_saved(network: NetworkPolicy, tmp_path: Path) -> None:
    path = save(network, tmp_path / "network.npz")
    again = load_strategy(path)
    assert isinstance(again, NetworkPolicy)
    assert np.array_equal(again.weights, network.weights)
    assert np.array_equal(again.code, network.code)
    named = ("game", "rules", "sizes", "scale", "temperature", "about", "source")
    assert [getattr(again, name) for name in named] == [getattr(network, name) for name in named]
    assert again.table == network.table
    first = path.read_bytes()
    save(again, path)
    assert path.read_bytes() == first


def test_files_that_are_none_get_a_sentence(network: NetworkPolicy, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"should end in \.npz"):
        save(network, tmp_path / "network.json")
    path = save(network, tmp_path / "network.npz")
    path.write_bytes(path.read_bytes()[:-500])
    with pytest.raises(FileError, match="damaged"):
        load_strategy(path)
    object.__setattr__(network, "weights", network.weights[:-1])
    with pytest.raises(FileError, match=r"is not a usable network: .* weights where"):
        load_strategy(save(network, path))


def test_without_jax_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Training needs it; a network that has been trained plays without it."""
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(GameError, match=r"pip install 'parlor-games\[learn\]'"):
        TrainingRun.begin(tmp_path / "run", Config.of(**CONFIG | {"layers": (3,)})).run()
    assert not (tmp_path / "run").exists()
