"""Learners as wholes, in a game whose numbers are known: what their rounds learn, when they train, what they return."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load
from parlor.game.rng import mix
from parlor.learn import abr as abr_module
from parlor.learn import batched_games as match_module
from parlor.learn import dqn as dqn_module
from parlor.learn.abr import Abr, check_afterstates, payoff_std, revealing_move
from parlor.learn.abr_settings import AbrOracle, AbrSettings
from parlor.learn.batched_games import _lineups, _newest, play_batched_match
from parlor.learn.dqn import BoltzmannSettings, Dqn, DqnOracle, DqnSettings
from parlor.learn.experience import draw_batch
from parlor.learn.gradients import DqnTrainer, LossTrainer, heads_loss, policy_value_loss
from parlor.learn.network_search import NetworkSearch, search_seeds
from parlor.policies.beliefs import HEADS, LEARNED, BeliefNetwork
from parlor.policies.features import features, sample
from parlor.policies.mixture import independent
from parlor.policies.nets import apply, initial_weights
from parlor.policies.opponents import LEARNER, OpponentArrays, against_all, opponent_arrays
from parlor.policies.population import Population
from parlor.population.oracles import Task, respond, respond_by_search
from parlor.search.backups import BACKUPS, payoffs_as
from tests.search import plainly
from tests.search.plainly import PLEDGES, States, always, dealt, interpreted, pledging

pytest.importorskip("jax")
uncompiled = plainly.uncompiled
pytestmark = pytest.mark.usefixtures("uncompiled")

SMALL: dict[str, Any] = {
    "simulations": 6, "round": 4, "batch": 3, "replay": 64, "layers": (2,), "belief_layers": (2,), "normalise": False,
}  # fmt: skip


@pytest.fixture(autouse=True)
def plain_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one kernel that is imported by its name."""
    monkeypatch.setattr(abr_module, "native", interpreted)


class Steps:
    """Stands for a network's training: notes what it is told, and moves all weights by one."""

    def __init__(self, learner: Any) -> None:
        self.learner, self.told = learner, list[tuple[Mapping[str, Any], float]]()

    def train(self, batches: Any, rate: float) -> float:
        self.told.append((batches, rate))
        self.learner.arrays = {**self.learner.arrays, "weights": np.array(self.learner.arrays["weights"]) + 1.0}
        return float(len(self.told))


def noting(told: list[Any], function: Any, first: int = 0) -> Any:
    """The same function, which writes down what it is given, from the so-manieth on."""

    def call(*some: Any, **more: Any) -> Any:
        told.append((*some[first:], *more.items()))
        return function(*some, **more)

    return call


def learner(members: OpponentArrays, **settings: Any) -> tuple[Abr, Steps, Steps]:
    made = Abr(PLEDGES, AbrSettings(**{**SMALL, **settings}), 1, members)
    steps = Steps(made.network), Steps(made.belief)
    made.network.train = steps[0].train  # type: ignore[method-assign]
    if made.belief is not None:
        made.belief.train = steps[1].train  # type: ignore[method-assign]
    return made, *steps


def against(seat: int, *shares: float) -> OpponentArrays:
    policies = [always(0, 2, 1), always(2, 1, 1)][: len(shares) or 1]
    lineups = [[LEARNER, i] if seat == 0 else [i, LEARNER] for i in range(len(policies))]
    return opponent_arrays(PLEDGES, lineups, shares or [1.0], policies)


# --------------------------------------------------------------------------------------------------- best responses


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("backup", BACKUPS)
def test_values_are_learned_as_they_are_backed_up(backup: str, seat: int) -> None:
    """What came of each game, for the learner's seat, divided by the scale; the payoff is reported as it is."""
    abr, _, _ = learner(against(seat), backup=backup, belief="exact")
    abr.scale = 2.0
    abr.play_round()
    payoffs = abr.batch.games.payoffs
    assert abr.payoff == pytest.approx(payoffs[:, seat].mean())
    assert payoffs[:, 0].tolist() != payoffs[:, 1].tolist()
    returns = {round(payoffs_as(backup, row, seat) / 2.0, 4) for row in payoffs.tolist()}
    count = int(abr.buffers.count[0])
    assert {round(float(target), 4) for target in abr.buffers.target[:count]} == returns
    assert (abr.buffers.game == -1).all()
    assert abr.games == 4
    one = payoffs.tolist()[0]
    both = abr._returns().reshape(4, 2)[0].tolist()
    assert both == pytest.approx([payoffs_as(backup, one, p) / 2.0 for p in (0, 1)])


