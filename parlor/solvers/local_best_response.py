"""Local best response: a lower bound on how much a strategy of a large public tree can be exploited.

Lisý and Bowling, *Equilibrium approximation quality of current no-limit poker bots* (2017). The responder knows the
strategy and keeps the other's range: how likely each hand is, given what was played. On the streets where it is allowed
to, it takes the move that would be best if the hand were checked and called down after the other has folded to it or
not; before, it checks and calls. Whatever it wins on average, a best response wins at least as much.

Departures: it bets only what the tree has. The other's hand is never drawn: its moves and the board are drawn from the
whole range, and a showdown counts with its expectation over it, which leaves the mean where it is and takes away most
of the luck. What an undealt board is worth is reckoned anew when the hand is over, not as it was when it was decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from parlor.game import GameError
from parlor.solvers.public_mccfr import PublicMccfr
from parlor.solvers.public_tree import PublicTree

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Board = tuple[int, ...]
Random = np.random.Generator


class Cards(Protocol):
    """What the responder must know of the cards. There are H hands; those that cannot be have a weight of 0."""

    hands: int

    def deal(self, rng: Random) -> int:
        """A hand for the responder."""
        ...

    def possible(self, mine: int) -> Floats:
        """[H] the weights of the other's hands before anything is played."""
        ...

    def uncover(self, mine: int, board: Board, street: int, weights: Floats, rng: Random) -> tuple[Board, Floats]:
        """The board of a street, drawn with regard to the other's range, and the range on that board."""
        ...

    def buckets(self, player: int, mine: int, board: Board, street: int) -> Ints:
        """[H] the buckets of the other, who is `player`."""
        ...

    def equity(self, player: int, mine: int, board: Board, rng: Random) -> Floats:
        """[H] the responder's share of the pot against each hand of the other, who is `player`, at a showdown."""
        ...


#: [H, actions] what is played at a node in these buckets
Chances = Callable[[int, Ints], Floats]


@dataclass(frozen=True, eq=False)
class Ways:
    """What the tree says about moves: computed once."""

    stake: Floats  # [N] what each has put in at the showdown, if from here on it is only checked and called
    passive: Ints  # [N] the move that checks or calls
    folding: Ints  # [N] the move that folds, -1 if there is none

    @staticmethod
    def of(tree: PublicTree) -> Ways:
        """Calling is the move that keeps the stake lowest; folding ends the hand at once."""
        n = len(tree)
        stake, passive, folding = np.zeros(n), np.zeros(n, np.int64), np.full(n, -1)
        for node in range(n - 1, -1, -1):  # children have higher numbers
            first, best = int(tree.first[node]), np.inf
            for i, child in enumerate(tree.child[first : first + int(tree.count[node])].tolist()):
                if child < 0 and tree.shows[~child] == 0.0:
                    folding[node] = i
                    continue
                worth = stake[child] if child >= 0 else tree.shows[~child]
                if worth < best:
                    best, passive[node] = worth, i
            stake[node] = best
        return Ways(stake, passive, folding)


def respond(
    tree: PublicTree, cards: Cards, chances: Chances, hands: int, seed: int, streets: Sequence[int],
    tell: Callable[[int], bool] = lambda done: True,
) -> Floats:  # fmt: skip
    """[hands] what the responder wins in each hand, in the seats in turn; `streets` are those on which it thinks."""
    if any(not 0 <= street < tree.streets for street in streets):
        raise GameError(f"{tree.game.name} has the streets 0 to {tree.streets - 1}, not {list(streets)}.")
    ways, won = Ways.of(tree), []
    for hand in range(hands):
        rng = np.random.default_rng((seed, hand))
        won.append(_hand(tree, ways, cards, chances, hand % 2, frozenset(streets), rng))
        if hand % 64 == 63 and not tell(hand + 1):
            break
    return np.array(won)


def _hand(
    tree: PublicTree, ways: Ways, cards: Cards, chances: Chances, me: int, streets: frozenset[int], rng: Random
) -> float:
    mine = cards.deal(rng)
    board: Board = ()
    weights, street, node = cards.possible(mine), 0, 0
    buckets = cards.buckets(1 - me, mine, board, 0)
    equity: Floats | None = None
    while node >= 0:
        if tree.street[node] > street:
            street = int(tree.street[node])
            board, weights = cards.uncover(mine, board, street, weights, rng)
            buckets, equity = cards.buckets(1 - me, mine, board, street), None
        first = int(tree.first[node])
        if tree.player[node] == me:
            move = int(ways.passive[node])
            if street in streets:
                equity = cards.equity(1 - me, mine, board, rng) if equity is None else equity
                move = _best(tree, ways, chances, node, weights, buckets, equity)
        else:
            played = chances(node, buckets)
            odds = weights @ played
            move = int(rng.choice(len(odds), p=odds / odds.sum()))
            weights = weights * played[:, move]
        node = int(tree.child[first + move])
    if tree.shows[~node] == 0.0:
        return float(tree.folds[~node]) * (1 - 2 * me)
    equity = cards.equity(1 - me, mine, board, rng)
    return float(tree.shows[~node] * (2.0 * (weights @ equity) / weights.sum() - 1.0))


