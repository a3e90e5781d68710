"""Policy gradients: advantages and an update by hand, actors of any number of players, and what is learned."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlor import GameError, load
from parlor.agents.agent import CompiledAgent
from parlor.agents.as_opponent import against_agent
from parlor.learn.gradient.actors import NOT_OVER, GamesAgainst, Window
from parlor.learn.gradient.learner import Advantages, PolicyGradient, Successors, advantages, fill_advantages
from parlor.learn.gradient.settings import MmdSettings, PpoSettings
from parlor.learn.gradient.updates import ROWS, Decisions, beliefs, loss_of
from parlor.policies.opponents import LEARNER
from parlor.policies.policy import Policy
from parlor.runs.saved_agents import load_agent
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate, expected, sequence_strategy

pytestmark = pytest.mark.slow(seconds=20)

jax = pytest.importorskip("jax")

KUHN = load("kuhn")
SMALL: dict[str, Any] = {"layers": (16,), "lockstep": 32, "window": 8, "minibatches": 2}


# --------------------------------------------------------------------------------------------------- advantages


def window(player: list[int], value: list[float], over: dict[int, list[float]], players: int) -> Window:
    """One game: who decides, what is expected, and after which decision the game ended with which payoffs."""
    steps, nothing = len(player), np.zeros(0)
    ended, payoffs = np.full((steps, 1), NOT_OVER), np.zeros((steps, 1, players), np.float32)
    for t, got in over.items():
        ended[t, 0], payoffs[t, 0] = 0, got
    values = np.array(value, np.float32)[:, None]
    return Window(
        nothing, nothing, nothing, nothing, np.array(player)[:, None], nothing, nothing, values, ended, payoffs
    )


def estimated(some: Window, fading: float, zero_sum: bool) -> Advantages:
    """By the kernel as plain Python."""
    steps, games, players = some.payoffs.shape
    found = Advantages(*(np.zeros((steps, games), np.float32) for _ in range(3)))
    after = Successors(np.zeros(players, np.int64), *(np.zeros(players) for _ in range(3)))
    fill_advantages(some.player, some.value, some.over, some.payoffs, fading, zero_sum, after, found)
    return found


def test_a_transition_of_one_of_three_players_goes_to_its_own_next_decision() -> None:
    """Player 2 never decides in the first game, and 0 not after its first decision; the second game is cut off."""
    some = window([0, 1, 1, 2, 0], [1.0, 2.0, 3.0, 0.5, 4.0], {2: [10.0, 20.0, 30.0]}, 3)
    found = estimated(some, 0.5, False)
    # decision 2, of player 1, is its last one: 20 - 3 = 17; decision 1: 3 - 2 + 0.5 * 17 = 9.5
    # decision 0, of player 0: 10 - 1 = 9; decisions 3 and 4 have no successor in the window
    assert found.advantage[:, 0].tolist() == [9.0, 9.5, 17.0, 0.0, 0.0]
    assert found.goal[:, 0].tolist() == [10.0, 11.5, 20.0, 0.0, 0.0]
    assert found.known[:, 0].tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]


def test_what_is_cut_off_is_what_an_earlier_decision_leads_to() -> None:
    found = estimated(window([0, 1, 0, 1, 0], [1.0, 2.0, 3.0, 4.0, 6.0], {}, 3), 0.5, False)
    # decision 2: 6 - 3 = 3; decision 0: 3 - 1 + 0.5 * 3 = 3.5; decision 1: 4 - 2 = 2
    assert found.advantage[:, 0].tolist() == [3.5, 2.0, 3.0, 0.0, 0.0]
    assert found.known[:, 0].tolist() == [1.0, 1.0, 1.0, 0.0, 0.0]


def test_between_two_players_with_opposite_payoffs_the_next_decision_is_anybodys() -> None:
    found = estimated(window([0, 1, 1, 0], [1.0, 2.0, 0.5, 3.0], {2: [-1.0, 1.0]}, 2), 0.5, True)
    # decision 2 (player 1): 1 - 0.5 = 0.5; decision 1: 0.5 - 2 + 0.25 = -1.25
    # decision 0 (player 0): -2 - 1 + 0.5 * 1.25 = -2.375
    assert found.advantage[:, 0].tolist() == [-2.375, -1.25, 0.5, 0.0]
    assert found.known[:, 0].tolist() == [1.0, 1.0, 1.0, 0.0]


# --------------------------------------------------------------------------------------------------- actors


def played(name: str, **settings: Any) -> PolicyGradient:
    """A window of a game."""
    learner = PolicyGradient(load(name), "ppo", PpoSettings(**SMALL | settings), 3)
    learner.play()
    return learner


@pytest.mark.parametrize("name", ["kuhn", "kuhn(players=3)"])
def test_actors_write_what_a_game_is(name: str) -> None:
    """A window replayed by the rules: who decides, what is legal, and what everybody gets, in units of the learner."""
    learner = played(name)
    game, seen = learner.game, learner.window
    assert set(seen.player.ravel().tolist()) == set(range(game.players))
    ended = seen.over != NOT_OVER
    assert ended.sum() > 32
    payoffs = seen.payoffs[ended] * learner.scale
    assert np.allclose(payoffs.sum(axis=1), 0.0, atol=1e-5)
    assert np.allclose(payoffs, payoffs.round(), atol=1e-5)
    assert np.abs(payoffs).max() <= 4.0
    assert ((1 << seen.action) & seen.legal[..., 0]).all()
    starts = np.roll(ended, 1, axis=0)
    starts[0] = True
    assert (seen.player[starts] == 0).all()  # each game begins with the first player


def test_the_network_in_the_loop_is_the_one_that_learns() -> None:
    learner = played("kuhn")
    some = Decisions(*(array.reshape(256, *array.shape[2:]) for array in learner.window[:4]), *[None] * 5)
    now = beliefs(jax, learner.shape, jax.numpy.asarray(learner.weights), some)
    actions = learner.window.action.ravel()
    assert np.allclose(np.asarray(now.logs)[np.arange(256), actions], learner.window.chance.ravel(), atol=1e-5)
    assert np.allclose(np.asarray(now.values), learner.window.value.ravel(), atol=1e-5)


def test_only_legal_actions_have_a_probability() -> None:
    learner = played("kuhn")
    some = Decisions(*(array.reshape(256, *array.shape[2:]) for array in learner.window[:4]), *[None] * 5)
    for action in range(2):
        alone = some._replace(legal=np.full_like(some.legal, 1 << action))
        now = beliefs(jax, learner.shape, jax.numpy.asarray(learner.weights), alone)
        assert np.array_equal(np.asarray(now.chances), np.tile(np.eye(2, dtype=np.float32)[action], (256, 1)))


def test_games_are_the_same_whoever_plays_them() -> None:
    alone, shared = (PolicyGradient(KUHN, "ppo", PpoSettings(**SMALL), 3, threads=n) for n in (1, 3))
    alone.run_to(2)
    shared.run_to(2)
    shared.close()
    assert np.array_equal(alone.weights, shared.weights)
    assert np.array_equal(alone.window.action, shared.window.action)


def test_all_games_together_are_played_by_the_same_rules() -> None:
    """As with a GPU: actions come from outside."""
    learner = played("kuhn", acting="jax")
    ended = learner.window.over != NOT_OVER
    assert ended.sum() > 32
    assert np.allclose(learner.window.payoffs[ended].sum(axis=1), 0.0, atol=1e-5)
    assert learner.window.chance.max() < 0.0
    learner.learn()
    assert np.isfinite(learner.measured["loss"])


def test_rivals_sit_in_the_other_seats() -> None:
    """Against a uniform rival only the learner's decisions are written; it learns what beats it."""
    changed = {"layers": (32, 32), "lockstep": 128, "window": 16, "rate": 0.001, "entropy": 0.3, "entropy_end": 0.0}
    settings = PpoSettings(**SMALL | changed | {"minibatches": 4, "decisions": 200_000})
    learner = PolicyGradient(KUHN, "ppo", settings, 1, rivals=[Policy.uniform(KUHN)])
    learner.play()
    assert (np.sort(learner.actors.games.seats, axis=1) == [LEARNER, 0]).all()
    first = learner.window.over[0] >= 0
    assert set(learner.window.over[0][first].tolist()) <= {0, 1}
    learner.run_to(80)
    table = learner.network().table
    assert table is not None
    uniform = Policy.uniform(KUHN)
    best = evaluate(KUHN, uniform).best_responses
    for player in range(2):
        pair = [table if p == player else uniform for p in range(2)]
        assert evaluate(KUHN, pair).values[player] > best[player] - 0.08


