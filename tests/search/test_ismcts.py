"""Searches that answer the others: the posterior, nothing that leaks, budgets, and best responses that are known."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from parlor import compile as compiler
from parlor.agents.registry import make_agent
from parlor.game import Game, GameError, Position
from parlor.game.loading import load
from parlor.game.rng import seed_stream
from parlor.game.schema import fields_of
from parlor.game.seats.play import play_game, uniform_agent
from parlor.policies.opponents import opponent_arrays
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.search.backups import BACKUPS, payoffs_as
from parlor.search.belief import worlds
from parlor.search.forest import add_leaf, back_up, find_node, follow, new_forest, with_room
from parlor.search.posterior import BELIEFS, OpponentModel, opponent_model, sample_by_code
from parlor.search.search_policy import searched_policy
from parlor.search.searches import STEP, Searches, SearchResults, SearchSettings
from parlor.sequence_form.tree import tree
from parlor.solvers.best_response import evaluate

KUHN, LEDUC, DICE = load("kuhn"), load("leduc"), load("liars-dice(dice=2,faces=2)")


def leaning(game: Game, first: float) -> Policy:
    """A policy whose probabilities depend on what its player knows."""
    t = tree(game)
    rows = [first ** (1 + (int(key) % 3)) for key in t.keys]
    shares = [
        np.append(np.full(n - 1, x / (n - 1)), 1 - x) if n > 1 else np.ones(1)
        for x, n in zip(rows, t.counts.tolist(), strict=True)
    ]
    return Policy.from_rows(game, t.keys, t.counts, np.concatenate(shares))


def against(game: Game, *policies: Policy) -> OpponentModel:
    """All of them in line-ups of their own, each half as often as the one before."""
    shares = np.array([0.5**i for i in range(len(policies))])
    lineups = np.repeat(np.arange(len(policies))[:, None], game.players, axis=1)
    return opponent_model(game, opponent_arrays(game, lineups, shares / shares.sum(), policies))


def decisions(game: Game, count: int) -> list[Position]:
    found: list[Position] = []
    for index in range(count):
        position = game.start()
        for move in play_game(game, [uniform_agent] * game.players, 7, index).moves:
            if position.turn >= 0:
                found.append(position)
            position = position.after(move)
    return found


def states(game: Game, positions: list[Position], compiled: bool = False) -> Any:
    if not compiled:
        return [position.state.copy() for position in positions]
    made = compiler.states(game, len(positions), True)
    for i, position in enumerate(positions):
        for name, value in fields_of(position.state).items():
            made[i][name] = value
    return made


def searched(
    game: Game, positions: list[Position], compiled: bool = False, trees: int = 3, **how: Any
) -> SearchResults:
    searches = Searches(game, against(game, leaning(game, 0.6)), trees, SearchSettings(**how), compiled=compiled)
    players = np.array([position.turn for position in positions])
    return searches.run(states(game, positions, compiled), players, np.arange(len(positions)), how.get("evaluate"))


# --------------------------------------------------------------------------------------------------- belief


@pytest.mark.parametrize("game", [KUHN, LEDUC, DICE, load("kuhn(players=3)")], ids=lambda game: game.name)
def test_the_posterior_is_that_of_all_worlds_by_a_model_of_the_others(game: Game) -> None:
    policy = leaning(game, 0.6)
    positions = decisions(game, 6)
    believed = Searches(game, against(game, policy), len(positions), compiled=False)
    players = [position.turn for position in positions]
    belief = believed.believe(states(game, positions), players)
    assert game.hidden.worlds is not None
    for i, position in enumerate(positions):
        wanted = dict.fromkeys(range(game.hidden.worlds.count), 0.0)
        for world, weight in worlds(position, position.turn, others=policy) or ():
            wanted[game.hidden.worlds.hidden(world.state, position.turn)] += weight
        n = belief.count[i]
        found = dict(zip(belief.codes[i, :n].tolist(), belief.chances[i, :n].tolist(), strict=True))
        assert {code: chance for code, chance in wanted.items() if chance} == pytest.approx(found)


def test_who_plays_is_told_by_what_was_played() -> None:
    """Given a card, by Bayes' rule: one bets with a king, one never does."""
    bets, never = leaning(KUHN, 0.25), leaning(KUHN, 1.0 - 1e-12)
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    searches = Searches(KUHN, against(KUHN, bets, never), 1, compiled=False)
    belief = searches.believe(states(KUHN, [position]), [0])
    assert belief.types[0, : belief.count[0], 0] == pytest.approx(1.0)
    fresh = searches.believe(states(KUHN, [KUHN.start().after("Q to player 0", "K to player 1")]), [0])
    assert fresh.types[0, 0] == pytest.approx([2 / 3, 1 / 3])
    assert fresh.chances[0, :2] == pytest.approx(0.5)


