"""How many deals are possible, how likely each card is with each player, and each triple in the file: exactly.

Model counting without a SAT solver. Every other player has a list of possible hands, bit masks over the cards whose
place is unknown. Two groups of players are made; the hands of a group are joined, one player after the other, into a
table by the cards they take together; then, for all that the first group can take and every triple left in the file,
the second group takes the rest. Going back through the tables gives everybody's cards, and drawing from them a deal.

    gather(s, p, deck, facts, possible)                  what player p has seen, see `facts.py`
    count(facts, deck, possible, work, tensor, cards)    fills both with numbers of deals; returns how many there are
    draw_deal(deck, facts, possible, work  r, hands)     afterwards: one of these deals, all equally likely

The posterior under a model of the others: call `list_hands`, multiply `work.weights[q][i]`, the weight of the hand
`work.hands[q][i]` of player q, by how likely that hand makes what q did, and call `count_hands`. `possible` is the
prior of the file. Then weights take the place of numbers of deals everywhere.

Everything is exact: whole numbers below 2**53 are added, as floats. All working memory comes in, so that nothing is
allocated in compiled agents. One hand must be known, that of the player who counts.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np

from parlor.game import Game, Ints
from parlor.games.clue.facts import (
    CLAUSES,
    FIRST,
    HAS,
    LACKS,
    SIZE,
    Array,
    Deck,
    bits,
    could_hold,
    deck_cards,
    deck_triples,
    deduce,
    gather,
    is_held,
)
from parlor.rng import uniform

__all__ = [
    "Work",
    "count",
    "count_hands",
    "deck_of",
    "draw_deal",
    "fold_hands",
    "gather",
    "list_hands",
    "new_counts",
    "new_facts",
    "workspace",
]

#: Rows of `layout`, which has small numbers.
SIZES, CARD_AT, PLAYER, LEFT, RIGHT, CANDIDATES, NEED, FREE, INDEX, CHOSEN, FILE_CARD, FILE_BIT = *range(11), 13
#: Places in its row SIZES: unknown cards, players with unknown cards, the roots of both groups, and how many
#: cards of each kind could be in the file.
UNKNOWN, ACTIVE, ROOTS, IN_FILE = 0, 1, 2, 4
NOBODY = -1  # the left part of a node that takes no cards
LAYOUT = (16, 32)
LOW = 0xFFFFFFFF  # a hand is listed as its cards and, in the low half, its unknown cards packed
CHUNK, CHUNKS = 6, 3  # packed cards are added up by six at a time; at most 18 are unknown


class Work(NamedTuple):
    """Working memory for one deck; made by `workspace`."""

    hands: Any  # [player, hand] its cards
    packed: Any  # [player, hand] of these the unknown ones, as bits in their order
    weights: Any  # [player, hand]
    listed: Any  # [player] how many hands
    tables: (
        Any  # [2 * node, cards packed] ways of a node to take these cards; then, ways of all others to take the rest
    )
    masks: Any  # [2, …] what the first group can take; what the first two of the second group can
    subsets: Any  # […] sets of cards
    sums: Any  # [chunk, cards packed]
    layout: Any  # see above


def deck_of(game: Game) -> Any:
    """The deck of a game of Clue, from its options."""
    numbers = [int(game.options[name]) for name in ("players", "suspects", "weapons", "rooms")]
    return np.array([*numbers, game.options["accusations"] == "true"], np.int64)


def new_facts(deck: Deck, cap: int) -> tuple[Any, Any]:
    """Arrays for the facts of up to `cap` suggestions, and for the triples that are possible."""
    return np.zeros((deck[0], FIRST + cap), np.int64), np.zeros(deck_triples(deck))


def new_counts(deck: Deck) -> tuple[Any, Any]:
    """Arrays for what is counted: by triple in the file; by card and by player or, last, file."""
    return np.zeros(deck_triples(deck)), np.zeros((deck_cards(deck), deck[0] + 1))


def workspace(deck: Deck) -> Work:
    """Working memory that is enough for every position at that deck."""
    players, cards = int(deck[0]), deck_cards(deck)
    smallest, largest = (cards - 3) // players, -(-(cards - 3) // players)
    unknown = cards - smallest
    hands = max(comb(unknown, size) for size in range(largest + 1))
    sets = comb(unknown, unknown // 2)
    return Work(
        np.zeros((players, hands), np.int64), np.zeros((players, hands), np.int64), np.zeros((players, hands)),
        np.zeros(players, np.int64), np.zeros((4 * players - 8, 1 << unknown)), np.zeros((2, sets), np.int64),
        np.zeros(hands, np.int64), np.zeros((CHUNKS, 1 << CHUNK)), np.zeros(LAYOUT, np.int64),
    )  # fmt: skip


def count(facts: Array, deck: Deck, possible: Array, work: Any, tensor: Array, cards: Array) -> float:
    """The number of deals that fit; by triple in the file (`tensor`), by card and player or, last, file (`cards`)."""
    list_hands(facts, deck, work)
    return count_hands(facts, deck, possible, work, tensor, cards)


def count_hands(facts: Array, deck: Deck, possible: Array, work: Any, tensor: Array, cards: Array) -> float:
    """The same, by the weights of hands in `work`."""
    total = fold_hands(deck, possible, work, tensor)
    share_cards(facts, deck, work, tensor, cards, total)
    return total


# --------------------------------------------------------------------------------------------------- hands


def subsets(free: Array, n: int, size: int, index: Array, chosen: Array, out: Array) -> int:
    """All sets of `size` of the `n` cards in `free`, each a bit or several; returns how many."""
    if size == 0:
        out[0] = 0
        return 1
    found = depth = 0
    index[0] = 0
    chosen[0] = 0
    while depth >= 0:
        if depth < size - 1 and index[depth] <= n - size + depth:
            chosen[depth + 1] = chosen[depth] | free[index[depth]]
            index[depth + 1] = index[depth] + 1
            depth += 1
            continue
        if depth == size - 1:
            so_far = chosen[depth]
            for j in range(index[depth], n):
                out[found] = so_far | free[j]
                found += 1
        depth -= 1
        if depth >= 0:
            index[depth] += 1
    return found


def list_hands(facts: Array, deck: Deck, work: Any) -> bool:
    """All hands of every player that fit the facts, each with weight 1; False if there are none."""
    hands, packed, weights, listed, _, _, sets, _, layout = work
    players = deck[0]
    for q in range(players):
        listed[q] = 0
    if not deduce(facts, deck):
        return False
    lay_out(facts, deck, layout)
    for q in range(players):
        n = could = 0
        for bit in range(layout[SIZES][UNKNOWN]):
            card = layout[CARD_AT][bit]
            if facts[q][LACKS] >> card & 1 == 0:
                layout[FREE][n] = 1 << card + 32 | 1 << bit
                could |= 1 << bit
                n += 1
        need = facts[q][SIZE] - bits(facts[q][HAS])
        layout[CANDIDATES][q] = could
        layout[NEED][q] = need
        found = 0
        for i in range(subsets(layout[FREE], n, need, layout[INDEX], layout[CHOSEN], sets)):
            cards = sets[i] >> 32
            fits = True
            for k in range(facts[q][CLAUSES]):
                if cards & facts[q][FIRST + k] == 0:
                    fits = False
                    break
            if fits:
                hands[q][found] = cards | facts[q][HAS]
                packed[q][found] = sets[i] & LOW
                weights[q][found] = 1.0
                found += 1
        listed[q] = found
        if found == 0:
            return False
    return True


def lay_out(facts: Array, deck: Deck, layout: Array) -> None:
    """Number the unknown cards; list those that could be in the file."""
    players = deck[0]
    unknown = start = 0
    for kind in range(3):
        n = 0
        filed = -1
        for card in range(start, start + deck[1 + kind]):
            if is_held(facts, players, card):
                continue
            if could_hold(facts, players, card) == 0:
                filed = card
                continue
            layout[FILE_CARD + kind][n] = card - start
            layout[FILE_BIT + kind][n] = 1 << unknown
            layout[CARD_AT][unknown] = card
            n += 1
            unknown += 1
        if filed >= 0:
            layout[FILE_CARD + kind][0] = filed - start
            layout[FILE_BIT + kind][0] = 0
            n = 1
        layout[SIZES][IN_FILE + kind] = n
        start += deck[1 + kind]
    layout[SIZES][UNKNOWN] = unknown


# --------------------------------------------------------------------------------------------------- the tables


def fold_hands(deck: Deck, possible: Array, work: Any, tensor: Array) -> float:
    """Fill the tables, and `tensor` by the triple in the file; returns the weight of all deals."""
    _, packed, weights, listed, tables, masks, sets, _, layout = work
    for triple in range(deck_triples(deck)):
        tensor[triple] = 0.0
    for q in range(deck[0]):
        if listed[q] == 0:
            return 0.0
    room = 1 << layout[SIZES][UNKNOWN]
    nodes = make_groups(deck, listed, layout)
    active = layout[SIZES][ACTIVE]
    for node in range(nodes):
        clear(tables[2 * node], room)
    for node in range(active):
        q = layout[PLAYER][node]
        for i in range(listed[q]):
            tables[2 * node][packed[q][i]] = weights[q][i]
    for node in range(active, nodes):
        left, right, whole = layout[LEFT][node], layout[RIGHT][node], tables[2 * node]
        if left == NOBODY:
            whole[0] = 1.0
        elif left < active:
            q = layout[PLAYER][left]
            fold(packed[q], listed[q], tables[2 * left], right, tables[2 * right], whole, sets, layout)
        else:
            n = list_masks(tables[2 * left], room, masks[1])
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
    sizes[ACTIVE] = nodes = n
    begin = 0
    for group in range(2):
        end = n // 2 if group == 0 else n
        root = begin
        if begin == end:
            layout[LEFT][nodes] = NOBODY
            root = nodes
            nodes += 1
        for member in range(begin + 1, end):
            layout[LEFT][nodes] = root
            layout[RIGHT][nodes] = member
            root = nodes
            nodes += 1
        sizes[ROOTS + group] = root
        begin = end
    return int(nodes)


def clear(table: Array, room: int) -> None:
    """Nothing yet."""
    for mask in range(room):
        table[mask] = 0.0


def list_masks(table: Array, room: int, out: Array) -> int:
    """The sets of cards that have an entry; returns how many."""
    found = 0
    for mask in range(room):
        if table[mask] != 0.0:
            out[found] = mask
            found += 1
    return found


def free_cards(could: int, taken: int, layout: Array) -> int:
    """List the packed cards of `could` that are not `taken`; returns how many."""
    n = 0
    left = could & ~taken
    while left:
        layout[FREE][n] = left & -left
        left &= left - 1
        n += 1
    return n


def fold(masks: Array, n: int, left: Array, right: int, hands: Array, whole: Array, sets: Array, layout: Array) -> None:
    """The `whole` of what is listed in `masks` with weights in `left`, and the `hands` of the player at node `right`."""
    q = layout[PLAYER][right]
    could, need = layout[CANDIDATES][q], layout[NEED][q]
    for i in range(n):
        mask = masks[i]
        weight = left[mask]
        free = free_cards(could, mask, layout)
        for j in range(subsets(layout[FREE], free, need, layout[INDEX], layout[CHOSEN], sets)):
            whole[mask | sets[j]] += weight * hands[sets[j]]


def join(deck: Deck, possible: Array, work: Any, tensor: Array) -> float:
    """Add up, for all that the first group can take and every triple, how the second group can take the rest."""
    _, packed, _, listed, tables, masks, _, _, layout = work
    sizes = layout[SIZES]
    room = 1 << sizes[UNKNOWN]
    root, other = sizes[ROOTS], sizes[ROOTS + 1]
    first, first_rest, second, second_rest = (
        tables[2 * root],
        tables[2 * root + 1],
        tables[2 * other],
        tables[2 * other + 1],
    )
    clear(second_rest, room)
    if root < sizes[ACTIVE]:
        taken, n = packed[layout[PLAYER][root]], listed[layout[PLAYER][root]]
    else:
        taken = masks[0]
        n = list_masks(first, room, taken)
    total = 0.0
    for i in range(n):
        mask = taken[i]
        weight, rest, ways = first[mask], room - 1 ^ mask, 0.0
        for a in range(sizes[IN_FILE]):
            suspect = layout[FILE_BIT][a]
            if suspect & mask:
                continue
            for b in range(sizes[IN_FILE + 1]):
                weapon = layout[FILE_BIT + 1][b]
                if weapon & mask:
                    continue
                begin = (layout[FILE_CARD][a] * deck[2] + layout[FILE_CARD + 1][b]) * deck[3]
                for c in range(sizes[IN_FILE + 2]):
                    room_card = layout[FILE_BIT + 2][c]
                    if room_card & mask:
                        continue
                    left = rest ^ (suspect | weapon | room_card)
                    triple = begin + layout[FILE_CARD + 2][c]
                    found = second[left] * possible[triple]
                    if found != 0.0:
                        ways += found
                        tensor[triple] += weight * found
                        second_rest[left] += weight * possible[triple]
        first_rest[mask] = ways
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
    active, room = layout[SIZES][ACTIVE], 1 << layout[SIZES][UNKNOWN]
    last = max(layout[SIZES][ROOTS], layout[SIZES][ROOTS + 1])
    for node in range(last, active - 1, -1):
        left = layout[LEFT][node]
        if left == NOBODY:
            continue
        right = layout[RIGHT][node]
        for i in range(listed[layout[PLAYER][right]]):
            tables[2 * right + 1][packed[layout[PLAYER][right]][i]] = 0.0
        if left < active:
            q = layout[PLAYER][left]
            unfold(packed[q], listed[q], left, right, node, tables, sets, layout)
        else:
            unfold(masks[1], list_masks(tables[2 * left], room, masks[1]), left, right, node, tables, sets, layout)
    for node in range(active):
        q = layout[PLAYER][node]
        rest = tables[2 * node + 1]
        for chunk in range(CHUNKS):
            clear(sums[chunk], 1 << CHUNK)
        for i in range(listed[q]):
            mask = packed[q][i]
            ways = weights[q][i] * rest[mask]
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
    lefts, left_rest = tables[2 * left], tables[2 * left + 1]
    hands, hands_rest = tables[2 * right], tables[2 * right + 1]
    whole_rest = tables[2 * node + 1]
    for i in range(n):
        mask = masks[i]
        weight, ways = lefts[mask], 0.0
        free = free_cards(could, mask, layout)
        for j in range(subsets(layout[FREE], free, need, layout[INDEX], layout[CHOSEN], sets)):
            hand = sets[j]
            rest = whole_rest[mask | hand]
            ways += hands[hand] * rest
            hands_rest[hand] += weight * rest
        left_rest[mask] = ways


# --------------------------------------------------------------------------------------------------- drawing


def draw_deal(deck: Deck, facts: Array, possible: Array, work: Any, total: float, r: Ints, hands: Array) -> int:
    """Draw one of the deals by their weights, after `fold_hands`, which returned `total`.

    Fills everybody's `hands`; returns the triple in the file.
    """
    _, packed, _, listed, tables, masks, _, _, layout = work
    sizes = layout[SIZES]
    active, room = sizes[ACTIVE], 1 << sizes[UNKNOWN]
    root, other = sizes[ROOTS], sizes[ROOTS + 1]
    if root < active:
        taken, n = packed[layout[PLAYER][root]], listed[layout[PLAYER][root]]
    else:
        taken = masks[0]
        n = list_masks(tables[2 * root], room, taken)
    left = uniform(r) * total
    drawn = 0
    for i in range(n):
        found = tables[2 * root][taken[i]] * tables[2 * root + 1][taken[i]]
        if found > 0.0:
            drawn = taken[i]
            left -= found
            if left < 0.0:
                break
    left = uniform(r) * tables[2 * root + 1][drawn]
    triple, rest = 0, 0
    for a in range(sizes[IN_FILE]):
        for b in range(sizes[IN_FILE + 1]):
            for c in range(sizes[IN_FILE + 2]):
                filed = layout[FILE_BIT][a] | layout[FILE_BIT + 1][b] | layout[FILE_BIT + 2][c]
                if filed & drawn or left < 0.0:
                    continue
                number = (layout[FILE_CARD][a] * deck[2] + layout[FILE_CARD + 1][b]) * deck[3] + layout[FILE_CARD + 2][
                    c
                ]
                found = tables[2 * other][room - 1 ^ drawn ^ filed] * possible[number]
                if found > 0.0:
                    triple, rest = number, room - 1 ^ drawn ^ filed
                    left -= found
    for q in range(deck[0]):
        hands[q] = facts[q][HAS]
    draw_group(root, drawn, packed, listed, tables, masks[1], layout, r, hands)
    draw_group(other, rest, packed, listed, tables, masks[1], layout, r, hands)
    return int(triple)


def draw_group(
    node: int,
    mask: int,
    packed: Array,
    listed: Array,
    tables: Array,
    pairs: Array,
    layout: Array,
    r: Ints,
    hands: Array,
) -> None:
    """Draw how the players of a node share the cards of `mask`."""
    active = layout[SIZES][ACTIVE]
    while node >= active and layout[LEFT][node] != NOBODY:
        left_node, right = layout[LEFT][node], layout[RIGHT][node]
        q = layout[PLAYER][right]
        left = uniform(r) * tables[2 * node][mask]
        hand = 0
        for i in range(listed[q]):
            if packed[q][i] & ~mask == 0:
                found = tables[2 * right][packed[q][i]] * tables[2 * left_node][mask ^ packed[q][i]]
                if found > 0.0:
                    hand = packed[q][i]
                    left -= found
                    if left < 0.0:
                        break
        hands[q] |= unpack(hand, layout)
        node, mask = left_node, mask ^ hand
    if node < active:
        hands[layout[PLAYER][node]] |= unpack(mask, layout)


def unpack(mask: int, layout: Array) -> int:
    """Packed cards as cards."""
    cards, bit = 0, 0
    while mask:
        if mask & 1:
            cards |= 1 << layout[CARD_AT][bit]
        mask >>= 1
        bit += 1
    return cards