def test_values_have_the_spread_of_random_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard deviation of both players' numbers, by hand from all 48 ends."""
    monkeypatch.setattr(abr_module, "SAMPLE", 700)
    for backup in BACKUPS:
        rows = []
        for c0, w0 in ((1, 0.25), (2, 0.75)):
            for c1, w1 in ((1, 0.5), (2, 0.3), (3, 0.2)):
                for m0 in (0, 2):
                    for m1, m2, w in ((1, 1, 0.25), (2, 0, 1 / 12), (2, 1, 1 / 12), (2, 2, 1 / 12)):
                        pair = dealt(c0, c1, m0, m1, m2).payoffs
                        rows += [(payoffs_as(backup, pair, p), w0 * w1 * w / 2) for p in (0, 1)]
        values, weights = np.array(rows).T
        spread = math.sqrt((weights * (values - (weights * values).sum()) ** 2).sum())
        assert payoff_std(PLEDGES, backup) == pytest.approx(spread, rel=0.08)
    abr = Abr(PLEDGES, AbrSettings(**{**SMALL, "normalise": True, "c": 3.0}), 1, against(0))
    assert abr.scale == payoff_std(PLEDGES, "own")
    assert (abr.search_networks.scale, abr.search_networks.c) == (abr.scale, 3.0 * abr.scale)


def test_gradient_steps_follow_a_round() -> None:
    """So many for each game, at least one, of the batch's size; each network at its own rate."""
    for each, steps in ((0.4, 2), (0.1, 1), (1.0, 4), (0.001, 1)):
        abr, values, belief = learner(against(0), gradient_steps=each, rate=0.5, belief_rate=0.25, belief=LEARNED)
        abr.run_to(4)
        [(batch, rate)] = values.told
        assert (batch["seen"].shape, batch["shares"].shape, rate) == ((steps, 3, 22), (steps, 3, 3), 0.5)
        [(hidden, rate)] = belief.told
        assert (hidden["seen"].shape, hidden["possible"].shape, rate) == ((steps, 3, 22), (steps, 3, 3), 0.25)
        assert "numbers" not in hidden
        assert (abr.loss, abr.belief_loss) == (1.0, 1.0)


