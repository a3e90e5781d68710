"""Counting deals fast where two hands are unknown, as in a game of three: by inclusion and exclusion.

Without clauses ("has one of these three") a deal is easy to count: given the triple in the file, some of the unknown
cards can only be with the first player, some only with the second, and the rest is chosen from, a binomial number. A
clause excludes the hands that have none of its cards, which are counted in the same way, by adding its cards to those
that the player lacks. So the deals that fit are a sum over sets of clauses with changing signs. Two kinds of sets are
left out: those that leave a player too few cards, and those that a further clause cancels, because its cards are
lacked already. In real games few are left, each a pass over the triples; listing hands takes many times as long.

All numbers are whole. `count` of `knowledge.py` gives the same for any number of players.
"""

from __future__ import annotations

from math import comb

from parlor.compile import AlwaysCompiled
from parlor.games.clue.deduction.facts import (
    CLAUSES,
    FIRST,
    HAS,
    LACKS,
    SIZE,
    Array,
    Deck,
    bits,
    deck_cards,
    deck_triples,
    deduce,
)

CARDS = 21  # at most
BINOMIAL = tuple(tuple(comb(n, k) for k in range(CARDS + 1)) for n in range(CARDS + 1))

#: What a card adds to the place in the tables of ways, by who can have it: nobody but the file, the first player, the
#: second, both. So places tell how many cards of each kind lie in the file.
ONLY_FILE, ONLY_FIRST, ONLY_SECOND, EITHER = 16, 1, 0, 4
PLACES = 64

#: Parts of the working memory: where they begin.
CODES = 0  # [21] of each unknown card, what it adds
UNKNOWN = CODES + CARDS  # [3, 9] the unknown cards of each kind
NUMBERS = UNKNOWN + 27  # [3] how many
WAYS = NUMBERS + 3  # [64] to choose from the cards that either can have; and so that a certain one is with the first
WAYS_FIRST = WAYS + PLACES
IN_FILE = WAYS_FIRST + PLACES  # [21] of these sums the part with a card in the file
IN_FILE_FIRST = IN_FILE + CARDS
CLAUSE = IN_FILE_FIRST + CARDS  # [clauses] the cards of each, and in the rows below
ROWS = 5  # whose it is, the way taken there, and cards that both lack by the clauses before it


def room(cap: int) -> int:
    """The working memory for so many suggestions."""
    return CLAUSE + (ROWS + 1) * (2 * cap + 1)


