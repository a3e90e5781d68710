"""What a player sees of Monopoly Deal as nouns, the paper's keys, and what they say to a person."""

import dataclasses
import functools
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from parlor import GameError, Position
from parlor.game.keys import paper_key
from parlor.game.loading import load
from parlor.games.monopoly_deal.keys import Codebook, abstract_state, information_key
from parlor.games.monopoly_deal.view import (
    GameState,
    OpponentState,
    Pile,
    PlayerState,
    ResponseContext,
    game_config,
    game_state,
)
from parlor.games.monopoly_deal.words import CARD_NAMES
from tests.games.monopoly_deal.test_monopoly_deal import EVERYTHING, FIVE, MINE, charged, dealt, drawn

PLAIN = [*(f"monopoly-deal(preset={p})" for p in ("standard", "paper", "small", "large", "tiny")), EVERYTHING]
ABSTRACT = [f"{EVERYTHING}/intent", "monopoly-deal(preset=paper)/counts", "monopoly-deal(preset=large)/table"]
DEMANDS = ("charge", "Debt", "Sly", "AttemptCollectRent")

loaded = functools.cache(load)


def walk(name: str, luck: random.Random) -> Iterator[Position]:
    """The positions of a random game, with more demands than chance alone would make."""
    position = loaded(name).start()
    yield position
    while not position.over:
        names = position.legal
        demands = [n for n in names if n.startswith(DEMANDS)]
        position = position.after(luck.choice(demands if demands and luck.random() < 0.5 else names))
        yield position


@functools.cache
def met(name: str) -> list[Position]:
    """Positions of three random games with a demand in them: the ends, two in an answer, two others."""
    luck = random.Random(name)
    some: list[Position] = []
    games = 0
    while games < 3:
        positions = list(walk(name, luck))
        answers = [p for p in positions if p.view(0).demand]
        if answers:
            some += [positions[-1], *luck.choices(answers, k=2), *luck.choices(positions, k=2)]
            games += 1
    return some


in_plain_games = pytest.mark.parametrize("name", PLAIN)
in_all_games = pytest.mark.parametrize("name", PLAIN + ABSTRACT)


# ---------------------------------------------------------------------------------------------------- the nouns


@in_all_games
def test_a_state_comes_back_from_json_equal_and_can_be_a_key(name: str) -> None:
    for position in met(name):
        for player in range(2):
            state = game_state(position, player)
            text = state.to_json()
            again = GameState.from_json(text)
            assert again == state
            assert hash(again) == hash(state)
            assert again.to_json() == text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))


def test_states_are_frozen() -> None:
    state = game_state(charged("monopoly-deal(sets=3)", MINE, "bank $1"), 0)
    parts = [state, state.me, state.opponent, state.piles, state.turn, state.turn.response, state.config, state.me.hand]
    for part in parts:
        assert part is not None
        field = dataclasses.fields(part)[0].name
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(part, field, None)


def test_a_state_tells_what_lies_where() -> None:
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE, "play pink", "bank $1")
    state = game_state(position, 1)
    assert state.me.hand.data() == {"$3": 1, "green": 3, "Just Say No": 1}
    assert state.me.cash.data() == {"$1": 1}
    assert state.me.property.data() == {"pink": 1}
    assert state.opponent == OpponentState(
        held=5, cash=Pile((("$1", 1),)), property=Pile((("brown", 2),)), complete=("brown",)
    )
    assert state.piles.deck == 83 - 10 - 6
    assert state.piles.discard.data() == {"brown rent": 1}
    assert (state.turn.turn_idx, state.turn.streak_idx, state.turn.actor) == (5, 1, 0)
    assert len(state.config.deck) == 83
    assert dict(state.config.options)["late_no"] is True
    assert dict(state.config.options)["sets"] == 3


def test_other_json_gets_a_sentence() -> None:
    state = game_state(loaded("monopoly-deal").start(), 0)
    data = state.data()
    for wrong in (
        "[]",
        "{",
        "{}",
        json.dumps({**data, "secret": 1}),
        json.dumps({**data, "me": {"hand": {"king": 1}}}),
    ):
        with pytest.raises(GameError, match="not the JSON of a GameState"):
            GameState.from_json(wrong)


# ------------------------------------------------------------------------------------------- no hidden information


