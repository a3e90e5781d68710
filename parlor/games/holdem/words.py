"""Hold'em in words, as a hand history has them: "button raises to 6", "flop Q♠ 7♠ 2♥".

Amounts are those of the street, as people say them; the action behind "raises to 6" on the flop counts the chips of
earlier streets too.
"""

from __future__ import annotations

from parlor.game import State
from parlor.games.holdem.bets import (
    ACTOR,
    BASE,
    CALL,
    FOLD,
    IN,
    STREET,
    Betting,
    after,
    blinds,
    highest,
    to_call,
)
from parlor.games.holdem.cards import symbol, symbols
from parlor.games.holdem.options import ENGINE, SHOWN, STACKS, STREETS
from parlor.games.holdem.rules import HAND, HANDS, board_due, book
from parlor.games.holdem.view import View

PLAYER_NAMES = ("small blind", "big blind") if ENGINE == 1 else ("button", "big blind")
STREET_NAMES = ("pre-flop", "flop", "turn", "river")
_OF_CARD = ("flop", "flop", "flop", "turn", "river")  # by the place of a card on the board


def describe(s: State, a: int) -> str:
    """Names of cards and moves."""
    if s.dealt < HANDS:
        return f"{symbol(a)} to the {PLAYER_NAMES[s.dealt // HAND]}"
    if s.dealt < HANDS + board_due(s):
        return f"{_OF_CARD[s.dealt - HANDS]} {symbol(a)}"
    return move(book(s), a)


def move(b: Betting, a: int) -> str:
    """Button raises to 6."""
    p = b[ACTOR]
    who = PLAYER_NAMES[p]
    if a == FOLD:
        return f"{who} folds"
    if a == CALL:
        cost = to_call(b)
        if cost == 0:
            return f"{who} checks"
        return f"{who} calls {cost}" + (", all-in" if b[IN + p] + cost == STACKS[p] else "")
    chips = a - 1
    verb = "bets" if highest(b) == b[BASE] else "raises to"
    return f"{who} {verb} {chips - b[BASE]}" + (", all-in" if chips == STACKS[p] else "")


def secret(s: State, a: int, p: int) -> bool:
    """Only cards that go to the other are; bets and the board are for all to see."""
    return bool(s.dealt < HANDS and s.dealt // HAND != p)


def history(view: View) -> list[str]:
    """The hand so far, a line a street."""
    lines = []
    b = blinds()
    told = [f"blinds {b[IN]} and {b[IN + 1]}"]
    street = 0
    for a in view.moves:
        if b[STREET] != street:
            lines.append(told)
            street = b[STREET]
            told = [_board(view.board, street)]
        told.append(move(b, a))
        b = after(b, a)
    lines.append(told)
    shown = SHOWN[street]
    if len(view.board) > shown:
        lines.append([_board(view.board[: len(view.board)], min(b[STREET], STREETS - 1), shown)])
    return [", ".join(line) for line in lines]


def _board(board: tuple[int, ...], street: int, already: int | None = None) -> str:
    """Turn 9♣ (and what came with it, if the board was dealt to its end)."""
    first = SHOWN[street - 1] if already is None else already
    last = SHOWN[street] if already is None else len(board)
    cuts = [cut for cut in (3, 4, 5) if first < cut <= last]
    parts = []
    for cut in cuts:
        parts.append(f"{_OF_CARD[cut - 1]} {symbols(board[first:cut])}")
        first = cut
    return ", ".join(parts)


def show(view: View) -> str:
    """One line for a person."""
    hand = symbols(view.hole) if view.hole else "no cards yet"
    return f"{PLAYER_NAMES[view.player]} holds {hand}; {'; '.join(history(view))}; pot {view.pot}"
