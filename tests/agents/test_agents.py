"""Agents: their numbers by hand, what they may see, and the sentences for what cannot be."""

import inspect
import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import parlor
from parlor import CHANCE, GameError, Position
from parlor.agents.agent import CompiledAgent, seated
from parlor.agents.registry import AGENTS, make_agent, policy_agent
from parlor.game.loading import load
from parlor.game.loading.registry import split
from parlor.game.rng import seed_stream
from parlor.game.seats.play import play_game, replay, uniform_agent
from parlor.policies.policy import Policy
from parlor.policies.population import Population
from parlor.policies.strategy import Strategy
from parlor.runs.files.container import FileError
from parlor.runs.saved_agents import load_agent
from tests.blueprints import tiny_blueprint, tiny_river
from tests.games.monopoly_deal.test_monopoly_deal import drawn

PAPER = load("monopoly-deal(preset=paper)")
STANDARD = load("monopoly-deal")


def dealt(game: parlor.Game, first: Sequence[str], second: Sequence[str], *draws: str) -> Position:
    """A position after these hands are dealt and these cards drawn."""
    cards = [f"player {p} draws {card}" for p, hand in enumerate((first, second)) for card in hand]
    return drawn(game.start().after(*cards), *draws)


FIVE = ("$1", "$3", "brown", "brown rent", "brown rent")
ANSWER = ("$1", "$3", "brown", "green", "Just Say No")


def charged(game: parlor.Game) -> Position:
    """Player 1 has $1, $3 and a brown in front of it, holds a refusal, and is charged $1."""
    position = dealt(game, FIVE, ANSWER, "$1", "$1").after("play brown", "bank $1")
    position = drawn(position, "$1", "$1").after("bank $3", "play brown")
    return drawn(position, "$1", "$1").after("charge brown rent of $1")


# --------------------------------------------------------------------------------------------------------- random, risk


def test_random_draws_intents_in_monopoly_deal_and_moves_elsewhere() -> None:
    position = dealt(PAPER, FIVE, FIVE, "$1", "$1")
    chances = make_agent("random", PAPER)(position)
    # four intents: start a set (brown), cash (the higher is banked), the meaningless rent, pass
    assert chances == {
        "bank $1": 0.0, "bank $3": 0.25, "play brown": 0.25, "charge brown rent of $0": 0.25, "pass": 0.25
    }  # fmt: skip
    concrete = make_agent("random(abstraction=none)", PAPER)(position)
    assert concrete == dict.fromkeys(position.legal, 0.2)
    kuhn = load("kuhn")
    assert make_agent("random", kuhn)(kuhn.start().after(0, 1)) == {"pass": 0.5, "bet": 0.5}


@pytest.mark.parametrize(("options", "a", "t"), [("", 0.5, 2.0), ("(aggressiveness=0.7,temperature=3)", 0.7, 3.0)])
def test_risk_aware_by_hand(options: str, a: float, t: float) -> None:
    agent = make_agent(f"risk-aware{options}", PAPER)
    start, cash = math.exp(a * t), math.exp((1 - a) * t)
    total = start + cash + 4e-6  # the meaningless rent and passing score nothing
    chances = agent(dealt(PAPER, FIVE, FIVE, "$1", "$1"))
    assert chances["play brown"] == pytest.approx((start + 1e-6) / total, abs=1e-12)
    assert chances["bank $3"] == pytest.approx((cash + 1e-6) / total, abs=1e-12)
    assert chances["pass"] == chances["charge brown rent of $0"] == pytest.approx(1e-6 / total, abs=1e-12)
    assert chances["bank $1"] == 0.0


