"""Approximate best responses: what they win, that they are functions of their seed, and what becomes of them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load, load_agent, load_strategy, save
from parlor.agents.registry import policy_agent
from parlor.compile import version
from parlor.games.kuhn import rules as kuhn
from parlor.learn.abr import Abr, payoff_std, revealing_move
from parlor.learn.abr_settings import AbrSettings
from parlor.learn.batched_games import play_batched_match
from parlor.policies.features import features
from parlor.policies.nets import initial_weights
from parlor.policies.network import NetworkPolicy
from parlor.policies.opponents import against_all
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy
from parlor.population.run.checkpoints import PsroConfig
from parlor.population.run.run import PsroRun
from parlor.runs.config import Config
from parlor.runs.files.container import FileError
from parlor.runs.run import checkpoints
from parlor.runs.training import TrainingRun
from parlor.search.ismcts import evaluate_leaf
from parlor.solvers.best_response import evaluate

pytestmark = pytest.mark.slow(seconds=25)

KUHN = load("kuhn")
SMALL: dict[str, Any] = {
    "simulations": 24, "round": 64, "gradient_steps": 1.0, "batch": 32, "replay": 2000, "layers": (32,),
    "belief_layers": (16,),
}  # fmt: skip


def uniform_network() -> NetworkPolicy:
    """A network that plays uniformly: with networks and with tables in line-ups, kernels are not the same ones."""
    found = features(KUHN)
    sizes = (found.size, 8, 2)
    return NetworkPolicy("kuhn", version(KUHN), found.code, sizes, initial_weights(sizes, 1), 1.0, 1e9)


@pytest.fixture(scope="module")
def learned() -> Abr:
    """Against uniform play, with a learned belief."""
    pytest.importorskip("jax")
    abr = Abr(KUHN, AbrSettings(**SMALL), 1, against_all(KUHN, [uniform_network()]))
    abr.run_to(1280)
    return abr


def test_it_learns_a_best_response(learned: Abr) -> None:
    uniform = Policy.uniform(KUHN)
    best = evaluate(KUHN, uniform).best_responses
    policy = learned.strategy().with_temperature(0.0).table  # the moves that searches visit most
    assert policy is not None
    for p in range(2):
        found = evaluate(KUHN, [policy, uniform] if p == 0 else [uniform, policy]).values[p]
        assert found > best[p] - 0.05
    assert learned.payoff > 0.25  # by search, in the last round


def test_what_it_searches_with_is_delayed(learned: Abr) -> None:
    settings = AbrSettings(**SMALL | {"delay": 128})
    abr = Abr(KUHN, settings, 1, learned.members)
    first = abr.search_networks.weights.copy()
    abr.run_to(64)
    assert np.array_equal(abr.search_networks.weights, first)
    abr.run_to(128)
    assert np.array_equal(abr.search_networks.weights, abr.network.weights)
    assert not np.array_equal(abr.search_networks.weights, first)


def test_values_have_the_unit_of_random_games() -> None:
    assert payoff_std(KUHN, "own") == pytest.approx(1.45, abs=0.05)
    assert payoff_std(KUHN, "welfare") == 1.0  # zero sum: nothing to tell apart


def returning(abr: Abr, what: str) -> NetworkPolicy:
    """What would be returned with another setting."""
    before, abr.settings = abr.settings, replace(abr.settings, returns=what)
    network, abr.settings = abr.strategy(), before
    return network


def test_the_best_value_after_a_move_plays_alike_everywhere(learned: Abr) -> None:
    """As a function of positions, as a table, as an agent; it values what its player sees then."""
    network = returning(learned, "value")
    assert network.afterstates
    table, agent = network.table, policy_agent(network, KUHN)
    assert table is not None
    for moves in ((), ("bet",), ("pass",), ("pass", "bet")):
        position = KUHN.start().after("J to player 0", "K to player 1", *moves)
        assert network(position) == table(position) == agent(position)
        assert max(network(position).values()) == 1.0
    last = KUHN.start().after("J to player 0", "K to player 1", "bet")
    assert network.values(last)["bet"] == pytest.approx(2.0, abs=0.5)  # it calls and wins two


CONFIG: dict[str, Any] = {
    "game": "kuhn", "algorithm": "abr", "games": 256, "evaluate_every": 0, "checkpoint_every": 64, **SMALL,
    "replay": 150, "delay": 192,
}  # fmt: skip


def test_an_interrupted_run_ends_with_the_same_bytes(tmp_path: Path) -> None:
    """It is stopped between two replacements of the delayed networks; the buffers are full."""
    pytest.importorskip("jax")
    config = Config.of(**CONFIG, against=(str(save(uniform_network(), tmp_path / "network.npz")),))
    whole = TrainingRun.begin(tmp_path / "whole", config)
    whole.run()
    begun = TrainingRun.begin(tmp_path / "run", config)
    begun.run(on_progress=lambda run, learner: learner.games < 128)
    TrainingRun.resume(tmp_path / "run").run()
    assert len(checkpoints(whole.folder)) == 4
    for path in checkpoints(whole.folder):
        assert (tmp_path / "run" / "checkpoints" / path.name).read_bytes() == path.read_bytes(), path


def test_a_run_goes_on_against_the_same_opponents_only(tmp_path: Path) -> None:
    """The newest checkpoint of a folder is another strategy later."""
    pytest.importorskip("jax")
    other = tmp_path / "other" / "checkpoints"
    save(uniform_network(), other / "00000001.npz")
    run = TrainingRun.begin(tmp_path / "run", Config.of(**CONFIG, against=(str(tmp_path / "other"),)))
    run.run(on_progress=lambda run, learner: learner.games < 64)
    before = run.last.read_bytes()  # type: ignore[union-attr]
    save(uniform_network().with_temperature(1.0), other / "00000002.npz")
    with pytest.raises(FileError, match=r"cannot go on against other opponents: .* a folder has a newer checkpoint"):
        TrainingRun.resume(tmp_path / "run").run()
    assert run.last.read_bytes() == before  # type: ignore[union-attr]
    (other / "00000002.npz").unlink()
    TrainingRun.resume(tmp_path / "run").run(on_progress=lambda run, learner: learner.games < 128)


def test_without_opponents_it_learns_against_random_play(tmp_path: Path) -> None:
    """Those that a game declares for evaluations may be agents without a file."""
    assert "reader" in load("deal-or-no-deal").training.against
    config = Config.of("deal-or-no-deal", "abr", evaluate_every=0, checkpoint_every=0)
    assert TrainingRun.begin(tmp_path / "run", config).config.against == ("random",)


PEEK = (
    ('"bets": public(),', '"bets": public(), "shown": public(),'),
    ("s.bets |= a << s.moves\n", "s.bets |= a << s.moves\n        s.shown = s.card[(s.moves + 1) % 2] * a\n"),
    ("* 128 + s.bets", "* 1024 + s.bets * 8 + s.shown"),
)


def test_moves_that_show_what_was_hidden_are_not_tried(tmp_path: Path) -> None:
    """In this variant of Kuhn poker whoever bets sees the other's card at once."""
    rules = Path(kuhn.__file__).read_text()
    for old, new in PEEK:
        assert rules.count(old) == 1
        rules = rules.replace(old, new)
    path = tmp_path / "peek.py"
    path.write_text(rules)
    game = load(str(path))
    assert revealing_move(game) == "bet"
    for settings in (AbrSettings(returns="value"), AbrSettings(tried=1)):
        with pytest.raises(GameError, match=r"a move can show at once what was hidden \(bet\)"):
            Abr(game, settings, 1, against_all(game, [Policy.uniform(game)]))
    for name in ("kuhn", "leduc", "liars-dice", "deal-or-no-deal"):
        assert revealing_move(load(name)) == "", name