def test_agents_have_the_other_seats_in_their_share_of_the_games() -> None:
    """The first games are its own and those against former versions, the last quarter is against an agent."""
    agent = load_agent("look-ahead(rollouts=1)", KUHN)  # which draws cards of its own
    assert isinstance(agent, CompiledAgent)

    def played(threads: int) -> PolicyGradient:
        settings = PpoSettings(**SMALL | {"past": 0.25, "past_every": 1, "past_size": 2})
        against = [GamesAgainst(0.25, lambda: against_agent(KUHN, agent, 5))]
        learner = PolicyGradient(KUHN, "ppo", settings, 3, threads=threads, against=against)
        learner.run_to(3)
        learner.close()
        return learner

    alone, shared = played(1), played(3)
    count = alone.settings.lockstep
    theirs = alone.actors.games.seats != LEARNER
    own = count * 3 // 4
    assert alone.actors.own == own
    assert (theirs[own:].sum(axis=1) == 1).all()
    assert 0 < theirs[:own].sum() < own  # a third of them, by chance
    members = alone.past.members()
    assert np.allclose(members.shares[:-1].sum(), 0.25 / 0.75)
    assert np.isclose(members.shares.sum(), 1.0)
    assert np.array_equal(alone.weights, shared.weights)


# --------------------------------------------------------------------------------------------------- objectives


