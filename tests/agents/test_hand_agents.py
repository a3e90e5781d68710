"""The numbers of hand-written agents, reckoned a second time: what they weigh is right, not only what they choose.

All in plain Python; agents of Clue and poker have tests of their own.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from parlor.agents.registry import make_agent
from parlor.game import CHANCE, Game, Position
from parlor.game.loading import load
from parlor.games.battleship.agents.hunting import cells_of, count_bits, hunting_probabilities, learn, line_through
from parlor.games.clue.agents.evidence import NOT_ACCUSED, SHOWN, SHOWN_TO_ME, likelihood_of
from parlor.games.clue.agents.table import card_in, cards_seen, cards_shown, kind_cards, kind_of, stride_of, turns_of
from parlor.games.colored_trails.agents.traders import FAIR, GENEROUS, GREEDY, liking
from parlor.games.deal_or_no_deal.agents import people
from parlor.games.deal_or_no_deal.agents.bargainer import aim
from parlor.games.deal_or_no_deal.tables import KEPT
from parlor.games.goofspiel.agents.matching import matching_probabilities
from parlor.games.leodopoly.agents import heuristic
from parlor.games.leodopoly.agents.mind import landings
from parlor.games.leodopoly.state import BIDDING, BUYING_NOW
from parlor.games.liars_dice.agents.counting import at_least, counting_probabilities, holds
from parlor.games.monopoly_deal.agents import careful


def decisions(game: Game, seeds: range) -> Iterator[Position]:
    """Every decision of some random games."""
    for seed in seeds:
        luck, position = random.Random(seed), game.start()
        while not position.over:
            if position.turn != CHANCE:
                yield position
            position = position.after(luck.choice(position.actions))


def weighed(action_probabilities: Any, position: Position, data: Any) -> list[float]:
    """What an agent's function fills, in plain Python."""
    n = len(position.actions)
    out = [0.0] * n
    action_probabilities([position.state], 0, position.turn, position.actions, n, out, [1, 2, 3, 4], data)
    return out


# --------------------------------------------------------------------------------------------------------- liar's dice


@pytest.mark.parametrize(("dice", "share"), [(1, 1 / 6), (3, 1 / 3), (5, 0.4), (4, 1.0), (2, 0.0)])
def test_at_least_so_many_is_a_binomial_tail(dice: int, share: float) -> None:
    for need in range(-2, dice + 3):
        tail = sum(math.comb(dice, k) * share**k * (1 - share) ** (dice - k) for k in range(max(need, 0), dice + 1))
        assert at_least(need, dice, share) == pytest.approx(tail)


@pytest.mark.parametrize(("dice", "faces"), [(1, 6), (2, 3), (3, 4)])
@pytest.mark.parametrize("values", [(0.2, 0.4, 8.0, 0.0), (0.5, 0.1, 2.0, 0.05), (0.0, 0.9, 1.0, -0.02)])
def test_counting_weighs_bids_by_their_chance(dice: int, faces: int, values: tuple[float, ...]) -> None:
    trust, doubt, sharp, jump = values
    game = load(f"liars-dice(dice={dice},faces={faces})")

    def chance(position: Position, bid: int, trusted: float) -> float:
        mine, face = position.state.dice[position.turn], bid % faces
        wild = faces - 1
        have = mine[face] + (mine[wild] if face != wild else 0)
        share = (1 if face == wild else 2) / faces
        need = bid // faces + 1 - have

        def tail(need: int, dice: int) -> float:
            return sum(math.comb(dice, k) * share**k * (1 - share) ** (dice - k) for k in range(max(need, 0), dice + 1))

        return (1 - trusted) * tail(need, dice) + (trusted * tail(need - 1, dice - 1) if trusted else 0.0)

    for position in decisions(game, range(6)):
        bids, expected = position.state.bids, []
        for action in position.actions:
            if action == 2 * dice * faces:
                value = 1 - chance(position, position.state.last - 1, trust)
            else:
                said = any(bids >> earlier & 1 and earlier % faces == action % faces for earlier in range(60))
                value = chance(position, action, trust if said else 0.0)
                value += (1 - value) * (1 - doubt) - jump * (action - position.state.last)
            expected.append(math.exp(sharp * value))
        found = weighed(counting_probabilities, position, (dice, faces, values))
        assert found == pytest.approx([weight / sum(expected) for weight in expected])
        assert holds(position.state, position.turn, 0, dice, faces, 0.3) == pytest.approx(chance(position, 0, 0.3))