def test_risk_aware_answers_every_way_alike_and_yields_only_if_it_must() -> None:
    chances = make_agent("risk-aware", PAPER)(charged(PAPER))
    assert chances["Just Say No"] == pytest.approx(1 / 3, abs=1e-12)
    assert chances["pay the property brown"] == pytest.approx(1 / 3, abs=1e-12)
    assert chances["pay $3 from the bank"] == pytest.approx(1 / 3, abs=1e-12)
    # nothing on the table and no refusal: yielding is alone
    poor = dealt(PAPER, ("brown", "brown rent", "$1", "$1", "$1"), FIVE, "$1", "$1").after("play brown")
    assert make_agent("risk-aware", PAPER)(poor.after("charge brown rent of $1")) == {"yield": 1.0}


# -------------------------------------------------------------------------------------------------------------- careful


def choice(position: Position) -> str:
    chances = make_agent("careful", position.game)(position)
    [move] = [name for name, chance in chances.items() if chance == 1.0]
    return move


@pytest.mark.parametrize("game", [PAPER, STANDARD], ids=lambda g: str(g.name))
def test_careful_pays_with_money_and_not_with_a_set_in_progress(game: parlor.Game) -> None:
    position = charged(game)
    position.state.hand[1][8] = 0  # no refusal
    assert choice(position) == "pay $3 from the bank"


def on_table(game: parlor.Game, mine: dict[int, int], other: dict[int, int], hand: dict[int, int]) -> Position:
    """Player 0 to move, with these properties on both sides and cards in its hand."""
    position = dealt(game, FIVE, FIVE, "$1", "$1")
    state = position.state
    for p, cards in enumerate((mine, other)):
        for colour, count in cards.items():
            state.property[p][colour] = count
    state.hand[0] = [hand.get(kind, 0) for kind in range(11)]
    state.held[0] = sum(hand.values())
    return position


BROWN, GREEN, PINK = 0, 1, 2


@pytest.mark.parametrize("game", [PAPER, STANDARD], ids=lambda g: str(g.name))
def test_careful_takes_a_win_that_needs_both_turns(game: parlor.Game) -> None:
    position = on_table(game, {BROWN: 1, GREEN: 2}, {BROWN: 2, PINK: 2}, {2: 1, 3: 1, 6: 3, 1: 2})
    first = choice(position)
    assert first in ("play brown", "play green")
    second = choice(position.after(first))
    assert position.after(first, second).payoffs == [1.0, -1.0]


@pytest.mark.parametrize("game", [PAPER, STANDARD], ids=lambda g: str(g.name))
def test_careful_breaks_a_set_that_is_about_to_win(game: parlor.Game) -> None:
    """The other side has a set and most of another, and no money; the rent can only be paid with properties."""
    position = on_table(game, {GREEN: 3}, {BROWN: 2, PINK: 2}, {0: 2, 6: 1, 8: 1})
    assert choice(position) == "charge green rent of $7"


@pytest.mark.parametrize("game", [PAPER, STANDARD], ids=lambda g: str(g.name))
def test_careful_refuses_what_would_break_its_set(game: parlor.Game) -> None:
    position = on_table(game, {GREEN: 3}, {BROWN: 2, PINK: 2}, {6: 1, 0: 3})
    position.state.hand[1][8] += 1
    position.state.held[1] += 1
    assert choice(position.after("charge green rent of $7")) == "Just Say No"


# ------------------------------------------------------------------------------------------------------ what it may see


def decisions(game: parlor.Game, count: int) -> list[Position]:
    """Positions from games of random intents."""
    agent = make_agent("random", game)
    found: list[Position] = []
    for index in range(count):
        moves = play_game(game, [agent, agent], 5, index).moves
        position = replay(game, moves[: (37 * index) % len(moves)])
        if position.turn >= 0 and len(position.legal) > 1:
            found.append(position)
    return found