def test_what_rules_out_everything_counts_nothing() -> None:
    never = leaning(KUHN, 1.0)
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    belief = Searches(KUHN, against(KUHN, never), 1, compiled=False).believe(states(KUHN, [position]), [0])
    assert belief.chances[0, :2] == pytest.approx(0.5)


def test_other_beliefs_are_rows() -> None:
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    chances = {}
    for name in BELIEFS:
        searches = Searches(KUHN, against(KUHN, leaning(KUHN, 0.6)), 1, SearchSettings(belief=name), compiled=False)
        chances[name] = searches.believe(states(KUHN, [position]), [0]).chances[0, :2].tolist()
    assert chances["uniform"] == [0.5, 0.5]
    assert chances["first"] == [1.0, 0.0]
    assert chances["last"] == chances["true"] == [0.0, 1.0]
    assert 0.0 < chances["exact"][0] < 1.0
    assert chances["exact"] != chances["uniform"]


@pytest.mark.slow(seconds=7)
def test_worlds_are_drawn_as_often_as_the_posterior_says_and_fit_what_was_seen() -> None:
    policy, draws, r = leaning(LEDUC, 0.6), 4000, [0] * 4
    guess = compiler.interpret(sample_by_code, LEDUC)
    worlds_drawn = compiler.states(LEDUC, 1, False)
    for position in decisions(LEDUC, 4)[1::2]:
        p = position.turn
        truth = states(LEDUC, [position])
        belief = Searches(LEDUC, against(LEDUC, policy), 1, compiled=False).believe(truth, [p])
        exact = {repr(world.state): weight for world, weight in worlds(position, p, others=policy) or ()}
        found = dict.fromkeys(exact, 0)
        for index in range(draws):
            seed_stream(r, 5, index)
            guess(worlds_drawn, 0, truth, 0, p, r, belief)
            assert LEDUC.view(worlds_drawn[0], p) == position.view(p)
            found[repr(worlds_drawn[0])] += 1
        square = sum((found[w] - draws * c) ** 2 / (draws * c) for w, c in exact.items() if c > 0.0)
        assert square < len(exact) - 1 + 6 * np.sqrt(2 * len(exact))
        assert not any(found[w] for w, c in exact.items() if c == 0.0)


# --------------------------------------------------------------------------------------------------- searches


def test_nothing_of_the_truth_leaks() -> None:
    """The same knowledge, other cards: every byte of the result is the same."""
    one = LEDUC.start().after("Q♥ to player 0", "K♠ to player 1", "call", "raise", "call", "board J♥")
    other = LEDUC.start().after("Q♥ to player 0", "J♠ to player 1", "call", "raise", "call", "board J♥")
    results = []
    for position in (one, other):
        found = searched(LEDUC, [position], simulations=60)
        agent = dataclasses.replace(make_agent("search(simulations=60)", LEDUC), slow=False)
        results.append((*(part.tobytes() for part in found), repr(agent.explained(position))))
    assert results[0] == results[1]


def test_every_simulation_counts_and_a_seed_says_all() -> None:
    positions = decisions(LEDUC, 3)
    found, again = (searched(LEDUC, positions, trees=trees, simulations=50) for trees in (3, 2))
    assert all((a == b).all() for a, b in zip(found, again, strict=True))
    assert (found.visits.sum(axis=1) == 49).all()  # the first appraises the root
    assert (found.simulations == 50).all()
    assert found.policy.sum(axis=1) == pytest.approx(1.0)
    for position, move, visits in zip(positions, found.moves, found.visits, strict=True):
        assert visits[move] == visits.max()
        assert set(np.flatnonzero(visits)) <= set(position.actions)


def test_time_that_is_over_ends_a_search() -> None:
    searches = Searches(KUHN, against(KUHN, leaning(KUHN, 0.6)), 2, SearchSettings(10**4), compiled=False)
    positions = decisions(KUHN, 1)
    found = searches.run(states(KUHN, positions), [p.turn for p in positions], [0] * len(positions), seconds=1e-9)
    assert (found.simulations == STEP).all()
    timed = make_agent("search(simulations=100000,seconds=0.000001)", load("openspiel:kuhn_poker"))
    _, findings = timed.explained(load("openspiel:kuhn_poker").start().after("Deal:0", "Deal:1"))
    assert findings is not None
    assert sum(move.visits for move in findings.moves) < 100


@pytest.mark.slow
def test_plain_and_compiled_searches_find_the_same() -> None:
    positions = decisions(KUHN, 3)

    def value(seen: Any) -> tuple[Any, Any]:
        return seen[:, :2] * 0.5, seen @ np.linspace(-1.0, 1.0, seen.shape[1], dtype=np.float32)

    for evaluating, operator in ((None, "mean"), (value, "mean"), (None, "max")):
        both, how = [], SearchSettings(40, operator=operator)
        for compiled in (False, True):
            searches = Searches(KUHN, against(KUHN, leaning(KUHN, 0.6)), 4, how, compiled=compiled)
            players = np.array([position.turn for position in positions])
            both.append(searches.run(states(KUHN, positions, compiled), players, np.arange(len(players)), evaluating))
        assert all((a == b).all() for a, b in zip(*both, strict=True))