# ----------------------------------------------------------------------------------------------- goofspiel, trade comm


@pytest.mark.parametrize("values", [(1.0, 1.2, 0.2), (0.0, 0.5, 0.0), (-1.0, 3.0, 0.7)])
def test_matching_bids_near_the_place_of_the_prize(values: tuple[float, float, float]) -> None:
    shift, spread, give_up = values
    for name in ("goofspiel(cards=5,order=random)", "goofspiel(cards=6,players=3,order=ascending)"):
        for position in decisions(load(name), range(3)):
            state, n = position.state, len(position.actions)
            left = [prize for prize in range(1, 14) if state.left >> (prize - 1) & 1]
            place = sum(prize < state.prize for prize in left)
            weights = [math.exp(-(((i - place - shift) / spread) ** 2)) for i in range(n)]
            expected = [(1 - give_up) * weight / sum(weights) for weight in weights]
            expected[0] += give_up
            assert weighed(matching_probabilities, position, (values,)) == pytest.approx(expected)


@pytest.mark.parametrize("items", [2, 3, 5])
def test_two_truthful_partners_always_trade(items: int) -> None:
    game = load(f"trade-comm(items={items})")
    agent = make_agent("truthful", game)
    for deal in game.start().legal:
        position = game.start().after(deal)
        while not position.over:
            [move] = [name for name, chance in agent(position).items() if chance == 1.0]
            position = position.after(move)
        assert position.payoffs == [1.0, 1.0]


# ---------------------------------------------------------------------------------------------------------- battleship


def test_hits_in_a_line_end_at_the_edge_of_the_board() -> None:
    """On a board of four by three, rows 0-3, 4-7 and 8-11."""
    hits = sum(1 << cell for cell in (2, 3, 4, 5, 7, 9, 11))
    assert line_through(3, hits, 1, 4, 3) == 1 << 2 | 1 << 3
    assert line_through(4, hits, 1, 4, 3) == 1 << 4 | 1 << 5
    assert line_through(5, hits, 4, 4, 3) == 1 << 5 | 1 << 9
    assert line_through(3, hits, 4, 4, 3) == 1 << 3 | 1 << 7 | 1 << 11
    assert line_through(0, hits, 1, 4, 3) == 1
    assert [count_bits(cells) for cells in (0, 1, 0b1011, 1 << 40)] == [0, 1, 3, 1]


def test_a_ship_lies_across_or_down_where_it_fits() -> None:
    across = [cells_of(2, place, 3, 2) for place in range(6)]
    assert across == [0b11, 0b110, 0, 0b11000, 0b110000, 0]
    assert [cells_of(2, place, 3, 2) for place in range(6, 12)] == [0b1001, 0b10010, 0b100100, 0, 0, 0]
    assert [cells_of(1, place, 3, 2) for place in range(12)] == [1 << place for place in range(6)] + [0] * 6


@pytest.mark.parametrize("name", ["battleship(preset=small)", "battleship(width=3,height=2,ships=21,shots=5)"])
def test_the_hunter_counts_places_that_explain_what_it_has_found(name: str) -> None:
    game = load(name)
    width, height = (int(game.options[key]) for key in ("width", "height"))
    sizes = [int(digit) for digit in game.options["ships"]]
    pursue, sharp = 20.0, 3.0
    for position in decisions(game, range(4)):
        if position.state.placed < 2 * len(sizes):
            n = len(position.actions)
            assert weighed(hunting_probabilities, position, (width, height, sizes, (pursue, sharp))) == [1 / n] * n
            continue
        p, state = position.turn, position.state
        ruled, hits, gone = learn(state, p, width, height, sizes)
        shots = [(cell - 1, result) for cell, result in zip(state.shot[p], state.result[p], strict=True) if cell]
        missed = {cell for cell, result in shots if result == 1}
        found = {cell for cell, result in shots if result > 1}
        assert all(ruled >> cell & 1 for cell in missed)
        assert {cell for cell in range(width * height) if hits >> cell & 1} <= found
        assert not hits & ruled
        assert bin(gone).count("1") <= sum(result == 3 for _, result in shots)
        weights = []
        for action in position.actions:
            weight = 1e-12 if state.struck[p] >> action & 1 else 1e-6
            for k, size in enumerate(sizes):
                for row, column, down in itertools.product(range(height), range(width), (False, True)):
                    cells = [(row + i * down, column + i * (not down)) for i in range(size)]
                    if (size == 1 and down) or any(r >= height or c >= width for r, c in cells) or gone >> k & 1:
                        continue
                    ship = {r * width + c for r, c in cells}
                    if any(ruled >> cell & 1 for cell in ship):
                        continue
                    if action in ship and not state.struck[p] >> action & 1:
                        weight += pursue ** sum(hits >> cell & 1 for cell in ship)
            weights.append((weight) ** sharp)
        expected = [weight / sum(weights) for weight in weights]
        assert weighed(hunting_probabilities, position, (width, height, sizes, (pursue, sharp))) == pytest.approx(
            expected
        )