def test_opponents_that_cannot_be_learned_against_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(GameError, match="abr learns against random, or against saved strategies"):
        TrainingRun.begin(tmp_path / "run", Config.of(**CONFIG, against=("solver",))).run()


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> PsroRun:
    """A population of two responses a player, whose payoffs are exact."""
    pytest.importorskip("jax")
    run = PsroRun.begin(tmp_path_factory.mktemp("psro") / "run", _psro())
    run.run()
    return run


def _psro() -> PsroConfig:
    small = ",".join(f"{name}={value}" for name, value in SMALL.items()).replace("(32,)", "32").replace("(16,)", "16")
    return PsroConfig.of("kuhn", oracle=f"abr(episodes=128,{small})", meta="uniform", iterations=2)


def test_a_population_of_them_resumes_to_the_byte(grown: PsroRun, tmp_path: Path) -> None:
    begun = PsroRun.begin(tmp_path / "run", _psro())
    begun.run(on_progress=lambda run, psro: psro.iteration < 1)
    PsroRun.resume(tmp_path / "run").run()
    for path in sorted(grown.folder.glob("*/*.npz")):
        assert (tmp_path / "run" / path.relative_to(grown.folder)).read_bytes() == path.read_bytes(), path


def test_rational_planning_searches_with_the_newest_networks(grown: PsroRun) -> None:
    """With the belief of a network; nobody calls a bet with a jack, and everybody with a king."""
    agent: Any = load_agent(f"rational(population={grown.folder},simulations=60,belief=learned)", "kuhn")
    agent = replace(agent, slow=False)  # in plain Python
    with_jack = KUHN.start().after("K to player 0", "J to player 1", "bet")
    assert agent(with_jack) == {"pass": 1.0, "bet": 0.0}
    with_king = KUHN.start().after("Q to player 0", "K to player 1", "bet")
    assert agent(with_king) == {"pass": 0.0, "bet": 1.0}
    with pytest.raises(GameError, match="belief of rational must be one of exact, learned, not 'true'"):
        load_agent(f"rational(population={grown.folder},belief=true)", "kuhn")