def _best(
    tree: PublicTree, ways: Ways, chances: Chances, node: int, weights: Floats, buckets: Ints, equity: Floats
) -> int:
    """The move that is worth most if afterwards it is only checked and called."""
    first, total = int(tree.first[node]), weights.sum()
    best, chosen = ways.stake[node] * (2.0 * (weights @ equity) / total - 1.0), int(ways.passive[node])
    for move in range(int(tree.count[node])):
        child = int(tree.child[first + move])
        if move == ways.passive[node]:
            continue
        if move == ways.folding[node]:
            worth = -abs(float(tree.folds[~child]))
        elif ways.folding[child] < 0:
            continue
        else:
            folds = chances(child, buckets)[:, ways.folding[child]]
            end = int(tree.child[int(tree.first[child]) + int(ways.folding[child])])
            staying = weights * (1.0 - folds)
            stays = staying.sum()
            called = ways.stake[child] * (2.0 * (staying @ equity) / stays - 1.0) if stays > 0.0 else 0.0
            worth = (abs(float(tree.folds[~end])) * (total - stays) + called * stays) / total
        if worth > best:
            best, chosen = worth, move
    return chosen


# ------------------------------------------------------------------------------------------------- small games


class ListedCards:
    """The cards of a small game whose deals are listed: one card for each player, then the board."""

    def __init__(self, solve: PublicMccfr, deals: Sequence[Board]) -> None:
        self.solve = solve
        self.outcomes = np.array(deals)  # [D, cards]
        _, self.known, self.winners = solve.dealer.data
        self.hands = int(self.outcomes[:, :2].max()) + 1

    def _those(self, player: int, mine: int, board: Board) -> npt.NDArray[np.bool_]:
        """[D] the deals with that hand of the responder, whose opponent is `player`, and that board."""
        fits: npt.NDArray[np.bool_] = self.outcomes[:, 1 - player] == mine
        for i, card in enumerate(board):
            fits &= self.outcomes[:, 2 + i] == card
        return fits

    def deal(self, rng: Random) -> int:
        """Any card."""
        return int(self.outcomes[rng.integers(len(self.outcomes)), 0])

    def possible(self, mine: int) -> Floats:
        """Any other card."""
        return self._left(mine, ())

    def _left(self, mine: int, board: Board) -> Floats:
        return np.sign(np.bincount(self.outcomes[self._those(1, mine, board), 1], minlength=self.hands)).astype(float)

    def uncover(self, mine: int, board: Board, street: int, weights: Floats, rng: Random) -> tuple[Board, Floats]:
        """One more card on the board."""
        fits = self._those(1, mine, board)
        odds = np.bincount(self.outcomes[fits, 2 + len(board)], weights[self.outcomes[fits, 1]], self.hands)
        board = (*board, int(rng.choice(self.hands, p=odds / odds.sum())))
        return board, weights * self._left(mine, board)

    def buckets(self, player: int, mine: int, board: Board, street: int) -> Ints:
        """As the dealer has them."""
        found = np.zeros(self.hands, np.int64)
        fits = self._those(player, mine, board)
        found[self.outcomes[fits, player]] = self.known[fits, player * self.solve.tree.streets + street]
        return found

    def equity(self, player: int, mine: int, board: Board, rng: Random) -> Floats:
        """The mean over all boards that may come."""
        fits = self._those(player, mine, board)
        share = (self.winners[fits] * (2 * player - 1) + 1) / 2
        counts = np.bincount(self.outcomes[fits, player], minlength=self.hands)
        return np.bincount(self.outcomes[fits, player], share, self.hands) / np.maximum(counts, 1)

    def chances(self, node: int, buckets: Ints) -> Floats:
        """The average strategy of the solve; every move alike where nothing was learned."""
        played = self.solve.averages(node)[buckets]
        played[~played.any(axis=1)] = 1.0 / played.shape[1]
        return played