# ----------------------------------------------------------------------------------------------------- deal or no deal


@pytest.mark.parametrize(("first", "last", "speed"), [(10.0, 4.0, 1.0), (9.0, 5.0, 2.0), (8.0, 8.0, 0.5)])
def test_the_aim_falls_from_first_to_last(first: float, last: float, speed: float) -> None:
    class Said:
        def __init__(self, made: int) -> None:
            self.made = made

    numbers = [first, last, speed, 0.0]
    for made in range(10):
        past = min(made / 8, 1.0)
        assert aim(Said(made), 10, numbers) == pytest.approx(last + (first - last) * (1 - past ** (1 / speed)))
    assert aim(Said(0), 2, numbers) == first
    assert aim(Said(8), 10, numbers) == aim(Said(9), 10, numbers) == pytest.approx(last)


@pytest.mark.parametrize("read", [0.0, 0.5])
def test_a_bargainer_gives_what_the_other_is_expected_to_like(read: float) -> None:
    """Its choice, and its belief, reckoned again by Bayes' rule over all deals of the pool."""
    game = load("deal-or-no-deal(turns=6,least=5,most=5)")
    agent = make_agent(f"reader(read={read})", game)
    assert game.hidden.worlds is not None
    assert game.hidden.worlds.world_numbers is not None
    rows = [[tuple(map(int, part.split(","))) for part in name.split()] for name in game.start().legal]
    checked = 0
    for position in decisions(game, range(3)):
        p, state = position.turn, position.state
        pool, mine = tuple(state.pool), tuple(state.values[p])
        wanted = 4.0 + 6.0 * (1 - min(state.made / 4, 1.0)) - 1e-9
        [chosen] = [name for name, chance in agent(position).items() if chance == 1.0]
        if state.made:
            offered = sum(v * (n - k) for v, n, k in zip(mine, pool, state.offers[state.made - 1], strict=True))
            assert (chosen == "agree") == (offered >= wanted)
            if chosen == "agree":
                continue
        chances: dict[Any, float] = {}
        for row in rows:
            if row[0] == pool and row[1 + p] == mine:
                theirs, weight = row[2 - p], 1.0
                for t in range(1 - p, state.made, 2):
                    splits = list(itertools.product(*(range(n + 1) for n in pool)))
                    worth = [
                        math.exp(read * sum(v * k for v, k in zip(theirs, split, strict=True))) for split in splits
                    ]
                    weight *= worth[splits.index(tuple(state.offers[t]))] / sum(worth)
                chances[theirs] = chances.get(theirs, 0.0) + weight
        total = sum(chances.values())
        expected = [sum(values[k] * chance for values, chance in chances.items()) / total for k in range(3)]
        _, found = agent.explained(position)
        assert found is not None
        believed = {tuple(game.hidden.worlds.world_numbers(code)): chance for code, chance in found.belief}
        assert believed == pytest.approx({values: chance / total for values, chance in chances.items()})

        def liked(name: str) -> tuple[bool, float]:
            kept = [int(n) for n in name.removeprefix("keep ").split(",")]
            own = sum(v * k for v, k in zip(mine, kept, strict=True))  # noqa: B023
            others = sum(e * (n - k) for e, n, k in zip(expected, pool, kept, strict=True))  # noqa: B023
            return own >= wanted, others + 1e-6 * own  # noqa: B023

        possible = [liked(name)[1] for name in position.legal if name != "agree" and liked(name)[0]]
        if possible:
            assert liked(chosen)[0]
            assert liked(chosen)[1] == pytest.approx(max(possible), abs=1e-9)
        checked += 1
    assert checked > 3


