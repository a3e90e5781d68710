"""CFRv1 and CFRv2 of Mendes da Luz (2025): trained rows where there are any, simulation everywhere else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from parlor import GameError, Position
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import AGENTS, make_agent
from parlor.arena.match import play_match
from parlor.game.loading import load
from parlor.poker.blueprint import WHOLE, Blueprint
from parlor.poker.hands.buckets import suitless_name
from parlor.poker.hands.cards import cards
from tests.blueprints import tiny_blueprint

GAME = load("holdem(stack=20)")
BUTTON, BIG_BLIND = cards("AsKs"), cards("7h7d")
CALL = 1


def agent(plan: Blueprint, name: str = "cfr-v1(blueprint=there)") -> CompiledAgent:
    """In plain Python, however many hands it simulates."""
    return replace(make_agent(name, GAME, lambda path: plan), slow=False)


def at(*steps: int) -> Position:
    return GAME.start().after(*BUTTON, *BIG_BLIND, *steps)


def raised_to(chips: int) -> int:
    """The action, of which chips count from the beginning of the hand."""
    return 1 + chips


FLOP = (CALL, CALL, *cards("Ad9c4h"))
TURN = (CALL, CALL, *cards("2s"))


def row(plan: Blueprint, node: int, name: str) -> list[float]:
    _, street = plan.slot(node)
    rows = plan.strategy(node)
    [bucket] = [bucket for bucket in range(len(rows)) if suitless_name(street, bucket) == name]
    return [float(chance) for chance in rows[bucket]]


def simulated(position: Position) -> dict[str, float]:
    return replace(make_agent("monte-carlo(simulations=50)", GAME), slow=False)(position)


def test_the_first_streets_are_those_of_the_blueprint() -> None:
    plan = tiny_blueprint()
    chances = agent(plan)(at())
    trained = row(plan, 0, "AKs")
    assert [chances[name] for name in ("button folds", "button calls 1", "button raises to 6")] == trained
    play = plan.play.copy()
    checked = plan.after(plan.after(plan.after(0, CALL), CALL), CALL)  # the big blind opens the flop
    slot, count, base, _ = plan.nodes[checked]
    play[base + count - 1 : base + int(plan.stride[slot] * plan.sizes[slot]) : int(plan.stride[slot])] = WHOLE
    play[base : base + int(plan.stride[slot] * plan.sizes[slot]) : int(plan.stride[slot])] = 0
    chances = agent(replace(plan, play=play))(at(*FLOP, CALL))
    assert chances["button bets 4"] == 1.0


def test_any_raise_is_the_raise_of_the_tree() -> None:
    plan = tiny_blueprint()
    answers = [agent(plan)(at(raised_to(chips))) for chips in (4, 6, 11)]
    folds, calls = row(plan, plan.after(0, 2), "77")
    for answer in answers:
        by_kind = list(answer.values())
        assert by_kind[0] == folds
        assert by_kind[1] == calls


def test_later_streets_are_simulated() -> None:
    for position in (at(*FLOP, *TURN), at(*FLOP, *TURN, CALL)):
        assert agent(tiny_blueprint())(position) == simulated(position)


@pytest.mark.parametrize("begun", [0, WHOLE // 3])  # never met, and met but without a regret
def test_what_was_never_trained_is_simulated(begun: int) -> None:
    plan = tiny_blueprint()
    blank = agent(replace(plan, play=np.full_like(plan.play, begun)))
    for position in (at(), at(*FLOP), at(raised_to(6))):
        assert blank(position) == simulated(position)


def test_more_raises_than_the_tree_has_are_simulated() -> None:
    position = at(raised_to(4), raised_to(8))  # the tree has one raise a street
    assert agent(tiny_blueprint())(position) == simulated(position)
    assert agent(tiny_blueprint())(at(raised_to(4))) != simulated(at(raised_to(4)))


def test_they_differ_in_their_simulations() -> None:
    assert [AGENTS[name].settings["simulations"].default for name in ("cfr-v1", "cfr-v2")] == [50, 10_000]


def test_compiled_and_plain_ones_play_the_same_hands() -> None:
    pair = [agent(tiny_blueprint(), "cfr-v1(blueprint=there,simulations=20)"), make_agent("wild", GAME)]
    plain, compiled = (play_match(GAME, pair, 60, seed=3, compiled=which) for which in (False, True))
    assert np.array_equal(plain.payoffs, compiled.payoffs)


def test_sentences() -> None:
    with pytest.raises(GameError, match=r"cfr-v1 needs a blueprint: cfr-v1\(blueprint=…\)"):
        make_agent("cfr-v1", GAME, lambda path: tiny_blueprint())
    with pytest.raises(GameError, match="stack is 200, not 20"):
        make_agent("cfr-v2(blueprint=there)", load("holdem"), lambda path: tiny_blueprint())
    with pytest.raises(GameError, match="order is engine, not normal"):
        make_agent("cfr-v2(blueprint=there)", load("holdem(stack=20,order=engine)"), lambda path: tiny_blueprint())
    with pytest.raises(GameError, match="has 2 streets, more than"):
        make_agent("cfr-v2(blueprint=there)", load("holdem(stack=20,streets=1)"), lambda path: tiny_blueprint())
    with pytest.raises(GameError, match="with fold, call and one raise"):
        agent(tiny_blueprint("holdem(stack=20,streets=2)/fcpa"))