@pytest.mark.parametrize("name", ["monopoly-deal(preset=paper)", "monopoly-deal(preset=large)"])
def test_imagining_changes_nothing_that_is_seen(name: str) -> None:
    game = load(name)
    assert game.hidden.imagine is not None
    stream = [0, 0, 0, 0]
    seed_stream(stream, 1, 1)
    changed = 0
    for position in decisions(game, 40):
        p, state = position.turn, game.new_state()
        state.assign(position.state)
        game.hidden.imagine(state, p, stream)
        assert game.view(state, p) == position.view(p)
        assert game.rules.key(state, p) == position.key(p)
        for kind in range(11):
            assert state.deck[kind] >= 0
            before = position.state
            assert state.deck[kind] + state.hand[1 - p][kind] == before.deck[kind] + before.hand[1 - p][kind]
        assert sum(state.hand[1 - p]) == state.held[1 - p]
        changed += state.hand != before.hand
    assert changed > 10


def test_every_unseen_card_is_as_likely_to_be_held() -> None:
    position = dealt(PAPER, FIVE, ANSWER, "$1", "$1")
    assert PAPER.hidden.imagine is not None
    stream, counts = [0, 0, 0, 0], np.zeros(11)
    seed_stream(stream, 1, 2)
    rounds = 4000
    for _ in range(rounds):
        state = PAPER.new_state()
        state.assign(position.state)
        PAPER.hidden.imagine(state, 0, stream)
        counts += state.hand[1]
    unseen = np.array(position.state.deck) + position.state.hand[1]
    expected = 5 * unseen / unseen.sum()
    assert np.abs(counts / rounds - expected).max() < 4 * math.sqrt(5 * 0.15 / rounds)


def plain(text: str) -> CompiledAgent:
    """The agent as plain Python, however long it thinks."""
    return replace(make_agent(text, PAPER), slow=False)


@pytest.mark.parametrize("text", ["random", "risk-aware", "careful", "look-ahead(rollouts=1)"])
def test_no_agent_looks_at_what_is_hidden(text: str) -> None:
    agent, stream = plain(text), [0, 0, 0, 0]
    assert PAPER.hidden.imagine is not None
    seed_stream(stream, 1, 3)
    for position in decisions(PAPER, 12 if text.startswith("look") else 40):
        said = agent(position)
        for _ in range(3):
            state = PAPER.new_state()
            state.assign(position.state)
            PAPER.hidden.imagine(state, position.turn, stream)
            state.seen[1 - position.turn] += 1
            assert agent(Position(PAPER, state, ())) == said


def test_look_ahead_sees_a_win() -> None:
    position = on_table(PAPER, {BROWN: 2, GREEN: 2}, {BROWN: 2, PINK: 2}, {3: 1, 6: 3, 1: 2})
    assert plain("look-ahead(rollouts=5)")(position)["play green"] == 1.0


def test_an_agent_that_thinks_long_thinks_the_same_compiled() -> None:
    agent = make_agent("random", PAPER)
    for position in decisions(PAPER, 10):
        assert replace(agent, slow=True)(position) == agent(position)


# ------------------------------------------------------------------------------------------------------------- policies


def some_policy() -> Policy:
    """A policy for leduc/ranks that knows what 50 random games met."""
    game = load("leduc/ranks")
    rows: dict[int, np.ndarray[tuple[int], np.dtype[np.float64]]] = {}
    rng = np.random.default_rng(0)
    for index in range(50):
        position = game.start()
        for move in play_game(game, [uniform_agent] * 2, 0, index).moves:
            if position.turn != CHANCE:
                rows.setdefault(position.key(position.turn), rng.dirichlet(np.ones(len(position.legal))))
            position = position.after(move)
    counts = np.array([len(row) for row in rows.values()])
    return Policy.from_rows(game, np.array(list(rows)), counts, np.concatenate(list(rows.values())))