def count_two_slowly(
    facts: Array, deck: Deck, possible: Array, first: int, second: int, work: Array, tensor: Array, cards: Array
) -> int:
    """The deals that fit; by triple in the file (`tensor`), and by card and place in `cards`, [card * 3 + place].

    The places are the first player, the second and the file; of cards that the third one has, nothing is counted.
    """
    for triple in range(deck_triples(deck)):
        tensor[triple] = 0
    for i in range(3 * deck_cards(deck)):
        cards[i] = 0
    if not deduce(facts, deck):
        return 0
    held = 0
    for q in range(3):
        held |= facts[q][HAS]
    start = 0
    for kind in range(3):
        n = 0
        for card in range(start, start + deck[1 + kind]):
            if held >> card & 1 == 0:
                work[UNKNOWN + 9 * kind + n] = card
                n += 1
        work[NUMBERS + kind] = n
        start += deck[1 + kind]
    clauses = list_clauses(facts, first, second, work, (len(work) - CLAUSE) // (ROWS + 1))
    total = sum_over_clauses(facts, deck, possible, first, second, clauses, work, tensor, cards)
    for q in range(2):
        has = facts[first if q == 0 else second][HAS]
        for card in range(deck_cards(deck)):
            if has >> card & 1:
                cards[3 * card + q] = total
    share_rest(deck, held, total, tensor, cards)
    return total


count_two = AlwaysCompiled(count_two_slowly)


def list_clauses(facts: Array, first: int, second: int, work: Array, most: int) -> int:
    """List the clauses of both players, without those that follow from a smaller one; returns how many."""
    n = 0
    for q in range(2):
        row = facts[first if q == 0 else second]
        for i in range(row[CLAUSES]):
            cards = row[FIRST + i]
            needed = True
            for k in range(row[CLAUSES]):
                other = row[FIRST + k]
                if other & ~cards == 0 and (other != cards or k < i):
                    needed = False
            if needed:
                work[CLAUSE + n] = cards
                work[CLAUSE + most + n] = q
                n += 1
    return n


def sum_over_clauses(
    facts: Array,
    deck: Deck,
    possible: Array,
    first: int,
    second: int,
    clauses: int,
    work: Array,
    tensor: Array,
    cards: Array,
) -> int:
    """Go through the sets of clauses that matter, and add what each of them gives; returns the sum."""
    most = (len(work) - CLAUSE) // (ROWS + 1)
    clause, owner = work[CLAUSE:], work[CLAUSE + most :]
    way, lacks_first = work[CLAUSE + 2 * most :], work[CLAUSE + 3 * most :]
    lacks_second, sign = work[CLAUSE + 4 * most :], work[CLAUSE + 5 * most :]
    everything = (1 << deck_cards(deck)) - 1
    held = facts[0][HAS] | facts[1][HAS] | facts[2][HAS]
    could_first = everything & ~held & ~facts[first][LACKS]
    could_second = everything & ~held & ~facts[second][LACKS]
    need_first = facts[first][SIZE] - bits(facts[first][HAS])
    need_second = facts[second][SIZE] - bits(facts[second][HAS])
    total = 0
    depth = 0
    way[0] = lacks_first[0] = lacks_second[0] = 0
    sign[0] = 1
    while depth >= 0:
        a, b = lacks_first[depth], lacks_second[depth]
        if depth == clauses:
            total += add_deals(
                deck, possible, could_first & ~a, could_second & ~b, need_first, sign[depth], work, tensor, cards
            )
            depth -= 1
            continue
        taken = way[depth]
        way[depth] = taken + 1
        if taken == 2:
            depth -= 1
            continue
        if taken == 1:  # those who have none of its cards
            if owner[depth] == 0:
                a |= clause[depth]
            else:
                b |= clause[depth]
            if bits(could_first & ~a) < need_first or bits(could_second & ~b) < need_second:
                continue
            cancelled = False
            for i in range(depth + 1, clauses):
                if clause[i] & ~(a if owner[i] == 0 else b) == 0:
                    cancelled = True
            if cancelled:
                continue
        lacks_first[depth + 1] = a
        lacks_second[depth + 1] = b
        sign[depth + 1] = -sign[depth] if taken == 1 else sign[depth]
        way[depth + 1] = 0
        depth += 1
    return total


def add_deals(
    deck: Deck, possible: Array, first: int, second: int, need: int, sign: int, work: Array, tensor: Array, cards: Array
) -> int:
    """Add the deals in which the two have cards of these sets alone, the first one `need` of them; returns the sum."""
    codes, unknown, numbers = work[CODES:], work[UNKNOWN:], work[NUMBERS:]
    ways, ways_first = work[WAYS:], work[WAYS_FIRST:]
    in_file, in_file_first = work[IN_FILE:], work[IN_FILE_FIRST:]
    filed = only = either = 0
    for kind in range(3):
        for i in range(numbers[kind]):
            card = unknown[9 * kind + i]
            mine = first >> card & 1
            theirs = second >> card & 1
            code = EITHER if mine & theirs else ONLY_FIRST if mine else ONLY_SECOND if theirs else ONLY_FILE
            filed += 1 if code == ONLY_FILE else 0
            only += 1 if code == ONLY_FIRST else 0
            either += 1 if code == EITHER else 0
            codes[card] = code
            in_file[card] = 0
            in_file_first[card] = 0
    if filed > 3:
        return 0
    fill_ways(filed, only, either, need, ways, ways_first)
    total = total_first = 0
    for i in range(numbers[0]):
        suspect = unknown[i]
        for j in range(numbers[1]):
            weapon = unknown[9 + j]
            begin = (suspect * deck[2] + weapon - deck[1]) * deck[3] - deck[1] - deck[2]
            base = codes[suspect] + codes[weapon]
            row = row_first = 0
            for k in range(numbers[2]):
                room = unknown[18 + k]
                if possible[begin + room]:
                    found = ways[base + codes[room]]
                    found_first = ways_first[base + codes[room]]
                    tensor[begin + room] += sign * found
                    row += found
                    row_first += found_first
                    in_file[room] += found
                    in_file_first[room] += found_first
            total += row
            total_first += row_first
            in_file[suspect] += row
            in_file_first[suspect] += row_first
            in_file[weapon] += row
            in_file_first[weapon] += row_first
    for kind in range(3):
        for i in range(numbers[kind]):
            card = unknown[9 * kind + i]
            if codes[card] == ONLY_FIRST:
                cards[3 * card] += sign * (total - in_file[card])
            elif codes[card] == EITHER:
                cards[3 * card] += sign * (total_first - in_file_first[card])
    return sign * total


def fill_ways(filed: int, only: int, either: int, need: int, ways: Array, ways_first: Array) -> None:
    """The ways by what lies in the file: all that can lie nowhere else, some of the first one's own, some of both's."""
    for place in range(PLACES):
        ways[place] = 0
        ways_first[place] = 0
    for i in range(4 - filed):
        for j in range(4 - filed - i):
            n, k = either - j, need - (only - i)
            if i <= only and 0 <= k <= n:
                place = ONLY_FILE * filed + ONLY_FIRST * i + EITHER * j
                ways[place] = BINOMIAL[n][k]
                if k > 0:
                    ways_first[place] = BINOMIAL[n - 1][k - 1]


def share_rest(deck: Deck, held: int, total: int, tensor: Array, cards: Array) -> None:
    """The file's share of each card by the triples, and the second player's, which is what is left."""
    for suspect in range(deck[1]):
        for weapon in range(deck[2]):
            for room in range(deck[3]):
                found = tensor[(suspect * deck[2] + weapon) * deck[3] + room]
                cards[3 * suspect + 2] += found
                cards[3 * (deck[1] + weapon) + 2] += found
                cards[3 * (deck[1] + deck[2] + room) + 2] += found
    for card in range(deck_cards(deck)):
        if held >> card & 1 == 0:
            cards[3 * card + 1] = total - cards[3 * card] - cards[3 * card + 2]