def test_it_finds_best_responses() -> None:
    """Exactly valued: 98 % of what a best response wins."""
    policy = leaning(KUHN, 0.6)
    answer = searched_policy(KUHN, against(KUHN, policy), SearchSettings(2000))
    best = evaluate(KUHN, policy).best_responses
    values = evaluate(KUHN, [answer, policy]).values[0], evaluate(KUHN, [policy, answer]).values[1]
    assert sum(values) >= 0.98 * sum(best)


def test_a_decision_passes_up_the_best_of_what_was_tried_often() -> None:
    """Three moves: tried 8 times with mean 0.5, then 3 times with 0.7; another one was lucky once."""
    f = new_forest(1, 10, 3, 4)
    for key in (7, 8):
        find_node(f, 0, key, 3)
        f = with_room(f, 3)
        add_leaf(f, 0, np.ones(3), 0.0)
    f.tries[3:6], f.sums[3:6] = [8, 2, 1], [4.0, 1.1, 1.0]
    for greedy, passed in ((False, 1.0), (True, 2.1 / 3)):
        for edges in (f.tries[:3], f.sums[:3]):
            edges[:] = 0
        f.tries[4], f.sums[4] = 2, 1.1
        f.length[0] = 0
        follow(f, 0, 0, 2, 3)
        follow(f, 0, 1, 1, 3)
        back_up(f, 0, 1.0, greedy)
        assert (f.tries[2], f.sums[2]) == (1, pytest.approx(passed))
        assert (f.tries[4], f.sums[4]) == (3, pytest.approx(2.1))


def test_what_is_backed_up() -> None:
    assert [payoffs_as(name, [2.0, 6.0], 0) for name in BACKUPS] == [2.0, 0.0, 8.0, 12.0]
    assert [payoffs_as(name, [2.0, 6.0], 1) for name in BACKUPS] == [6.0, 6.0, 8.0, 12.0]
    assert [payoffs_as(name, [3.0, 6.0, -1.0], 0) for name in BACKUPS] == [3.0, 2.25, 8.0, 0.0]


# --------------------------------------------------------------------------------------------------- as an agent


def test_an_agent_shows_its_moves_and_what_it_believes() -> None:
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    agent = dataclasses.replace(make_agent("search(simulations=30)", KUHN), slow=False)
    chances, findings = agent.explained(position)
    assert findings is not None
    assert [code for code, _ in findings.belief] == [0, 2]
    assert sum(chance for _, chance in findings.belief) == pytest.approx(1.0)
    assert sum(move.visits for move in findings.moves) == 29
    most = max(findings.moves, key=lambda move: move.visits)
    assert dict(chances)[most.action] == 1.0


def test_a_population_is_answered_as_it_is_mixed() -> None:
    """The line-ups are the others of the seat."""
    population = Population.of([[leaning(KUHN, x) for x in (0.2, 0.9)] for _ in range(2)], [[0.5, 0.5], [0.25, 0.75]])
    agent = make_agent("search(simulations=20,population=x)", KUHN, lambda text: population)
    search: Any = agent.data(False)
    assert search.shares.tolist() == [[0.25, 0.75, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5]]
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    assert sum(dataclasses.replace(agent, slow=False)(position).values()) == 1.0


@pytest.mark.parametrize(("text", "sentence"), [
    ("search(belief=true)", "The belief of search must be one of exact, uniform, first, last, learned, not 'true'."),
    ("search(backup=revenge)", "backup must be one of own, inequity, welfare, nash-product, not"),
    ("search(operator=least)", "operator must be one of mean, max, not 'least'."),
    ("search(policy=mcts)", "search cannot roll out with mcts, itself a search agent; name another policy."),
    ("search(policy=search)", "search cannot roll out with search, itself a search agent; name another policy."),
])  # fmt: skip
def test_what_cannot_be_searched_with_is_said(text: str, sentence: str) -> None:
    with pytest.raises(GameError) as told:
        make_agent(text, KUHN)
    assert sentence in str(told.value)


@pytest.mark.parametrize(("name", "text"), [
    ("monopoly-deal(preset=tiny)", "search(simulations=12,policy=careful)"),
    ("goofspiel(cards=3)", "search(simulations=12)"),
    ("openspiel:tic_tac_toe", "search(simulations=12)"),
])  # fmt: skip
def test_it_sits_down_where_nothing_has_a_code(name: str, text: str) -> None:
    game = load(name)
    agent: Any = make_agent(text, game)
    if getattr(agent, "slow", False) and game.native:
        agent = dataclasses.replace(agent, slow=False)
    record = play_game(game, [agent] + [uniform_agent] * (game.players - 1), 1)
    assert len(record.payoffs) == game.players
