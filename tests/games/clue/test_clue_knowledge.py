"""Counting in Clue: equal to enumerating all deals, by rules that are written here once more."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from parlor.compile import AlwaysCompiled, native
from parlor.compile import states as new_states
from parlor.compile.kernel import imagine
from parlor.game import CHANCE, OVER, Game, State
from parlor.game.loading import load
from parlor.game.rng import below, choose, seed_stream
from parlor.game.schema import fields_of
from parlor.games.clue.deduction.drawing import draw_deal
from parlor.games.clue.deduction.facts import gather
from parlor.games.clue.deduction.formula import deals_formula
from parlor.games.clue.deduction.hands import NEED, deck_of, list_hands, new_counts, new_facts, workspace
from parlor.games.clue.deduction.knowledge import count, count_hands
from parlor.games.clue.deduction.tables import fold_hands

pytestmark = pytest.mark.slow(seconds=30)

#: players -> suspects, weapons, rooms: hands of one to three cards, even and uneven ones
SMALL = {3: (3, 3, 4), 4: (3, 2, 4), 5: (3, 3, 4), 6: (2, 4, 3)}
GAMES = [(players, accusations) for players in SMALL for accusations in ("false", "true")]


def small(players: int, accusations: str) -> Game:
    suspects, weapons, rooms = SMALL[players]
    sizes = {"suspects": suspects, "weapons": weapons, "rooms": rooms}
    return load("clue", players=players, **sizes, accusations=accusations, cap=20)


def states(game: Game, games: int, seed: int) -> Iterator[State]:
    """Every state of random games after the deal, in which accusations are rare."""
    stream, out, actions = [0, 0, 0, 0], [0.0] * game.outcomes, [0] * game.actions
    for index in range(games):
        seed_stream(stream, seed, index)
        s = game.new_state()
        game.rules.start(s)
        while (turn := game.rules.turn(s)) != OVER:
            if turn == CHANCE:
                action = choose(stream, out, game.rules.odds(s, out))
            else:
                yield s
                n = game.rules.legal(s, actions)
                i = below(stream, n)
                if game.words.move and game.words.move(s, actions[i])["verb"] == "accuse" and below(stream, 30):
                    i = 0 if s.suggested == 0 else n - 1
                action = actions[i]
            game.rules.play(s, action)
        yield s


@functools.cache
def shares(players: int, suspects: int, weapons: int, rooms: int) -> tuple[Any, Any]:
    """All deals that begin with player 0: the hands, [deal, player], and the triple in the file, [deal]."""
    cards = suspects + weapons + rooms
    sizes = [(cards - 3) // players + (q < (cards - 3) % players) for q in range(players)]
    hands, triples = [], []
    for triple, file in enumerate(itertools.product(range(suspects), range(weapons), range(rooms))):
        filed = {file[0], suspects + file[1], suspects + weapons + file[2]}
        found: list[tuple[tuple[int, ...], frozenset[int]]] = [((), frozenset(range(cards)) - filed)]
        for size in sizes:
            found = [
                ((*hand, sum(1 << c for c in mine)), left - frozenset(mine))
                for hand, left in found
                for mine in itertools.combinations(sorted(left), size)
            ]
        hands += [hand for hand, _ in found]
        triples += [triple] * len(found)
    return np.array(hands), np.array(triples)


def deals(deck: tuple[int, ...], first: int) -> tuple[Any, Any]:
    """All deals that begin with a player; sets of cards as bit masks."""
    hands, triples = shares(*deck[:4])
    return np.roll(hands, first, axis=1), triples


class Enumerated:
    """The deals that player `p` cannot tell from the true one, filtered event by event."""

    def __init__(self, deck: tuple[int, ...], p: int) -> None:
        self.deck, self.p, self.seen = deck, p, 0
        self.hands: Any = None

    def follow(self, s: State) -> None:
        p, players = self.p, self.deck[0]
        if self.hands is None:
            hands, triples = deals(self.deck, s.first - 1 if s.first else 0)
            mine = hands[:, p] == s.hand[p]
            self.hands, self.triples = hands[mine], triples[mine]
        # the last suggestion once more: its card may have been shown since
        for i in range(max(self.seen - 1, 0), s.suggestions):
            triple, asker, refuter = (s.asked[i] & 4095) - 1, s.asked[i] >> 12 & 7, (s.asked[i] >> 15) - 2
            cards = self.cards(triple)
            found = np.full(len(self.hands), -1)
            for distance in range(players - 1, 0, -1):
                q = (asker + distance) % players
                found[self.hands[:, q] & cards != 0] = q
            fits = found == refuter
            if s.shown[p][i]:
                fits &= self.hands[:, refuter] >> (s.shown[p][i] - 1) & 1 == 1
            if refuter < 0 and not self.deck[4]:
                fits &= (self.triples == triple) == bool(s.winner and i == s.suggestions - 1)
            self.keep(fits)
        for q in range(players):
            if s.accused[q]:
                self.keep(self.triples != (s.accused[q] & 4095) - 1)
        self.seen = s.suggestions

    def keep(self, fits: Any) -> None:
        self.hands, self.triples = self.hands[fits], self.triples[fits]

    def cards(self, triple: int) -> int:
        _, suspects, weapons, rooms, _ = self.deck
        suspect, weapon, room = triple // (weapons * rooms), triple // rooms % weapons, triple % rooms
        return 1 << suspect | 1 << suspects + weapon | 1 << suspects + weapons + room

    def counted(self, weights: Any) -> tuple[Any, Any]:
        """Weights by triple, and by card and place."""
        _, suspects, weapons, rooms, _ = self.deck
        tensor = np.bincount(self.triples, weights, suspects * weapons * rooms)
        files = np.array([self.cards(triple) for triple in range(len(tensor))])[self.triples]
        places = np.column_stack([self.hands, files])
        cards = [weights @ (places >> card & 1) for card in range(suspects + weapons + rooms)]
        return tensor, np.array(cards)


class Counter:
    """Arrays for a game, and the compiled functions."""

    def __init__(self, game: Game) -> None:
        self.deck = deck_of(game)
        self.facts, self.possible = new_facts(self.deck, int(game.options["cap"]))
        self.tensor, self.cards = new_counts(self.deck)
        self.work = workspace(self.deck)

    def gather(self, s: State, p: int) -> None:
        gather(s, p, self.deck, self.facts, self.possible)

    def count(self, s: State, p: int) -> float:
        self.gather(s, p)
        total: float = native(count)(self.facts, self.deck, self.possible, self.work, self.tensor, self.cards)
        return total


@pytest.mark.parametrize(("players", "accusations"), GAMES)
def test_counting_equals_enumeration(players: int, accusations: str) -> None:
    game = small(players, accusations)
    counter = Counter(game)
    deck = tuple(counter.deck.tolist())
    positions = 0
    truth: list[Enumerated] = []
    for s in states(game, 8 if players < 5 else 5, seed=players):
        if s.suggestions == 0 and not s.suggested:
            truth = [Enumerated(deck, p) for p in range(players)]
        for p, known in enumerate(truth):
            known.follow(s)
            total = counter.count(s, p)
            tensor, cards = known.counted(np.ones(len(known.hands)))
            assert total == len(known.hands) > 0
            assert (counter.tensor == tensor).all()
            assert (counter.cards == cards).all()
            assert counter.tensor.sum() == total
            positions += 1
    assert positions > 300


@pytest.mark.parametrize("players", SMALL)
def test_the_posterior_by_weights_of_hands(players: int) -> None:
    game = small(players, "false")
    counter = Counter(game)
    deck = tuple(counter.deck.tolist())
    luck = np.random.default_rng(players)
    likelihood = luck.exponential(size=(players, 1 << 10))
    prior = luck.exponential(size=len(counter.possible))
    truth: list[Enumerated] = []
    for s in states(game, 3, seed=players):
        if s.suggestions == 0:
            truth = [Enumerated(deck, p) for p in range(players)]
        for p, known in enumerate(truth):
            known.follow(s)
            counter.gather(s, p)
            counter.possible *= prior
            assert list_hands(counter.facts, counter.deck, counter.work)
            for q in range(players):
                n = counter.work.listed[q]
                if q != p:
                    counter.work.weights[q, :n] = likelihood[q, counter.work.hands[q, :n]]
            total = count_hands(
                counter.facts, counter.deck, counter.possible, counter.work, counter.tensor, counter.cards
            )
            weights = prior[known.triples]
            for q in range(players):
                # a hand that is certain has weight 1: it changes nothing but the total
                if q != p and counter.work.layout[NEED][q]:
                    weights *= likelihood[q, known.hands[:, q]]
            tensor, cards = known.counted(weights)
            np.testing.assert_allclose(counter.tensor, tensor, rtol=1e-12)
            np.testing.assert_allclose(counter.cards, cards, rtol=1e-12, atol=1e-12 * total)


@pytest.mark.parametrize("players", SMALL)
def test_deals_are_drawn_as_often_as_they_are_likely(players: int) -> None:
    game = small(players, "false")
    counter = Counter(game)
    known = Enumerated(tuple(counter.deck.tolist()), 1)
    for s in states(game, 1, seed=4):
        known.follow(s)
        if len(known.hands) < 200:
            break
    counter.gather(s, 1)
    list_hands(counter.facts, counter.deck, counter.work)
    total = fold_hands(counter.deck, counter.possible, counter.work, counter.tensor)
    stream = [0, 0, 0, 0]
    seed_stream(stream, 0, 0)
    hands: Any = np.zeros(players, np.int64)
    found = dict.fromkeys(map(tuple, known.hands.tolist()), 0)
    draws = 50 * len(found)
    for _ in range(draws):
        triple = draw_deal(counter.deck, counter.facts, counter.possible, counter.work, total, stream, hands)
        found[tuple(hands.tolist())] += 1  # KeyError: an impossible deal
        assert sum(hands.tolist()) + known.cards(triple) == (1 << len(counter.cards)) - 1
    square = sum((n - 50) ** 2 / 50 for n in found.values())
    freedom = len(found) - 1
    assert freedom > 10
    assert square < freedom + 5 * (2 * freedom) ** 0.5


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """What plain rules call compiled is plain, too."""
    monkeypatch.setattr(AlwaysCompiled, "__call__", lambda self, *arguments: self.function(*arguments))


def imagined(s: State, game: Game, p: int, stream: list[int]) -> State:
    world = s.copy()
    assert game.hidden.imagine is not None
    game.hidden.imagine(world, p, stream)
    return world


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("players", [3, 5])
def test_imagined_worlds_look_the_same_and_are_uniform(players: int) -> None:
    game = small(players, "true")
    known = Enumerated(tuple(deck_of(game).tolist()), 0)
    stream = [0, 0, 0, 0]
    seed_stream(stream, 1, 1)
    for s in states(game, 1, seed=5):
        known.follow(s)
        true = game.view(s, 0)
        for _ in range(3):
            world = imagined(s, game, 0, stream)
            assert game.view(world, 0) == true
            assert game.rules.key(world, 0) == game.rules.key(s, 0)
            for i in range(s.suggestions):
                asker, refuter = s.asked[i] >> 12 & 7, (s.asked[i] >> 15) - 2
                card = world.shown[refuter][i] if refuter >= 0 else 0
                pending = s.answering and i == s.suggestions - 1
                assert all(world.shown[q][i] == (card if q in (asker, refuter) else 0) for q in range(players))
                assert card == 0 if pending or refuter < 0 else world.hand[refuter] >> (card - 1) & 1
        if len(known.hands) < 60:
            break
    found = dict.fromkeys(map(tuple, known.hands.tolist()), 0)
    for _ in range(50 * len(found)):
        found[tuple(imagined(s, game, 0, stream).hand)] += 1
    square = sum((n - 50) ** 2 / 50 for n in found.values())
    freedom = len(found) - 1
    assert freedom > 5
    assert square < freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(("players", "after"), [(3, 0), (3, 8), (4, 12), (6, 12)])
def test_a_model_counter_agrees_on_the_full_deck(players: int, after: int) -> None:
    """Ganak counts the models of the same facts, written as a formula."""
    ganak = pytest.importorskip("pyganak", reason="pyganak is not installed; the extra `dev` has it")
    game = load("clue", players=players)
    counter = Counter(game)
    s = next(s for s in states(game, 20, seed=9) if s.suggestions == after and not s.over)
    p = s.actor
    total = counter.count(s, p)
    counter.gather(s, p)
    formula = ganak.Counter()
    formula.add_clauses(deals_formula(counter.facts, counter.deck, counter.possible))
    assert formula.count() == total > 0


@pytest.mark.parametrize("players", SMALL)
def test_the_formula_has_a_model_for_each_deal(players: int) -> None:
    """Unit propagation from any deal that fits finds no conflict, and does from any other."""
    game = small(players, "true")
    counter = Counter(game)
    deck = tuple(counter.deck.tolist())
    s = list(states(game, 1, seed=3))[6]
    known = Enumerated(deck, 0)
    known.follow(s)
    counter.gather(s, 0)
    formula = deals_formula(counter.facts, counter.deck, counter.possible)
    hands, triples = deals(deck, s.first - 1)
    fitting = set(map(tuple, known.hands.tolist()))
    picked = range(0, len(hands), 1 + len(hands) // 40)
    for i in (*picked, *np.flatnonzero([tuple(h) in fitting for h in hands.tolist()])[:10]):
        places = [*hands[i], known.cards(triples[i])]
        literals = {
            (1 if places[place] >> card & 1 else -1) * (1 + card * (players + 1) + place)
            for card in range(len(counter.cards))
            for place in range(players + 1)
        }
        assert consistent(formula, literals) == (tuple(hands[i].tolist()) in fitting)


def consistent(formula: list[list[int]], literals: set[int]) -> bool:
    """Whether unit propagation finds no conflict."""
    going = True
    while going:
        going = False
        for clause in formula:
            left = [literal for literal in clause if -literal not in literals]
            if not left:
                return False
            if len(left) == 1 and left[0] not in literals:
                literals.add(left[0])
                going = True
    return True


def imagine_once(states: Any, p: int, r: Any) -> None:
    imagine(states[0], p, r)


@pytest.mark.usefixtures("plain")
def test_the_same_worlds_are_imagined_plain_and_compiled() -> None:
    game = small(4, "false")
    compiled = native(imagine_once, game)
    for number, s in enumerate(states(game, 2, seed=8)):
        if number % 5:
            continue
        stream = [0, 0, 0, 0]
        seed_stream(stream, 3, number)
        luck, records = np.array(stream), new_states(game, 1, True)
        for name, value in fields_of(s).items():
            records[0][name] = value
        compiled(records, 1, luck)
        world = imagined(s, game, 1, stream)
        assert luck.tolist() == stream
        assert all(np.array_equal(records[0][name], value) for name, value in fields_of(world).items())