def test_searchers_play_together(grown: PsroRun) -> None:
    """Rational planning wins from the population it expects, in either seat, and games are named by their seed."""
    population = load_strategy(checkpoints(grown.folder)[0])
    assert isinstance(population, Population)
    uniform = Policy.uniform(KUHN)
    both: list[list[Strategy]] = [[population, uniform], [uniform, population]]
    for seats in both:
        payoffs = play_batched_match(KUHN, seats, 400, 1, rational=[seats[0] is population, seats[1] is population])
        p = seats.index(population)
        assert payoffs[:, p].mean() > 0.1
        assert np.array_equal(payoffs.sum(axis=1), np.zeros(400))
    again = play_batched_match(KUHN, [uniform, population], 400, 1, rational=[False, True])
    assert np.array_equal(again, payoffs)


def test_files_keep_what_one_needs_to_search_on(learned: Abr, tmp_path: Path) -> None:
    network = returning(learned, "search")
    path = save(network, tmp_path / "network.npz")
    again = load_strategy(path)
    assert isinstance(again, NetworkPolicy)
    assert again.search_networks is not None
    assert again.search_networks.network is not None
    assert again.search_networks.others is not None
    assert np.array_equal(again.search_networks.weights, network.search_networks.weights)  # type: ignore[union-attr]
    first = path.read_bytes()
    save(again, path)
    assert path.read_bytes() == first
    assert evaluate_leaf in load_agent(str(path), "kuhn").slots  # type: ignore[union-attr]  # it searches when it plays
    with pytest.raises(GameError, match="is a network for kuhn, but the game here is leduc"):
        load_agent(str(path), "leduc")
    path.write_bytes(first[:-300])
    with pytest.raises(FileError, match="damaged"):
        load_strategy(path)
