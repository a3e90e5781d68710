"""Hold'em in words, as in a hand history: "button raises to 6", "flop Q♠ 7♠ 2♥".

Amounts are those of the street, as people say them; the action behind "raises to 6" on the flop counts the chips of
earlier streets too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlor.game import State, View
from parlor.game.words import player
from parlor.games.holdem.bets import (
    ACTOR,
    BASE,
    CALL,
    FOLD,
    FOLDED,
    IN,
    STREET,
    Betting,
    after,
    blinds,
    highest,
    to_call,
)
from parlor.games.holdem.options import BIG_BLIND, ENGINE, PLAYERS, SHOWN, SMALL_BLIND, STACKS, STREETS
from parlor.games.holdem.rules import FLOP, HAND, HANDS, board_due, book
from parlor.poker.hands.cards import symbol, symbols
from parlor.poker.hands.hand_strength import strength, with_article

TITLE = "Hold'em"
PLAYER_NAMES = ("small blind", "big blind") if ENGINE == 1 else ("button", "big blind")
ALL_IN = "all-in"
STREET_NAMES = ("pre-flop", "flop", "turn", "river")
_BARE = {"fold": "fold", "check": "check", "call": "call", "bet": "bet", "raise": "raise to"}  # beside who does it
_THIRD_PERSON = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets", "raise": "raises to"}
_OF_CARD = ("flop", "flop", "flop", "turn", "river")  # by the place of a card on the board


def describe(s: State, a: int) -> str:
    """Names of cards and moves."""
    if s.dealt < HANDS:
        return f"{symbol(a)} to the {PLAYER_NAMES[s.dealt // HAND]}"
    if s.dealt < HANDS + board_due(s):
        return f"{_OF_CARD[s.dealt - HANDS]} {symbol(a)}"
    b = book(s)
    return f"{PLAYER_NAMES[b[ACTOR]]} {bet_words(bet_data(b, a))}"


def move(s: State, a: int) -> Mapping[str, int | str]:
    """Cards and moves as data."""
    if s.dealt < HANDS:
        p = s.dealt // HAND
        return {"verb": "deal", "card": symbol(a), "to": p, "text": f"{symbol(a)} to {player(p)}"}
    if s.dealt < HANDS + board_due(s):
        return {"verb": "deal", "card": symbol(a), "street": _OF_CARD[s.dealt - HANDS]}
    data = bet_data(book(s), a)
    return data | {"text": bet_words(data, _BARE)}


def bet_data(b: Betting, a: int) -> dict[str, int | str]:
    """The verb and the chips of a move: the cost of a call, or the total of a bet or a raise on this street."""
    p = b[ACTOR]
    if a == FOLD:
        return {"verb": "fold"}
    if a == CALL and to_call(b) == 0:
        return {"verb": "check"}
    chips = b[IN + p] + to_call(b) if a == CALL else a - 1  # that the player has in afterwards
    verb = "call" if a == CALL else "bet" if highest(b) == b[BASE] else "raise"
    data: dict[str, int | str] = {"verb": verb, "amount": to_call(b) if a == CALL else chips - b[BASE]}
    return data | {"all_in": ALL_IN} if chips == STACKS[p] else data


def bet_words(data: Mapping[str, int | str], verbs: Mapping[str, str] = _THIRD_PERSON) -> str:
    """Raises to 6."""
    words = verbs[str(data["verb"])]
    if "amount" in data:
        words = f"{words} {data['amount']}"
    return f"{words}, {ALL_IN}" if "all_in" in data else words


def secret(s: State, a: int, p: int) -> bool:
    """Only cards dealt to the other player are secret; bets and the board are public."""
    return bool(s.dealt < HANDS and s.dealt // HAND != p)


def history(view: View) -> list[str]:
    """The hand so far, a line a street; a board dealt to its end has one line."""
    board = view.board[: max(view.dealt - HANDS, 0)]
    b = blinds()
    lines = [f"blinds {b[IN]} and {b[IN + 1]}"]
    shown = 0
    for a in view.moves[: view.made]:
        if SHOWN[b[STREET]] > shown:
            lines.append(_cards(board, shown, SHOWN[b[STREET]]))
            shown = SHOWN[b[STREET]]
        lines[-1] += f", {PLAYER_NAMES[b[ACTOR]]} {bet_words(bet_data(b, a))}"
        b = after(b, a)
    if len(board) > shown:
        lines.append(_cards(board, shown, len(board)))
    return lines


def streets(view: View) -> list[dict[str, Any]]:
    """The same as data: the cards and the moves of each street."""
    board = view.board[: max(view.dealt - HANDS, 0)]
    found: list[dict[str, Any]] = [
        {"street": name, "cards": [symbol(card) for card in board[first:end][::-1]], "moves": []}
        for name, first, end in zip(STREET_NAMES, (0, 0, 3, 4), (0, 3, 4, 5), strict=True)
    ]
    b = blinds()
    for a in view.moves[: view.made]:
        data = bet_data(b, a)
        row = {"player": b[ACTOR], **data, "all_in": "all_in" in data, "text": bet_words(data)}
        found[b[STREET]]["moves"].append(row)
        b = after(b, a)
    return [street for street in found if street["street"] == STREET_NAMES[0] or street["cards"]]


def _cards(board: tuple[int, ...], first: int, end: int) -> str:
    """Flop Q♠ 7♠ 2♥, turn 4♦."""
    parts = []
    for name, begins, ends in (("flop", 0, 3), ("turn", 3, 4), ("river", 4, 5)):
        if first <= begins < end:
            parts.append(f"{name} {symbols(board[begins:ends][::-1])}")
    return ", ".join(parts)


def show(view: View) -> str:
    """One line for a person."""
    held = symbols(_hand(view)) or "no cards yet"
    pot = view.betting[IN] + view.betting[IN + 1]
    return f"{PLAYER_NAMES[view.player]} holds {held}; {'; '.join(history(view))}; pot {pot}"


def display(view: View) -> Mapping[str, Any]:
    """The table for the page: cards, chips in front of the players and in the pot, and the current hand in words.

    `bets` are of this street; `pot` is what was put in before it. The total is both together.
    """
    b = view.betting
    held, board = _hand(view), view.board[: max(view.dealt - HANDS, 0)]
    made = ""
    if len(held) == HAND and len(board) >= FLOP:
        made = with_article(strength((*held, *board), HAND + len(board)))
    return {
        "cards": [symbol(card) for card in held],
        "board": [symbol(card) for card in (*board[:FLOP][::-1], *board[FLOP:])],
        "made": made,
        "stacks": [STACKS[p] - b[IN + p] for p in range(PLAYERS)],
        "bets": [b[IN + p] - b[BASE] for p in range(PLAYERS)],
        "pot": 2 * b[BASE],
        "street": "showdown" if b[STREET] == STREETS else STREET_NAMES[b[STREET]],
        "folded": b[FOLDED] - 1,
        "names": PLAYER_NAMES,
        "blinds": (SMALL_BLIND, BIG_BLIND),
        "history": streets(view),
    }


def _hand(view: View) -> tuple[int, ...]:
    """The player's own cards, the higher one first; a spectator has none."""
    if view.player is None:
        return ()
    have = min(max(view.dealt - HAND * view.player, 0), HAND)
    return tuple(view.hole[:have][::-1])
