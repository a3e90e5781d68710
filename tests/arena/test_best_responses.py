"""Best responses to agents: what they gain, beside exact ones, and how they reach their opponents."""

from __future__ import annotations

import json

import pytest

import parlor
from parlor import GameError, Policy, load, load_agent
from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent
from parlor.agents.as_opponent import against_agent, agent_probabilities
from parlor.agents.registry import policy_agent
from parlor.arena.best_responses import best_response
from parlor.cli.main import main
from parlor.policies.opponents import LEARNER
from parlor.solvers.best_response import evaluate

KUHN = load("kuhn")


def timid() -> Policy:
    """A policy that bets and calls with one in five."""
    return parlor.tabulate(KUHN, lambda position: {"pass": 0.8, "bet": 0.2})


def chances(agent: CompiledAgent, game: str, *moves: str) -> dict[str, float]:
    """The probabilities of concrete moves as learners' loops ask for them, in plain Python."""
    concrete = load(game)
    position = concrete.start().after(*moves)
    members, slots = against_agent(concrete, agent, 1)
    plain = members._replace(states=[concrete.new_state()], agent=agent.data(False))  # type: ignore[call-arg]
    legal, out = position.actions, [0.0] * len(position.actions)
    ask = compiler.interpret(agent_probabilities, concrete, slots)
    assert ask(plain, 0, position.state, position.turn, legal, len(legal), out, ())
    return dict(zip(position.legal, out, strict=True))


def test_an_agent_answers_learners_as_it_plays() -> None:
    """One of an abstraction too, whose actions are other ones."""
    agent = policy_agent(timid(), KUHN)
    assert chances(agent, "kuhn", "Q to player 0", "K to player 1") == pytest.approx({"pass": 0.8, "bet": 0.2})
    deal = load("monopoly-deal(preset=tiny)")
    random = load_agent("random", deal)
    assert isinstance(random, CompiledAgent)
    assert random.game.concrete is not None
    position = deal.start()
    while position.turn < 0 or len(position.legal) < 3:
        position = position.after(position.actions[0])
    asked = chances(random, deal.name, *position.history)
    assert asked == pytest.approx(random(position))
    assert sum(asked.values()) == pytest.approx(1.0)


def test_line_ups_have_the_learner_in_each_seat() -> None:
    three = load("kuhn(players=3)")
    members, _ = against_agent(three, policy_agent(Policy.uniform(three), three), 1)
    assert members.lineups.tolist() == [[LEARNER, 0, 0], [0, LEARNER, 0], [0, 0, LEARNER]]
    assert members.shares.tolist() == pytest.approx([1 / 3] * 3)


@pytest.mark.slow
def test_responses_gain_nearly_what_exact_ones_do() -> None:
    """And never more than these, but for luck."""
    pytest.importorskip("jax")
    agent, exact = policy_agent(timid(), KUHN), evaluate(KUHN, timid())
    for kind, budget in (("search", 200), ("dqn", 6_000)):
        found = best_response(KUHN, agent, kind, 4_000, budget, 3)
        best = exact.best_responses
        assert [one.low <= most for one, most in zip(found.payoffs, best, strict=True)] == [True, True]
        assert [one.value for one in found.payoffs] == pytest.approx(list(best), abs=0.12)
        assert found.nash_conv.value == pytest.approx(exact.nash_conv, abs=0.2)
        assert found.nash_conv.value == pytest.approx(sum(one.value for one in found.gains))
        assert [one.value for one in found.own] == pytest.approx(list(exact.values), abs=0.1)


@pytest.mark.slow
def test_it_is_a_command(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    file = parlor.save(timid(), f"{tmp_path}/timid.json")
    ask = ["evaluate", str(file), "--best-response", "search", "--budget", "50", "--games", "200"]
    assert main([*ask, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["budget"], told["games"]) == ("search", 50, 200)
    assert told["nash_conv"]["value"] == pytest.approx(sum(one["value"] for one in told["gains"]))
    assert main([*ask, "--against", "random"]) == 1
    assert "omit --against" in capsys.readouterr().err
    assert main(["evaluate", str(file), "--budget", "50"]) == 1


def test_what_cannot_be_responded_to_is_said() -> None:
    agent = policy_agent(timid(), KUHN)
    with pytest.raises(GameError, match="there are: dqn, ppo, search"):
        best_response(KUHN, agent, "luck")