def swapped(position: Position, player: int, luck: random.Random) -> Position:
    """The same position with other cards in the deck and in the hand of the other side, which remembers otherwise."""
    state = position.game.new_state()
    state.assign(position.state)
    other = 1 - player
    cards = [k for k in range(len(CARD_NAMES)) for _ in range(state.deck[k] + state.hand[other][k])]
    luck.shuffle(cards)
    held = cards[: state.held[other]]
    for kind in range(len(CARD_NAMES)):
        state.hand[other][kind] = held.count(kind)
        state.deck[kind] = cards.count(kind) - held.count(kind)
    state.seen[other] = luck.getrandbits(60)
    return Position(position.game, state, position.history)


@in_all_games
def test_a_state_is_the_same_whatever_is_hidden(name: str) -> None:
    luck = random.Random(name)
    for position in met(name):
        for player in range(2):
            changed = swapped(position, player, luck)
            assert game_state(changed, player) == game_state(position, player)
            assert information_key(changed, player, "intent") == information_key(position, player, "intent")


def with_another_draw(position: Position, player: int) -> Position | None:
    """The same moves after a game in which the other side drew another card, one it has not played so far.

    It still holds one of that kind, so it never missed it; and one of the new kind is still in the deck.
    """
    other = 1 - player
    held = position.view(other).hand
    unseen = game_state(position, other).unseen
    for kind, name in enumerate(CARD_NAMES):
        for new in CARD_NAMES:
            in_deck = unseen.count(new) - position.view(player).hand[CARD_NAMES.index(new)]
            if held[kind] and in_deck and new != name:
                last = max(i for i, m in enumerate(position.history) if m == f"player {other} draws {name}")
                history = list(position.history)
                history[last] = f"player {other} draws {new}"
                return position.game.start().after(*history)
    return None


@in_plain_games
def test_a_state_does_not_depend_on_what_the_other_drew(name: str) -> None:
    pairs = [(position, player) for position in met(name) for player in range(2)]
    others = [with_another_draw(position, player) for position, player in pairs]
    assert len([changed for changed in others if changed]) > 5
    for (position, player), changed in zip(pairs, others, strict=True):
        if changed is not None:
            assert changed.history != position.history
            assert game_state(changed, player) == game_state(position, player)
            assert game_state(changed, 1 - player) != game_state(position, 1 - player)


