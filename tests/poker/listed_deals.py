"""All deals of a small game, listed: a dealer for public trees whose results can be checked exactly.

What a player knows of the cards on a street is read from the game's own keys: two deals that give a player the same key
at the same public position are the same bucket there. So an abstraction by keys needs nothing else, and the
strategy of a public tree becomes an ordinary policy again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.game import CHANCE, OVER, GameError, Ints
from parlor.game.rng import uniform
from parlor.poker.public_mccfr import Dealer, PublicMccfr
from parlor.poker.public_tree import PublicTree
from parlor.policies.policy import Policy

LIMIT = 100_000  # deals


def draw_listed(r: Ints, buckets: Ints, data: Any) -> int:
    """Draw one of the listed deals."""
    until, known, winners = data
    u = uniform(r)
    low = 0
    high = len(until) - 1
    while low < high:
        middle = (low + high) >> 1
        if until[middle] <= u:
            low = middle + 1
        else:
            high = middle
    for i in range(len(buckets)):
        buckets[i] = known[low][i]
    return int(winners[low])


def listed_deals(tree: PublicTree) -> Dealer:
    """A dealer with every deal of the game and its probability."""
    deals = _deals(tree)
    labels: list[dict[int, int]] = [{} for _ in range(2 * tree.streets)]
    known = np.zeros((len(deals), 2 * tree.streets), np.int64)
    for row, (_, _, keys) in zip(known, deals, strict=True):
        for slot, key in enumerate(keys):
            row[slot] = labels[slot].setdefault(key, len(labels[slot]))
    sizes = [len(label) for label in labels]
    until = np.cumsum([chance for _, chance, _ in deals])
    winners = np.array([_winner(tree, outcomes) for outcomes, _, _ in deals])
    buckets = (tuple(sizes[: tree.streets]), tuple(sizes[tree.streets :]))
    return Dealer(buckets, draw_listed, (until, known, winners))


def policy_of(solve: PublicMccfr) -> Policy:
    """The average strategy of a solve with listed deals, by the keys of the game; untouched rows are left out."""
    tree, game = solve.tree, solve.tree.game
    _, known, _ = solve.dealer.data
    deals = _deals(tree)
    rows: dict[int, Any] = {}
    for node, (player, edge) in enumerate(zip(tree.player.tolist(), tree.parent.tolist(), strict=True)):
        slot, played = solve.layout.slot[node], solve.averages(node)
        for bucket, deal in zip(*np.unique(known[:, slot], return_index=True), strict=True):
            if played[bucket].any():
                [*_, state] = tree.positions(edge, deals[deal][0])
                rows[game.rules.key(state, player)] = played[bucket]
    counts = np.array([len(row) for row in rows.values()], np.int64)
    keys = np.array(list(rows), np.int64)
    made = Policy.from_rows(game, keys, counts, np.concatenate(list(rows.values())) if rows else np.zeros(0))
    return made.with_about(algorithm=solve.name, iterations=solve.iterations, seed=solve.seed)


def _deals(tree: PublicTree) -> list[tuple[tuple[int, ...], float, tuple[int, ...]]]:
    """Every deal: its outcomes, its probability, and the keys of both players on each street along one showdown."""
    game = tree.game
    if "deals" not in game.cache:
        found: list[tuple[tuple[int, ...], float, tuple[int, ...]]] = []
        stack: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
        edge = _showdown(tree)
        while stack:
            outcomes, chance = stack.pop()
            keys, state = _keys(tree, edge, outcomes)
            if game.rules.turn(state) == OVER:
                found.append((outcomes, chance, keys))
            else:
                odds = [0.0] * game.outcomes
                for a in reversed(range(game.rules.odds(state, odds))):
                    if odds[a] > 0.0:
                        stack.append(((*outcomes, a), chance * odds[a]))
            if len(found) > LIMIT:
                raise GameError(f"{game.name} has more than {LIMIT:,} deals: they cannot be listed.")
        game.cache["deals"] = found
    deals: list[tuple[tuple[int, ...], float, tuple[int, ...]]] = game.cache["deals"]
    return deals


def _showdown(tree: PublicTree) -> int:
    """An edge to a showdown that comes after the last street."""
    ending = tree.child < 0
    shown = ending & (tree.shows[np.where(ending, ~tree.child, 0)] != 0.0)
    last = np.flatnonzero(shown & (tree.street[tree.owner] == tree.streets - 1))
    if not len(last):
        raise GameError(f"{tree.game.name} has no showdown after its last street.")
    return int(last[0])


def _keys(tree: PublicTree, edge: int, outcomes: tuple[int, ...]) -> tuple[tuple[int, ...], Any]:
    """The keys of both players at the first decision on each street of a line, and the last state."""
    keys: list[list[int]] = [[], []]
    dealing, state = False, None
    for state in tree.positions(edge, outcomes):
        chance = tree.game.rules.turn(state) == CHANCE
        if dealing and not chance and len(keys[0]) < tree.streets:
            for p in range(2):
                keys[p].append(tree.game.rules.key(state, p))
        dealing = chance
    return (*keys[0], *keys[1]), state


def _winner(tree: PublicTree, outcomes: tuple[int, ...]) -> int:
    [*_, state] = tree.positions(_showdown(tree), outcomes)
    return int(np.sign(tree.game.rules.payoff(state, 0)))
