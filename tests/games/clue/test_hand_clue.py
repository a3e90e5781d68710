"""Clue's quick estimate: what it calls certain agrees with a list of all deals, its numbers with a second reckoning.

Plain Python, small decks of three to five players; all deals are listed here, without the code that counts them.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from parlor.game import CHANCE, OVER, Game, State
from parlor.game.loading import load
from parlor.games.clue.deduction.facts import HAS, LACKS, SIZE, deduce, gather
from parlor.games.clue.deduction.hands import deck_of, new_facts

DECKS = [
    "clue(players=3,suspects=2,weapons=3,rooms=3,accusations=false,cap=12)",
    "clue(players=3,suspects=3,weapons=3,rooms=3,accusations=true,cap=10)",
    "clue(players=4,suspects=2,weapons=3,rooms=4,accusations=false,cap=14)",
    "clue(players=5,suspects=3,weapons=2,rooms=4,accusations=true,cap=12)",
]


def states(game: Game, seed: int) -> Iterator[State]:
    """Decisions of a random game, in which accusations are rare."""
    luck, moves, chances = random.Random(seed), [0] * game.actions, [0.0] * game.outcomes
    state = game.new_state()
    game.rules.start(state)
    while (who := game.rules.turn(state)) != OVER:
        if who == CHANCE:
            n = game.rules.odds(state, chances)
            game.rules.play(state, luck.choices(range(n), chances[:n])[0])
            continue
        yield state
        found = moves[: game.rules.legal(state, moves)]
        tame = [a for a in found if "accuse" not in game.words.describe(state, a)] or found
        game.rules.play(state, luck.choice(tame if luck.random() < 0.95 else found))


class Table:
    """What has been said, read from the state once more, as sets of cards."""

    def __init__(self, game: Game, state: State) -> None:
        self.players = game.players
        self.kinds = [int(game.options[kind]) for kind in ("suspects", "weapons", "rooms")]
        self.cards = sum(self.kinds)
        self.accusations = game.options["accusations"] == "true"
        self.rounds = [
            (self.triple((entry & 4095) - 1), entry >> 12 & 7, (entry >> 15) - 2)
            for entry in state.asked[: state.suggestions]
        ]
        in_hands = self.cards - 3
        self.size = [
            in_hands // self.players + ((q - (state.first - 1)) % self.players < in_hands % self.players)
            for q in range(self.players)
        ]

    def triple(self, number: int) -> frozenset[int]:
        suspects, weapons, rooms = self.kinds
        return frozenset(
            (number // (weapons * rooms), suspects + number // rooms % weapons, suspects + weapons + number % rooms)
        )

    def between(self, asker: int, refuter: int) -> list[int]:
        """Those who were asked in vain."""
        seats = [(asker + i) % self.players for i in range(1, self.players)]
        return seats[: seats.index(refuter)] if refuter >= 0 else seats

    def kind(self, card: int) -> int:
        return 0 if card < self.kinds[0] else 1 if card < self.kinds[0] + self.kinds[1] else 2


def deals(table: Table, state: State, p: int) -> list[tuple[frozenset[int], ...]]:
    """All deals that player `p` cannot rule out: the hands, and last the file."""
    suspects, weapons, _ = table.kinds
    mine = frozenset(c for c in range(table.cards) if state.hand[p] >> c & 1)
    firsts = (range(suspects), range(suspects, suspects + weapons), range(suspects + weapons, table.cards))
    found: list[tuple[frozenset[int], ...]] = []

    def fits(hands: tuple[frozenset[int], ...], file: frozenset[int]) -> bool:
        for i, (cards, asker, refuter) in enumerate(table.rounds):
            if any(hands[q] & cards for q in table.between(asker, refuter)):
                return False
            if refuter >= 0 and not hands[refuter] & cards:
                return False
            shown = state.shown[p][i] - 1
            if shown >= 0 and shown not in hands[refuter]:
                return False
            if refuter < 0 and not table.accusations and file == cards:
                return False
        return not any(
            state.accused[q] and table.triple((state.accused[q] & 4095) - 1) == file for q in range(table.players)
        )

    def deal(q: int, left: frozenset[int], hands: tuple[frozenset[int], ...], file: frozenset[int]) -> None:
        if q == table.players:
            if fits(hands, file):
                found.append((*hands, file))
            return
        if q == p:
            deal(q + 1, left, (*hands, mine), file)
            return
        for hand in itertools.combinations(sorted(left), table.size[q]):
            deal(q + 1, left - frozenset(hand), (*hands, frozenset(hand)), file)

    for file in itertools.product(*firsts):
        if not mine & frozenset(file):
            deal(0, frozenset(range(table.cards)) - mine - frozenset(file), (), frozenset(file))
    return found


def estimated(game: Game, state: State, p: int, trust: bool) -> Any:
    """What the game's own estimate says [card, place]."""
    estimate = game.abstract("plans").rules.key.__globals__["estimate"]
    cards = sum(int(game.options[kind]) for kind in ("suspects", "weapons", "rooms"))
    chances = np.zeros(cards * (game.players + 1))
    estimate(state, p, trust, chances)
    return chances.reshape(cards, game.players + 1)


