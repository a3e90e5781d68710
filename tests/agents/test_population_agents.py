"""A population at a table: sampled, self-posterior and aggregate are one strategy, compiled and in plain Python."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import parlor
from parlor.agents.agent import CompiledAgent
from parlor.agents.population import make_sampled, make_self_posterior
from parlor.agents.registry import make_agent, policy_agent
from parlor.arena.match import play_match
from parlor.game import GameError
from parlor.game.rng import seed_stream
from parlor.game.seats.play import play_on
from parlor.policies.features import features
from parlor.policies.nets import initial_weights
from parlor.policies.network import NetworkPolicy
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy
from parlor.solvers.best_response import evaluate
from tests.populations import grown

KUHN, LEDUC = parlor.load("kuhn"), parlor.load("leduc")
UNIFORM = Policy.uniform(KUHN)


def pure(first: int, then: int) -> Policy:
    """Of player 0 in Kuhn: its first move, and its answer to a bet; 0 passes, 1 bets."""
    t = parlor.tree(KUHN)
    mine = np.flatnonzero(t.player == 0)
    moves = [then if t.parent[i] > t.bounds[0] else first for i in mine]
    return Policy.from_rows(KUHN, t.keys[mine], t.counts[mine], np.eye(2)[moves].ravel())


#: One always bets; the other always passes. What it does first tells which one it is.
BOLD_OR_MEEK = Population.of([[pure(1, 1), pure(0, 0)], [UNIFORM]], [[0.25, 0.75], [1.0]])


def online(population: Population) -> Population:
    """The same as in a game that is too large for a table."""
    blind = replace(population)
    blind.__dict__["table"] = None
    return blind


def ways(population: Population) -> dict[str, CompiledAgent]:
    game = parlor.load(population.game)
    return {
        "aggregate": policy_agent(population, game, "aggregate"),
        "online": policy_agent(online(population), game, "online"),
        "sampled": make_sampled(game, "sampled", population),
        "self-posterior": make_self_posterior(game, "self-posterior", population),
    }


def test_at_positions_all_of_them_are_the_aggregate_policy() -> None:
    population = grown("kuhn", 3)
    assert population.table is not None
    agents = [*ways(population).values(), make_sampled(KUHN, "sampled", online(population))]
    for agent in agents:
        assert parlor.tabulate(KUHN, agent).distance(population.table) < 1e-12


@pytest.mark.slow
def test_along_its_own_moves_it_finds_the_table() -> None:
    population = grown("leduc", 2)
    assert population.table is not None
    agent = policy_agent(online(population), LEDUC)
    assert parlor.tabulate(LEDUC, agent, every_history=False).distance(population.table) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("way", ["aggregate", "online", "sampled", "self-posterior"])
def test_in_matches_all_of_them_get_what_the_mixture_of_members_gets(way: str) -> None:
    """-0.25; who forgot its own first move would get -0.16."""
    exact = sum(
        weight * evaluate(KUHN, [one.table, UNIFORM]).values[0]
        for one, weight in zip(BOLD_OR_MEEK.members[0], BOLD_OR_MEEK.mixture.marginals[0].tolist(), strict=True)
        if one.table is not None
    )
    match = play_match(KUHN, [ways(BOLD_OR_MEEK)[way], make_agent("random", KUHN)], 20_000, 3, start="first")
    low, high = match.payoff.low, match.payoff.high
    assert low < exact < high
    assert high - low < 0.05


def test_compiled_and_plain_games_are_the_same() -> None:
    population = grown("kuhn", 4, "all")
    for agent in ways(population).values():
        seats = [agent, make_agent("random", KUHN)]
        compiled = play_match(KUHN, seats, 64, 5, chunk=16)  # the memory of one batch is not that of the next
        assert compiled.payoffs.tolist() == play_match(KUHN, seats, 64, 5, compiled=False).payoffs.tolist()


def test_a_member_is_followed_to_the_end_and_another_drawn_in_the_next_game() -> None:
    """Both are drawn, and whoever has passed passes again."""
    agent, always_bet = ways(BOLD_OR_MEEK)["sampled"], policy_agent(_always_bet(), KUHN)
    first = []
    for index in range(40):
        stream = [0, 0, 0, 0]
        seed_stream(stream, 1, index)
        moves = play_on(KUHN.start(), [agent, always_bet], [stream] * 3).history[2:]
        assert moves in {("bet", "bet"), ("pass", "bet", "pass")}
        first.append(moves[0])
    assert set(first) == {"bet", "pass"}


def _always_bet() -> Policy:
    t = parlor.tree(KUHN)
    return Policy.from_rows(KUHN, t.keys, t.counts, np.tile([0.0, 1.0], t.infosets))


def test_who_sits_down_later_remembers_what_its_seat_has_done() -> None:
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    for agent in ways(BOLD_OR_MEEK).values():
        stream = [1, 2, 3, 4]
        moves = [agent.sit(position, 0).act(position, stream) for _ in range(20)]
        assert {position.game.words.describe(position.state, int(move)) for move in moves} == {"pass"}
        assert agent(position) == {"pass": 1.0, "bet": 0.0}


def test_moves_that_no_member_makes_leave_it_with_uniform_play() -> None:
    population = Population.of([[pure(1, 1)], [UNIFORM]], [[1.0], [1.0]])
    position = KUHN.start().after("Q to player 0", "K to player 1", "pass", "bet")
    for agent in ways(population).values():
        assert agent(position) == {"pass": 0.5, "bet": 0.5}


def test_agents_are_made_by_name_and_refuse_what_is_no_population() -> None:
    populations: dict[str, Strategy] = {"mine": BOLD_OR_MEEK, "other": UNIFORM}
    agent = make_agent("self-posterior(population=mine)", KUHN, populations.__getitem__)
    assert agent.name == "self-posterior(population=mine)"
    with pytest.raises(GameError, match="sampled needs a population; other is a policy for kuhn"):
        make_agent("sampled(population=other)", KUHN, populations.__getitem__)
    with pytest.raises(GameError, match="is a population for kuhn, but the game here is leduc"):
        make_agent("sampled(population=mine)", LEDUC, populations.__getitem__)
    with pytest.raises(GameError, match="sampled needs a population: sampled"):
        make_agent("sampled", KUHN, populations.__getitem__)


def test_searches_roll_out_with_its_table() -> None:
    """Without one, an agent that remembers its moves cannot be taken into imagined worlds."""
    populations = {"small": grown("kuhn", 1), "large": online(BOLD_OR_MEEK)}
    text = "look-ahead(rollouts=1,policy=sampled(population={}))"
    agent = make_agent(text.format("small"), KUHN, populations.__getitem__)
    position = KUHN.start().after("Q to player 0", "K to player 1")
    assert sum(replace(agent, slow=False)(position).values()) == pytest.approx(1.0)
    with pytest.raises(GameError, match=r"look-ahead cannot roll out with .* which remembers its moves"):
        make_agent(text.format("large"), KUHN, populations.__getitem__)


def test_networks_and_tables_play_together() -> None:
    code, sizes = features(KUHN).code, (22, 8, 2)
    networks = [
        NetworkPolicy("kuhn", UNIFORM.rules, code, sizes, initial_weights(sizes, seed), 1.0, temperature)
        for seed, temperature in ((1, 0.05), (2, 0.0))
    ]
    population = Population.of([[UNIFORM, *networks], [networks[1], UNIFORM]], [[0.2, 0.4, 0.4], [0.5, 0.5]])
    table = population.table
    assert table is not None
    assert parlor.tabulate(KUHN, policy_agent(online(population), KUHN)).distance(table) < 1e-6
    seats = [make_self_posterior(KUHN, "population", population), make_agent("random", KUHN)]
    compiled, plain = (play_match(KUHN, seats, 32, 5, compiled=choice).payoffs.tolist() for choice in (True, False))
    assert compiled == plain
