"""The tables: the hands of two groups of players joined by the cards they take together, and back again."""

from __future__ import annotations

from typing import Any

from parlor.games.clue.deduction.facts import HAS, Array, Deck, bits, deck_cards, deck_triples
from parlor.games.clue.deduction.hands import (
    ACTIVE,
    CANDIDATES,
    CARD_AT,
    CHOSEN,
    CHUNK,
    CHUNKS,
    FILE_BIT,
    FILE_CARD,
    FULL,
    IN_FILE,
    INDEX,
    LEFT,
    NEED,
    NOBODY,
    OPEN_BIT,
    OPEN_CARD,
    PLAYER,
    RIGHT,
    ROOTS,
    SIZES,
    SPREAD,
    TAKES,
    UNIT,
    UNKNOWN,
    subsets,
)


def fold_hands(deck: Deck, possible: Array, work: Any, tensor: Array) -> float:
    """Fill the tables, and `tensor` by the triple in the file; returns the weight of all deals."""
    _, packed, weights, listed, tables, masks, sets, _, layout = work
    for triple in range(deck_triples(deck)):
        tensor[triple] = 0.0
    for q in range(deck[0]):
        if listed[q] == 0:
            return 0.0
    nodes = make_groups(deck, listed, layout)
    active = layout[SIZES][ACTIVE]
    for node in range(nodes):
        clear(tables[2 * node], table_room(layout))
    for node in range(active):
        q = layout[PLAYER][node]
        for i in range(listed[q]):
            tables[2 * node][packed[q][i] >> 1] = weights[q][i]
    for node in range(active, nodes):
        left, right, whole = layout[LEFT][node], layout[RIGHT][node], tables[2 * node]
        if left == NOBODY:
            whole[0] = 1.0
        elif left < active:
            q = layout[PLAYER][left]
            fold(packed[q], listed[q], tables[2 * left], right, tables[2 * right], whole, sets, layout)
        else:
            n = list_masks(left, tables, layout, masks[1])
            fold(masks[1], n, tables[2 * left], right, tables[2 * right], whole, sets, layout)
    return join(deck, possible, work, tensor)


def make_groups(deck: Deck, listed: Array, layout: Array) -> int:
    """Two groups of those whose hands are unknown, fewest hands first; returns how many nodes there are.

    The first nodes are players. Each following one joins a node and a player; the last of a group is its root.
    """
    sizes, player = layout[SIZES], layout[PLAYER]
    n = 0
    for q in range(deck[0]):
        if layout[NEED][q] > 0:
            i = n
            while i > 0 and listed[player[i - 1]] > listed[q]:
                player[i] = player[i - 1]
                i -= 1
            player[i] = q
            n += 1
    for node in range(n):
        layout[TAKES][node] = layout[NEED][player[node]]
    sizes[ACTIVE] = nodes = n
    begin = 0
    for group in range(2):
        end = n // 2 if group == 0 else n
        root = begin
        if begin == end:
            layout[LEFT][nodes] = NOBODY
            layout[TAKES][nodes] = 0
            root = nodes
            nodes += 1
        for member in range(begin + 1, end):
            layout[LEFT][nodes] = root
            layout[RIGHT][nodes] = member
            layout[TAKES][nodes] = layout[TAKES][root] + layout[TAKES][member]
            root = nodes
            nodes += 1
        sizes[ROOTS + group] = root
        begin = end
    return int(nodes)


def clear(table: Array, room: int) -> None:
    """Nothing yet."""
    for i in range(room):
        table[i] = 0.0


def list_masks(node: int, tables: Array, layout: Array, out: Array) -> int:
    """The sets of cards that a node can take; returns how many."""
    size = layout[TAKES][node]
    found = 0
    for i in range(table_room(layout)):
        if tables[2 * node][i] != 0.0:
            out[found] = 2 * i + size - bits(i)
            found += 1
    return found


def table_room(layout: Array) -> int:
    """The number of entries of a table that are used."""
    return int((1 << layout[SIZES][UNKNOWN]) + 1 >> 1)


def spread_cards(free: int, layout: Array) -> int:
    """For sets numbered among the cards of `free`, which packed cards these are; returns how many are free.

    Six cards are looked up at a time. So hands are listed once for each number of free cards, not for each set of them.
    """
    n = 0
    for chunk in range(CHUNKS):
        row = layout[SPREAD + chunk]
        row[0] = 0
        size = 1
        while free and size <= FULL:
            for i in range(size):
                row[size + i] = row[i] | free & -free
            free &= free - 1
            size *= 2
            n += 1
    return n


def fold(masks: Array, n: int, left: Array, right: int, hands: Array, whole: Array, sets: Array, layout: Array) -> None:
    """Join what is listed in `masks`, with weights in `left`, and the `hands` of the player at node `right`."""
    q = layout[PLAYER][right]
    could, need = layout[CANDIDATES][q], layout[NEED][q]
    low, middle, high = layout[SPREAD], layout[SPREAD + 1], layout[SPREAD + 2]
    before, n_sets = -1, 0
    for i in range(n):
        mask = masks[i]
        weight = left[mask >> 1]
        free = spread_cards(could & ~mask, layout)
        if free != before:
            n_sets, before = subsets(layout[UNIT], free, need, layout[INDEX], layout[CHOSEN], sets), free
        for j in range(n_sets):
            hand = low[sets[j] & FULL] | middle[sets[j] >> CHUNK & FULL] | high[sets[j] >> 2 * CHUNK]
            whole[(mask | hand) >> 1] += weight * hands[hand >> 1]


