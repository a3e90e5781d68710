"""Games in which everybody holds one card that only its owner sees: what is hidden from a player, as a code.

A code has a digit for each of the others, in the order of seats: the card that it holds.
"""

from parlor.game import Floats, Ints, State


def possible_cards(s: State, p: int, cards: int, shown: int, codes: Ints, weights: Floats) -> int:
    """All ways to deal the others cards that differ, none of them mine or the one `shown` (0: none): all alike."""
    count = 0
    players = len(s.card)
    for code in range(cards ** (players - 1)):
        used = 1 << s.card[p]
        if shown > 0:
            used |= 1 << shown
        rest = code
        fits = True
        for _ in range(players - 1):
            card = rest % cards + 1
            fits = fits and not used >> card & 1
            used |= 1 << card
            rest //= cards
        if fits:
            codes[count] = code
            weights[count] = 1.0
            count += 1
    return count


def deal_others(s: State, p: int, cards: int, code: int) -> None:
    """Give the others the cards of a code."""
    for q in range(len(s.card)):
        if q != p:
            s.card[q] = code % cards + 1
            code //= cards


def cards_of_others(s: State, p: int, cards: int) -> int:
    """The code of the cards that the others hold."""
    code = 0
    digit = 1
    for q in range(len(s.card)):
        if q != p:
            code += (s.card[q] - 1) * digit
            digit *= cards
    return code


def digits(code: int, count: int, cards: int) -> list[int]:
    """A code as numbers: the cards, from 0."""
    return [code // cards**i % cards for i in range(count)]