def paths_to(name: str, data: Any, path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """Where a name stands in nested dictionaries."""
    found: set[tuple[str, ...]] = set()
    for key, value in data.items() if isinstance(data, dict) else ():
        found |= {(*path, key)} if key == name else paths_to(name, value, (*path, key))
    return found


@in_all_games
def test_only_ones_own_hand_is_told(name: str) -> None:
    for position in met(name):
        for player in range(2):
            state = game_state(position, player)
            data = state.data()
            del data["config"]  # says how many cards a hand is dealt
            own: set[tuple[str, ...]] = {("me", "hand")}
            if state.turn.response and state.turn.actor == player:
                own.add(("turn", "response", "before", "hand"))
            assert paths_to("hand", data) == own
            assert paths_to("deck", data) == {("piles", "deck")}
            assert isinstance(state.piles.deck, int)
            assert set(data["opponent"]) == {"held", "cash", "property", "complete"}


@in_plain_games
def test_cards_add_up(name: str) -> None:
    for position in met(name):
        hidden = position.state
        for player in range(2):
            state = game_state(position, player)
            assert len(state.unseen) == state.piles.deck + state.opponent.held
            for kind, card in enumerate(CARD_NAMES):
                assert state.unseen.count(card) == hidden.deck[kind] + hidden.hand[1 - player][kind]
                sides = (state.me.cash, state.me.property, state.opponent.cash, state.opponent.property)
                known = state.me.hand.count(card) + state.piles.discard.count(card) + sum(s.count(card) for s in sides)
                assert known + state.unseen.count(card) == state.config.deck.count(card)


# ---------------------------------------------------------------------------------------------- states and infosets


def told(position: Position, player: int) -> tuple[str, ...]:
    """All that happened, as this player was told it."""
    hidden = f"player {1 - player} draws"
    return tuple(hidden if move.startswith(hidden) else move for move in position.history)


@pytest.mark.slow
def test_states_are_equal_just_when_views_and_histories_are() -> None:
    """One to one on the positions of 150 games of the smallest preset, many of which meet."""
    luck = random.Random(1)
    positions = [p for _ in range(150) for p in walk("monopoly-deal(preset=tiny)", luck)]
    for player in range(2):
        facts = {
            (game_state(p, player), p.view(player), told(p, player), p.key(player), information_key(p, player, "none"))
            for p in positions
        }
        sizes = [len(set(column)) for column in zip(*facts, strict=True)]
        assert set(sizes) == {len(facts)}
        assert 100 < len(facts) < len(positions)


def concrete(position: Position) -> Position:
    """The position of the plain game in which the same has happened."""
    plain = loaded(position.game.name.partition("/")[0])
    twin, shadow = position.game.start(), plain.start()
    for move in position.history:
        action = twin.actions[twin.legal.index(move)]
        shadow = shadow.after(position.game.abstraction.resolve(twin.state, action))
        twin = twin.after(move)
    return shadow


@pytest.mark.parametrize("name", ABSTRACT)
def test_a_state_is_the_same_in_the_abstract_game(name: str) -> None:
    for position in [p for p in met(name) if p.view(0).demand]:
        plain = concrete(position)
        assert plain.game is not position.game
        for player in range(2):
            mine, theirs = game_state(plain, player), game_state(position, player)
            assert dataclasses.replace(mine, memory=theirs.memory) == theirs  # abstractions need not remember
            assert information_key(plain, player, "intent") == information_key(position, player, "intent")


# ---------------------------------------------------------------------------------------------------- the response


def response(position: Position, player: int) -> ResponseContext:
    """The response under way."""
    context = game_state(position, player).turn.response
    assert context is not None
    return context


def test_a_response_holds_the_rent_the_charger_as_it_was_and_the_payments_so_far() -> None:
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE, "play pink", "bank $1")
    for player in range(2):
        asked = response(position, player)
        assert asked.action == "charge brown rent of $2"
        assert (asked.demand, asked.owed, asked.paid, asked.wanted) == ("payment", 2, 0, None)
        assert asked.responses == ()
    paid = position.after("pay $1 from the bank")
    for player in range(2):
        after = response(paid, player)
        assert after.action == "charge brown rent of $2"
        assert (after.owed, after.paid) == (2, 1)
        assert after.responses == ("pay $1 from the bank",)
        assert after.before == response(position, player).before
        assert after.before.cash.data() == {"$1": 1}  # it has two dollars now
        assert after.before.property.data() == {"brown": 2}
        assert after.before.complete == ("brown",)
    assert game_state(paid, 0).me.cash.data() == {"$1": 2}
    own, seen = response(paid, 0).before, response(paid, 1).before
    assert isinstance(own, PlayerState)
    assert own.hand.data() == {"$3": 2, "pink": 2, "brown rent": 1}  # the card that was played is gone
    assert isinstance(seen, OpponentState)
    assert seen.held == 5
    for ending in ("pay the property pink", "Just Say No"):
        assert game_state(paid.after(ending), 0).turn.response is None
        assert game_state(paid.after(ending), 1).turn.response is None


def test_payments_are_told_in_order_from_bank_and_properties() -> None:
    charger = ("green", "green", "green", "green rent", "$1")
    position = dealt("monopoly-deal", charger, ("$1", "pink", "$1", "brown", "$3"), "$3", "$3")
    position = drawn(position.after("play green", "play green"), "$3", "$3").after("bank $1", "play pink")
    position = drawn(position, "$3", "$3").after("play green", "charge green rent of $7")
    position = position.after("pay the property pink", "pay $1 from the bank")
    context = response(position, 0)
    assert context.responses == ("pay the property pink", "pay $1 from the bank")
    assert context.paid == 3
    assert context.before.property.data() == {"green": 3}
    assert game_state(position, 0).me.property.data() == {"green": 3, "pink": 1}
    assert game_state(position.after("yield"), 0).turn.response is None


def test_the_second_demand_of_a_streak_is_a_response_of_its_own() -> None:
    hand = ("Debt Collector", "Debt Collector", *FIVE[:3])
    position = dealt("monopoly-deal(debts=3)", hand, FIVE, "$3", "$3").after("bank $3", "pass")
    position = drawn(position, "$3", "$3").after("bank $1", "bank $1")
    position = drawn(position, "$3", "$3").after("Debt Collector", "pay $1 from the bank", "pay $1 from the bank")
    assert response(position, 1).responses == ("pay $1 from the bank",) * 2
    again = position.after("yield", "Debt Collector")
    assert response(again, 1).responses == ()
    assert response(again, 1).before.cash.data() == {"$1": 2, "$3": 1}


