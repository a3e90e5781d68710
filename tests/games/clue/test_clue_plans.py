"""Plans of Clue: few moves that come to legal ones, keys that everybody can tell, and an estimate that is close."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from parlor.game import CHANCE, OVER, Game, State
from parlor.game.loading import load
from parlor.games.clue.deduction.facts import gather
from parlor.games.clue.deduction.hands import deck_of, new_counts, new_facts, workspace
from parlor.games.clue.deduction.knowledge import count

GAME = load("clue")
PLANS = GAME.abstract("plans")


def decisions(game: Game, games: int, seed: int, first: float = 0.5) -> Iterator[tuple[State, list[int]]]:
    """All decisions of games by plans, with the legal ones; the first plan, believing, has a probability of its own."""
    dice, moves, chances = random.Random(seed), [0] * game.actions, [0.0] * game.outcomes
    for _ in range(games):
        state = game.new_state()
        game.rules.start(state)
        while (who := game.rules.turn(state)) != OVER:
            if who == CHANCE:
                n = game.rules.odds(state, chances)
                game.rules.play(state, dice.choices(range(n), chances[:n])[0])
                continue
            plans = moves[: game.rules.legal(state, moves)]
            yield state, plans
            game.rules.play(state, plans[0] if dice.random() < first else dice.choice(plans))


@pytest.mark.parametrize("name", ["clue", "clue(preset=standard,players=4)", "clue(preset=small,players=5)"])
def test_plans_come_to_legal_moves(name: str) -> None:
    game = load(name)
    plans, legal = game.abstract("plans"), [0] * game.actions
    rows: dict[int, int] = {}
    for state, found in decisions(plans, 6, 1):
        moves = legal[: game.rules.legal(state, legal)]
        assert all(plans.abstraction.resolve(state, plan) in moves for plan in found)
        assert len({plans.words.describe(state, plan) for plan in found}) == len(found)
        key = plans.rules.key(state, game.rules.turn(state))
        assert rows.setdefault(key, len(found)) == len(found)  # a key has one number of plans
    assert len(rows) > 10


def test_hiding_names_an_own_card_and_believing_does_not() -> None:
    for state, found in decisions(PLANS, 10, 2):
        if state.answering:
            continue
        own = state.hand[state.actor]
        for plan in found:
            cards = triple_cards(PLANS.abstraction.resolve(state, plan))
            name = PLANS.words.describe(state, plan)
            assert len([card for card in cards if own >> card & 1]) == (1 if name == "hide" else 0)
        assert ("hide" in [PLANS.words.describe(state, plan) for plan in found]) == (state.suggestions < 3)


def test_a_card_that_the_asker_has_seen_is_shown_again() -> None:
    """Player 0 asks player 1 for the same three cards twice."""
    owners = [0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 1, 2, 1, 1, 3]  # Mustard, Knife and Lounge with player 1
    position = GAME.start().after(*owners)
    asked = (1 * 6 + 1) * 9 + 1
    position = position.after(asked)
    moves = [0] * GAME.actions
    assert [PLANS.words.describe(position.state, a) for a in moves[: PLANS.rules.legal(position.state, moves)]] == [
        "show the suspect", "show the weapon", "show the room"]  # fmt: skip
    position = position.after(324 + 7)
    while position.turn != 0 or position.state.answering:
        position = position.after(position.legal[0])
    position = position.after(asked)
    assert [PLANS.words.describe(position.state, a) for a in moves[: PLANS.rules.legal(position.state, moves)]] == [
        "show the weapon"]  # fmt: skip


def test_the_estimate_is_close_to_the_count() -> None:
    """Without trust it should be what counting deals gives: certain where that is certain, and close elsewhere."""
    estimate = PLANS.rules.key.__globals__["estimate"]  # of the module that was loaded for these options
    deck = deck_of(GAME)
    (facts, possible), (tensor, cards), work = new_facts(deck, 100), new_counts(deck), workspace(deck)
    errors = []
    for state, _ in decisions(PLANS, 4, 4):
        p = GAME.rules.turn(state)
        if state.suggestions < 6 or state.answering:
            continue
        guessed = np.zeros(21 * 4)
        estimate(state, p, False, guessed)
        gather(state, p, deck, facts, possible)
        exact = cards / count(facts, deck, possible, work, tensor, cards)
        guess = guessed.reshape(21, 4)
        assert guess.sum(axis=1) == pytest.approx(1.0)
        assert (exact[guess == 0.0] < 1e-9).all()  # what it rules out is out
        errors.append(np.abs(guess - exact).mean())
    assert len(errors) > 5
    assert np.mean(errors) < 0.03


def triple_cards(triple: int) -> set[int]:
    """The cards of a suggestion with the full deck."""
    return {triple // 54, 6 + triple // 9 % 6, 12 + triple % 9}