def test_a_response_is_made_as_its_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each network with its own layers, costs and first weights, named by the seed; rounds by theirs."""
    given: list[Any] = []
    monkeypatch.setattr(abr_module, "LossTrainer", noting(given, LossTrainer))
    settings = {"layers": (3,), "belief_layers": (4,), "l2": 0.5, "belief_l2": 0.25, "optimiser": "sgd"}
    more = {"belief": HEADS, "backup": "welfare", "c": 5.0, "explore": 0.75, "tried": 2, "simulations": 7}
    made = Abr(PLEDGES, AbrSettings(**{**SMALL, **settings, **more}), 6, against(0))
    (first, sizes, weights, optimiser, l2), (second, belief_sizes, belief_weights, *rest) = given
    assert (first, sizes, optimiser, l2) == (policy_value_loss, (22, 3, 4), "sgd", 0.5)
    assert (second, belief_sizes, rest) == (heads_loss, (22, 4, 4), ["sgd", 0.25, (2, 2)])
    assert np.array_equal(weights, initial_weights(sizes, mix(mix(0, 6), abr_module.WEIGHTS)))
    assert np.array_equal(belief_weights, initial_weights(belief_sizes, mix(mix(0, 6), abr_module.BELIEF)))
    latest = made.latest()
    assert (latest.backup, latest.belief, latest.simulations, latest.c) == ("welfare", HEADS, 7, 5.0)
    assert made.bits == (22, 3, 3)
    assert len(made.buffers.target) == 64
    made.scale = 4.0
    told: list[Any] = []
    begun: list[Any] = []
    monkeypatch.setattr(made.batch, "decide", noting(told, made.batch.decide, 3))
    monkeypatch.setattr(made.batch, "begin", noting(begun, made.batch.begin))
    made.play_round()
    made.play_round()
    assert set(told) == {(0.75, 2, 0.25)}
    assert begun == [(mix(6, abr_module.PLAYING), 0), (mix(6, abr_module.PLAYING), 4)]
    drawn: list[Any] = []

    def drawing(*some: Any) -> Any:
        drawn.append(some[1:])
        return {"seen": np.zeros((1, 1))}, {"seen": np.zeros((1, 1)), "code": np.zeros((1, 1), np.int64)}

    monkeypatch.setattr(abr_module, "draw_batches", drawing)
    for one in (made.network, made.belief):
        monkeypatch.setattr(one, "train", lambda batch, rate: 0.0)
    made.train()
    assert drawn == [(made.bits, 2, 3, mix(6, abr_module.DRAWING), 2)]


def test_the_preset_is_the_table_of_the_paper() -> None:
    """Table 5 of Li et al. (2023): exploration and rates by what is backed up, all else for all."""
    for backup, c, rate in (
        ("own", 20.0, 2e-3), ("inequity", 20.0, 2e-3), ("welfare", 40.0, 1e-3), ("nash-product", 100.0, 5e-4),
    ):  # fmt: skip
        found = AbrSettings(paper=True, backup=backup)
        assert (found.c, found.rate) == (c, rate)
        assert (found.belief, found.returns, found.simulations, found.round) == (HEADS, "value", 300, 200)
        assert (found.layers, found.belief_layers, found.optimiser) == ((256, 256), (300, 100), "sgd")
        assert (found.batch, found.replay, found.gradient_steps, found.normalise) == (64, 65_536, 1.0, False)
        assert (found.l2, found.belief_l2, found.belief_rate) == (1e-3, 1e-3, 1e-3)
    assert AbrOracle(paper=True).episodes == 10_000
    assert AbrSettings(paper=True, c=3.0, rate=0.5).c == 3.0
    assert AbrSettings().c == 2.0  # without it nothing of the table counts
    with pytest.raises(GameError, match="must be policy or value, not search"):
        AbrOracle(returns="search")


def test_heads_learn_the_numbers_of_the_code() -> None:
    abr, _, belief = learner(against(0), belief=HEADS, gradient_steps=2.0)
    assert abr.belief is not None
    assert abr.belief.sizes == (22, 2, 4)
    abr.run_to(4)
    [(hidden, _)] = belief.told
    numbers = {0: [0, 0], 1: [0, 1], 2: [1, 0]}
    assert hidden["numbers"].tolist() == [[numbers[code] for code in row] for row in hidden["code"].tolist()]
    assert len(set(hidden["code"].ravel().tolist())) > 1


def test_what_searches_use_is_replaced_every_so_many_games() -> None:
    """A delay of 6 games in rounds of 4: after 8, 12 and 20 games."""
    abr, _, _ = learner(against(0), delay=6, belief=LEARNED)
    first, versions = abr.network.weights.copy(), []
    for games in (4, 8, 12, 16, 20):
        abr.run_to(games)
        versions.append(round(float((abr.search_networks.weights - first)[0])))
        assert abr.searcher.searches.network is not None
        assert np.array_equal(abr.searcher.searches.network[1], abr.search_networks.weights)
        assert abr.search_networks.network is abr.searcher._network
    assert versions == [0, 2, 3, 3, 5]
    assert abr.games == 20


def test_games_and_searches_of_a_round_are_named_by_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    named = []

    def seeds(seed: int, games: Any, lengths: Any) -> Any:
        named.append((seed, games.tolist(), lengths.tolist()))
        return search_seeds(seed, games, lengths)

    monkeypatch.setattr(abr_module, "search_seeds", seeds)
    abr, _, _ = learner(against(1), belief="exact")
    abr.run_to(8)
    assert named == [
        (mix(1, abr_module.SEARCHING), [0, 1, 2, 3], [3] * 4),
        (mix(1, abr_module.SEARCHING), [4, 5, 6, 7], [3] * 4),
    ]
    assert search_seeds(9, np.array([3, 4]), np.array([5, 6])).tolist() == [mix(mix(9, 3), 5), mix(mix(9, 4), 6)]
    assert abr.decisions == 8


def test_what_a_response_returns() -> None:
    """Its policy network with a temperature; its value network in points; or itself, to search on."""
    for returns in ("policy", "value", "search"):
        abr, _, _ = learner(against(0, 0.5, 0.5), returns=returns, temperature=0.75, belief="exact")
        abr.scale = 3.0
        found = abr.strategy(oracle="abr")
        weights = abr.network.weights
        seen = np.eye(22, dtype=np.float32)[:4]
        whole = apply((22, 2, 4), weights, seen)
        wanted = whole[:, 3:] if returns == "value" else whole[:, :3]
        assert apply(found.sizes, found.weights, seen) == pytest.approx(wanted)
        assert (found.scale, found.temperature) == ((3.0, 0.0) if returns == "value" else (1.0, 0.75))
        assert found.afterstates == (returns == "value")
        assert found.search_networks is not None
        assert (found.search_networks.others is not None) == (returns == "search")
        assert found.about == {"games": 0, "seed": 1, "oracle": "abr"}


def test_a_response_comes_back_as_it_was() -> None:
    """Between two replacements of what searches use, which is not the latest then."""
    first, _, _ = learner(against(0), delay=8, belief=LEARNED)
    first.run_to(12)
    state = {name: np.array(array) for name, array in first.state().items()}
    again, _, _ = learner(against(0), delay=8, belief=LEARNED)
    again.restore(state, 12)
    assert again.games == 12
    assert (again.loss, again.belief_loss, again.payoff) == (first.loss, first.belief_loss, first.payoff)
    assert np.array_equal(again.network.weights, first.network.weights)
    assert np.array_equal(again.search_networks.weights, first.search_networks.weights)
    assert not np.array_equal(again.search_networks.weights, again.network.weights)
    assert again.search_networks.network is not None
    assert first.search_networks.network is not None
    assert np.array_equal(again.search_networks.network.weights, first.search_networks.network.weights)
    for one in (first, again):
        one.play_round()
    assert first.batch.games.payoffs.tolist() == again.batch.games.payoffs.tolist()
    for one_array, two_array in zip(first.buffers, again.buffers, strict=True):
        assert np.array_equal(one_array, two_array)


# --------------------------------------------------------------------------------------------------- with networks


@pytest.mark.parametrize("kind", [LEARNED, HEADS])
def test_a_belief_network_says_what_is_believed(kind: str) -> None:
    """Three searches, two at a time, of both seats: a softmax over what may be, by what is seen."""
    abr, _, _ = learner(against_all(PLEDGES, [pledging({1: 0.3, 2: 0.7}, {1: 0.2, 2: 0.5, 3: 0.8})]), belief=kind)
    assert abr.belief is not None
    random = np.random.default_rng(1).uniform(-1.0, 1.0, len(abr.belief.weights)).astype(np.float32)
    abr.belief.arrays = {**abr.belief.arrays, "weights": random}
    searcher = NetworkSearch(PLEDGES, abr.members, 2, abr.latest())
    positions = [dealt(1, 3), dealt(2, 1, 2), dealt(2, 2, 0, 2)]
    states, players = States(p.state.copy() for p in positions), np.array([p.turn for p in positions])
    believed: list[Any] = []
    weigh = BeliefNetwork.weigh

    def weighing(self: Any, outputs: Any, codes: Any, count: Any, of: Any) -> Any:
        found = weigh(self, outputs, codes, count, of)
        believed.extend(zip(outputs.copy(), codes.copy(), count.copy(), found.copy(), strict=True))
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BeliefNetwork, "weigh", weighing)
        searcher.run(states, players, np.arange(3))
    assert len(believed) == 3
    for position, (outputs, codes, count, chances) in zip(positions, believed, strict=True):
        p = position.turn
        seen = np.zeros((1, 22), np.float32)
        seen[0, features(PLEDGES).active(PLEDGES, position, p)] = 1.0
        assert outputs == pytest.approx(apply(abr.belief.sizes, random, seen)[0], abs=1e-5)
        assert codes[:count].tolist() == ([0, 1, 2] if p == 0 else [0, 1])
        if kind == LEARNED:
            shares = np.exp(outputs[codes[:count]].astype(np.float64))
            assert chances[:count].tolist() == pytest.approx((shares / shares.sum()).tolist())
        assert chances[:count].sum() == pytest.approx(1.0)
    last = searcher.searches.belief
    assert last.chances[0, :3].tolist() == pytest.approx(believed[2][3][:3].tolist())


def test_a_searcher_searches_as_the_planner_says() -> None:
    abr, _, _ = learner(against(0), belief="last", backup="welfare", c=7.0)
    search_networks = replace(abr.latest(), scale=2.5)
    made = NetworkSearch(PLEDGES, abr.members, 3, search_networks)
    assert made.searches.network is not None
    sizes, weights, scale = made.searches.network
    assert (sizes, scale) == (search_networks.sizes, 2.5)
    assert np.array_equal(weights, search_networks.weights)
    assert weights is not search_networks.weights  # a copy, which is replaced in place
    assert (made.searches.how.simulations, made.searches.how.c) == (6, 7.0)
    assert (made.searches.how.backup, made.searches.how.belief) == ("welfare", "last")
    assert made.searches.trees == 3
    assert made.searches.others.shares.tolist() == [[1.0], [0.0]]
    other = NetworkSearch(PLEDGES, abr.members, 3, search_networks, 9, "numpy", "exact")
    assert (other.searches.how.simulations, other.searches.how.belief, other.searches.network) == (9, "exact", None)


# --------------------------------------------------------------------------------------------------- many games at once


def test_matches_of_strategies_and_populations() -> None:
    """Populations draw a member for each game; payoffs are those of the seats."""
    found = play_batched_match(PLEDGES, [always(2, 1, 1), always(0, 1, 0)], 5, 1)
    assert found.shape == (5, 2)
    assert set(map(tuple, found.tolist())) <= {(c1 + 1.0, 3.0 - c0) for c0 in (1, 2) for c1 in (1, 2, 3)}
    population = Population.of(
        [[always(0, 1, 0), always(2, 1, 0)], [always(0, 1, 0), always(0, 2, 0)]], [[0.25, 0.75], [0.5, 0.5]]
    )
    both = _lineups(PLEDGES, [population, population], {})
    assert both.lineups.tolist() == [[0, 1], [0, 2], [3, 1], [3, 2]]
    assert both.shares.tolist() == pytest.approx([0.125, 0.125, 0.375, 0.375])
    searching: Any = {1: None}
    alone = _lineups(PLEDGES, [population, population], searching)
    assert (alone.lineups.tolist(), alone.shares.tolist()) == ([[0, LEARNER], [1, LEARNER]], [0.25, 0.75])
    sure = Population.of([[always(0, 1, 0), always(2, 1, 0)], [always(0, 1, 0)]], [[0.0, 1.0], [1.0]])
    assert _lineups(PLEDGES, [sure, always(0, 2, 1)], {}).lineups.tolist() == [[0, 1]]
    with pytest.raises(GameError, match="The newest strategy of player 0 did not learn from search"):
        _newest(population, 0)


def test_who_searches_at_a_match_searches_as_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rational planning with the exact belief, others with their own; every search has a seed of its own."""
    made: list[Any] = []
    named: list[Any] = []
    monkeypatch.setattr(match_module, "NetworkSearch", noting(made, NetworkSearch))
    monkeypatch.setattr(match_module, "search_seeds", noting(named, search_seeds))
    abr, _, _ = learner(against(0), returns="search", belief="last")
    network = abr.strategy()
    population = Population.of([[network], [always(0, 2, 1)]], [[1.0], [1.0]])
    play_batched_match(PLEDGES, [network, always(0, 2, 1)], 2, 3)
    play_batched_match(
        PLEDGES, [population, always(0, 2, 1)], 2, 3, rational=[True, False], simulations=9, evaluate="numpy"
    )
    alone, planning = made
    assert alone[2:] == (2, network.search_networks, 0, "native")
    assert alone[1] is network.search_networks.others  # type: ignore[union-attr]
    assert planning[2:] == (2, network.search_networks, 9, "numpy", ("belief", "exact"))
    assert planning[1].lineups.tolist() == [[LEARNER, 0]]
    assert [(seed, games.tolist(), lengths.tolist()) for seed, games, lengths in named] == [
        (mix(3, match_module.SEARCHING), [0, 1], [2, 2]),
        (mix(3, match_module.SEARCHING), [0, 1], [4, 4]),
    ] * 2