@pytest.mark.parametrize("name", DECKS[:3])
def test_what_the_estimate_calls_certain_is_so_in_every_deal(name: str) -> None:
    game = load(name)
    sure = 0
    for seed in range(3):
        for number, state in enumerate(states(game, seed)):
            if not state.suggestions or state.answering or number % 3:
                continue
            table = Table(game, state)
            for p in (state.actor, (state.actor + 1) % game.players):
                exact = deals(table, state, p)
                assert exact
                guess = estimated(game, state, p, False)
                assert guess.sum(axis=1) == pytest.approx(1.0)
                for card, place in itertools.product(range(table.cards), range(game.players + 1)):
                    share = sum(card in deal[place] for deal in exact) / len(exact)
                    if guess[card, place] == 1.0:
                        sure += 1
                        assert share == 1.0
                    if guess[card, place] == 0.0:
                        assert share == 0.0
                facts, possible = new_facts(deck_of(game), int(game.options["cap"]))
                gather(state, p, deck_of(game), facts, possible)
                assert deduce(facts, deck_of(game))
                for q, card in itertools.product(range(game.players), range(table.cards)):
                    share = sum(card in deal[q] for deal in exact) / len(exact)
                    assert facts[q][SIZE] == table.size[q]
                    assert not facts[q][HAS] >> card & 1 or share == 1.0
                    assert not facts[q][LACKS] >> card & 1 or share == 0.0
    assert sure > 30


def second_estimate(table: Table, state: State, p: int, trust: bool) -> list[list[float]]:
    """The estimate reckoned again with sets: what is known, five rounds of scaling, clauses between them."""
    every = set(range(table.cards))
    has: list[set[int]] = [set() for _ in range(table.players)]
    lacks: list[set[int]] = [set() for _ in range(table.players)]
    has[p] = {c for c in every if state.hand[p] >> c & 1}
    lacks[p] = every - has[p]
    said: list[set[int]] = [set() for _ in range(table.players)]
    clauses: list[tuple[int, set[int]]] = []
    for i, (cards, asker, refuter) in reversed(list(enumerate(table.rounds))):
        for q in table.between(asker, refuter):
            lacks[q] |= cards
        if refuter < 0:
            if not table.accusations and asker != p:
                clauses.append((asker, set(cards)))
        elif asker == p:
            if state.shown[p][i]:
                has[refuter].add(state.shown[p][i] - 1)
        elif refuter != p:
            clauses.append((refuter, set(cards) - said[asker] if trust and set(cards) - said[asker] else set(cards)))
        if trust and asker != p:
            said[asker] |= cards

    def spread() -> set[int]:
        known = set().union(*has)
        for q in range(table.players):
            lacks[q] |= known - has[q]
        return known

    for _ in range(2):
        spread()
        for q, cards in clauses:
            left = cards - lacks[q]
            if len(left) == 1 and len(has[q] | left) <= table.size[q]:
                has[q] |= left
    known = spread()
    players = table.players
    hand_scale, file_scale = [1.0] * players, [1.0] * 3
    factor = {(card, q): 1.0 for card in every for q in range(players)}
    for turn in range(5):
        chances = [[0.0] * (players + 1) for _ in every]
        for card in every:
            if card in known:
                chances[card] = [float(card in has[q]) for q in range(players)] + [0.0]
                continue
            row = [
                0.0 if card in lacks[q] else hand_scale[q] * factor[card, q] * (0.1 if card in said[q] else 1.0)
                for q in range(players)
            ]
            row.append(file_scale[table.kind(card)])
            chances[card] = [weight / sum(row) for weight in row]
        if turn == 4:
            break
        unknown = every - known
        for q in range(players):
            total = sum(chances[card][q] for card in unknown)
            if q != p and total > 0.0:
                hand_scale[q] *= max(table.size[q] - len(has[q]), 0.01) / total
        for kind in range(3):
            total = sum(chances[card][players] for card in unknown if table.kind(card) == kind)
            if total > 0.0:
                file_scale[kind] /= total
        factor = dict.fromkeys(factor, 1.0)
        for q, cards in clauses:
            open_ = cards - lacks[q]
            if open_ & has[q]:
                continue
            for card in open_:
                nobody_else = 1.0
                for other in open_ - {card}:
                    nobody_else *= 1.0 - min(chances[other][q], 0.99)
                factor[card, q] /= max(1.0 - nobody_else, 0.02)
    return chances


@pytest.mark.parametrize("name", DECKS)
@pytest.mark.parametrize("trust", [False, True])
def test_the_estimate_is_that_of_a_second_reckoning(name: str, trust: bool) -> None:
    game = load(name)
    compared = 0
    for seed in range(3):
        for number, state in enumerate(states(game, 50 + seed)):
            table = Table(game, state)
            for p in (number % game.players,):
                guess = estimated(game, state, p, trust)
                assert guess == pytest.approx(np.array(second_estimate(table, state, p, trust)), rel=1e-9, abs=1e-12)
                compared += 1
    assert compared > 20
