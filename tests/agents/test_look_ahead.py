"""Look-ahead in every game: what it must choose where that is known, and that it is worth the thinking."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import make_agent, policy_agent
from parlor.agents.searching.look_ahead import make
from parlor.agents.searching.searching import HistorySearch
from parlor.arena.match import play_match
from parlor.game import Game, Position
from parlor.game.loading import load
from parlor.game.seats.play import play_game, uniform_agent
from parlor.policies.policy import Policy
from parlor.search.belief import worlds
from parlor.sequence_form.tree import tree

KUHN = load("kuhn")


def answering(answer: int) -> CompiledAgent:
    """A policy for Kuhn: nobody opens, and everybody answers a bet in that way."""
    rows = {}
    t = tree(KUHN, compiled=False)
    for infoset, key in enumerate(t.keys.tolist()):
        position = KUHN.start().after(*t.history(infoset))
        rows[key] = np.eye(2)[answer if position.view(position.turn).bets else 0]
    keys = np.array(list(rows))
    policy = Policy.from_rows(KUHN, keys, np.full(len(keys), 2), np.concatenate(list(rows.values())))
    return policy_agent(policy, KUHN)


UNLISTED = replace(KUHN)
UNLISTED.cache["listable"] = False  # as if it had too many worlds


def thinkers(follow: CompiledAgent, moves: int = 0) -> list[CompiledAgent]:
    """Look-ahead as it draws from a list of all worlds, and as it goes along the history."""
    listed = replace(make(KUHN, "listed", 20, follow, moves), slow=False)
    along = make(UNLISTED, "along the history", 20, follow, moves)
    assert isinstance(along, HistorySearch)
    return [listed, along]


@pytest.mark.parametrize("seat", [0, 1])
def test_it_reckons_with_what_the_other_seat_does_and_with_what_its_own_gets(seat: int) -> None:
    """A jack loses two if it is called, wins one if the other folds, and loses one if it passes.

    Whoever rolls out with the wrong seat's policy, or counts the wrong seat's payoff, chooses otherwise.
    """
    fold, call = 0, 1
    cards = ("J to player 0", "Q to player 1") if seat == 0 else ("Q to player 0", "J to player 1")
    jack = KUHN.start().after(*cards, *["pass"] * seat)
    cards = ("K to player 0", "Q to player 1") if seat == 0 else ("Q to player 0", "K to player 1")
    king = KUHN.start().after(*cards, *["pass"] * seat)
    for agent in thinkers(answering(call)):
        assert agent(jack) == {"pass": 1.0, "bet": 0.0}, agent.name
        assert agent(king) == {"pass": 0.0, "bet": 1.0}, agent.name
    for agent in thinkers(answering(fold)):
        assert agent(jack) == {"pass": 0.0, "bet": 1.0}, agent.name


def test_it_tries_only_the_moves_that_its_policy_would_make() -> None:
    king, follow = KUHN.start().after("K to player 0", "Q to player 1"), answering(1)
    for moves, chosen in ((0, "bet"), (1, "pass"), (2, "pass")):  # betting is better, but the policy never opens
        for agent in thinkers(follow, moves):
            assert agent(king)[chosen] == 1.0, (agent.name, moves)


def decisions(game: Game, count: int) -> list[Position]:
    found: list[Position] = []
    for index in range(count):
        position = game.start()
        for move in play_game(game, [uniform_agent] * game.players, 7, index).moves:
            if position.turn >= 0:
                found.append(position)
            position = position.after(move)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["leduc", "leduc(players=3)"])
def test_it_does_not_look_at_what_is_hidden(name: str) -> None:
    game = load(name)
    agent = make_agent("look-ahead(rollouts=3)", game)
    assert isinstance(agent, HistorySearch) == (name != "leduc")
    agent = replace(agent, slow=False)  # nothing need be compiled to see that
    for position in decisions(game, 4):
        said = agent(position)
        for world, _ in (worlds(position, position.turn) or [])[:4]:
            assert agent(world) == said


def test_it_thinks_the_same_compiled() -> None:
    agent = make_agent("look-ahead(rollouts=5)", load("leduc"))
    for position in decisions(agent.game, 5):
        assert agent(position) == replace(agent, slow=False)(position)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games", "compiled"),
    [
        ("kuhn", 400, False),
        ("leduc", 600, True),
        ("goofspiel", 60, False),
        ("liars-dice(faces=4)", 100, False),
        ("goofspiel(cards=6)", 20, False),
        ("openspiel:leduc_poker", 200, False),
        ("openspiel:tic_tac_toe", 20, False),
    ],
)
def test_it_beats_random(name: str, games: int, compiled: bool) -> None:
    if name.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    game = load(name)
    agents = [make_agent("look-ahead(rollouts=10)", game), make_agent("random", game)]
    if game.native and not compiled:
        agents[0] = replace(agents[0], slow=False)
    match = play_match(game, agents, games, seed=1, compiled=compiled)
    assert match.payoff.low > 0
