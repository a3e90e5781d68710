"""The cards of hold'em for a local best response: ranges are vectors over the 1,326 hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.games.holdem.buckets import SHOWN, Buckets
from parlor.games.holdem.cards import DECK
from parlor.games.holdem.isomorphism import CLASS_OF_HAND, HAND_CARDS, HAND_MASKS, HANDS, RENAMED, board_place, boards
from parlor.games.holdem.strength import KEYS, MASKS, strength_of
from parlor.native import native
from parlor.solvers.local_best_response import Board, Floats, Ints, Random

SAMPLES = 50  # boards, where two cards and more are to come

HAND_KEYS = np.array(KEYS)[HAND_CARDS].sum(axis=1)
MASK_OF = np.array(MASKS)


class HoldemCards:
    """As a blueprint with these buckets sees them; `shown` cards are on the board at the showdown."""

    hands = HANDS

    def __init__(self, cards: Buckets, shown: int) -> None:
        self.cards, self.shown = cards, shown

    def deal(self, rng: Random) -> int:
        """Any hand."""
        return int(rng.integers(HANDS))

    def possible(self, mine: int) -> Floats:
        """Any hand without our cards."""
        return (HAND_MASKS & HAND_MASKS[mine] == 0).astype(np.float64)

    def uncover(self, mine: int, board: Board, street: int, weights: Floats, rng: Random) -> tuple[Board, Floats]:
        """Card by card: the likelier the other holds one, the less likely it comes."""
        while len(board) < SHOWN[street]:
            held = np.bincount(HAND_CARDS.ravel(), np.repeat(weights, 2), DECK)
            odds = np.maximum(weights.sum() - held, 0.0)
            odds[[*board, *HAND_CARDS[mine]]] = 0.0
            card = int(rng.choice(DECK, p=odds / odds.sum()))
            board = (*board, card)
            weights = np.where(HAND_MASKS & MASK_OF[card] == 0, weights, 0.0)
        return board, weights

    def buckets(self, player: int, mine: int, board: Board, street: int) -> Ints:
        """The same for both players."""
        if not board:
            return CLASS_OF_HAND.astype(np.int64)
        at, layer = boards(len(board)), self.cards.streets[street - 1]
        place = board_place(board, len(board))
        return layer.of[layer.table[at.index[place]][RENAMED[at.renaming[place]]]].astype(np.int64)

    def equity(self, player: int, mine: int, board: Board, rng: Random) -> Floats:
        """Exact with at most one card to come, else over some boards."""
        missing = self.shown - len(board)
        deck = np.array([c for c in range(DECK) if c not in board and c not in HAND_CARDS[mine]])
        if missing < 2:
            runs = deck[:, None] if missing else np.zeros((1, 0), np.int64)
        else:
            runs = rng.permuted(np.tile(deck, (SAMPLES, 1)), axis=1)[:, :missing]
        shares, counts = np.zeros(HANDS), np.zeros(HANDS)
        known = int(MASK_OF[list(board)].sum()), sum(KEYS[c] for c in board)
        native(add_showdowns)(mine, *known, np.ascontiguousarray(runs), HAND_KEYS, HAND_MASKS, shares, counts)
        return shares / np.maximum(counts, 1.0)


def add_showdowns(mine: int, mask: int, key: int, runs: Any, keys: Any, masks: Any, shares: Any, counts: Any) -> None:
    """Add the share of a hand against each other hand, over boards completed by `runs`."""
    for i in range(runs.shape[0]):
        mask_now = mask
        key_now = key
        for j in range(runs.shape[1]):
            mask_now |= MASKS[runs[i][j]]
            key_now += KEYS[runs[i][j]]
        ours = strength_of(key_now + keys[mine], mask_now | masks[mine])
        for h in range(len(keys)):
            if masks[h] & (mask_now | masks[mine]) == 0:
                theirs = strength_of(key_now + keys[h], mask_now | masks[h])
                counts[h] += 1.0
                shares[h] += 1.0 if ours > theirs else 0.5 if ours == theirs else 0.0