def test_people_demand_concede_and_err_as_their_traits_say() -> None:
    game = load("deal-or-no-deal(turns=4,least=5,most=5)")
    traits = [8.0, 0.75, 5.0, 1.5, 0.4, 0.8]
    opening, concession, least, slack, kindness, noise = traits
    for position in decisions(game, range(4)):
        p, state = position.turn, position.state
        pool, mine = list(state.pool), list(state.values[p])
        wants = max(opening - concession * (state.made // 2), least)
        agrees = 0.0
        if state.made:
            offered = sum(v * (n - k) for v, n, k in zip(mine, pool, state.offers[state.made - 1], strict=True))
            bar = wants - slack if state.made < 3 else min(wants - slack, 1.0)
            agrees = 1 / (1 + math.exp((bar - offered) / noise))
        scores = []
        for name in position.legal:
            if name != "agree":
                kept = [int(n) for n in name.removeprefix("keep ").split(",")]
                own, given = sum(v * k for v, k in zip(mine, kept, strict=True)), sum(pool) - sum(kept)
                scores.append(math.exp((kindness * given - abs(own - wants)) / noise))
        expected = [(1 - agrees) * score / sum(scores) for score in scores] + ([agrees] if state.made else [])
        assert weighed(people.person_probabilities, position, people.PersonMind(traits, 4, KEPT)) == pytest.approx(
            expected
        )


@pytest.mark.parametrize(
    ("style", "order"),
    [
        (GREEDY, [(10, 5), (10, 0), (5, 50), (5, 5)]),
        (FAIR, [(20, 20), (10, 30), (5, 50), (5, 45)]),
        (GENEROUS, [(5, 50), (0, 50), (10, 45), (45, 10)]),
    ],
)
def test_what_traders_like(style: int, order: list[tuple[int, int]]) -> None:
    assert sorted(order, key=lambda pair: -liking(style, *pair)) == order
    by_hand = {GREEDY: 10 * 1000 + 5, FAIR: 50 * 1000 + 15, GENEROUS: 5 * 1000 + 10}
    assert liking(style, 10, 5) == by_hand[style]


# ------------------------------------------------------------------------------------------------------- monopoly deal

W = [10.0, 6.0, 3.0, 0.5, 0.8, 1.0, 1.5, 0.6, 0.4, 0.7, 0.2, 5.0, 0.5, -0.25, 0.9, 1.2, 1.4, 0.05, 0.1, 0.3]
SIZE, RENTS, VALUE = (2, 3, 3), ((1, 2, 2), (2, 4, 7), (1, 2, 4)), (1, 3, 1, 4, 2)


def test_sets_are_worth_their_progress_their_rent_and_what_waits_in_the_hand() -> None:
    for colour, owned, held in itertools.product(range(3), range(6), range(4)):
        size = SIZE[colour]
        rent = RENTS[colour][min(owned, size) - 1] if owned else 0
        assert careful.rent_at(colour, owned) == rent
        if owned >= size:
            expected = 10.0 + 0.5 * min(owned - size, 2)
        else:
            expected = (0.0 if not owned else 6.0 if owned + 1 == size else 3.0) + 1.0 * min(held, size - owned)
        assert careful.set_value(colour, owned, held, 0.25, W) == pytest.approx(expected + 0.25 * rent)


@pytest.mark.parametrize("name", ["monopoly-deal(preset=small,debts=3,slys=3)", "monopoly-deal(preset=large)"])
def test_the_careful_ones_values(name: str) -> None:
    game = load(name)
    sets = int(game.options["sets"])
    for position in itertools.islice(decisions(game, range(4)), 120):
        s, p = position.state, position.turn
        other = 1 - p
        unseen = s.left + s.held[other]
        refusals = s.deck[8] + s.hand[other][8]
        none = math.comb(unseen - refusals, s.held[other]) / math.comb(unseen, s.held[other]) if unseen else 1.0
        assert careful.accepted(s, p) == pytest.approx(none)
        assert careful.bank_of(s, other) == sum(n * v for n, v in zip(s.cash[other], VALUE, strict=True))
        feared = max(careful.rent_at(c, s.property[other][c]) for c in range(3))
        assert careful.shield(s, p, W) == pytest.approx(5.0 + 0.5 * feared)
        for q, colour, change in itertools.product(range(2), range(3), (0, 1)):
            owned = [s.property[q][c] + change * (c == colour) for c in range(3)]
            rents = [0.1 * min(s.hand[p][5 + c], 2) if q == p else 0.3 for c in range(3)]
            values = [careful.set_value(c, owned[c], s.hand[p][2 + c] if q == p else 0, rents[c], W) for c in range(3)]
            total, ranked = sum(values), sorted(values)
            if sum(owned[c] >= SIZE[c] for c in range(3)) >= sets:
                total += 1000.0
            else:
                total -= 0.2 * sum(ranked[: 3 - sets])  # what is not needed to win counts for less
            assert careful.position_value(s, q, p, colour, change, sets, W) == pytest.approx(total)
        for c, turns in itertools.product(range(3), (1, 2, 3)):
            assert careful.wins_with(s, p, c, turns, sets) == wins(s, p, c, turns, sets)
    assert careful.money_value(3.0, 5.0, W) == pytest.approx(2.1)
    assert careful.money_value(8.0, 5.0, W) == pytest.approx(3.5 + 0.6)


def wins(s: Any, p: int, colour: int, turns: int, sets: int) -> bool:
    """Whether playing a colour belongs to a cheapest way to complete enough sets from the hand in time."""
    short = [max(SIZE[c] - s.property[p][c], 0) for c in range(3)]
    able = [s.hand[p][2 + c] >= short[c] for c in range(3)]
    if not able[colour] or short[colour] == 0:
        return False
    others = sorted(short[c] for c in range(3) if c != colour and able[c])
    return len(others) >= sets - 1 and short[colour] + sum(others[: sets - 1]) <= turns


@pytest.mark.parametrize("to_bank", [0, 1])
def test_the_cheapest_payment_is_the_cheapest_of_all(to_bank: int) -> None:
    """All ways to pay enough, tried one by one."""
    game = load("monopoly-deal(preset=large)")
    luck = random.Random(to_bank)
    rules, best = [3, to_bank, 3], [0.0] * careful.MAX_DEBT
    for _ in range(25):
        s = game.start().state.copy()
        for q, kind in itertools.product(range(2), range(5)):
            s.cash[q][kind] = luck.choice([0, 0, 1, 2])
        for q, colour in itertools.product(range(2), range(3)):
            s.property[q][colour] = luck.choice([0, 0, 1, 2, 3])
        worths = np.zeros((2, 3, 2 * careful.MAX_DEBT)).tolist()
        careful.appraise(s, 0, 3, W, worths)
        q, due = luck.randint(0, 1), luck.randint(1, 7)
        have = [*s.cash[q], *s.property[q]]
        value = [*VALUE, *VALUE[2:]]

        def cost(paid: tuple[int, ...]) -> float:
            total = 0.0
            for kind, n in enumerate(paid):
                if not n:
                    continue
                if kind < 5:
                    total += (0.6 + 0.4) * VALUE[kind] * n
                    continue
                c = kind - 5
                lost = position_worth(s, q, c, 0) - position_worth(s, q, c, -n)  # noqa: B023
                if to_bank:
                    total += lost + 0.4 * VALUE[2 + c] * n
                else:
                    gained = position_worth(s, 1 - q, c, n) - position_worth(s, 1 - q, c, 0)  # noqa: B023
                    total += lost + 1.5 * gained
            return total

        wealth = sum(n * v for n, v in zip(have, value, strict=True))
        for first in (-1, *(14 + kind for kind in range(8) if have[kind])):
            found = careful.payment(s, q, due, first, rules, W, best, worths)
            if wealth <= due:
                assert found == pytest.approx(cost(tuple(have)))
                continue
            useful = [min(n, -(-due // v)) for n, v in zip(have, value, strict=True)]
            ways = [
                paid
                for paid in itertools.product(*(range(n + 1) for n in useful))
                if sum(n * v for n, v in zip(paid, value, strict=True)) >= due and (first < 0 or paid[first - 14])
            ]
            assert found == pytest.approx(min(cost(paid) for paid in ways))


def position_worth(s: Any, q: int, colour: int, change: int) -> float:
    return careful.position_value(s, q, 0, colour, change, 3, W)


# ------------------------------------------------------------------------------------------------------------ leodopoly


@pytest.mark.parametrize(("spaces", "turns", "dice"), [(11, 2, 1), (11, 3, 1), (40, 2, 2), (13, 1, 2)])
def test_landings_are_those_of_all_rolls(spaces: int, turns: int, dice: int) -> None:
    found = landings(spaces, turns, dice)
    for n in range(turns + 1):
        expected = [0.0] * spaces
        rolls = [sum(faces) for faces in itertools.product(range(1, 7), repeat=dice)]
        for line in itertools.product(rolls, repeat=n):
            at = 0
            for roll in line:
                at = (at + roll) % spaces
                expected[at] += 1 / len(rolls) ** n
        assert found[n] == pytest.approx(expected)
    assert found[turns + 1] == found[turns] == found[40]


def test_rolls_that_are_left() -> None:
    class At:
        def __init__(self, phase: int) -> None:
            self.round, self.actor, self.phase = 3, 1, phase

    selling, buying, bidding = (At(phase) for phase in (0, BUYING_NOW, BIDDING))
    assert [heuristic.rolls_left(selling, q, 10) for q in range(3)] == [6, 7, 7]
    assert [heuristic.rolls_left(buying, q, 10) for q in range(3)] == [6, 6, 7]
    assert [heuristic.rolls_left(bidding, q, 10) for q in range(3)] == [6, 6, 7]
    assert [heuristic.count_bits(bits) for bits in (0, 5, 255)] == [0, 2, 8]


# ----------------------------------------------------------------------------------------------------------------- clue


def test_cards_and_triples_of_any_deck() -> None:
    deck = (3, 2, 4, 3, 0)
    triples = list(itertools.product(range(2), range(2, 6), range(6, 9)))
    for number, cards in enumerate(triples):
        assert tuple(card_in(number, kind, deck) for kind in range(3)) == cards
    assert [kind_of(card, deck) for card in range(9)] == [0, 0, 1, 1, 1, 1, 2, 2, 2]
    assert [kind_cards(kind, deck) for kind in range(3)] == [0b11, 0b111100, 0b111000000]
    assert [stride_of(kind, deck) for kind in range(3)] == [12, 3, 1]


def test_what_was_seen_and_shown_is_read_from_the_table() -> None:
    game = load("clue(preset=small)")
    for position in itertools.islice(decisions(game, range(2)), 60):
        state = position.state
        rounds = [(entry >> 12 & 7, (entry >> 15) - 2) for entry in state.asked[: state.suggestions]]
        for p in range(3):
            seen = {card for card in range(12) if state.hand[p] >> card & 1}
            shown: dict[int, set[int]] = {q: set() for q in range(3)}
            for i, (asker, refuter) in enumerate(rounds):
                if state.shown[p][i]:
                    seen.add(state.shown[p][i] - 1)
                    if refuter == p:
                        shown[asker].add(state.shown[p][i] - 1)
            assert cards_seen(state, p) == sum(1 << card for card in seen)
            assert cards_shown(state, p, -1) == sum(1 << card for card in set().union(*shown.values()))
            for asker in range(3):
                assert cards_shown(state, p, asker) == sum(1 << card for card in shown[asker])
            assert turns_of(state, p) == sum(asker == p for asker, _ in rounds)


def test_how_likely_a_hand_makes_what_was_shown() -> None:
    cards = [0, 4, 8]
    for hand, later in itertools.product((0b1, 0b10001, 0b100010001, 0b100), (0, 0b1, 0b10001)):
        could = [card for card in cards if hand >> card & 1]
        good = [card for card in could if not later >> card & 1]
        event = [*cards, later, SHOWN]
        if could:
            expected = (len(good) + 0.1 * (len(could) - len(good))) / len(could)
            assert likelihood_of(event, hand, 0.1, True) == pytest.approx(expected)
            assert likelihood_of([*cards, later, SHOWN_TO_ME], hand, 0.1, True) == pytest.approx(1 / len(could))
        assert likelihood_of(event, hand, 0.1, False) == (1.0 if good else 0.1)
        assert likelihood_of([*cards, later, SHOWN_TO_ME], hand, 0.1, False) == 1.0
        assert likelihood_of([*cards, later, NOT_ACCUSED], hand, 0.1, True) == (1.0 if could else 0.1)
