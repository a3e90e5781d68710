"""The agents of Clue: what they suggest, believe, hide and show, and that they see nothing but their own cards."""

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import parlor
from parlor import GameError, Position
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import AGENTS, make_agent
from parlor.arena.match import play_match
from parlor.game.loading import load
from parlor.game.rng import choose, seed_stream
from parlor.games.clue.agents.detective import believe
from parlor.games.clue.asked import asker_of, refuter_of, triple_asked

SMALL = load("clue(preset=small)")  # suspects 0–3, weapons 4–7, rooms 8–11; three hands of three cards
OWN = {name: spec for name, spec in AGENTS.items() if spec.games == ("clue",) and spec.plays(SMALL)}
NAMES = [name for name, spec in OWN.items() if not spec.named("file")]
HANDS = ((0, 4, 8), (1, 5, 9), (2, 6, 10))
FILE = (3, 7, 11)


def plainly(text: str, game: parlor.Game = SMALL) -> CompiledAgent:
    """An agent in plain Python, so that nothing is compiled for one decision."""
    return dataclasses.replace(make_agent(text, game), slow=False)


def dealt(game: parlor.Game = SMALL) -> Position:
    """With the hands above."""
    owner = {card: p for p, hand in enumerate(HANDS) for card in hand}
    return game.start().after(*(owner.get(card, 3) for card in range(12)))


def triple(suspect: int, weapon: int, room: int) -> int:
    """The suggestion of three cards of the small deck."""
    return (suspect * 4 + weapon - 4) * 4 + room - 8


