"""The card symmetry of Clue loses nothing: neither knowledge, nor moves, nor payoffs, nor equilibria."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import parlor
from parlor.game import CHANCE, OVER, Game
from parlor.game.loading import load

pytestmark = pytest.mark.slow

SMALLEST = "clue(preset=tiny,suspects=2,weapons=1,rooms=3,cap=2)"
UNEVEN = "clue(preset=standard,players=4,suspects=3,weapons=2,rooms=4,cap=8)"
CASES = ("clue", "clue(players=4)", UNEVEN)


def sizes(game: Game) -> tuple[int, int, int]:
    return tuple(int(game.options[kind]) for kind in ("suspects", "weapons", "rooms"))  # type: ignore[return-value]


def cards_of(game: Game, triple: int) -> list[int]:
    suspects, weapons, rooms = sizes(game)
    return [triple // (weapons * rooms), suspects + triple // rooms % weapons, suspects + weapons + triple % rooms]


def triple_of(game: Game, cards: Sequence[int]) -> int:
    suspects, weapons, rooms = sizes(game)
    return (cards[0] * weapons + cards[1] - suspects) * rooms + cards[2] - suspects - weapons


def kinds(game: Game) -> list[range]:
    """The cards of each kind."""
    suspects, weapons, rooms = sizes(game)
    return [range(suspects), range(suspects, suspects + weapons), range(suspects + weapons, suspects + weapons + rooms)]


def renamings(game: Game) -> Iterator[list[int]]:
    """All permutations of cards within their kinds."""
    for parts in itertools.product(*(itertools.permutations(kind) for kind in kinds(game))):
        yield [card for part in parts for card in part]


def shuffled(game: Game, dice: random.Random) -> list[int]:
    """One of them."""
    return [card for kind in kinds(game) for card in dice.sample(kind, len(kind))]


def renamed_move(game: Game, move: int, names: Sequence[int]) -> int:
    """A move with other names for its cards."""
    suspects, weapons, rooms = sizes(game)
    triples = suspects * weapons * rooms
    show = triples * (2 if game.options["accusations"] == "true" else 1)
    if move < show:
        return move - move % triples + triple_of(game, [names[card] for card in cards_of(game, move % triples)])
    return show + names[move - show] if move - show < len(names) else move


def renamed(game: Game, state: Any, names: Sequence[int]) -> Any:
    """The same state with other names for its cards."""
    other = game.new_state()
    other.assign(state)

    def cards(held: int) -> int:
        return sum(1 << names[card] for card in range(len(names)) if held >> card & 1)

    def triple(entry: int) -> int:
        low = entry & 4095
        return entry - low + renamed_move(game, low - 1, names) + 1 if low else entry

    other.hand[:] = [cards(held) for held in state.hand]
    other.file = cards(state.file)
    other.asked[:] = [triple(entry) for entry in state.asked]
    other.accused[:] = [triple(entry) for entry in state.accused]
    for p in range(game.players):
        other.shown[p][:] = [names[shown - 1] + 1 if shown else 0 for shown in state.shown[p]]
    return other


def positions(game: Game, dice: random.Random, games: int) -> Iterator[Any]:
    """All positions of random games in which own cards and the same cards are named often."""
    moves, chances = [0] * game.actions, [0.0] * game.outcomes
    rules = game.rules
    for _ in range(games):
        state = game.new_state()
        rules.start(state)
        favourites = dice.sample(range(game.actions), 8)
        while (who := rules.turn(state)) != OVER and state.suggestions < 12:
            if who == CHANCE:
                n = rules.odds(state, chances)
                rules.play(state, dice.choices(range(n), chances[:n])[0])
                continue
            yield state
            n = rules.legal(state, moves)
            some = [a for a in favourites if a in moves[:n]] or moves[:n]
            rules.play(state, dice.choice(some if dice.random() < 0.7 else moves[:n]))
        yield state


def meant(abstract: Game, state: Any, action: int) -> set[int]:
    """The moves that an action stands for."""
    out = [0] * abstract.actions
    assert abstract.abstraction.concrete_actions is not None
    return set(out[: abstract.abstraction.concrete_actions(state, action, out)])


@pytest.mark.parametrize("name", CASES)
def test_renaming_cards_changes_neither_keys_nor_moves_nor_payoffs(name: str) -> None:
    game = load(name)
    abstract, dice = game.abstract("symmetric"), random.Random(1)
    moves, others, legal = [0] * game.actions, [0] * game.actions, [0] * game.actions
    seen = 0
    for state in positions(game, dice, 2000 // game.actions):
        names = shuffled(game, dice)
        other = renamed(game, state, names)
        seen += 1
        assert game.rules.turn(state) == game.rules.turn(other)
        for p in range(game.players):
            assert abstract.rules.key(state, p) == abstract.rules.key(other, p)
            assert game.rules.payoff(state, p) == game.rules.payoff(other, p)
        if game.rules.turn(state) < 0:
            continue
        n, m = abstract.rules.legal(state, moves), abstract.rules.legal(other, others)
        assert moves[:n] == others[:m]
        meanings = {a: meant(abstract, state, a) for a in moves[:n]}
        every = [move for some in meanings.values() for move in some]
        assert sorted(every) == legal[: game.rules.legal(state, legal)]  # each move belongs to exactly one
        for a in dice.sample(moves[:n], min(n, 20)):
            assert {renamed_move(game, move, names) for move in meanings[a]} == meant(abstract, other, a)
            assert abstract.abstraction.resolve(state, a) in meanings[a]
    assert seen > 40


def test_keys_merge_renamed_knowledge_and_nothing_else() -> None:
    """On a small deck: two information sets have one key exactly if a renaming makes one of the other."""
    game = load(UNEVEN.replace("players=4", "players=3").replace("rooms=4", "rooms=3"))
    abstract, dice = game.abstract("symmetric"), random.Random(2)
    every = list(renamings(game))
    key_of, knowledge_of = dict[Any, int](), dict[int, Any]()
    for state in positions(game, dice, 60):
        if state.suggestions > 2 or (who := game.rules.turn(state)) < 0:
            continue
        # of all ways to name the cards, the one that makes the player's knowledge the smallest number
        knowledge = who, min(game.rules.key(renamed(game, state, names), who) for names in every)
        key = abstract.rules.key(state, who)
        assert key_of.setdefault(knowledge, key) == key
        assert knowledge_of.setdefault(key, knowledge) == knowledge
    assert len(key_of) > 100


@pytest.mark.parametrize(("name", "expected"), [("clue", 26), ("clue(players=6)", 10), ("clue(preset=small)", 10)])
def test_first_hands(name: str, expected: int) -> None:
    """Of 6 cards 0 – 5 suspects, 0 – 5 weapons and the rest rooms: 28 ways, less the two with six of one kind."""
    game, dice = load(name), random.Random(3)
    key, found, cards = game.abstract("symmetric").rules.key, dict[int, tuple[int, ...]](), sum(sizes(game))
    size = (cards - 3) // game.players
    for counts in itertools.product(*(range(n) for n in sizes(game))):  # one of each kind is in the file
        for _ in range(10 if sum(counts) == size else 0):
            state = game.new_state()
            game.rules.start(state)
            state.dealt = cards
            hand = [card for kind, n in zip(kinds(game), counts, strict=True) for card in dice.sample(kind, n)]
            state.hand[0] = sum(1 << card for card in hand)
            assert found.setdefault(key(state, 0), counts) == counts
    assert len(found) == expected


@pytest.fixture(scope="module")
def smallest() -> Game:
    return load(SMALLEST)


def test_values_and_best_responses_are_the_same(smallest: Game) -> None:
    """A policy of the symmetric game is worth the same in the full one, and so is a best response to it."""
    abstract = smallest.abstract("symmetric")
    policy = parlor.solve(abstract, "cfr+", iterations=100).policy
    lifted = parlor.lift(smallest, abstract, policy)
    assert len(lifted) > 3 * len(policy)
    here, there = parlor.evaluate(smallest, lifted), parlor.evaluate(abstract, policy)
    assert there.values == pytest.approx(here.values, abs=1e-9)
    assert there.best_responses == pytest.approx(here.best_responses, abs=1e-9)
    assert 0.0 < here.nash_conv < 0.1