def test_a_policy_of_an_abstraction_sits_at_the_concrete_table() -> None:
    leduc, ranks = load("leduc"), load("leduc/ranks")
    policy = some_policy()
    agent = policy_agent(policy, leduc)
    moves = ("K♠ to player 0", "J♥ to player 1", "raise")
    position = leduc.start().after(*moves)
    assert ranks.start().after(*moves).key(1) in policy
    assert agent(position) == policy(ranks.start().after(*moves))
    assert policy_agent(Policy.uniform(leduc), leduc)(position) == uniform_agent(position)
    with pytest.raises(GameError, match=r"policy for leduc/ranks, but the game here is kuhn"):
        policy_agent(policy, load("kuhn"))
    with pytest.raises(GameError, match=r"plays leduc, but this is a position of kuhn"):
        agent(load("kuhn").start().after(0, 1))


def test_intents_that_mean_the_same_move_are_added_and_names_go_before_order() -> None:
    game = PAPER.abstract("intent")
    position = dealt(PAPER, FIVE, FIVE, "$1", "$1")
    key = game.rules.key(position.state, 0)
    names = ("StartNewPropertySet", "Cash", "Pass", "Other")
    row = np.array([0.1, 0.2, 0.3, 0.4])
    policy = Policy.from_rows(game, np.array([key]), np.array([4]), row)
    expected = {"play brown": 0.1, "bank $3": 0.2, "pass": 0.3, "charge brown rent of $0": 0.4, "bank $1": 0.0}
    assert policy_agent(policy, PAPER)(position) == expected
    edited = replace(policy, probabilities=row[::-1].copy(), words={key: ("", names[::-1])})
    assert policy_agent(edited, PAPER)(position) == expected
    wrong = replace(policy, words={key: ("", (*names[:3], "Nothing"))})
    with pytest.raises(GameError, match="the policy has StartNewPropertySet, Cash, Pass, Nothing, but the game has"):
        policy_agent(wrong, PAPER)


def test_a_policy_for_other_rules_says_so() -> None:
    game = PAPER.abstract("intent")
    position = dealt(PAPER, FIVE, FIVE, "$1", "$1")
    key = game.rules.key(position.state, 0)
    policy = replace(Policy.from_rows(game, np.array([key]), np.array([2]), np.array([0.5, 0.5])), rules="old")
    agent = policy_agent(policy, PAPER, "mine")
    assert agent.note == "The rules of monopoly-deal(preset=paper) are not the ones that mine was made for."
    with pytest.raises(GameError, match="mine does not fit monopoly-deal"):
        agent(position)


def test_files_and_folders_are_agents(tmp_path: Path) -> None:
    leduc = load("leduc")
    policy = some_policy()
    older = parlor.save(policy, tmp_path / "run" / "checkpoints" / "1.npz")
    newer = parlor.save(Policy.uniform(leduc), tmp_path / "run" / "checkpoints" / "2.json")
    (tmp_path / "run" / "config.json").write_text("{}")
    for i, path in enumerate((older, newer, tmp_path / "run" / "config.json")):
        os.utime(path, (i, i))
    position = leduc.start().after(0, 1)
    assert load_agent(str(older), leduc)(position) == policy_agent(policy, leduc)(position)
    assert load_agent(str(tmp_path / "run"), leduc)(position) == uniform_agent(position)
    with pytest.raises(FileError, match=r"There is no file .*nowhere\.json"):
        load_agent(str(tmp_path / "nowhere.json"), leduc)
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match="There is no policy in the folder"):
        load_agent(str(tmp_path / "empty"), leduc)


# ------------------------------------------------------------------------------------------------------------ sentences