def test_who_searches_at_a_match_finds_the_best_answer() -> None:
    """A response that searches, in either seat; and rational planning of a population against the others' members."""
    for seat in (0, 1):
        abr, _, _ = learner(against(seat), returns="search", belief="exact", simulations=40, c=2.0)
        network = abr.strategy()
        seats: Any = [network, always(0, 2, 1)] if seat == 0 else [always(0, 2, 1), network]
        found = play_batched_match(PLEDGES, seats, 12, 3)
        if seat == 0:  # 2, then 2: 1 + twice the other's card
            assert set(found[:, 0].tolist()) <= {3.0, 5.0, 7.0}
        else:  # 2 is best whatever is held: 8 − c₀
            assert set(found[:, 1].tolist()) <= {6.0, 7.0}
        assert np.array_equal(found, play_batched_match(PLEDGES, seats, 12, 3))
        members: Any = [[network], [always(0, 2, 1)]] if seat == 0 else [[always(0, 2, 1)], [network]]
        population = Population.of(members, [[1.0], [1.0]])
        given: Any = [population, always(0, 2, 1)] if seat == 0 else [always(0, 2, 1), population]
        rational = play_batched_match(PLEDGES, given, 12, 3, rational=[seat == 0, seat == 1], simulations=40)
        assert rational[:, seat].mean() == pytest.approx(found[:, seat].mean(), abs=1e-9)


