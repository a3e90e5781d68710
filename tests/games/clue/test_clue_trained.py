"""The planner does what its policy says; the endgame lists every deal and values suggestions rightly."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor import GameError, Position
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import AGENTS, make_agent
from parlor.game import CHANCE, OVER
from parlor.game.loading import load
from parlor.game.rng import choose, seed_stream
from parlor.games.clue.agents.detective import believe
from parlor.games.clue.agents.endgame import list_deals, new_deals, value_suggestions
from parlor.policies.policy import Policy
from parlor.runs.files.strategy_files import load_strategy

SMALL = load("clue(preset=small)")  # suspects 0–3, weapons 4–7, rooms 8–11; three hands of three cards
PLANS = SMALL.abstract("plans")


def games(agent: CompiledAgent, count: int) -> Iterator[Position]:
    """The decisions of games among agents of one kind."""
    stream = [0] * 4
    for number in range(count):
        seed_stream(stream, 3, number)
        position = SMALL.start()
        while position.turn != OVER:
            if position.turn == CHANCE:
                chances = [0.0] * SMALL.outcomes
                position = position.after(choose(stream, chances, SMALL.rules.odds(position.state, chances)))
                continue
            yield position
            moves = agent.action_probabilities(position)
            position = position.after(moves[choose(stream, [chance for _, chance in moves], len(moves))][0])


def cards(action: int) -> set[int]:
    """The cards of a suggestion."""
    return {action // 16, 4 + action // 4 % 4, 8 + action % 4}


def test_the_planner_follows_its_policy(tmp_path: Path) -> None:
    """At its first turn it hides with the probability that the policy has; elsewhere, unknown, it believes."""
    first = SMALL.start().after(*[0, 1, 2, 3] * 3)
    key = PLANS.rules.key(first.state, 0)
    policy = Policy.from_rows(PLANS, np.array([key]), np.array([2]), np.array([0.25, 0.75]))
    path = parlor.save(policy, tmp_path / "policy.json")
    agent = dataclasses.replace(make_agent(f"planner(policy={path})", SMALL, load_strategy), slow=False)
    own = {0, 4, 8}
    hidden = sum(chance for a, chance in agent.action_probabilities(first) if cards(a) & own)
    assert hidden == pytest.approx(0.75)
    assert all(len(cards(a) & own) <= 1 for a, chance in agent.action_probabilities(first) if chance)
    for position in games(agent, 3):
        answered = [chance for _, chance in agent.action_probabilities(position)]
        assert sum(answered) == pytest.approx(1.0)
        if position.turn == 1 and not position.state.answering:
            held = position.state.hand[1]
            assert not any(chance and any(held >> card & 1 for card in cards(a))
                           for a, chance in agent.action_probabilities(position))  # fmt: skip


def test_the_planner_needs_plans_of_its_own_game(tmp_path: Path) -> None:
    takes = AGENTS["planner"].game_of_file
    assert takes is not None
    assert [takes(name) for name in ("clue(cap=9)/plans", "clue", "clue/symmetric")] == ["clue(cap=9)", "", ""]
    path = parlor.save(Policy.uniform(load("clue/plans")), tmp_path / "policy.json")
    with pytest.raises(GameError, match=r"needs a policy for clue\(preset=small\)/plans, not for clue/plans"):
        make_agent(f"planner(policy={path})", SMALL, load_strategy)
    with pytest.raises(GameError, match="planner needs a policy"):
        make_agent("planner", SMALL, load_strategy)


@pytest.mark.slow
def test_the_endgame_lists_all_deals_and_values_suggestions() -> None:
    """As many deals as counting finds, and the values of a plain expectimax over them."""
    agent = dataclasses.replace(make_agent("endgame-detective(evidence=none,pace=0.3)", SMALL), slow=False)
    (mind, _, pace), deals = agent.data(False), new_deals(np.array([3, 4, 4, 4, 0]), 60)
    seen = 0
    for position in games(agent, 4):
        p, state = position.turn, position.state
        if state.answering or not state.suggestions:
            continue
        total = believe(state, p, mind, False)
        count = list_deals(p, mind, deals)
        assert count == (total if total <= 60 else -1)
        if count < 1:
            continue
        seen += 1
        worlds = [(deals.hands[i].tolist(), int(deals.triple[i])) for i in range(count)]
        assert len({str(world) for world in worlds}) == count
        assert all(hands[p] == state.hand[p] for hands, _ in worlds)
        value_suggestions(p, mind, deals, count, pace)
        expected = [two_turns(p, triple, worlds, 0.3) for triple in range(64)]
        assert deals.value.tolist() == pytest.approx(expected)
        best = max(expected)
        assert all(expected[a] == pytest.approx(best) for a, chance in agent.action_probabilities(position) if chance)
    assert seen > 5


def two_turns(p: int, triple: int, worlds: list[tuple[list[int], int]], pace: float) -> float:
    """The probability to win with a suggestion now or the likeliest file next time."""
    won, answers = 0.0, defaultdict[tuple[int, int], dict[int, float]](lambda: defaultdict(float))
    for hands, file in worlds:
        if file == triple:
            won += 1.0
            continue
        seat, could = -1, [-1]  # nobody
        for q in ((p + 2) % 3, (p + 1) % 3):  # the next player comes first
            if held := [card for card in cards(triple) if hands[q] >> card & 1]:
                seat, could = q, held
        for card in could:
            answers[seat, card][file] += 1.0 / len(could)
    later = sum(max(files.values()) for files in answers.values())
    return (won + (1.0 - pace) ** 2 * later) / len(worlds)
