"""Deal or No Deal as JSON: what every split would have brought both players, and what an agent believes of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parlor.game import Position
from parlor.game.words import YOU, player
from parlor.games.deal_or_no_deal.options import ITEMS
from parlor.games.deal_or_no_deal.outcomes import nash_split, pareto, splits, welfare_split
from parlor.games.deal_or_no_deal.words import listed
from parlor.page.display import Display, marginals
from parlor.page.shapes import Frontier, MarkedResult, MindBelief, PossibleResult

# Of the rules only what no option changes is imported: this module serves games of all options.


def hidden(seen: Any) -> str:
    """Text for the deal: what the own items are worth is on the table."""
    return "items are put on the table; everybody sees only what they are worth to themselves"


def in_words(pool: Sequence[int], kept: Sequence[int]) -> str:
    """A split, from the first player's part: what the reader gets, or else that player; the other gets the rest."""
    if player(1) != YOU:
        return f"{player(0, 'gets')} {listed(kept)}"
    return f"{player(1, 'gets')} {listed([n - k for n, k in zip(pool, kept, strict=True)])}"


def frontier(position: Position) -> Frontier:
    """Every split of the pool, as the two values make it; a deal keeps all of its worth here."""
    pool, values = list(position.state.pool), [list(row) for row in position.state.values]
    text = {(split.first, split.second): in_words(pool, split.kept) for split in splits(pool, values)}
    marks = {
        "The Nash bargaining solution": nash_split(pool, values),
        "The most for both together": welfare_split(pool, values),
    }
    return Frontier(
        players=[0, 1],
        possible=[PossibleResult(text=said, payoffs=list(payoffs)) for payoffs, said in text.items()],
        frontier=[[split.first, split.second] for split in pareto(pool, values)],
        marks=[
            MarkedResult(name=name, text=in_words(pool, split.kept), payoffs=[split.first, split.second])
            for name, split in marks.items()
        ],
        reached=reached(position),
    )


def reached(position: Position) -> PossibleResult | None:
    """The result of a finished negotiation; None before its end."""
    if not position.over:
        return None
    state, text = position.state, "no deal"
    if state.agreed:
        kept, proposer = state.offers[state.made - 1], (state.made - 1) % 2
        pool = list(state.pool)
        text = in_words(pool, kept if proposer == 0 else [n - k for n, k in zip(pool, kept, strict=True)])
    return PossibleResult(text=text, payoffs=list(position.payoffs))


def beliefs(position: Position, belief: Sequence[tuple[int, float]]) -> list[MindBelief]:
    """The marginal beliefs about the other's value of each item."""
    worlds = position.game.hidden.worlds
    if worlds is None or worlds.world_numbers is None:
        return []
    names = [f"a {item} is worth to {player(1 - position.turn)}" for item in ITEMS]
    return marginals(names, worlds.world_numbers, belief)


DISPLAY = Display(hidden=hidden, beliefs=beliefs, frontier=frontier)