# --------------------------------------------------------------------------------------------------- peeking


PEEKING = """        if a == 2:
            s.shown[s.moves % 2] = s.card[1 - s.moves % 2]
        s.made[s.moves] = a
"""


def test_a_move_that_shows_something_is_found(tmp_path: Path) -> None:
    """Whoever pledges 2 sees the other's card at once."""
    rules = (Path(plainly.__file__).with_name("pledges.py")).read_text()
    for old, new in (
        ('    "moves": public(most=3),\n', '    "moves": public(most=3),\n    "shown": private(PLAYERS, most=3),\n'),
        ("        s.made[s.moves] = a\n", PEEKING),
    ):
        assert rules.count(old) == 1
        rules = rules.replace(old, new)
    (tmp_path / "peek.py").write_text(rules)
    game = load(str(tmp_path / "peek.py"))
    assert revealing_move(game) == "2"
    with pytest.raises(GameError, match=r"a move can show at once what was hidden \(2\)"):
        check_afterstates(game)
    for settings in ({"returns": "value"}, {"tried": 1}):
        with pytest.raises(GameError, match="can show at once"):
            Abr(game, AbrSettings(**{**SMALL, **settings}), 1, opponent_arrays(game, [[LEARNER, LEARNER]], [1.0], []))
    assert revealing_move(PLEDGES) == ""
    check_afterstates(PLEDGES)
    assert revealing_move(load("goofspiel(cards=3)")) == ""


