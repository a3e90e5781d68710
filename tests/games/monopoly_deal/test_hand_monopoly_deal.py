"""Monopoly Deal with a bookkeeper of its own: every card is moved a second time, and a closed demand leaves no trace.

Random games in plain Python over all presets and switches. What abstractions say of a position is reckoned again, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from parlor.game import CHANCE, Game, Position, State
from parlor.game.loading import load

VALUE = {"$1": 1, "$3": 3, "brown": 1, "green": 4, "pink": 2}
COLOURS = ("brown", "green", "pink")
KINDS = (*VALUE, *(f"{colour} rent" for colour in COLOURS), "Just Say No", "Debt Collector", "Sly Deal")
SIZE = {"brown": 2, "green": 3, "pink": 3}
RENT = {"brown": (0, 1, 2), "green": (0, 2, 4, 7), "pink": (0, 1, 2, 4)}
GAMES = [
    "monopoly-deal",
    "monopoly-deal(preset=paper)",
    "monopoly-deal(preset=small,debts=3,slys=3)",
    "monopoly-deal(preset=small,debts=2,slys=2,late_no=true,paid_to_bank=true,empty_rent=true,stalemate=false,cap=40)",
    "monopoly-deal(preset=large)",
    "monopoly-deal(preset=tiny)",
    "monopoly-deal(preset=small,sets=3,nos=6,turns=3,draws=1,hand=3,debts=4)",
]


def played(game: Game, seed: int) -> Iterator[tuple[Position, str, Position]]:
    """A random game that prefers to play cards and to demand."""
    luck = random.Random(seed)
    before = game.start()
    while not before.over:
        names = before.legal
        if before.turn == CHANCE:
            move = luck.choices(names, [before.odds[name] for name in names])[0]
        else:
            bold = [name for name in names if name.startswith(("charge", "steal", "play", "Debt", "demand"))]
            move = luck.choice(bold if bold and luck.random() < 0.6 else names)
        after = before.after(move)
        yield before, move, after
        before = after


class Cards:
    """Where all cards are, by name."""

    def __init__(self, state: State) -> None:
        self.hand: Any = [dict(zip(KINDS, state.hand[p], strict=True)) for p in range(2)]
        self.bank: Any = [dict(zip(VALUE, state.cash[p], strict=True)) for p in range(2)]
        self.table: Any = [dict(zip(COLOURS, state.property[p], strict=True)) for p in range(2)]
        self.discard = dict(zip(KINDS, state.discard, strict=True))
        self.deck = dict(zip(KINDS, state.deck, strict=True))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


def rent(cards: Cards, p: int, colour: str) -> int:
    return RENT[colour][min(cards.table[p][colour], SIZE[colour])]


def moved(game: Game, before: Position, move: str) -> Cards:
    """The cards after a move."""
    cards, p = Cards(before.state), before.turn
    if p == CHANCE:
        _, who, _, *drawn = move.split()
        cards.deck[" ".join(drawn)] -= 1
        cards.hand[int(who)][" ".join(drawn)] += 1
        return cards
    action = before.action(move)
    if before.state.demand:
        if move == "Just Say No":
            cards.hand[p][move] -= 1
            cards.discard[move] += 1
        elif 14 <= action < 19:
            kind = tuple(VALUE)[action - 14]
            cards.bank[p][kind] -= 1
            cards.bank[1 - p][kind] += 1
        elif 19 <= action < 22:
            colour = COLOURS[action - 19]
            cards.table[p][colour] -= 1
            (cards.bank if game.options["paid_to_bank"] == "true" else cards.table)[1 - p][colour] += 1
        elif before.state.demand == 2:
            colour = COLOURS[before.state.wanted]
            cards.table[p][colour] -= 1
            cards.table[1 - p][colour] += 1
        return cards
    if move == "pass":
        return cards
    kind = KINDS[min(action, 10)]
    cards.hand[p][kind] -= 1
    if action < 2:
        cards.bank[p][kind] += 1
    elif action < 5:
        cards.table[p][kind] += 1
    else:
        cards.discard[kind] += 1
    return cards


@pytest.mark.parametrize("name", GAMES)
def test_every_card_is_where_the_book_has_it(name: str) -> None:
    game = load(name)
    options = game.options
    for seed in range(5):
        owed = paid = streak = turns = 0
        for before, move, after in played(game, seed):
            assert Cards(after.state) == moved(game, before, move)
            state, old, p = after.state, before.state, before.turn
            assert [sum(hand) for hand in state.hand] == list(state.held)
            assert sum(state.deck) == state.left
            if p == CHANCE:
                continue
            cards, action = Cards(old), before.action(move)
            if old.demand == 0 and state.demand:
                owed, paid = 0, 0
                if state.demand == 1:
                    owed = 5 if action == 9 else rent(cards, p, COLOURS[action - 5])
                    assert owed > 0
                else:
                    assert 0 < cards.table[1 - p][COLOURS[action - 10]] < SIZE[COLOURS[action - 10]]
                assert (state.owed, state.paid, state.wanted) == (owed, 0, max(action - 10, 0))
            elif old.demand == 1 and 14 <= action < 22:
                paid += VALUE[tuple(VALUE)[action - 14 if action < 19 else action - 17]]
                assert (state.demand == 0) == (
                    paid >= owed or (sum(cards.bank[p].values()) + sum(cards.table[p].values()) == 0)
                )
            elif old.demand == 1 and "yield" in move:
                assert not any(cards.bank[p].values())
                assert not any(cards.table[p].values())
            if state.demand:
                assert after.turn == 1 - state.actor or after.over
                assert (state.owed, state.paid) == (owed, paid)
                assert ("Just Say No" in after.legal) == (
                    state.hand[1 - state.actor][8] > 0 and (paid == 0 or options["late_no"] == "true")
                ) or after.over
            else:
                assert (state.owed, state.paid, state.wanted, state.settled) == (0, 0, 0, 0)
            if old.demand and state.demand:
                assert (state.turn, state.streak) == (old.turn, old.streak)
            elif not (old.demand == 0 and state.demand):
                turns += 1
                streak = 0 if move == "pass" else streak + 1
                if streak == int(options["turns"]) or move == "pass":
                    streak = 0
                    assert state.actor == 1 - old.actor
                    nothing = state.held[state.actor] == 0
                    assert state.drawing == min(state.left, 5 if nothing else int(options["draws"]))
                assert (state.turn, state.streak) == (turns, streak)
            if not after.over and not state.demand and not state.drawing:
                assert state.left or any(state.held)
                assert state.turn < int(options["cap"])
                assert not (options["stalemate"] == "true" and state.idle >= 2 and state.left == 0)
            idle = old.idle + 1 if move == "pass" and old.streak == 0 else 0 if not old.demand else old.idle
            assert state.idle == idle
        done = [sum(count >= SIZE[colour] for colour, count in Cards(state).table[q].items()) for q in range(2)]
        won = [done[q] >= int(options["sets"]) for q in range(2)]
        assert after.payoffs == [float(won[0]) - won[1], float(won[1]) - won[0]]
        if not any(won):
            empty = state.left == 0 and not any(state.held)
            stale = options["stalemate"] == "true" and state.idle >= 2 and state.left == 0
            assert empty or stale or state.turn >= int(options["cap"])


@pytest.mark.parametrize("name", GAMES[:5])
def test_imagined_hands_are_as_large_and_use_the_cards_that_are_unseen(name: str) -> None:
    game = load(name)
    assert game.hidden.imagine is not None
    stream = [4, 3, 2, 1]
    for before, _, _ in played(game, 3):
        for p in range(2):
            state = before.state.copy()
            game.hidden.imagine(state, p, stream)
            imagined = Position(game, state, before.history)
            assert imagined.view(p) == before.view(p)
            assert imagined.key(p) == before.key(p)
            assert sum(state.hand[1 - p]) == before.state.held[1 - p]
            unseen = [d + h for d, h in zip(before.state.deck, before.state.hand[1 - p], strict=True)]
            assert [d + h for d, h in zip(state.deck, state.hand[1 - p], strict=True)] == unseen
            assert min(state.deck) >= 0


# -------------------------------------------------------------------------------------------------- what keys summarize


def counted(cards: Cards, state: State, p: int) -> dict[str, Any]:
    """What `counts` should say of a position."""
    other = 1 - p
    bank = [sum(VALUE[kind] * n for kind, n in cards.bank[q].items()) for q in range(2)]
    feared = max(rent(cards, other, colour) for colour in COLOURS)
    charged = max((rent(cards, p, colour) for colour in COLOURS if cards.hand[p][f"{colour} rent"]), default=0)
    rest = state.owed - state.paid

    def sets(q: int) -> int:
        return sum(cards.table[q][colour] >= SIZE[colour] for colour in COLOURS)

    def lacks(q: int) -> int:
        return min(
            (SIZE[c] - cards.table[q][c] for c in COLOURS if cards.table[q][c] < SIZE[c]),
            default=3,
        )

    return {
        "player": p,
        "streak": state.streak,
        "complete sets": sets(p),
        "next set lacks": lacks(p),
        "the other's complete sets": sets(other),
        "the other's next set lacks": lacks(other),
        "cash against the other's rent": "more than is needed"
        if feared == 0
        else "nothing"
        if bank[p] == 0
        else "less than it could charge"
        if bank[p] < feared
        else "enough for what it could charge",
        "can charge the other": "nothing"
        if charged == 0
        else "what it can pay in cash"
        if charged <= bank[other]
        else "more than its cash",
        "owes": "nothing" if rest <= 0 else "what the cash covers" if rest <= bank[p] else "more than the cash",
        "holds a Just Say No": cards.hand[p]["Just Say No"] > 0,
        "the other's hand": "under 4 cards" if state.held[other] < 4 else "4 cards or more",
    }


def meanings(game: Game, position: Position, cards: Cards) -> dict[str, set[str]]:
    """The intent of each legal move, by rules written once more: intent -> moves."""
    p = position.turn
    found: dict[str, set[str]] = {}
    for name, action in zip(position.legal, position.actions, strict=True):
        if name == "pass":
            intent = "Pass"
        elif name == "Just Say No":
            intent = "JustSayNo"
        elif position.state.demand:
            intent = (
                "GiveOpponentCash" if 14 <= action < 19 else "GiveOpponentProperty" if 19 <= action < 22 else "Yield"
            )
        elif action < 2:
            intent = "Cash"
        elif action < 5:
            colour = COLOURS[action - 2]
            has, size = cards.table[p][colour], SIZE[colour]
            intent = (
                "Cash"
                if has >= size
                else "CompletePropertySet"
                if has + 1 == size
                else "AddToPropertySet"
                if has
                else "StartNewPropertySet"
            )
        elif action < 8:
            intent = "AttemptCollectRent" if cards.table[p][COLOURS[action - 5]] else "Other"
        else:
            intent = "AttemptCollectRent"
        found.setdefault(intent, set()).add(name)
    return found


@pytest.mark.parametrize("name", [GAMES[1], GAMES[2], GAMES[3], GAMES[4]])
def test_keys_and_intents_say_what_lies_on_the_table(name: str) -> None:
    game = load(name)
    abstract = {word: game.abstract(word) for word in ("intent", "counts", "intent+careful", "counts+careful")}
    for seed in range(4):
        for position, _, _ in played(game, 20 + seed):
            if position.turn == CHANCE:
                continue
            cards, p = Cards(position.state), position.turn
            meant = meanings(game, position, cards)
            for word, other in abstract.items():
                seen = Position(other, position.state, ())
                assert set(seen.legal) == set(meant)
                assert other.words.decode_key is not None
                for q in range(2):
                    read = dict(other.words.decode_key(seen.key(q)))
                    actions = read.pop("actions")
                    assert set(actions) == (set(meant) if q == p else set())
                    expected = counted(cards, position.state, q)
                    assert read == (expected if "counts" in word else {"player": q, "streak": position.state.streak})
                for intent, action in zip(seen.legal, seen.actions, strict=True):
                    chosen = game.words.describe(position.state, other.abstraction.resolve(position.state, action))
                    assert chosen in meant[intent]
                    if word == "intent" and intent == "Cash":
                        value = {name: VALUE[name.split()[-1]] for name in meant[intent]}
                        assert value[chosen] == max(value.values())


def wealth(cards: Cards, p: int) -> int:
    return sum(VALUE[kind] * n for kind, n in (*cards.bank[p].items(), *cards.table[p].items()))


@pytest.mark.parametrize("name", [GAMES[1], GAMES[2], GAMES[4]])
def test_resolvers_choose_the_best_card_by_their_own_measure(name: str) -> None:
    """The liking of both resolvers, reckoned again; whatever has a higher one is not left aside."""
    game = load(name)
    resolvers = {"greedy": game.abstract("intent"), "careful": game.abstract("intent+careful")}
    for seed in range(4):
        for position, _, _ in played(game, 40 + seed):
            if position.turn == CHANCE:
                continue
            cards, state, p = Cards(position.state), position.state, position.turn
            meant = meanings(game, position, cards)
            rest = state.owed - state.paid

            def due(action: int) -> int:
                if action == 9:
                    return 5
                return rent(cards, p, COLOURS[action - 5]) if action < 8 else VALUE[COLOURS[action - 10]]  # noqa: B023

            def careful(action: int, intent: str) -> int:
                if intent in ("StartNewPropertySet", "AddToPropertySet", "CompletePropertySet"):
                    colour = COLOURS[action - 2]
                    missing = max(SIZE[colour] - cards.table[p][colour] - cards.hand[p][colour], 0)  # noqa: B023
                    return -10 * missing - SIZE[colour] + int(cards.hand[p][f"{colour} rent"])  # noqa: B023
                if intent == "Cash":
                    return 2 * VALUE[KINDS[action]] + (action < 2)
                if intent == "AttemptCollectRent":
                    return 10 * min(due(action), wealth(cards, 1 - p)) - due(action)  # noqa: B023
                if intent == "GiveOpponentCash":
                    value = VALUE[tuple(VALUE)[action - 14]]
                    return 100 - value if value >= rest else value  # noqa: B023
                if intent == "GiveOpponentProperty":
                    colour = COLOURS[action - 19]
                    has = cards.table[p][colour]  # noqa: B023
                    if has > SIZE[colour]:
                        return 1000 - VALUE[colour]
                    covers = VALUE[colour] if VALUE[colour] >= rest else 0  # noqa: B023
                    return 500 - 2 * (100 * has // SIZE[colour]) - covers
                return 0

            def greedy(action: int, intent: str) -> int:
                if intent == "Cash":
                    return VALUE[KINDS[action]]
                return due(action) if intent == "AttemptCollectRent" else 0

            for word, liking in (("greedy", greedy), ("careful", careful)):
                other = resolvers[word]
                seen = Position(other, state, ())
                for intent, action in zip(seen.legal, seen.actions, strict=True):
                    likings = {name: liking(position.action(name), intent) for name in meant[intent]}
                    chosen = game.words.describe(state, other.abstraction.resolve(state, action))
                    assert likings[chosen] == max(likings.values()), (word, intent, likings)


def test_the_table_key_changes_with_everything_that_lies_open() -> None:
    game = load(GAMES[2]).abstract("table")
    for before, _, _ in played(load(GAMES[2]), 9):
        if before.state.demand:
            break
    state = before.state
    keys = {game.rules.key(state, 0), game.rules.key(state, 1)}
    changes = 0
    for name in ("streak", "left", "demand", "owed", "paid", "actor", "wanted", "idle"):
        other = state.copy()
        setattr(other, name, getattr(other, name) + 1)
        keys.add(game.rules.key(other, 0))
        changes += 1
    for name in ("cash", "property", "hand", "held"):
        for q in range(2):
            row = getattr(state, name)[q]
            for i in range(len(row)) if isinstance(row, list) else [None]:
                if (name, q) in (("hand", 1), ("held", 0)):
                    continue
                other = state.copy()
                if i is None:
                    getattr(other, name)[q] += 1
                else:
                    getattr(other, name)[q][i] += 1
                keys.add(game.rules.key(other, 0))
                changes += 1
    for kind in range(11):
        other = state.copy()
        other.discard[kind] += 1
        keys.add(game.rules.key(other, 0))
        changes += 1
    assert len(keys) == 2 + changes
    for unseen in range(11):
        other = state.copy()
        other.hand[1][unseen] += 1
        other.deck[unseen] += 1
        assert game.rules.key(other, 0) == game.rules.key(state, 0)