def test_the_debt_collector_is_a_response() -> None:
    position = dealt("monopoly-deal(debts=3)", ("Debt Collector", *FIVE[:4]), FIVE, "$3", "$3").after("Debt Collector")
    context = response(position, 1)
    assert (context.action, context.demand, context.owed, context.paid) == ("Debt Collector", "payment", 5, 0)
    assert context.before == OpponentState(6, Pile(), Pile(), ())
    assert game_state(position.after("yield"), 1).turn.response is None


def test_a_sly_deal_is_a_response_that_wants_a_colour() -> None:
    victim = ("green", "brown", "brown", "Just Say No", "$1")
    position = dealt("monopoly-deal(slys=3)", ("Sly Deal", "$1", "$1", "$1", "$1"), victim, "$3", "$3")
    position = drawn(position.after("bank $1", "pass"), "green", "pink").after("play green", "play brown")
    position = drawn(position, "$3", "$3").after("Sly Deal for green")
    context = response(position, 1)
    assert (context.action, context.demand, context.wanted) == ("Sly Deal for green", "property", "green")
    assert (context.owed, context.paid, context.responses) == (0, 0, ())
    assert context.before.cash.data() == {"$1": 1}
    done = game_state(position.after("yield"), 0)
    assert done.turn.response is None
    assert done.me.property.data() == {"green": 1}


@in_plain_games
def test_a_response_names_the_moves_that_were_made(name: str) -> None:
    """What is read off the table is what the history of the plain game says."""
    for position in met(name):
        context = game_state(position, 0).turn.response
        assert (context is None) == (position.view(0).demand == 0)
        if context is not None:
            moves = (context.action, *context.responses)
            assert position.history[-len(moves) :] == moves


def test_a_response_without_its_history_gets_a_sentence() -> None:
    position = charged("monopoly-deal(sets=3)", MINE, "bank $1")
    with pytest.raises(GameError, match="has no history that says which demand"):
        game_state(Position(position.game, position.state, ()), 0)


# ---------------------------------------------------------------------------------------------------------- the keys

HAND = ("$1", "$3", "brown", "brown", "brown rent")
START = ["StartNewPropertySet", "Cash", "Pass", "Other"]


def test_a_key_is_the_papers() -> None:
    position = dealt("monopoly-deal(preset=paper)/intent", HAND, FIVE, "$3", "green rent")
    key = information_key(position, 0, "intent")
    assert re.fullmatch(r"\d@\w+@[0-9a-f]{32}", key)
    # printf '%s' '{"actions":["StartNewPropertySet","Cash","Pass","Other"],"streak":0}' | md5sum
    assert key == "0@intent@7c235ebfb4a7aa7bfaef078f719cd2a3"
    assert abstract_state(position, 0, "intent") == {"player": 0, "streak": 0, "actions": START}
    assert paper_key("intent", {"actions": START, "streak": 0, "player": 0}) == key
    assert information_key(position, 0, "intent") == key


def test_different_paths_to_an_infoset_have_one_key() -> None:
    name = "monopoly-deal(preset=paper)"
    hands = (HAND, ("$3", "$1", "green", "pink", "pink rent"))
    positions = [dealt(f"{name}/intent", hand, FIVE, "$3", "green rent") for hand in hands]
    assert len({information_key(p, 0, "intent") for p in positions}) == 1
    assert len({information_key(p, 0, "none") for p in positions}) == 2


def test_keys_differ_between_players_and_abstractions() -> None:
    position = dealt("monopoly-deal(preset=paper)", HAND, HAND, "$3", "green rent")
    keys = {information_key(position, player, name) for player in range(2) for name in ("none", "intent")}
    assert len(keys) == 4
    same = [paper_key("counts", {"player": p, "streak": 0}) for p in range(2)]
    assert [key[1:] for key in same] == [same[0][1:]] * 2  # the player is no part of what is digested
    assert paper_key("table", {"player": 0, "streak": 0}) != same[0]


def test_an_abstract_state_must_say_whose_it_is() -> None:
    with pytest.raises(GameError, match="needs an entry 'player'"):
        paper_key("intent", {"streak": 0})


def test_keys_are_as_many_as_the_games_own() -> None:
    luck = random.Random(2)
    pairs = {
        (p.key(player), information_key(p, player, "intent"))
        for _ in range(60)
        for p in walk(f"{EVERYTHING}/intent", luck)
        for player in range(2)
        if not p.over
    }
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) > 80


def test_the_counts_say_what_lies_on_the_table() -> None:
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE, "play pink", "bank $1")
    told = abstract_state(position, 1, "counts")
    assert told["player"] == 1
    assert (told["complete sets"], told["next set lacks"]) == (0, 2)
    assert (told["the other's complete sets"], told["the other's next set lacks"]) == (1, 3)
    assert told["owes"] == "more than the cash"
    assert told["cash against the other's rent"] == "less than it could charge"