# --------------------------------------------------------------------------------------------------- DQN

TINY: dict[str, Any] = {
    "layers": (2,), "round": 4, "updates": 2, "batch": 3, "replay": 32, "schedule": 16, "rate": 0.5, "rate_end": 0.1,
    "explore": 0.8, "explore_end": 0.0,
}  # fmt: skip


def dqn(**settings: Any) -> tuple[Dqn, list[tuple[Any, float]]]:
    made, told = Dqn(PLEDGES, DqnSettings(**{**TINY, **settings}), 1, against(0)), list[tuple[Any, float]]()

    def train(batches: Any, rate: float) -> float:
        told.append((batches, rate))
        made.trainer.arrays = {**made.trainer.arrays, "weights": np.array(made.trainer.arrays["weights"]) + 1.0}
        return 0.5 * len(told)

    made.trainer.train = train  # type: ignore[method-assign]
    return made, told


def test_dqn_trains_after_whole_rounds() -> None:
    """At rates that go down with the games of the schedule; with its weights as they are, games are played."""
    made, told = dqn()
    first = made.weights.copy()
    made.run_to(3)
    assert (made.games, len(told)) == (3, 0)
    made.run_to(10)
    assert (made.games, len(told)) == (10, 2)
    assert [rate for _, rate in told] == pytest.approx([0.1 + 0.4 * 0.75, 0.1 + 0.4 * 0.5])
    assert told[0][0].seen.shape == (2, 3, 22)
    assert made.weights == pytest.approx(first + 2.0)
    assert made.loss == 1.0
    assert made.exploration == pytest.approx({"explore": 0.8 * 6 / 16})
    made.run_to(40)
    assert [rate for _, rate in told][-1] == pytest.approx(0.1)
    assert made.exploration == pytest.approx({"explore": 0.0})
    patient, waited = dqn(batch=30)
    patient.run_to(12)
    assert len(waited) == 0
    assert patient.decisions < 30
    patient.run_to(24)
    assert patient.decisions >= 30
    assert waited