def test_a_learner_is_paid_by_its_objective() -> None:
    """Who minds getting less than the other feels a loss twice; the one who wins gets what the game pays."""
    learner = played("kuhn", objective="inequity")
    ended = learner.window.over != NOT_OVER
    paid = learner.window.payoffs[ended] * learner.scale
    won, lost = paid.max(axis=1), paid.min(axis=1)
    assert set(np.round(won, 4).tolist()) == {1.0, 2.0}
    assert np.allclose(lost, -2.0 * won, atol=1e-4)
    assert learner.scale > (own := played("kuhn")).scale
    assert own._opposed
    assert not learner._opposed  # what one expects says nothing about the other
    assert learner.network().search_networks.backup == "inequity"  # type: ignore[union-attr]


def test_what_is_learned_for_an_objective_is_best_for_it() -> None:
    """Against a uniform rival, in Kuhn poker with losses that count twice: the exact best response is known."""
    changed = {"layers": (32, 32), "lockstep": 128, "window": 16, "rate": 0.001, "entropy": 0.3, "entropy_end": 0.0}
    settings = PpoSettings(**SMALL | changed | {"minibatches": 4, "decisions": 200_000, "objective": "inequity"})
    uniform = Policy.uniform(KUHN)
    learner = PolicyGradient(KUHN, "ppo", settings, 1, rivals=[uniform])
    learner.run_to(80)
    table = learner.network().table
    assert table is not None
    t = tree(KUHN)
    felt = replace(t, weight=t.weight + np.minimum(t.weight, 0.0))
    best = expected(felt, sequence_strategy(felt, uniform)).best_responses
    for player in range(2):
        pair = [table if p == player else uniform for p in range(2)]
        assert expected(felt, sequence_strategy(felt, pair)).values[player] > best[player] - 0.08


def test_what_never_differs_cannot_be_learned() -> None:
    with pytest.raises(GameError, match="the objective welfare"):
        PolicyGradient(load("kuhn(players=3)"), "ppo", PpoSettings(**SMALL, objective="welfare"), 3)


# --------------------------------------------------------------------------------------------------- updates


