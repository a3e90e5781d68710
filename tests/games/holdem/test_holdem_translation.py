"""How a player of a betting tree sees bets that its tree does not have: the pot must be about the real one."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from parlor import Game
from parlor.agents.agent import seated
from parlor.agents.registry import make_agent, policy_agent
from parlor.arena.match import play_match
from parlor.game.loading import load
from parlor.games.holdem import bets, sizes
from parlor.games.holdem.abstraction import seen_as
from parlor.games.holdem.rules import book
from parlor.games.holdem.sizes import pseudo_harmonic
from parlor.games.holdem.translation import translated
from parlor.poker.blueprint import Blueprint
from tests.blueprints import trained_blueprint
from tests.games.holdem.holdem_judges import play_hand

DEEP = "holdem(preset=hunl-200bb)"


def seen_by(game: Game) -> Any:
    """`translated` with the options of a game."""
    return game.abstractions["fcpa"]["seated"]["legal"].__globals__["translated"]


def pots(line: list[int], player: int) -> Counter[tuple[int, bool]]:
    """What each hand of a player takes a line for at 200 bb: the chips that each has put in, and whether it is over."""
    game, found = load(DEEP), Counter[tuple[int, bool]]()
    for hole in itertools.combinations(range(52), 2):
        s = game.new_state()
        game.rules.start(s)
        s.hole[player][:] = hole
        s.moves[: len(line)] = line
        s.made = len(line)
        there, _ = seen_by(game)(s, player, sizes.ROWS["fcpa"])
        found[min(there[bets.IN], there[bets.IN + 1]), bets.is_settled(there)] += 1
    return found


@pytest.mark.parametrize("row", sizes.TREES)
def test_a_hand_within_the_tree_is_seen_as_it_is(row: str) -> None:
    game = load(f"holdem/{row}")
    for index in range(60):

        def watch(s: Any, moves: list[int], m: int) -> None:
            for p in range(2):
                assert translated(s, p, sizes.ROWS[row]) == seen_as(s, p, sizes.ROWS[row])

        play_hand(game, 7, index, watch, lambda card: None)


@pytest.mark.slow(seconds=10)
@pytest.mark.parametrize("row", sizes.TREES)
@pytest.mark.parametrize("options", ["stack=60", "stack=60,other_stack=37", "stack=400"])
def test_whatever_is_bet_its_player_knows_what_to_do(row: str, options: str) -> None:
    table = load(f"holdem({options})")
    tree = seated(table, row)
    see = seen_by(table)
    for index in range(60):

        def watch(s: Any, actions: list[int], a: int) -> None:
            buffer = [0] * tree.actions
            moves = buffer[: tree.rules.legal(s, buffer)]
            there, _ = see(s, book(s)[bets.ACTOR], sizes.ROWS[row])
            assert (bets.FOLD in moves) == (bets.FOLD in actions)
            assert bets.CALL in moves
            assert {tree.abstraction.resolve(s, m) for m in moves} <= set(actions)
            if not bets.is_settled(there):
                assert (there[bets.ACTOR], there[bets.STREET]) == (book(s)[bets.ACTOR], book(s)[bets.STREET])

        play_hand(table, 8, index, watch, lambda card: None)


def test_the_pot_of_the_tree_is_one_below_or_one_above_the_real_one() -> None:
    """Three pots before the flop, called: 14 chips each. One raise of the tree makes 6, two make 18."""
    found = pots([1 + 14, bets.CALL], 1)
    assert set(found) == {(6, False), (18, False), (400, True)}

    def left(chips: int) -> float:
        return (400 - chips) / (2 * chips)

    share = found[18, False] / (found[6, False] + found[18, False])
    assert share == pytest.approx(pseudo_harmonic(left(18), left(14), left(6)), abs=0.05)


def test_it_never_takes_a_large_pot_for_a_small_one() -> None:
    """Then three pots again, and a raise of the pot: 294 of 400 chips are in, and nothing is left to fold for."""
    line = [1 + 14, bets.CALL, bets.CALL, 1 + 98, 1 + 294, bets.CALL]
    found = pots(line, 1)
    assert set(found) <= {(54, False), (162, False), (400, True)}
    assert found[400, True] > found[162, False] > found[54, False]
    # where the street was bet as in the tree nothing is replaced
    assert set(pots([1 + 6, bets.CALL, bets.CALL, 1 + 18, bets.CALL], 1)) == {(18, False)}


def test_who_has_called_what_it_took_for_all_in_goes_on_calling() -> None:
    """Twenty pots before the flop are mostly taken for all-in; after the call there is nothing to decide."""
    before, after = (pots([1 + 82, bets.CALL, *more], 1) for more in ([], [bets.CALL, 1 + 240]))
    assert before[400, True] == after[400, True] > 800


def test_raises_beyond_the_cap_do_not_leave_the_pot_behind() -> None:
    """Four raises before the flop, to 54 chips: the tree has two, to 18."""
    found = pots([1 + 4, 1 + 10, 1 + 24, 1 + 54, bets.CALL], 0)
    assert set(found) <= {(18, False), (400, True)}
    assert found[400, True] > 0


# --------------------------------------------------------------------------------------------------- at the table


@functools.cache
def deep_blueprint() -> Blueprint:
    return trained_blueprint(f"{DEEP}/fcpa", "ehs", (10,), 300_000)


@pytest.mark.slow
def test_compiled_and_plain_translations_are_one() -> None:
    game = load(DEEP)
    pair = [policy_agent(deep_blueprint(), game), make_agent("card-blind(bet=3)", game)]
    compiled, plain = (play_match(game, pair, 60, seed=4, compiled=compiled) for compiled in (True, False))
    assert np.array_equal(compiled.payoffs, plain.payoffs)


@pytest.mark.slow
def test_a_blueprint_wins_more_from_a_card_blind_bettor_when_it_keeps_the_pot_in_step() -> None:
    game = load(DEEP)
    rows = {
        name: {key: value for key, value in row.items() if key != "seated"} for name, row in game.abstractions.items()
    }
    behind = dataclasses.replace(game, abstractions=rows)
    new, old = (
        play_match(
            table, [policy_agent(deep_blueprint(), table), make_agent("card-blind(bet=3)", table)], 40_000, seed=1
        ).payoff
        for table in (game, behind)
    )
    assert new.low > max(old.high, 0.0)