def test_unknown_abstractions_get_a_sentence() -> None:
    with pytest.raises(GameError, match="no abstraction 'nonsense'"):
        information_key(loaded("monopoly-deal").start(), 0, "nonsense")


# ------------------------------------------------------------------------------------------------------ the codebook


def test_words_of_intents() -> None:
    book = Codebook()
    key = book.add("intent", {"player": 0, "streak": 1, "actions": ["StartNewPropertySet", "Cash", "Pass"]})
    assert book.words(key) == "player 0, second turn of the streak: may start a property set, bank cash or pass"
    answers = ["JustSayNo", "GiveOpponentCash", "GiveOpponentProperty"]
    key = book.add("intent", {"player": 1, "streak": 0, "actions": answers})
    assert (
        book.words(key)
        == "player 1 must answer a demand (first turn of the streak): may say no, give cash or give property"
    )
    key = book.add("intent", {"player": 1, "streak": 0, "actions": ["Pass"]})
    assert book.words(key) == "player 1, first turn of the streak: can only pass"
    key = book.add("intent", {"player": 1, "streak": 0, "actions": []})
    assert book.words(key) == "player 1 waits, first turn of the streak"


def test_words_of_other_entries() -> None:
    counts = {"owns": {"brown": 1, "green": 2}, "other owns": {}, "cash": "3 or 4", "no_cards": 2, "late": True}
    book = Codebook()
    key = book.add("counts", {"player": 0, "streak": 0, "actions": ["Cash", "Pass"], **counts})
    assert book.words(key) == (
        "player 0, first turn of the streak: may bank cash or pass; cash: 3 or 4; late: yes; no cards: 2; "
        "the other owns no property; owns brown 1/2, green 2/3"
    )
    key = book.add("table", {"player": 1, "hand": {"$1": 2, "green rent": 1}, "idle": [], "deck": {"left": [1, 2]}})
    assert book.words(key) == "player 1; deck: left: 1, 2; holds 2 $1, green rent; idle: nothing"


def test_words_of_the_whole_state() -> None:
    book = Codebook()
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE, "play pink", "bank $1")
    assert book.words(book.key(position, 1, "none")) == (
        "player 1 must answer charge brown rent of $2 ($2 owed, $0 paid); holds $3, Just Say No, 3 green; "
        "owns pink 1/3, bank $1; the other owns brown 2/2, bank $1, 5 cards in hand; deck 67, discarded brown rent"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "abstraction"),
    [
        (f"{EVERYTHING}/intent", "intent"),
        ("monopoly-deal(preset=tiny)", "none"),
        (f"{EVERYTHING}/counts", "counts"),
    ],
)
def test_every_key_met_can_be_turned_into_words(name: str, abstraction: str) -> None:
    luck = random.Random(3)
    book = Codebook()
    for _ in range(200):
        for position in walk(name, luck):
            if position.turn >= 0:
                book.key(position, position.turn, abstraction)
    again = Codebook.from_dict(json.loads(json.dumps(book.to_dict())))
    assert set(again) == set(book)
    assert len(again) > 50
    sentences = [again.words(key) for key in again]
    assert all(re.match(r"player [01]( must answer|[,;:] )", sentence) for sentence in sentences)
    assert sentences == [book.words(key) for key in again]
    if abstraction == "intent":
        assert len(set(sentences)) == len(sentences)


def test_a_codebook_takes_only_what_belongs_together() -> None:
    book = Codebook()
    key = paper_key("intent", {"player": 1, "streak": 0, "actions": ["Pass"]})
    book.give(key, {"streak": 0, "actions": ["Pass"]})
    assert key in book
    assert book[key] == {"streak": 0, "actions": ["Pass"]}
    with pytest.raises(GameError, match="does not stand for"):
        book.give(key, {"streak": 1, "actions": ["Pass"]})
    with pytest.raises(GameError, match="is not a key"):
        book.give("intent", {})
    with pytest.raises(GameError, match="has no key"):
        book.words(key.replace("intent", "counts"))


def test_the_config_is_that_of_the_game() -> None:
    assert game_config(loaded("monopoly-deal(preset=tiny)")).deck.data() == {
        "$1": 1,
        "brown": 3,
        "brown rent": 2,
        "Just Say No": 1,
    }