def some_decisions(learner: PolicyGradient) -> Decisions:
    """The decisions of a window."""
    found = advantages(learner.window, 0.95, True)
    arrays = (*learner.window[:4], learner.window.action, learner.window.chance, *found)
    return Decisions(*(array.reshape(256, *array.shape[2:]) for array in arrays))


@pytest.mark.parametrize("algorithm", list(ROWS))
def test_a_step_goes_down_the_slope_of_the_loss(algorithm: str) -> None:
    """The first step goes against the slope, which is found by finite differences."""
    settings = ROWS[algorithm].settings(**SMALL | {"minibatches": 1, "epochs": 1, "norm": 1e9})
    learner = PolicyGradient(KUHN, algorithm, settings, 3)
    learner.play()
    some, before = some_decisions(learner), learner.weights.copy()
    entropy = 0.05

    def loss(weights: Any) -> float:
        constant = {"before": before}
        return float(loss_of(algorithm, learner.shape, jax.numpy.asarray(weights), constant, entropy, some)[0])

    learner.trainer.update(some, 0.001, entropy, jax.random.key(0))
    moved = learner.trainer.weights - before
    if algorithm in ("qpg", "rpg", "rmpg"):  # their gradients leave the values of actions as they are
        assert 0.0 < np.abs(moved).max() < 0.00101
        return
    checked = 0
    for i in np.flatnonzero(np.abs(moved) > 0.00099)[::30]:
        step = np.zeros_like(before)
        step[i] = 0.003
        slope = (loss(before + step) - loss(before - step)) / 0.006
        if abs(slope) > 3e-3:
            assert np.sign(moved[i]) == -np.sign(slope)
            checked += 1
    assert checked >= 2


def test_losses_by_hand() -> None:
    """Two actions of probability 1/4 and 3/4, of which the first was taken with probability 1/2 and did well."""
    numpy = jax.numpy
    chances = numpy.array([[0.25, 0.75]])
    from parlor.learn.gradient.updates import Beliefs

    now = Beliefs(numpy.log(chances), chances, numpy.array([[4.0, 0.0]]))
    taken = Decisions(
        None, None, None, None, numpy.array([0]), numpy.log(numpy.array([0.5])), numpy.array([2.0]), None, None
    )
    log = numpy.log(numpy.array([0.25]))
    # ratio 1/2: 2 * 1/2 = 1 is less than 2 * 0.8
    assert np.isclose(ROWS["ppo"].loss(numpy, taken, now, log, None, PpoSettings())[0], -1.0)
    worse = taken._replace(advantage=numpy.array([-2.0]))
    assert np.isclose(ROWS["ppo"].loss(numpy, worse, now, log, None, PpoSettings())[0], 1.6)  # -min(-1, -1.6)
    half = Beliefs(numpy.log(numpy.array([[0.5, 0.5]])), numpy.array([[0.5, 0.5]]), None)
    divergence = 0.25 * np.log(0.5) + 0.75 * np.log(1.5)
    settings = MmdSettings(proximal=3.0)
    assert np.isclose(ROWS["mmd"].loss(numpy, taken, now, log, half, settings)[0], -1.0 + 3.0 * divergence)
    assert np.isclose(ROWS["a2c"].loss(numpy, taken, now, log, None, None)[0], 2.0 * np.log(4.0))
    # the mean of the values is 1, so the actions are better by 3 and -1
    assert np.isclose(ROWS["qpg"].loss(numpy, taken, now, log, None, None)[0], 0.0)  # 3/4 - 3/4
    assert np.isclose(ROWS["rmpg"].loss(numpy, taken, now, log, None, None)[0], -0.75)
    assert np.isclose(ROWS["rpg"].loss(numpy, taken, now, log, None, None)[0], 3.0)


