"""Monopoly Deal against its rulebook, one test a rule, and what must hold in every state."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlor
from parlor import CHANCE, GameError, Position
from parlor.compile.random_games import run_random_games
from parlor.contract import imagination
from parlor.game.loading import load
from parlor.game.rng import seed_stream
from parlor.game.seats.play import play_game, uniform_agent
from parlor.sequence_form.tree import tree

pytestmark = pytest.mark.slow(seconds=20)

PRESETS = ("standard", "paper", "small", "large", "tiny")
EVERYTHING = "monopoly-deal(preset=small,debts=3,slys=3)"


def dealt(name: str, first: Sequence[str], second: Sequence[str], *draws: str) -> Position:
    """A game in which these hands are dealt, and these cards drawn at the first streaks."""
    position = load(name).start()
    for player, cards in enumerate((first, second)):
        for card in cards:
            position = position.after(f"player {player} draws {card}")
    return drawn(position, *draws)


def drawn(position: Position, *cards: str) -> Position:
    """Chance deals these cards to whoever draws."""
    for card in cards:
        [move] = [name for name in position.legal if name.endswith(f"draws {card}")]
        position = position.after(move)
    return position


FIVE = ("$1", "$1", "brown", "green", "brown rent")
PAPER = "monopoly-deal(preset=paper)"
STANDARD = "monopoly-deal"


# ------------------------------------------------------------------------------------------------- the deck and streaks


def test_the_deck_of_the_paper_has_83_cards() -> None:
    state = load(PAPER).start().view(0)
    assert state.left == 83
    odds = load(PAPER).start().odds
    assert odds["player 0 draws Just Say No"] == pytest.approx(3 / 83)
    assert odds["player 0 draws $1"] == pytest.approx(10 / 83)
    assert "player 0 draws Sly Deal" not in odds


def test_five_cards_each_and_the_starter_draws_two_more() -> None:
    position = dealt(PAPER, FIVE, FIVE)
    assert position.turn == CHANCE
    assert all(name.startswith("player 0 draws") for name in position.legal)
    position = drawn(position, "$3", "$3")
    assert position.turn == 0
    assert position.view(0).held == (7, 5)


def test_a_streak_has_two_turns() -> None:
    position = dealt(PAPER, FIVE, FIVE, "$3", "$3").after("bank $1")
    assert position.turn == 0
    position = position.after("bank $1")
    assert position.turn == CHANCE
    assert drawn(position, "$1", "$1").turn == 1


def test_passing_ends_the_streak_at_once_and_is_always_legal() -> None:
    position = dealt(PAPER, FIVE, FIVE, "$3", "$3")
    assert "pass" in position.legal
    assert drawn(position.after("pass"), "$1", "$1").turn == 1


def test_an_empty_hand_draws_five() -> None:
    name = "monopoly-deal(preset=paper,hand=1,draws=1)"
    position = dealt(name, ["$1"], ["$1"], "$1").after("bank $1", "bank $1")
    position = drawn(position, "$3").after("pass")  # player 1 keeps its cards
    assert drawn(position, "$3", "$3", "$3", "$3").turn == CHANCE
    assert drawn(position, "$3", "$3", "$3", "$3", "brown").turn == 0


def test_discards_never_come_back() -> None:
    for index in range(20):
        game = load(STANDARD)
        record = play_game(game, [uniform_agent] * 2, 1, index)
        assert sum("draws" in move for move in record.moves) <= 83


# -------------------------------------------------------------------------------------------------- cards on one's turn


def test_a_property_goes_to_the_property_pile_also_when_the_set_is_full() -> None:
    hand = ("brown", "brown", "brown", "$1", "$1")
    position = drawn(dealt(PAPER, hand, FIVE, "$3", "$3").after("play brown", "play brown"), "$3", "$3").after("pass")
    position = drawn(position, "$1", "$1").after("play brown")
    assert position.view(1).property[0] == (3, 0, 0)


def test_rent_is_by_the_number_owned_up_to_a_full_set() -> None:
    hand = ("green", "green", "green", "green rent", "$1")
    position = dealt(PAPER, hand, FIVE, "green rent", "$3")
    assert position.after("play green").legal.count("charge green rent of $2") == 1
    position = drawn(position.after("play green", "play green"), "$3", "$3").after("pass")
    position = drawn(position, "$1", "$1")
    assert "charge green rent of $4" in position.legal
    assert "charge green rent of $7" in position.after("play green").legal


def test_rent_without_a_property_burns_the_turn_in_the_paper_and_is_illegal_in_ours() -> None:
    position = dealt(PAPER, FIVE, FIVE, "$3", "$3").after("charge brown rent of $0")
    assert position.turn == 0  # no response
    assert position.view(0).streak == 1
    assert not any("rent" in move for move in dealt(STANDARD, FIVE, FIVE, "$3", "$3").legal)


def test_just_say_no_and_rent_cannot_be_banked_or_played_on_ones_own_turn() -> None:
    hand = ("Just Say No", "Just Say No", "Just Say No", "brown rent", "pink rent")
    assert dealt(STANDARD, hand, FIVE, "$3", "$3").legal == ["bank $3", "pass"]


# ------------------------------------------------------------------------------------------------------------ responses


def charged(name: str, mine: Sequence[str], *owned: str) -> Position:
    """Player 1, who has played the cards `owned` from `mine`, is charged brown rent of $2."""
    charger = ("brown", "brown", "brown rent", "brown rent", "$1")
    position = dealt(name, charger, mine, "$3", "$3").after("play brown", "bank $1")
    position = drawn(position, "green", "green").after(*owned)
    if len(owned) < 2:
        position = position.after("pass")
    return drawn(position, "pink", "pink").after("play brown", "charge brown rent of $2")


MINE = ("$1", "$3", "pink", "Just Say No", "green")


def test_a_demand_hands_control_to_the_other_side_until_it_is_covered() -> None:
    position = charged(
        "monopoly-deal(preset=paper,sets=3)", ("$1", "$1", "pink", "green", "green"), "bank $1", "bank $1"
    )
    assert position.turn == 1
    position = position.after("pay $1 from the bank")
    assert position.turn == 1
    assert (position.view(0).owed, position.view(0).paid) == (2, 1)
    position = position.after("pay $1 from the bank")
    assert position.view(0).demand == 0
    assert position.view(0).cash[0][0] == 3  # its own dollar and the two paid


def test_no_change_is_given() -> None:
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE, "bank $3", "bank $1").after("pay $3 from the bank")
    assert position.view(0).demand == 0
    assert position.view(0).cash[0][1] == 1


def test_a_property_can_be_paid_and_becomes_cash_in_the_paper_and_property_in_ours() -> None:
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE, "play pink", "bank $1").after(
        "pay the property pink"
    )
    assert position.view(0).property == ((2, 0, 0), (0, 0, 0))
    assert position.view(0).cash[0][4] == 1
    position = charged("monopoly-deal(sets=3)", MINE, "play pink", "bank $1").after("pay the property pink")
    assert position.view(0).property == ((2, 0, 1), (0, 0, 0))


def test_yielding_is_legal_only_when_nothing_can_be_paid() -> None:
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE)
    assert position.legal == ["Just Say No", "yield"]
    position = charged("monopoly-deal(preset=paper,sets=3)", MINE, "bank $1")
    assert position.legal == ["Just Say No", "pay $1 from the bank"]
    assert position.after("pay $1 from the bank").legal == ["Just Say No", "yield"]  # as coded: also after part payment


def test_just_say_no_after_a_part_payment_is_the_papers_and_not_ours() -> None:
    position = charged("monopoly-deal(sets=3)", MINE, "bank $1").after("pay $1 from the bank")
    assert position.legal == ["yield"]


def test_just_say_no_cancels_the_demand_and_is_discarded() -> None:
    position = charged("monopoly-deal(sets=3)", MINE, "bank $3").after("Just Say No")
    view = position.view(1)
    assert view.demand == 0
    assert view.discard[8] == 1
    assert view.cash[1][1] == 1  # nothing was paid
    assert view.hand[8] == 0


def test_the_debt_collector_demands_five() -> None:
    position = dealt("monopoly-deal(debts=3)", ("Debt Collector", *FIVE[:4]), FIVE, "$3", "$3").after("Debt Collector")
    assert position.turn == 1
    assert position.view(1).owed == 5


def test_a_sly_deal_takes_a_property_that_is_not_in_a_full_set_and_can_be_refused() -> None:
    name = "monopoly-deal(slys=3)"
    victim = ("green", "brown", "brown", "Just Say No", "$1")
    position = dealt(name, ("Sly Deal", "$1", "$1", "$1", "$1"), victim, "$3", "$3")
    assert not any("Sly" in move for move in position.legal)  # nothing to take yet
    position = drawn(position.after("pass"), "green", "pink").after("play green", "play brown")
    position = drawn(position, "$3", "$3")
    assert [move for move in position.legal if "Sly" in move] == ["Sly Deal for brown", "Sly Deal for green"]
    asked = position.after("Sly Deal for green")
    assert asked.legal == ["Just Say No", "yield"]
    assert asked.after("yield").view(0).property == ((0, 1, 0), (1, 0, 0))
    assert asked.after("Just Say No").view(0).property == ((0, 0, 0), (1, 1, 0))
    full = drawn(position.after("pass"), "$1", "$1").after("play brown", "pass")
    assert [move for move in drawn(full, "$3", "$3").legal if "Sly" in move] == ["Sly Deal for green"]


# -------------------------------------------------------------------------------------------------------------- the end


def test_full_sets_of_enough_different_colours_win_at_once() -> None:
    hand = ("brown", "brown", "brown", "brown", "$1")
    position = dealt("monopoly-deal(preset=small)", hand, ("$1", "$1", "green", "green", "pink"), "$3", "$3").after(
        "play brown"
    )
    assert position.after("play brown").payoffs == [1, -1]
    position = dealt(PAPER, hand, FIVE, "$3", "$3").after("play brown", "play brown")
    assert not position.over  # one colour of two
    position = drawn(drawn(position, "$3", "$3").after("pass"), "$1", "$1").after("play brown", "play brown")
    assert not position.over  # twice the same colour is still one


def test_both_passing_with_an_empty_deck_is_a_draw_in_ours() -> None:
    name = "monopoly-deal(preset=tiny,nos=1,rents=0,ones=1,properties=2,sets=1,hand=2,draws=0)"
    position = dealt(name, ("$1", "brown"), ("brown", "Just Say No"))
    assert position.turn == 0
    position = position.after("pass")
    assert position.turn == 1
    assert position.after("pass").payoffs == [0, 0]


def test_a_game_that_lasts_too_long_is_a_draw() -> None:
    position = dealt("monopoly-deal(cap=1)", FIVE, FIVE, "$3", "$3").after("bank $1")
    assert position.payoffs == [0, 0]


# ---------------------------------------------------------------------------------------------------- in every state


@pytest.mark.parametrize("name", [f"monopoly-deal(preset={preset})" for preset in PRESETS] + [EVERYTHING])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=12)
def test_cards_are_conserved_and_responses_are_bounded(name: str, seed: int) -> None:
    game = load(name)
    total = game.start().view(0).left
    position = game.start()
    responses = 0
    for move in play_game(game, [uniform_agent] * 2, seed).moves:
        position = position.after(move)
        views = [position.view(p) for p in range(2)]
        piles = [
            views[0].left,
            sum(views[0].discard),
            *(sum(c) for c in views[0].cash),
            *(sum(c) for c in views[0].property),
        ]
        assert sum(piles) + sum(sum(view.hand) for view in views) == total
        assert [sum(view.hand) for view in views] == list(views[0].held)
        responses = responses + 1 if views[0].demand else 0
        assert responses <= 8  # seven payments at most, and the end of the phase


@pytest.fixture
def fewer_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """From every state that is imagined in a check, a game is played to its end: less often."""
    monkeypatch.setattr(imagination, "LOOKS", 30)


@pytest.mark.usefixtures("fewer_looks")
@pytest.mark.parametrize("options", [*PRESETS[:-1], "tiny,cap=3"])  # that one is walked through
def test_every_preset_keeps_the_contract(options: str) -> None:
    findings = parlor.check(load(f"monopoly-deal(preset={options})"), games=10, compiled=False)
    assert [f.sentence for f in findings if f.ok is False] == []


@pytest.mark.usefixtures("fewer_looks")
@pytest.mark.parametrize("abstraction", ["intent", "counts", "table"])
def test_every_abstraction_keeps_the_contract(abstraction: str) -> None:
    findings = parlor.check(load(f"{EVERYTHING}/{abstraction}"), games=10, compiled=False)
    assert [f.sentence for f in findings if f.ok is False] == []


def test_random_against_random_favours_the_first_as_known() -> None:
    """54 % for the first mover under the paper's rules; and plain and compiled games of an abstraction are the same."""
    game = load(f"{PAPER}/intent")
    plain, native = (run_random_games(game, 100, 1, compiled) for compiled in (False, True))
    assert plain[0] == native[0]
    _, totals = run_random_games(game, 20_000, seed=1)
    assert 0.5 + totals[2] / 20_000 / 2 == pytest.approx(0.54, abs=0.012)


