"""Traders: they compute what every trade brings both sides, and make the one that they like best.

A proposer makes no offer that costs it or the responder anything. Among the others the greedy trader takes the one
that brings itself the most, the fair trader the one with the greatest product of both gains (Nash, 1950), and the
generous trader the one that brings the responder the most: with two proposers, the one who offers more gets the deal.
As responders, all of them accept the offer that brings them the most, if it brings anything.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlor.agents.agent import AgentSpec, CompiledAgent
from parlor.game import Floats, Game, Ints
from parlor.games.colored_trails.boards import FLAG, RESPONDER
from parlor.games.colored_trails.gains import list_gains
from parlor.games.colored_trails.paths import CHIP_BITS, COLOURS, TILE_BITS, TILES, score
from parlor.games.colored_trails.trades import all_trades

GREEDY, FAIR, GENEROUS = 0, 1, 2
TRADE = 3  # the first action that is a trade; before it, to pass and to accept an offer
FIRST_OFFER = 1


def liking(style: int, mine: int, theirs: int) -> int:
    """The score of a trade in a proposer's style: its first aim, ties broken by the other side's gain."""
    if style == FAIR:
        return (mine * theirs) * 1000 + mine + theirs
    if style == GENEROUS:
        return theirs * 1000 + mine
    return mine * 1000 + theirs


def trade_probabilities(states: Any, g: int, p: int, moves: Ints, n: int, out: Floats, r: Ints, data: Any) -> None:
    """The trade that it likes best, or the best offer."""
    style, trades, numbers, gains = data
    s = states[g]
    tiles, flag, place, other = 0, 0, 0, 0
    for i in range(TILES):
        tiles |= int(s.tiles[i]) << TILE_BITS * i
        if s.pieces[i] == FLAG + 1:
            flag = i
        elif s.pieces[i] == RESPONDER + 1:
            other = i
    best, chosen = 0, 0
    for q in range(RESPONDER):
        if p != RESPONDER and p != q:
            continue
        mine, theirs, change = 0, 0, 0
        for colour in range(COLOURS):
            mine |= int(s.chips[p][q][colour]) << CHIP_BITS * colour
            theirs |= int(s.stock[colour]) << CHIP_BITS * colour
            change += int(s.offers[p][q][0][colour] - s.offers[p][q][1][colour]) << CHIP_BITS * colour
        for i in range(TILES):
            if s.pieces[i] == q + 1:
                place = i
        if p == RESPONDER:
            gain = score(tiles, other, flag, theirs + change) - score(tiles, other, flag, theirs)
            for i in range(n):
                if moves[i] == FIRST_OFFER + q and gain > best:
                    best, chosen = gain, i
            continue
        for i in range(1, n):
            numbers[i - 1] = moves[i] - TRADE
        list_gains(tiles, place, other, flag, mine, theirs, trades, numbers, n - 1, gains)
        for i in range(1, n):
            brings, gives = gains[i - 1, 0], gains[i - 1, 1]
            if brings > 0 and gives > 0 and liking(style, brings, gives) > best:
                best, chosen = liking(style, brings, gives), i
    for i in range(n):
        out[i] = 1.0 if i == chosen else 0.0


def make(concrete: Game, name: str, style: int) -> CompiledAgent:
    """With its style, and the trades that the game allows."""
    trades = all_trades(int(concrete.options["chips"]))

    def data(compiled: bool) -> tuple[Any, ...]:
        return style, trades, np.zeros(concrete.actions, np.int64), np.zeros((concrete.actions, 2), np.int64)

    return CompiledAgent(name, concrete, trade_probabilities, data)


GAMES = ("colored-trails",)
GREEDY_TRADER = AgentSpec(
    "offers what brings itself the most, and the responder something",
    lambda concrete, name: make(concrete, name, GREEDY),
    GAMES,
    quick=True,
    name="Greedy Greta",
)
FAIR_TRADER = AgentSpec(
    "offers the trade with the greatest product of both gains",
    lambda concrete, name: make(concrete, name, FAIR),
    GAMES,
    quick=True,
    name="Fair Farid",
)
GENEROUS_TRADER = AgentSpec(
    "offers what brings the responder the most, and itself something",
    lambda concrete, name: make(concrete, name, GENEROUS),
    GAMES,
    quick=True,
    name="Generous Gina",
)