def test_dqn_is_made_as_its_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Payoffs are learned in units of their spread; batches are over so many decisions, named by the round."""
    drawn: list[Any] = []
    trainers: list[Any] = []
    monkeypatch.setattr(dqn_module, "draw_batch", noting(drawn, draw_batch, 1))
    monkeypatch.setattr(dqn_module, "DqnTrainer", noting(trainers, DqnTrainer))
    made, _ = dqn(steps=2, target=7)
    made.run_to(8)
    stream = mix(1, dqn_module.DRAWING)
    assert drawn == [(22, 3, 2, 3, stream, 1, 2), (22, 3, 2, 3, stream, 2, 2)]
    [(sizes, weights, target)] = trainers
    assert (sizes, target) == ((22, 2, 3), 7)
    assert np.array_equal(weights, initial_weights(sizes, mix(mix(0, 1), dqn_module.WEIGHTS)))
    points = made.ring.payoff[: made.decisions] * made.scale
    assert points == pytest.approx(np.round(points), abs=1e-4)
    assert made.scale == sample(PLEDGES).scale != 1.0
    assert len(made.ring.action) == 32
    calls: list[Any] = []
    monkeypatch.setattr(made.player, "play", noting(calls, made.player.play, 4))
    made.run_to(13)
    assert calls == [(mix(1, dqn_module.PLAYING), 8, 4), (mix(1, dqn_module.PLAYING), 12, 1)]


def test_dqn_in_one_go_or_in_two() -> None:
    whole, _ = dqn(replay=16)
    whole.run_to(24)
    begun, _ = dqn(replay=16)
    begun.run_to(10)
    again, _ = dqn(replay=16)
    again.restore({name: np.array(array) for name, array in begun.state().items()}, 10)
    again.run_to(24)
    for name, array in whole.state().items():
        if name != "loss":
            assert np.array_equal(array, again.state()[name]), name
    assert len(whole.state()["ring.seen"]) == 16
    early, _ = dqn(replay=64)
    early.run_to(3)
    assert len(early.state()["ring.seen"]) == early.decisions < 64


def test_what_dqn_returns() -> None:
    made, _ = dqn()
    network = made.network(player=1)
    assert (network.temperature, network.scale, network.sizes) == (0.0, made.scale, (22, 2, 3))
    assert network.about == {"games": 0, "seed": 1, "player": 1}
    soft = Dqn(PLEDGES, BoltzmannSettings(**{**TINY, "temperature": 2.0, "temperature_end": 0.5}), 1)
    assert soft.network().temperature == 0.5
    assert soft.exploration == pytest.approx({"explore": 0.8, "temperature": 2.0})
    soft.games = 8
    assert soft.exploration == pytest.approx({"explore": 0.4, "temperature": 1.25})
    assert soft.player.members.lineups.tolist() == [[LEARNER, LEARNER]]  # self-play
    assert replace(soft.settings, steps=2).steps == 2


def test_oracles_answer_their_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many games, against the others as they are mixed, with a note of what was asked."""
    monkeypatch.setattr(Abr, "train", lambda self: None)
    members: Any = [[always(0, 1, 0)], [always(0, 1, 0), always(0, 2, 0)]]
    mixture = independent([[1.0], [0.5, 0.5]])
    task = Task(PLEDGES, 0, 7, 5, members, mixture, DqnOracle(**{**TINY, "games": 6, "batch": 500}))
    found = respond(task)
    assert found.about == {"games": 6, "seed": 5, "oracle": "dqn", "iteration": 7, "player": 0}
    searched = respond_by_search(replace(task, settings=AbrOracle(**{**SMALL, "episodes": 8})))
    assert searched.about == {"games": 8, "seed": 5, "oracle": "abr", "iteration": 7, "player": 0}