def test_tiny_is_solved_exactly() -> None:
    game = load("monopoly-deal(preset=tiny)")
    assert tree(game).histories == 70_529
    report = parlor.solve(game, "cfr+", until=1e-4).report
    assert report.evaluation is not None
    assert report.evaluation.values[0] == pytest.approx(0.3286, abs=0.001)


def test_intents_are_the_papers() -> None:
    hand = ("$1", "$3", "brown", "brown", "brown rent")
    position = dealt(f"{PAPER}/intent", hand, FIVE, "$3", "green rent")
    assert position.legal == ["StartNewPropertySet", "Cash", "Pass", "Other"]
    started = position.after("StartNewPropertySet")
    assert started.legal == ["CompletePropertySet", "Cash", "AttemptCollectRent", "Pass", "Other"]
    assert position.after("Cash").view(0).cash[0] == (0, 1, 0, 0, 0)  # the highest value


def test_keys_of_the_intent_abstraction_forget_everything_else() -> None:
    hands = (("$1", "$3", "brown", "brown", "brown rent"), ("$3", "$1", "green", "pink", "pink rent"))
    keys = {dealt(f"{PAPER}/intent", hand, FIVE, "$3", "green rent").key(0) for hand in hands}
    assert len(keys) == 1
    keys = {dealt(f"{PAPER}/table", hand, FIVE, "$3", "green rent").key(0) for hand in hands}
    assert len(keys) == 2


