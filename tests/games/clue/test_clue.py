"""The rules of Clue, one by one, in positions dealt by hand; exact odds; who can tell which card was shown."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from math import factorial, prod

import pytest

from parlor.game import CHANCE, Game, GameError, Position
from parlor.game.loading import load
from parlor.game.seats.observation import observe
from parlor.game.seats.play import replay
from parlor.game.seats.visibility import public_view, visible_move
from parlor.game.words import YOU, players_named

#: Where each card lies, in the order of the deck: suspects, weapons, rooms; f is the file.
DEAL = "f01201" + "f12012" + "f02012012"
THESIS = load("clue")
STANDARD = load("clue(preset=standard)")
MINE = "suggest Colonel Mustard with the Revolver in the Kitchen"  # three cards of player 0
SOLUTION = "Miss Scarlet with the Candlestick in the Hall"


def dealt(game: Game, deal: str, first: int | None = None) -> Position:
    """The position after a deal; `first` is the seat that is dealt the first card, where hands are uneven."""
    outcomes = [game.players if where == "f" else int(where) for where in deal]
    return game.start().after(*([] if first is None else [first]), *outcomes)


def short(accusations: str = "false", cap: int = 4, **options: int | str) -> Game:
    """A deck of seven cards."""
    return load("clue", **{"suspects": 2, "weapons": 2, "rooms": 3, "accusations": accusations, "cap": cap, **options})


# ------------------------------------------------------------------------------------------------------- suggestions


def test_players_suggest_in_turn_and_may_name_any_cards() -> None:
    position = dealt(THESIS, DEAL)
    assert position.turn == 0
    assert len(position.legal) == 6 * 6 * 9
    for asker in (0, 1, 2, 0):
        assert position.turn == asker
        position = position.after("suggest Mrs. White with the Lead Pipe in the Lounge")  # a card of everybody
        position = position.after(position.legal[0])


@pytest.mark.parametrize(
    ("asker", "suggestion", "refuter", "cards"),
    [
        (0, "Mr. Green with the Knife in the Hall", 1, ["Knife"]),  # player 2 could too, but sits behind
        (0, "Mr. Green with the Wrench in the Hall", 2, ["Mr. Green", "Wrench"]),
        (1, "Mrs. Peacock with the Lead Pipe in the Hall", 2, ["Lead Pipe"]),
        (1, "Mrs. Peacock with the Candlestick in the Kitchen", 0, ["Mrs. Peacock", "Kitchen"]),
        (2, "Mrs. White with the Rope in the Library", 1, ["Mrs. White", "Rope", "Library"]),
        (2, "Mrs. White with the Rope in the Lounge", 0, ["Lounge"]),
    ],
)
def test_the_first_player_clockwise_who_can_must_show_one_of_the_cards(
    asker: int, suggestion: str, refuter: int, cards: list[str]
) -> None:
    position = dealt(THESIS, DEAL)
    for _ in range(asker):
        position = position.after("suggest Mrs. White with the Lead Pipe in the Lounge")
        position = position.after(position.legal[0])
    position = position.after(f"suggest {suggestion}")
    assert position.turn == refuter
    assert position.legal == [f"show {card}" for card in cards]
    assert position.after(position.legal[-1]).turn == (asker + 1) % 3


def test_own_cards_may_be_suggested_and_one_does_not_refute_oneself() -> None:
    position = dealt(THESIS, DEAL).after(MINE)
    assert (position.turn, position.over) == (1, False)
    assert position.view(1).winner == 0
    mixed = dealt(THESIS, DEAL).after("suggest Colonel Mustard with the Wrench in the Kitchen")
    assert (mixed.turn, mixed.legal) == (2, ["show Wrench"])


def test_cards_of_the_file_with_an_own_one_do_not_win() -> None:
    position = dealt(THESIS, DEAL).after("suggest Miss Scarlet with the Candlestick in the Kitchen")
    assert (position.turn, position.over) == (1, False)


def test_the_three_cards_of_the_file_win() -> None:
    position = dealt(THESIS, DEAL).after(MINE, f"suggest {SOLUTION}")
    assert position.over
    assert position.payoffs == [-1, 3, -1]


def test_with_accusations_a_suggestion_of_the_file_wins_nothing_yet() -> None:
    position = dealt(STANDARD, DEAL).after(f"suggest {SOLUTION}")
    assert (position.turn, position.over) == (0, False)
    assert position.after("end turn").turn == 1
    assert position.after(f"accuse {SOLUTION}").payoffs == [2, -1, -1]


# ------------------------------------------------------------------------------------------------------- accusations


def test_one_may_accuse_before_or_after_the_suggestion_and_suggests_once() -> None:
    position = dealt(STANDARD, DEAL)
    assert Counter(move.verb for move in position.moves) == {"suggest": 324, "accuse": 324}
    position = position.after("suggest Mrs. White with the Knife in the Library", "show Knife")
    assert position.turn == 0
    assert Counter(move.verb for move in position.moves) == {"accuse": 324, "end": 1}


def test_who_accused_wrongly_is_skipped_and_still_refutes() -> None:
    position = dealt(STANDARD, DEAL).after("accuse Mrs. White with the Knife in the Library")
    assert position.turn == 1
    position = position.after("suggest Mrs. Peacock with the Candlestick in the Hall")
    assert (position.turn, position.legal) == (0, ["show Mrs. Peacock"])
    position = position.after("show Mrs. Peacock", "end turn")
    assert position.turn == 2
    position = position.after(f"suggest {SOLUTION}", "end turn")
    assert position.turn == 1, "player 0 has no turn any more"


def test_the_last_player_goes_on_alone_and_must_still_find_it() -> None:
    wrong = "accuse Mrs. White with the Knife in the Library"
    position = dealt(STANDARD, DEAL).after(wrong, wrong)
    for _ in range(2):
        assert position.turn == 2
        position = position.after(f"suggest {SOLUTION}", "end turn")
    assert position.after(f"accuse {SOLUTION}").payoffs == [-1, -1, 2]
    everybody = position.after(wrong)
    assert everybody.over
    assert everybody.payoffs == [0, 0, 0]


# ---------------------------------------------------------------------------------------------------- ends and payoffs


def test_after_the_last_suggestion_nobody_has_won() -> None:
    position = dealt(short(cap=2), "f0f12f0", first=0)
    position = position.after("suggest Colonel Mustard with the Candlestick in the Dining Room")  # own but one
    assert not position.over
    position = position.after("suggest Colonel Mustard with the Candlestick in the Hall")
    assert position.turn == 2, "the last suggestion is refuted too"
    position = position.after("show Hall")
    assert position.over
    assert position.payoffs == [-1, -1, -1]


def test_with_accusations_the_last_suggestion_leaves_one_more_accusation() -> None:
    position = dealt(short("true", cap=1), "f0f12f0", first=0)
    position = position.after("suggest Miss Scarlet with the Candlestick in the Lounge")
    assert position.turn == 0
    assert position.after("end turn").over
    assert position.after("accuse Miss Scarlet with the Candlestick in the Lounge").payoffs == [3, -1, -1]


@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize(("payoffs", "won", "nobody"), [("thesis", 0, -1), ("zero-sum", -1, 0)])
def test_payoffs(players: int, payoffs: str, won: int, nobody: int) -> None:
    """The winner gets P or P - 1, the others lose one; without a winner all lose one, or nobody does."""
    game = load("clue", players=players, suspects=1, weapons=1, rooms=1 + players, cap=1, payoffs=payoffs)
    position = dealt(game, "fff" + "".join(map(str, range(players))))
    solved = position.after("suggest Miss Scarlet with the Candlestick in the Hall")
    assert solved.payoffs == [players + won, *[-1] * (players - 1)]
    missed = position.after("suggest Miss Scarlet with the Candlestick in the Lounge")  # the own room
    assert missed.payoffs == [nobody] * players
    assert game.kind == ("zero-sum" if payoffs == "zero-sum" else "general-sum")


def test_the_file_is_opened_at_the_end_and_not_before() -> None:
    position = dealt(THESIS, DEAL).after(MINE)
    assert not position.view(1).opened
    end = position.after(f"suggest {SOLUTION}")
    assert end.view(2).opened == end.state.file


# --------------------------------------------------------------------------------------------------------- the deal


@pytest.mark.parametrize(
    ("players", "first", "sizes"),
    [
        (3, None, [6, 6, 6]), (4, 0, [5, 5, 4, 4]), (4, 3, [5, 4, 4, 5]), (5, 0, [4, 4, 4, 3, 3]),
        (5, 3, [4, 3, 3, 4, 4]), (6, None, [3] * 6),
    ],
)  # fmt: skip
def test_hands_are_as_even_as_possible_and_everybody_knows_who_has_more(
    players: int, first: int | None, sizes: list[int]
) -> None:
    game = load("clue", players=players)
    position = game.start()
    if first is not None:
        assert position.odds == {f"player {p} is dealt the first card": 1 / players for p in range(players)}
        assert all(visible_move(position, position.legal[first], p) for p in range(players))
        position = position.after(first)
    dice = random.Random(1)
    while position.turn == CHANCE:
        position = position.after(dice.choice(position.legal))
    assert [bin(hand).count("1") for hand in position.state.hand] == sizes
    for p in range(players):
        assert game.words.display is not None
        assert game.words.display(position.view(p))["hands"] == sizes
    assert bin(position.state.file).count("1") == 3


@pytest.mark.parametrize(
    ("options", "sizes"),
    [((1, 2, 4), (2, 1, 1)), ((2, 2, 3), (2, 1, 1)), ((2, 2, 4), (2, 2, 1)), ((2, 2, 2), (1,) * 3)],
)
def test_every_deal_has_its_exact_odds(options: tuple[int, int, int], sizes: tuple[int, ...]) -> None:
    """1 / (suspects × weapons × rooms) for the file, and each way to deal the rest is as likely as any other."""
    suspects, weapons, rooms = options
    game = load("clue", suspects=suspects, weapons=weapons, rooms=rooms)
    chances: dict[tuple[object, ...], float] = {}
    left = [(game.start(), 1.0)]
    while left:
        position, chance = left.pop()
        if position.turn != CHANCE:
            state = position.state
            deal = (state.first, state.file, *state.hand)
            assert deal not in chances
            chances[deal] = chance
            continue
        odds = position.odds
        assert sum(odds.values()) == pytest.approx(1.0, abs=1e-12)
        left += [(position.after(outcome), chance * p) for outcome, p in odds.items()]
    hands = factorial(sum(sizes)) // prod(map(factorial, sizes))
    firsts = 3 if len(set(sizes)) > 1 else 1
    assert len(chances) == firsts * suspects * weapons * rooms * hands
    assert all(chance == pytest.approx(1 / len(chances), rel=1e-12) for chance in chances.values())


def test_a_deck_must_be_large_enough() -> None:
    with pytest.raises(GameError, match="leave 2 cards for 3 players; everybody needs at least one"):
        load("clue", suspects=1, weapons=1, rooms=3)


# ------------------------------------------------------------------------------------------------- what others can tell


def everything_told(before: Position, position: Position, move: str, p: int) -> tuple[object, ...]:
    """All that player `p` gets of a move."""
    game = position.game
    assert game.words.display is not None
    assert game.words.narrate is not None
    return (
        position.key(p), position.view(p), game.words.display(position.view(p)), observe(position, p),
        tuple(game.words.narrate(before.view(p), position.view(p))), visible_move(before, move, p),
    )  # fmt: skip


@pytest.mark.parametrize("name", ["clue(preset=small)", "clue(preset=standard,suspects=3,weapons=3,rooms=4)"])
def test_only_who_asked_and_who_showed_can_tell_which_card_it_was(name: str) -> None:
    """In random games, nearly without accusations: whatever card is shown, the others are told the same."""
    game, dice, chosen = load(name), random.Random(5), 0
    for _ in range(15):
        position = game.start()
        while not position.over and position.state.suggestions < 12:
            if position.turn != CHANCE and position.state.answering and len(position.legal) > 1:
                chosen += 1
                asker, shower = position.state.actor, position.turn
                for one, other in itertools.combinations(position.legal, 2):
                    ends = position.after(one), position.after(other)
                    for p in range(game.players):
                        told = [everything_told(position, end, m, p) for end, m in zip(ends, (one, other), strict=True)]
                        apart = [a != b for a, b in zip(*told, strict=True)]
                        assert all(apart) if p in (asker, shower) else not any(apart)
                    assert public_view(ends[0]) == public_view(ends[1])
            bold = dice.random() < 0.05
            moves = [move for move in position.legal if bold or not move.startswith("accuse")]
            position = position.after(dice.choice(moves))
    assert chosen > 10


def test_a_card_that_had_to_be_shown_looks_like_one_that_was_chosen() -> None:
    """Two deals that differ only in what players 0 and 1 hold: player 2 cannot tell whether player 1 had a choice."""
    forced, choice = "f0f12f0", "f1f02f0"  # player 1 holds one of the suggested cards, or another one as well
    told = []
    game = short(players=3, rooms=4)
    for deal in (forced + "1", choice + "1"):
        position = dealt(game, deal, first=0)
        asked = position.after("suggest Colonel Mustard with the Candlestick in the Kitchen")
        assert asked.turn == 1
        told.append([everything_told(position, asked, asked.history[-1], 2)])
        after = asked.after("show Kitchen")
        told[-1].append(everything_told(asked, after, "show Kitchen", 2))
        told[-1].append((len(asked.legal),))
    assert told[0][:2] == told[1][:2]
    assert told[0][2] != told[1][2]


def test_what_happens_is_told_as_at_a_table() -> None:
    game = STANDARD
    moves = [
        "suggest Mr. Green with the Wrench in the Hall", "show Wrench", "end turn",
        "suggest Mr. Green with the Candlestick in the Hall", "show Mr. Green", "end turn",
        f"suggest {SOLUTION}", "accuse Mrs. White with the Candlestick in the Hall",
        f"accuse {SOLUTION}",
    ]  # fmt: skip
    told: list[str] = []
    deal = dealt(game, DEAL)
    assert game.words.narrate is not None
    position = replay(game, deal.history[:-1])
    with players_named([YOU, "Ann", "Bob"]):
        for move in [deal.history[-1], *moves]:
            after = position.after(move)
            told += game.words.narrate(position.view(0), after.view(0))
            position = after
        assert position.show(0) == (
            "you hold Colonel Mustard, Mrs. Peacock – Revolver – Lounge, Kitchen, Billiard Room; Bob showed Wrench; "
            "Bob is out; 3 of at most 100 suggestions; you have won"
        )
    assert told == [
        "three cards lie in the file; everybody holds 6",
        "you suggest Mr. Green with the Wrench in the Hall",
        "Ann cannot refute it",
        "Bob shows you the Wrench",
        "Ann suggests Mr. Green with the Candlestick in the Hall",
        "Bob shows Ann a card",
        "Bob suggests Miss Scarlet with the Candlestick in the Hall",
        "nobody can refute it",
        "Bob accuses Mrs. White with the Candlestick in the Hall",
        "that is wrong: Bob may only refute from now on",
        "you accuse Miss Scarlet with the Candlestick in the Hall",
        "that is right",
    ]