def cards(action: int) -> set[int]:
    """The cards of a suggestion."""
    return {action // 16, 4 + action // 4 % 4, 8 + action % 4}


def show(card: int) -> int:
    """The action, without accusations."""
    return 64 + card


def chances(agent: CompiledAgent, position: Position) -> dict[int, float]:
    """The actions that it may take."""
    return {a: chance for a, chance in agent.action_probabilities(position) if chance > 0.0}


def decisions(text: str, games: int, game: parlor.Game = SMALL) -> Iterator[Position]:
    """The decisions of games among agents of one kind; the last position of a game is over."""
    agent = plainly(text, game)
    stream = [0, 0, 0, 0]
    for number in range(games):
        seed_stream(stream, 7, number)
        position = game.start()
        while not position.over:
            if position.turn >= 0:
                yield position
                position = position.after(agent.act(position.state, position.turn, stream))
            else:
                odds = position.odds
                position = position.after(list(odds)[choose(stream, list(odds.values()), len(odds))])
        yield position


def counted(position: Position) -> Any:
    """In how many deals each triple is in the file, one deal after the other: those that fit what was seen."""
    s, p = position.state, position.turn
    mine = [c for c in range(12) if s.hand[p] >> c & 1]
    others = [q for q in range(3) if q != p]
    found = np.zeros(64)
    unknown = set(range(12)) - set(mine)
    for filed in itertools.product(*(unknown & set(range(k, k + 4)) for k in (0, 4, 8))):
        left = unknown - set(filed)
        for first in itertools.combinations(sorted(left), 3):
            hands = {p: set(mine), others[0]: set(first), others[1]: left - set(first)}
            found[triple(*filed)] += all(fits(s, i, p, hands) for i in range(s.suggestions))
    return found


def fits(s: parlor.game.State, i: int, p: int, hands: dict[int, set[int]]) -> bool:
    """Whether a suggestion would have been answered as it was, as far as player `p` saw it."""
    asked, asker, refuter = cards(triple_asked(s.asked[i])), asker_of(s.asked[i]), refuter_of(s.asked[i])
    could = [q for q in ((asker + 1) % 3, (asker + 2) % 3) if hands[q] & asked]
    if not could:
        return refuter < 0 and bool(hands[asker] & asked)  # else it would have won
    shown = s.shown[p][i] - 1
    return could[0] == refuter and (shown < 0 or shown in hands[refuter])


# ----------------------------------------------------------------------------------------------- suggestions


def test_random_players_suggest_what_they_do_not_hold_or_have_not_seen() -> None:
    position = dealt()
    assert list(chances(plainly("random"), position).values()) == pytest.approx([1 / 64] * 64)  # whatever it holds
    assert chances(plainly("stateless"), position) == chances(plainly("stateful"), position)
    position = position.after(triple(1, 6, 11), show(1), triple(0, 4, 8), show(0), triple(0, 4, 8), show(4))
    assert position.turn == 0
    stateless, stateful = (chances(plainly(text), position) for text in ("stateless", "stateful"))
    assert len(stateless) == 3 * 3 * 3
    assert len(stateful) == 2 * 3 * 3  # player 1 has shown a suspect
    assert list(stateful.values()) == pytest.approx([1 / 18] * 18)
    assert all(not cards(a) & {0, 4, 8, 1} for a in stateful)


@pytest.mark.slow
def test_they_suggest_what_is_in_the_file_in_most_deals_and_never_the_impossible() -> None:
    counting, *others = (plainly(text) for text in ("model-counting", "exploiter", "believer", "detective(hide=0)"))
    asked = 0
    for position in decisions("model-counting", 2):
        if position.over or position.state.answering:
            continue
        numbers = counted(position)
        best = np.flatnonzero(numbers == numbers.max()).tolist()
        assert chances(counting, position) == {a: pytest.approx(1 / len(best)) for a in best}
        for agent in others:
            assert all(numbers[a] > 0 for a in chances(agent, position))
        asked += 1
    assert asked > 8


def test_a_decoy_is_an_own_card_as_often_as_said_and_only_in_the_first_turns() -> None:
    agent = plainly("detective(hide=0.3,hide_turns=1,hide_until=9)")
    position = dealt()
    found = chances(agent, position)
    assert sum(found.values()) == pytest.approx(1.0)
    own = {a: chance for a, chance in found.items() if cards(a) & set(HANDS[0])}
    assert sum(own.values()) == pytest.approx(0.3)
    assert all(len(cards(a) & set(HANDS[0])) == 1 for a in own)
    position = position.after(triple(1, 6, 11), show(1), triple(0, 4, 8), show(0), triple(0, 4, 8), show(4))
    assert not any(cards(a) & set(HANDS[0]) for a in chances(agent, position))
    known = chances(plainly("detective(hide=1,hide_until=9,decoy=known)"), position)
    assert {card for a in known for card in cards(a)} >= {0, 1, 4, 8}


# ----------------------------------------------------------------------------------------------- evidence


def weights(text: str, position: Position, player: int, game: parlor.Game = SMALL) -> Any:
    """Its weight for each triple; they sum to 1."""
    mind: Any = plainly(text, game).data(False)
    total = believe(position.state, player, mind, False)
    assert total == pytest.approx(mind.tensor.sum())
    return mind.tensor / total


def test_who_suggests_a_card_does_not_hold_it() -> None:
    """Player 1 suggests room 11 and is shown a card by player 2: more likely than before, room 11 is in the file."""
    position = dealt().after(triple(1, 5, 9), show(1), triple(2, 4, 11), show(2))
    plain, soft, hard = (weights(f"detective(evidence={word})", position, 0) for word in ("none", "soft", "hard"))
    rooms = [values.reshape(4, 4, 4).sum((0, 1)) for values in (plain, soft, hard)]
    assert rooms[0][3] < rooms[1][3] < rooms[2][3]


@pytest.mark.parametrize("text", ["stateless", "random", "bluffer(hide=1,hide_turns=9)"])
def test_soft_evidence_never_rules_out_the_truth(text: str) -> None:
    for position in decisions(text, 3):
        if position.over or position.state.answering:
            continue
        truth = weights("detective", position, position.turn)[
            triple(*(c for c in range(12) if position.state.file >> c & 1))
        ]
        assert truth > 0.0


def test_hard_evidence_that_contradicts_itself_is_dropped() -> None:
    """Player 1 suggests all of its cards, and later shows them."""
    position = dealt().after(triple(1, 7, 11), show(1))
    position = position.after(triple(1, 5, 9))  # nobody can refute his own cards; he has one of them
    position = position.after(triple(0, 4, 8), show(0), triple(2, 5, 11), show(5))
    position = position.after(triple(1, 5, 10), show(10), triple(0, 4, 8), show(0))
    position = position.after(triple(3, 5, 9), show(5), triple(0, 5, 9), show(0), triple(0, 4, 8), show(0))
    assert sum(chances(plainly("exploiter"), position).values()) == pytest.approx(1.0)
    assert weights("exploiter", position, 0)[triple(*FILE)] > 0.0


# ----------------------------------------------------------------------------------------------- showing


def test_what_it_shows() -> None:
    fresh = dealt().after(triple(1, 5, 9))  # player 1 holds all three
    assert chances(plainly("detective(show=room)"), fresh) == {show(9): 1.0}
    anything = {show(card): pytest.approx(1 / 3) for card in HANDS[1]}
    assert chances(plainly("detective(show=any)"), fresh) == anything
    assert chances(plainly("detective(show=seen)"), fresh) == anything
    again = fresh.after(show(1), triple(0, 4, 8), show(0), triple(0, 4, 8), show(4), triple(1, 5, 9))
    assert chances(plainly("detective(show=any)"), again) == anything
    for word in ("seen", "room", "shown", "belief"):  # player 0 has seen card 1
        assert chances(plainly(f"detective(show={word})"), again) == {show(1): 1.0}


# ----------------------------------------------------------------------------------------------- everybody


@pytest.mark.slow
@pytest.mark.parametrize("text", [*NAMES, "detective(show=belief)"])
def test_nobody_sees_what_is_hidden(text: str) -> None:
    agent = plainly(text)
    for position in itertools.islice(decisions(text, 2), 40):
        if position.over or len(position.actions) == 1:
            continue
        blind, p = position.state.copy(), position.turn
        blind.file = 0
        for q in range(3):
            if q != p:
                blind.hand[q] = 0
                blind.shown[q] = [0] * len(blind.shown[q])
        assert chances(agent, position) == chances(agent, Position(SMALL, blind, position.history))


@pytest.mark.parametrize("players", [4, 5, 6])
@pytest.mark.parametrize("accusations", ["true", "false"])
def test_more_players_and_accusations(players: int, accusations: str) -> None:
    game = load(f"clue(preset=small,players={players},accusations={accusations},cap=60)")
    agents = [plainly(text, game) for text in (*NAMES, "detective(show=belief)")][:players]
    match = play_match(game, agents, players, seed=3, compiled=False)
    assert (match.payoffs.max(axis=1) == players).mean() > 0.5  # somebody wins


def test_accusations() -> None:
    game = load("clue(preset=small,accusations=true)")
    agent = plainly("model-counting", game)
    position = dealt(game).after(triple(*FILE))
    accuse = 64 + triple(*FILE)
    assert chances(agent, position) == {accuse: 1.0}
    # nobody refuted player 0, who does not accuse: a detective thinks that player holds one of the three
    position, asked = dealt(game).after(triple(0, 4, 8), "end turn"), triple(0, 4, 8)
    thought, found = (weights(text, position, 1, game)[asked] for text in ("detective", "model-counting"))
    assert 0.0 < thought < found


@pytest.mark.slow(seconds=25)
def test_the_compiled_agents_decide_as_the_plain_ones() -> None:
    for text in ("model-counting", "detective(show=belief)", "bluffer"):
        agents = [make_agent(text, SMALL), make_agent("stateful", SMALL)]
        assert (
            play_match(SMALL, agents, 9, seed=5, compiled=True).payoffs
            == play_match(SMALL, [plainly(text), agents[1]], 9, seed=5, compiled=False).payoffs
        ).all()


def test_a_detective_beats_random_players() -> None:
    agents = [make_agent(text, SMALL) for text in ("detective", "stateful")]
    assert play_match(SMALL, agents, 600, seed=1).rate.low > 0.5


def test_settings_that_do_not_exist() -> None:
    with pytest.raises(GameError, match="evidence must be none, hard, suggestions or soft, not 'some'"):
        make_agent("detective(evidence=some)", SMALL)
    with pytest.raises(GameError, match="detective plays clue, not kuhn"):
        make_agent("detective", load("kuhn"))


@pytest.mark.slow
def test_look_ahead_plays_on_with_detectives_in_worlds_that_are_possible() -> None:
    agent = plainly("look-ahead(rollouts=2,policy=detective(tolerance=0.5),moves=2)")
    position = dealt().after(triple(1, 6, 11), show(1), triple(0, 7, 11), show(0), triple(3, 4, 11), show(4))
    [(chosen, chance)] = chances(agent, position).items()
    assert chance == 1.0
    assert counted(position)[chosen] > 0
    world = position.state.copy()
    assert SMALL.hidden.imagine is not None
    SMALL.hidden.imagine(world, 0, [1, 2, 3, 4])
    assert world.hand[1:] != position.state.hand[1:]
    assert chances(agent, Position(SMALL, world, position.history)) == {chosen: 1.0}