@pytest.mark.parametrize("algorithm", ["qpg", "rmpg", "rpg"])
def test_values_of_all_actions_say_what_to_do_more_often(algorithm: str) -> None:
    """One step on the logits: the better action gains."""
    numpy = jax.numpy
    from parlor.learn.gradient.updates import Beliefs

    nothing: Any = None  # a rule that asks for more than values would fail

    def loss(logits: Any) -> Any:
        logs = jax.nn.log_softmax(logits, axis=1)
        now = Beliefs(logs, numpy.exp(logs), numpy.array([[1.0, 3.0, 2.0]]))
        return ROWS[algorithm].loss(numpy, nothing, now, nothing, None, None).sum()

    slope = jax.grad(loss)(numpy.zeros((1, 3)))[0]
    assert slope[1] < slope[2] < slope[0] or algorithm != "qpg"
    assert slope.argmin() == 1
    assert np.isclose(slope.sum(), 0.0, atol=1e-6)


# --------------------------------------------------------------------------------------------------- learning


def test_mirror_descent_comes_near_an_equilibrium() -> None:
    settings = MmdSettings(
        layers=(32,), lockstep=128, window=32, minibatches=4, rate=0.003, rate_end=0.0003, entropy=0.2,
        entropy_end=0.02, decisions=400_000,
    )  # fmt: skip
    learner = PolicyGradient(KUHN, "mmd", settings, 1)
    learner.run_to(100)
    table = learner.network().table
    assert table is not None
    assert evaluate(KUHN, table).exploitability < 0.2  # of 0.46 when it began


PAST = {"past": 0.5, "past_every": 2, "past_size": 2, "past_choice": "prioritised"}


@pytest.mark.parametrize("settings", [{}, PAST, {"averaging": 0.25}])
def test_an_interrupted_run_goes_on_to_the_same_network(settings: dict[str, Any]) -> None:
    whole, first, second = (PolicyGradient(KUHN, "ppo", PpoSettings(**SMALL | settings), 7) for _ in range(3))
    whole.run_to(7)
    first.run_to(4)
    second.restore({name: np.array(array) for name, array in first.state().items()}, 4)
    second.run_to(7)
    for name, array in whole.state().items():
        assert np.array_equal(array, second.state()[name]), name
    assert np.array_equal(whole.network().weights, second.network().weights)
    if settings is PAST:
        assert (whole.actors.games.seats >= 0).any()  # former versions sit at the table


def test_a_run_may_return_the_mean_of_its_weights() -> None:
    """At first of all, then more of the newest; what plays and learns is the newest."""
    averaged, plain = (PolicyGradient(KUHN, "ppo", PpoSettings(**SMALL | {"averaging": a}), 3) for a in (0.5, 0.0))
    weights = []
    for rounds in (1, 2, 3):
        averaged.run_to(rounds)
        plain.run_to(rounds)
        weights.append(averaged.weights)
        assert np.array_equal(averaged.weights, plain.weights)
    mean = 0.25 * weights[0] + 0.25 * weights[1] + 0.5 * weights[2]
    found, newest = averaged.network().search_networks, plain.network().search_networks
    assert found is not None
    assert newest is not None
    assert np.allclose(found.weights, mean, atol=1e-6)
    assert np.array_equal(newest.weights, weights[2])


def test_the_other_players_value_counts_only_if_one_says_so() -> None:
    """It does not know one's own hand: unless the next decision is one's own, advantages are biased."""
    own, either, default = (
        PolicyGradient(KUHN, "mmd", MmdSettings(**SMALL | {"epochs": 1, "fading": 0.0, **settings}), 3)
        for settings in ({"bootstrap": "own"}, {"bootstrap": "either"}, {})
    )
    for learner in (own, either, default):
        learner.run_to(1)
    assert np.array_equal(own.weights, default.weights)
    assert not np.allclose(own.weights, either.weights, atol=1e-5)


def test_a_moving_magnet_comes_nearer() -> None:
    settings = MmdSettings(**SMALL | {"magnet": "moving", "magnet_rate": 0.25, "epochs": 1})
    learner = PolicyGradient(KUHN, "mmd", settings, 1)
    start = learner.weights.copy()
    learner.run_to(1)
    assert np.allclose(learner.trainer.arrays["magnet"], start + 0.25 * (learner.weights - start), atol=1e-7)
