"""Whole games of the classic rules: what holds in every state, and the words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from parlor.game import CHANCE, OVER, Game
from parlor.game.loading import load
from parlor.game.rng import below, choose, seed_stream


def states(game: Game, seed: int, builders: bool = False) -> Iterator[tuple[Any, int]]:
    """The states of a random game, each with the move or outcome that follows; and the last one with -1.

    Builders build whenever they can, and neither sell houses nor mortgage of their own accord.
    """
    r, legal, odds = [0] * 4, [0] * game.actions, [0.0] * game.outcomes
    seed_stream(r, 15, seed)
    state = game.new_state()
    game.rules.start(state)
    while (who := game.rules.turn(state)) != OVER:
        if who == CHANCE:
            move = choose(r, odds, game.rules.odds(state, odds))
        else:
            moves = legal[: game.rules.legal(state, legal)]
            if builders:
                names = {a: game.words.describe(state, a) for a in moves}
                moves = (
                    [a for a in moves if names[a].startswith(("build", "buy"))]
                    or [a for a in moves if not names[a].startswith(("mortgage", "sell", "put up"))]
                    or moves
                )
            move = moves[below(r, len(moves))]
        yield state, move
        game.rules.play(state, move)
    yield state, -1


ALL = "jail=true,cards=true,houses=true,mortgages=true,trades=2,dice=2,salary=50"


@pytest.mark.parametrize(
    "name",
    [
        "leodopoly(preset=classic,players=3,rounds=60)",
        "leodopoly(preset=classic,players=2,rounds=60,money=300,auction=english,offers=before,unwanted=lander)",
        f"leodopoly({ALL},ending=last-player,rounds=40)",
        f"leodopoly(preset=published,auction=english,{ALL},unit=7)",
    ],
)
@pytest.mark.parametrize("builders", [False, True])
def test_money_deeds_houses_and_cards_are_conserved_in_every_state(name: str, builders: bool) -> None:
    game = load(name)
    highest = 0
    spaces = game.words.display(game.view(game.start().state, 0))["spaces"]  # type: ignore[misc]
    total = game.players * int(game.options["money"])
    sets: dict[int, list[int]] = {}
    for k, space in enumerate(spaces):
        if space["cost"]:
            sets.setdefault(space["group"], []).append(k)
    piles = game.start().state.pile
    for state, _ in states(game, 1, builders):
        highest = max(highest, *state.level)
        assert sum(state.money) + state.bank == total
        assert min(state.money) >= 0
        assert all(state.owner[k] == 0 for k, space in enumerate(spaces) if not space["cost"])
        assert sum(level for level in state.level if level < 5) <= 32
        assert sum(level == 5 for level in state.level) <= 12
        assert all(state.owner[k] for k in range(len(spaces)) if state.mortgaged >> k & 1)
        for group in sets.values():
            levels = [state.level[k] for k in group]
            if any(levels):
                assert max(levels) - min(levels) <= 1
                assert len({state.owner[k] for k in group}) == 1
                assert not any(state.mortgaged >> k & 1 for k in group)
        for p in range(game.players):
            if state.gone >> p & 1:
                assert state.money[p] == 0
                assert game.options["ending"] != "last-player" or p + 1 not in [*state.owner, *state.pardon]
        assert all(left & ~full == 0 for left, full in zip(state.pile, piles, strict=True))
    assert highest == 5 or not builders


def test_every_move_has_a_name_of_its_own_and_every_view_words() -> None:
    game = load("leodopoly(preset=classic,players=3,rounds=8)")
    assert game.words.move is not None
    assert game.words.narrate is not None
    assert game.words.display is not None
    phases, legal = set(), [0] * game.actions
    before = None
    for seed in range(3):
        for state, move in states(game, seed):
            view = game.view(state, 0)
            assert game.words.show(view)
            phases.add(game.words.display(view)["phase"])
            if before is not None:
                assert all(game.words.narrate(before, view))
            before = view if move >= 0 else None
            if game.rules.turn(state) >= 0:
                names = [game.words.describe(state, legal[i]) for i in range(game.rules.legal(state, legal))]
                assert len(set(names)) == len(names)
            if move >= 0:
                assert game.words.move(state, move)["text"]
    assert phases >= {"selling", "offering", "answering", "dice", "drawing", "agreeing", "paying", "finished"}


@pytest.mark.parametrize(
    ("name", "histories"),
    [
        ("leodopoly(preset=published)", [3877630229084678224, 1940804554818843615, 2704289827469752819]),
        ("leodopoly(preset=text,auction=english)", [2285963353423768592, 7820773890432156257, 3288475230132476391]),
        ("leodopoly", [4231669469036483680, 6800171929277633958, 2611749253130368298]),
    ],
)
def test_without_these_options_the_game_is_what_it_was_before_them(name: str, histories: list[int]) -> None:
    game = load(name)
    assert [[state.history for state, _ in states(game, seed)][-1] for seed in range(3)] == histories