@pytest.mark.parametrize(
    ("text", "game", "sentence"),
    [
        ("carful", "monopoly-deal", r"There is no agent 'carful'; did you mean careful\?"),
        ("zzz", "kuhn", r"There is no agent 'zzz'; kuhn is played by random, look-ahead, max-n, mcts, search, "),
        ("careful", "leduc", r"careful plays monopoly-deal, not leduc\."),
        ("risk-aware(temprature=1)", "monopoly-deal", "risk-aware has no option 'temprature'; it has: aggressiveness"),
        ("risk-aware(aggressiveness=2)", "monopoly-deal", r"aggressiveness must be between 0 and 1, not 2\."),
        ("look-ahead(rollouts=few)", "monopoly-deal", r"rollouts must be a whole number, not 'few'\."),
        (
            "look-ahead(policy=look-ahead)",
            "monopoly-deal",
            "cannot roll out with look-ahead, itself a search agent",
        ),
        ("mcts(policy=max-n)", "kuhn", "mcts cannot roll out with max-n, itself a search agent"),
        ("max-n(others=me)", "kuhn", r"others must be maximise or policy, not 'me'\."),
        ("max-n(pruning=all)", "kuhn", r"pruning must be none, star1 or star2, not 'all'\."),
        ("mcts(moves=3)", "monopoly-deal", "mcts cannot take its moves from random, which plays an abstraction"),
        ("max-n(others=policy)", "monopoly-deal", "cannot let the others follow random, which plays an abstraction"),
        ("random(abstraction=x)", "leduc", r"leduc has no abstraction 'x'; it has: ranks\."),
        ("random(intent)", "leduc", "'intent' in 'random.intent.' should read option=value"),
        ("random(", "leduc", "is not the name of an agent"),
    ],
)
def test_what_cannot_be_gets_a_sentence(text: str, game: str, sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        make_agent(text, load(game))


def test_options_may_have_brackets_of_their_own() -> None:
    name, given = split("look-ahead(policy=risk-aware(aggressiveness=1,temperature=3),rollouts=4)")
    assert name == "look-ahead"
    assert given == {"policy": "risk-aware(aggressiveness=1,temperature=3)", "rollouts": "4"}


def test_what_an_agent_declares_is_what_it_takes() -> None:
    for name, spec in AGENTS.items():
        parameters = inspect.signature(spec.make).parameters
        if not any(parameter.kind == parameter.VAR_KEYWORD for parameter in parameters.values()):  # else any of them
            assert set(spec.settings) <= set(list(parameters)[2:]), name  # after the game and the name
        for key, setting in spec.settings.items():
            if setting.server_limit is not None:
                low, high = setting.bounds
                assert low <= setting.server_limit <= high, (name, key)


#: Options with which an agent that would think for long thinks as little as it can.
QUICKLY = {
    "look-ahead": "rollouts=1", "max-n": "nodes=1,worlds=1", "mcts": "simulations=2", "search": "simulations=2",
    "honest": "simulations=1", "monte-carlo": "simulations=1",
    "cfr-v1": "simulations=1,blueprint=tiny", "cfr-v2": "simulations=1,blueprint=tiny",
    "endgame": "iterations=1,blueprint=river",
    "sampled": "population=even", "self-posterior": "population=even",
}  # fmt: skip


@pytest.mark.slow(seconds=40)
@pytest.mark.parametrize("game", [PAPER, load("holdem(stack=20)")], ids=["monopoly-deal", "holdem"])
def test_every_listed_agent_can_be_made_and_keeps_to_the_rules(game: parlor.Game) -> None:
    even = Population.of([[Policy.uniform(game)]] * game.players, [[1.0]] * game.players)
    plans: dict[str, Strategy] = {"tiny": tiny_blueprint(), "river": tiny_river(), "even": even}
    for name, spec in AGENTS.items():
        if not spec.plays(game):
            continue
        agent = replace(make_agent(f"{name}({QUICKLY.get(name, '')})", game, lambda path: plans[path]), slow=False)
        for position in decisions(game, 10):
            chances = agent(position)
            assert list(chances) == position.legal
            assert sum(chances.values()) == pytest.approx(1.0)


def test_a_seat_plays_by_the_concrete_rules() -> None:
    """An abstraction's own play leaves out what only others want to know; at a table nothing may be left out."""
    game = seated(PAPER, "intent")
    assert game.rules.play is PAPER.rules.play
    assert game.rules.legal is PAPER.abstractions["intent"]["legal"]
    assert seated(PAPER, "intent") is game
    assert PAPER.start().turn == CHANCE