def open_cards(taken: int, kind: int, layout: Array) -> int:
    """List the cards of a kind that can be in the file if those `taken` are not; returns how many."""
    n = 0
    for i in range(layout[SIZES][IN_FILE + kind]):  # without branches, which would often be predicted wrong
        layout[OPEN_CARD + kind][n] = layout[FILE_CARD + kind][i]
        layout[OPEN_BIT + kind][n] = layout[FILE_BIT + kind][i]
        n += 1 if layout[FILE_BIT + kind][i] & taken == 0 else 0
    return n


def join(deck: Deck, possible: Array, work: Any, tensor: Array) -> float:
    """Add up, for all that the first group can take and every triple, how the second group can take the rest."""
    _, packed, _, listed, tables, masks, _, _, layout = work
    sizes = layout[SIZES]
    room = 1 << sizes[UNKNOWN]
    root, other = sizes[ROOTS], sizes[ROOTS + 1]
    first, first_rest = tables[2 * root], tables[2 * root + 1]
    second, second_rest = tables[2 * other], tables[2 * other + 1]
    clear(second_rest, table_room(layout))
    if root < sizes[ACTIVE]:
        taken, n = packed[layout[PLAYER][root]], listed[layout[PLAYER][root]]
    else:
        taken = masks[0]
        n = list_masks(root, tables, layout, taken)
    total = 0.0
    for i in range(n):
        mask = taken[i]
        weight, rest, ways = first[mask >> 1], room - 1 ^ mask, 0.0
        suspects, weapons = open_cards(mask, 0, layout), open_cards(mask, 1, layout)
        rooms = open_cards(mask, 2, layout)
        for a in range(suspects):
            for b in range(weapons):
                begin = (layout[OPEN_CARD][a] * deck[2] + layout[OPEN_CARD + 1][b]) * deck[3]
                left = rest ^ layout[OPEN_BIT][a] ^ layout[OPEN_BIT + 1][b]
                for c in range(rooms):
                    triple = begin + layout[OPEN_CARD + 2][c]
                    prior = possible[triple]
                    at = (left ^ layout[OPEN_BIT + 2][c]) >> 1
                    found = second[at] * prior
                    ways += found
                    tensor[triple] += weight * found
                    second_rest[at] += weight * prior
        first_rest[mask >> 1] = ways
        total += weight * ways
    return total


# --------------------------------------------------------------------------------------------------- back again


def share_cards(facts: Array, deck: Deck, work: Any, tensor: Array, cards: Array, total: float) -> None:
    """Fill `cards` by going back through the tables."""
    _, packed, weights, listed, tables, masks, sets, sums, layout = work
    players = deck[0]
    for card in range(deck_cards(deck)):
        for q in range(players + 1):
            cards[card][q] = total if q < players and facts[q][HAS] >> card & 1 else 0.0
    for triple in range(deck_triples(deck)):
        cards[triple // (deck[2] * deck[3])][players] += tensor[triple]
        cards[deck[1] + triple // deck[3] % deck[2]][players] += tensor[triple]
        cards[deck[1] + deck[2] + triple % deck[3]][players] += tensor[triple]
    if total == 0.0:
        return
    active = layout[SIZES][ACTIVE]
    last = max(layout[SIZES][ROOTS], layout[SIZES][ROOTS + 1])
    for node in range(last, active - 1, -1):
        left = layout[LEFT][node]
        if left == NOBODY:
            continue
        right = layout[RIGHT][node]
        for i in range(listed[layout[PLAYER][right]]):
            tables[2 * right + 1][packed[layout[PLAYER][right]][i] >> 1] = 0.0
        if left < active:
            q = layout[PLAYER][left]
            unfold(packed[q], listed[q], left, right, node, tables, sets, layout)
        else:
            unfold(masks[1], list_masks(left, tables, layout, masks[1]), left, right, node, tables, sets, layout)
    for node in range(active):
        q = layout[PLAYER][node]
        rest = tables[2 * node + 1]
        for chunk in range(CHUNKS):
            clear(sums[chunk], 1 << CHUNK)
        for i in range(listed[q]):
            mask = packed[q][i]
            ways = weights[q][i] * rest[mask >> 1]
            for chunk in range(CHUNKS):
                sums[chunk][mask >> chunk * CHUNK & (1 << CHUNK) - 1] += ways
        for bit in range(layout[SIZES][UNKNOWN]):
            chunk, place = bit // CHUNK, bit % CHUNK
            for mask in range(1 << CHUNK):
                if mask >> place & 1:
                    cards[layout[CARD_AT][bit]][q] += sums[chunk][mask]


def unfold(masks: Array, n: int, left: int, right: int, node: int, tables: Array, sets: Array, layout: Array) -> None:
    """From how the others can take the rest of a node, how they can take the rest of its two parts."""
    q = layout[PLAYER][right]
    could, need = layout[CANDIDATES][q], layout[NEED][q]
    low, middle, high = layout[SPREAD], layout[SPREAD + 1], layout[SPREAD + 2]
    before, n_sets = -1, 0
    lefts, left_rest = tables[2 * left], tables[2 * left + 1]
    hands, hands_rest = tables[2 * right], tables[2 * right + 1]
    whole_rest = tables[2 * node + 1]
    for i in range(n):
        mask = masks[i]
        weight, ways = lefts[mask >> 1], 0.0
        free = spread_cards(could & ~mask, layout)
        if free != before:
            n_sets, before = subsets(layout[UNIT], free, need, layout[INDEX], layout[CHOSEN], sets), free
        for j in range(n_sets):
            hand = low[sets[j] & FULL] | middle[sets[j] >> CHUNK & FULL] | high[sets[j] >> 2 * CHUNK]
            rest = whole_rest[(mask | hand) >> 1]
            ways += hands[hand >> 1] * rest
            hands_rest[hand >> 1] += weight * rest
        left_rest[mask >> 1] = ways