def test_impossible_decks_get_a_sentence() -> None:
    with pytest.raises(GameError, match="cannot be completed with colours=1"):
        load("monopoly-deal(colours=1,sets=2)")
    with pytest.raises(GameError, match="too few to deal hand=10"):
        load("monopoly-deal(preset=tiny,hand=10)")


# ------------------------------------------------------------------------------------------------- intents


def intended(position: Position, action: int) -> str:
    """The intent of a concrete move, by the paper's table."""
    view, name = position.view(position.turn), position.legal[position.actions.index(action)]
    if view.demand:
        return {"Just Say No": "JustSayNo", "yield": "Yield"}.get(
            name, "GiveOpponentCash" if name.endswith("from the bank") else "GiveOpponentProperty"
        )
    if name.startswith("play "):
        colour = ("brown", "green", "pink").index(name.removeprefix("play "))
        owned, size = view.property[view.player][colour], (2, 3, 3)[colour]
        if owned >= size:
            return "Cash"
        return "CompletePropertySet" if owned + 1 == size else "AddToPropertySet" if owned else "StartNewPropertySet"
    if name.startswith("charge"):
        return "Other" if name.endswith("of $0") else "AttemptCollectRent"
    return {"bank $1": "Cash", "bank $3": "Cash", "pass": "Pass"}.get(name, "AttemptCollectRent")


