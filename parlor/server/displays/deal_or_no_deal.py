"""Deal or No Deal as JSON: what every split would have brought both players, and what an agent believes of values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from parlor.game import Position
from parlor.games.deal_or_no_deal.options import ITEMS
from parlor.games.deal_or_no_deal.words import listed
from parlor.server.displays.display import Display, marginals
from parlor.server.schemas.facts import MindBelief
from parlor.server.schemas.frontier import Frontier, MarkedResult, PossibleResult
from parlor.words import YOU, player, possessive

# Of the rules only what no option changes is imported: this module serves games of all options.


def hidden(seen: Any) -> str:
    """Text for the deal: what the own items are worth is on the table."""
    return "items are put on the table; what they are worth to the other, everybody knows only of themselves"


def in_words(pool: Sequence[int], kept: Sequence[int]) -> str:
    """A split, from the first player's part: what the reader gets, or else that player; the other gets the rest."""
    if player(1) != YOU:
        return f"{player(0, 'gets')} {listed(kept)}"
    return f"{player(1, 'gets')} {listed([n - k for n, k in zip(pool, kept, strict=True)])}"


def frontier(position: Position) -> Frontier:
    """Every split of the pool, as the two values make it; a deal keeps all of its worth here."""
    state = position.state
    pool, (mine, theirs) = list(state.pool), state.values
    found: dict[tuple[int, int], str] = {}
    for kept in product(*(range(n + 1) for n in pool)):
        own = sum(v * k for v, k in zip(mine, kept, strict=True))
        others = sum(v * (n - k) for v, n, k in zip(theirs, pool, kept, strict=True))
        found.setdefault((own, others), in_words(pool, kept))
    best = [pair for pair in found if not any(a >= pair[0] and b >= pair[1] and (a, b) != pair for a, b in found)]
    marks = {
        "The Nash bargaining solution": max(found, key=lambda pair: (pair[0] * pair[1], sum(pair))),
        "The most for both together": max(found, key=lambda pair: (sum(pair), min(pair))),
    }
    return Frontier(
        players=[0, 1],
        possible=[PossibleResult(text=text, payoffs=[a, b]) for (a, b), text in found.items()],
        frontier=[[a, b] for a, b in sorted(best)],
        marks=[MarkedResult(name=name, text=found[pair], payoffs=list(pair)) for name, pair in marks.items()],
        reached=reached(position),
    )


def reached(position: Position) -> PossibleResult | None:
    """What came of it."""
    if not position.over:
        return None
    state, text = position.state, "no deal"
    if state.agreed:
        kept, proposer = state.offers[state.made - 1], (state.made - 1) % 2
        pool = list(state.pool)
        text = in_words(pool, kept if proposer == 0 else [n - k for n, k in zip(pool, kept, strict=True)])
    return PossibleResult(text=text, payoffs=list(position.payoffs))


def beliefs(position: Position, belief: Sequence[tuple[int, float]]) -> list[MindBelief]:
    """What each item may be worth to the other."""
    worlds = position.game.worlds
    if worlds is None or worlds.world_numbers is None:
        return []
    whose = possessive(1 - position.turn)
    return marginals([f"{whose} {item}" for item in ITEMS], worlds.world_numbers, belief)


DISPLAY = Display(hidden=hidden, beliefs=beliefs, frontier=frontier)
