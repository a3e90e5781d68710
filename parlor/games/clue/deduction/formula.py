"""The facts of a player as a formula in conjunctive normal form, for SAT solvers and model counters.

Its models are the deals that fit: every helping variable is determined by the others. It is what counting is checked
and measured against.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlor.games.clue.deduction.facts import CLAUSES, FIRST, HAS, LACKS, SIZE, Array, Deck, deck_cards, deck_triples

Formula = list[list[int]]  # clauses of literals: numbers of variables from 1, negative if negated


def deals_formula(facts: Array, deck: Deck, possible: Array) -> Formula:
    """True for the deals that fit; variable 1 + card * (players + 1) + place says that a card lies there."""
    players, cards = int(deck[0]), deck_cards(deck)

    def lies(card: int, place: int) -> int:
        return 1 + card * (players + 1) + place

    formula: Formula = []
    for card in range(cards):
        formula += exactly_one([lies(card, place) for place in range(players + 1)])
    starts = [0, int(deck[1]), int(deck[1] + deck[2]), cards]
    for kind in range(3):
        formula += exactly_one([lies(card, players) for card in range(starts[kind], starts[kind + 1])])
    names = cards * (players + 1)
    for q in range(players):
        formula += exactly([lies(card, q) for card in range(cards)], int(facts[q][SIZE]), names)
        names += cards * (int(facts[q][SIZE]) + 1)
        for card in range(cards):
            if facts[q][HAS] >> card & 1:
                formula.append([lies(card, q)])
            if facts[q][LACKS] >> card & 1:
                formula.append([-lies(card, q)])
        for i in range(facts[q][CLAUSES]):
            formula.append([lies(card, q) for card in range(cards) if facts[q][FIRST + i] >> card & 1])
    for triple in range(deck_triples(deck)):
        if possible[triple] == 0.0:
            three = (
                triple // (deck[2] * deck[3]),
                starts[1] + triple // deck[3] % deck[2],
                starts[2] + triple % deck[3],
            )
            formula.append([-lies(int(card), players) for card in three])
    return formula


def exactly_one(literals: Sequence[int]) -> Formula:
    """One of them is true, and no two are."""
    return [list(literals), *([-a, -b] for i, a in enumerate(literals) for b in literals[:i])]


def exactly(literals: Sequence[int], number: int, names: int) -> Formula:
    """`number` of them are true (sequential counter: Sinz, 2005); helping variables have the numbers after `names`."""
    formula: Formula = []

    def reached(i: int, j: int) -> int:
        """At least j + 1 of the first i + 1 are true."""
        return names + 1 + i * (number + 1) + j

    for i, literal in enumerate(literals):
        for j in range(number + 1):
            here = reached(i, j)
            before = [reached(i - 1, j)] if i else []  # already without this one; if nothing was before, false
            enough = [reached(i - 1, j - 1)] if i and j else []
            if i == 0 and j > 0:
                formula.append([-here])
                continue
            formula += [[-b, here] for b in before]
            formula.append([-literal, *(-e for e in enough), here])
            formula.append([-here, literal, *before])
            formula += [[-here, *before, e] for e in enough]
    last = len(literals) - 1
    return [*formula, [reached(last, number - 1)], [-reached(last, number)]]
