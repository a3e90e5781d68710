"""Two blueprints of one betting tree: a hand is a walk down the tree, at more than a million a second.

Nobody can leave the tree, so there is nothing to translate and no state is needed: cards are drawn as the walk needs
them. Deals and decisions come from the same streams, by the same arithmetic, as those of `batch`; the results are equal
to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent
from parlor.arena.measures import Lineups, Payoffs
from parlor.game import Game, Ints
from parlor.game.rng import choose, seed_stream, uniform
from parlor.poker.blueprint import Lookup, read_row
from parlor.poker.hands.buckets import SHOWN, board_bucket, cards_shown
from parlor.poker.hands.cards import DECK
from parlor.poker.hands.hand_strength import strength_of, sums
from parlor.poker.hands.isomorphism import board_place, hand_class
from parlor.poker.public_tree import BASE, COUNT, FIRST, SLOT

PLAYERS = 2
HANDS = 4  # cards in the two hands
CLOSE = 1e-9  # distance to where one card ends and the next begins: then rounding decides


class DuelBuffers(NamedTuple):
    """The working memory of the walk."""

    streams: Any  # [P + 1, 4] of chance and of the seats
    cards: Any  # [9] two hands and a board, as they were dealt
    taken: Any  # [9] the same cards in order
    weights: Any  # [actions]


class Duel:
    """Games between two blueprints, as `Batch` is for any agents."""

    def __init__(self, concrete: Game, agents: Sequence[CompiledAgent]) -> None:
        self._play = compiler.native(walk_hands)
        self._data = [agent.data(True) for agent in agents]
        self._shown = cards_shown(concrete.options)
        cards, taken = np.zeros((2, HANDS + SHOWN[-1]), np.int64)
        self._buffers = DuelBuffers(np.zeros((PLAYERS + 1, 4), np.int64), cards, taken, np.zeros(concrete.actions))
        self.play(0, 0, 1, np.zeros((0, PLAYERS), np.int64))  # compiles, if that has to be done

    def play(self, seed: int, first: int, each: int, lineups: Lineups) -> Payoffs:
        """Games `first` and on with those line-ups; the payoff of each seat."""
        payoffs, seats = np.zeros(lineups.shape), lineups.argmin(axis=1)  # where the first agent sits
        self._play(seats, payoffs, self._buffers, *self._data, seed, first, each, self._shown)
        return payoffs


def walk_hands(
    seats: Any,
    payoffs: Any,
    buffers: DuelBuffers,
    one: Lookup,
    other: Lookup,
    seed: int,
    first: int,
    each: int,
    shown: int,
) -> None:
    """Play the games; `one` is the data of the agent in `seats`, `other` that of its opponent."""
    streams, cards, taken, weights = buffers
    _, _, nodes, stride, _, _, _, child, folds, shows = one
    streets = len(stride) // 2
    for g in range(len(seats)):
        deal = (first + g) // each
        for i in range(PLAYERS + 1):
            seed_stream(streams[i], seed, deal * (PLAYERS + 1) + i)
        draw_cards(streams[0], cards, taken, 0, HANDS)
        dealt = HANDS
        node = 0
        while node >= 0:
            slot = nodes[node][SLOT]
            n = nodes[node][COUNT]
            player = slot // streets
            street = slot % streets
            if dealt < HANDS + SHOWN[street]:
                draw_cards(streams[0], cards, taken, dealt, HANDS + SHOWN[street])
                dealt = HANDS + SHOWN[street]
            if seats[g] == player:
                decide(one, nodes[node], slot, street, n, cards, player, weights)
            else:
                decide(other, other.nodes[node], slot, street, n, cards, player, weights)
            node = child[nodes[node][FIRST] + choose(streams[1 + player], weights, n)]
        utility = folds[~node]
        if shows[~node] != 0.0:
            draw_cards(streams[0], cards, taken, dealt, HANDS + shown)
            mine = hand_strength(cards, 0, shown)
            theirs = hand_strength(cards, 1, shown)
            utility = shows[~node] if mine > theirs else -shows[~node] if mine < theirs else 0.0
        payoffs[g][0] = utility
        payoffs[g][1] = -utility


def draw_cards(r: Ints, cards: Ints, taken: Ints, dealt: int, end: int) -> None:
    """Deal until there are `end` cards, each by the odds of the rules; `taken` are the same cards in order."""
    for i in range(dealt, end):
        left = DECK - i
        u = uniform(r)
        place = u * left
        k = int(place)
        if abs(place - round(place)) < CLOSE:
            k = place_by_odds(u, left)
        card = k  # the k-th of those that are left
        j = 0
        while j < i and taken[j] <= card:
            card += 1
            j += 1
        cards[i] = card
        for m in range(i, j, -1):
            taken[m] = taken[m - 1]
        taken[j] = card


def place_by_odds(u: float, left: int) -> int:
    """Which of the remaining cards is drawn, as `choose` finds it: one by one, with its rounding."""
    for k in range(left):
        u -= 1.0 / left
        if u < 0.0:
            return k
    return left - 1


def decide(data: Lookup, node: Any, slot: int, street: int, n: int, cards: Any, p: int, out: Any) -> None:
    """The chances of the moves of a node."""
    a = cards[2 * p]
    b = cards[2 * p + 1]
    flop, turn, river = data.cards
    if street == 0:
        bucket = hand_class(a, b)
    elif street == 1:
        bucket = board_bucket(flop, board_place(cards[HANDS:], 3), a, b)
    elif street == 2:
        bucket = board_bucket(turn, board_place(cards[HANDS:], 4), a, b)
    else:
        bucket = board_bucket(river, board_place(cards[HANDS:], 5), a, b)
    read_row(data.play, node[BASE], data.stride[slot], data.sizes[slot], bucket, n, out)


def hand_strength(cards: Any, p: int, shown: int) -> int:
    """The best five of a hand and the board."""
    key, mask = sums(cards[2 * p :], 2)
    board_key, board = sums(cards[HANDS:], shown)
    return strength_of(key + board_key, mask + board)
