"""Pledges: a card each, then three moves; small enough that every number about it can be written down.

Cards are not equally likely, moves are not numbered from 0, one decision is no choice, and payoffs are of no zero sum:
mistakes about any of these change a number.
"""

from parlor.game import CHANCE, OVER, Floats, Ints, State, private, public

PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, 3, 3, 5, False
STATE = {
    "card": private(PLAYERS, most=3),  # 1 or 2 of player 0, 1, 2 or 3 of player 1; 0 before the deal
    "dealt": public(most=2),
    "moves": public(most=3),
    "made": public(3, most=2),  # what was chosen
}


def start(s: State) -> None:
    """Nothing to do."""


def turn(s: State) -> int:
    """Two cards; then player 0, player 1 and player 0."""
    if s.dealt < PLAYERS:
        return CHANCE
    return OVER if s.moves == 3 else s.moves % 2


def odds(s: State, out: Floats) -> int:
    """Player 0 gets its second card three times in four."""
    if s.dealt == 0:
        out[0], out[1] = 0.25, 0.75
        return 2
    out[0], out[1], out[2] = 0.5, 0.3, 0.2
    return 3


def legal(s: State, out: Ints) -> int:
    """Player 0 first pledges 0 or 2, player 1 pledges 1 or 2; after 1, player 0 has no choice left."""
    if s.moves == 0:
        out[0], out[1] = 0, 2
        return 2
    if s.moves == 1:
        out[0], out[1] = 1, 2
        return 2
    if s.made[1] == 1:
        out[0] = 1
        return 1
    out[0], out[1], out[2] = 0, 1, 2
    return 3


def play(s: State, a: int) -> None:
    """A card or a pledge."""
    if s.dealt < PLAYERS:
        s.card[s.dealt] = a + 1
        s.dealt += 1
    else:
        s.made[s.moves] = a
        s.moves += 1


def payoff(s: State, p: int) -> float:
    """No two ends are alike."""
    if p == 0:
        return float(s.made[0] + s.card[1] * s.made[2] - 1)
    return float(5 - s.made[2] * s.card[0] + 3 * (s.made[1] - 1) - s.made[0])


def key(s: State, p: int) -> int:
    """All that a player has seen."""
    k = (p * 4 + s.card[p]) * 4 + s.moves
    for i in range(3):
        k = k * 4 + s.made[i]
    return k


WORLDS = 3  # the card of the other, from 0


def possible(s: State, p: int, codes: Ints, weights: Floats) -> int:
    """As they are dealt."""
    if p == 1:
        codes[0], codes[1] = 0, 1
        weights[0], weights[1] = 0.25, 0.75
        return 2
    codes[0], codes[1], codes[2] = 0, 1, 2
    weights[0], weights[1], weights[2] = 0.5, 0.3, 0.2
    return 3


def set_hidden_state(s: State, p: int, code: int) -> None:
    """Give the other a card."""
    s.card[1 - p] = code + 1


def hidden(s: State, p: int) -> int:
    """The other's card."""
    return int(s.card[1 - p] - 1)


def decisions(s: State) -> int:
    """All moves."""
    return int(s.moves)


def decision(s: State, k: int) -> int:
    """The k-th of them."""
    return int(s.made[k])


def rewind(s: State, k: int) -> None:
    """Before the k-th."""
    for i in range(k, 3):
        s.made[i] = 0
    s.moves = k


def world_numbers(code: int) -> list[int]:
    """Three codes as two numbers: 0 0, 0 1 and 1 0."""
    return [code // 2, code % 2]