@pytest.mark.parametrize("resolver", ["intent", "intent+careful"])
@pytest.mark.parametrize("name", [PAPER, STANDARD, EVERYTHING])
def test_every_legal_move_has_its_intent_and_every_intent_becomes_a_legal_move(name: str, resolver: str) -> None:
    game = load(name)
    coarse, buffer = game.abstract(resolver), [0] * game.actions
    for index in range(20):
        for position in positions(game.name, index):
            meant = {
                coarse.words.describe(position.state, i): i
                for i in buffer[: coarse.rules.legal(position.state, buffer)]
            }
            assert set(meant) == {intended(position, a) for a in position.actions}
            for intent, i in meant.items():
                assert intended(position, coarse.abstraction.resolve(position.state, i)) == intent


def positions(name: str, index: int) -> list[Position]:
    """Those of a random game in which somebody decides."""
    game = load(name)
    record = play_game(game, [uniform_agent] * 2, seed=5, index=index)
    met = [game.start()]
    for move in record.moves:
        met.append(met[-1].after(move))
    return [p for p in met if p.turn >= 0]


def test_the_greedy_resolver_takes_the_highest_rent_and_the_highest_cash_value() -> None:
    position = dealt("monopoly-deal/intent", ("$1", "$3", "brown", "green", "brown rent"), FIVE, "green rent", "$1")
    concrete = load("monopoly-deal/intent").abstraction.resolve
    names = {position.legal[i]: a for i, a in enumerate(position.actions)}
    assert concrete(position.state, names["Cash"]) == 1  # $3
    position = position.after("StartNewPropertySet")
    names = {position.legal[i]: a for i, a in enumerate(position.actions)}
    owned = position.view(0).property[0]
    assert concrete(position.state, names["AttemptCollectRent"]) == (5 if owned[0] else 6)


def test_a_streak_in_which_a_card_was_played_is_not_idle() -> None:
    position = dealt("monopoly-deal(preset=small)", FIVE, FIVE, "$3", "$3")
    position = position.after("bank $1", "pass")
    assert position.view(0).idle == 0


def test_a_card_is_dealt_by_the_odds() -> None:
    """`deal` is a short cut past `odds`; both must mean the same."""
    game = load(EVERYTHING)
    state = dealt(EVERYTHING, FIVE, ("$3", "pink", "pink", "Sly Deal", "Just Say No")).state
    odds, r = [0.0] * game.outcomes, [0] * 4
    game.rules.odds(state, odds)
    assert game.deal is not None
    seed_stream(r, 7, 0)
    counts = [0] * game.outcomes
    for _ in range(20_000):
        counts[game.deal(state, odds, r)] += 1
    assert [count / 20_000 for count in counts] == pytest.approx(odds, abs=0.012)  # over three deviations
    assert all((count > 0) == (share > 0.0) for count, share in zip(counts, odds, strict=True))
