"""A strategy taken apart: each term of the heuristic in pounds, now and after what may be decided.

`taken_apart(agent, position)` does it for the decision at hand: now, if it gets what is for sale, and if it does not;
`in_a_table(parts)` makes lines of text of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parlor import compile as compiler
from parlor.agents.agent import CompiledAgent
from parlor.game import Position, State
from parlor.game.words import player as named
from parlor.games.leodopoly.agents import heuristic as h
from parlor.games.leodopoly.agents.strategy import BANK, best_move, is_open, strategy_probabilities
from parlor.games.leodopoly.state import ANSWERING, BIDDING, BUYING_NOW, OFFERING


class Term(NamedTuple):
    """A term of the heuristic: an amount times the parameter."""

    name: str
    parameter: str  # empty: money itself, which counts as it is
    weight: float


class Situation(NamedTuple):
    """The value of the position, as it is or after a sale, in its terms."""

    name: str  # "now", "it buys for £120", "player 2 buys for £120"
    buyer: int  # of what is for sale; -1: nobody
    price: int
    amounts: tuple[float, ...]  # of each term, before the weight; losses are negative
    pounds: tuple[float, ...]  # of each term; their sum is the value
    value: float


class Parts(NamedTuple):
    """The heuristic at a decision."""

    player: int
    terms: tuple[Term, ...]
    situations: tuple[Situation, ...]  # the first is now


#: name, parameter
TERMS = (
    ("money", ""),
    ("own rents", "rent"),
    ("opponents' money", "opponent_money"),
    ("opponents' rents", "opponent_rent"),
    ("jeopardy", "jeopardy"),
    ("reserve", "reserve_penalty"),
    ("rents to come", "landing"),
    ("liquidity", "liquidity"),
    ("sets begun", "sets"),
    ("deeds", "deeds"),
    ("richest opponent", "leader"),
)


class Sale(NamedTuple):
    """The lot goes to a buyer for a price, which a seller gets; nobody is -1."""

    buyer: int
    seller: int
    price: int


NOTHING = Sale(BANK, BANK, 0)


class _Strategy:
    """The functions of a strategy in plain Python, bound to the options of its game, and what it thinks with."""

    def __init__(self, agent: CompiledAgent) -> None:
        bound = agent.bindings(False)
        self.survey = compiler.interpret(h.survey, agent.game, bound)
        self.value = compiler.interpret(h.value, agent.game, bound)
        self.is_open = compiler.interpret(is_open, agent.game, bound)
        self.best_move = compiler.interpret(best_move, agent.game, bound)
        self.data = agent.data(False)
        self.mind = self.data[0][0]


def taken_apart(agent: CompiledAgent, position: Position, player: int | None = None) -> Parts | None:
    """Each term at a decision of the player in turn, or of another one as it is now; None of agents of other kinds."""
    if agent.fill_probabilities is not strategy_probabilities:
        return None
    s, p = position.state, position.turn if player is None else player
    if p < 0:
        return None
    it = _Strategy(agent)
    sales = considered(position, p, it) if p == position.turn else []
    weights = dict(zip(h.PARAMETERS, it.mind.weight, strict=True))
    terms = [Term(name, key, weights[key] if key else 1.0) for name, key in TERMS]
    used = [i for i, term in enumerate(terms) if term.weight]
    situations = [_situation(s, p, it, sale, [term.weight for term in terms]) for sale in (NOTHING, *sales)]
    return Parts(p, tuple(terms[i] for i in used), tuple(_only(situation, used) for situation in situations))


def considered(position: Position, p: int, it: _Strategy) -> list[Sale]:
    """The sales to value at a decision of player `p`."""
    s, mind = position.state, it.mind
    others = [(p + i) % mind.players for i in range(1, mind.players)]
    if s.phase == ANSWERING:
        offers = s.offer[s.lot if mind.rows else 0]
        return [Sale(q, p, offers[q]) for q in others if it.is_open(s, q, mind)]
    if s.phase == BUYING_NOW:
        price = mind.cost[s.lot]
    elif s.phase == OFFERING or (s.phase == BIDDING and mind.sealed):
        moves = [0] * position.game.actions
        n = position.game.rules.legal(s, moves)
        price = it.best_move([s], 0, p, moves, n, it.data) * mind.unit
    else:
        price = s.bid + mind.at_price * mind.unit
    if s.phase == OFFERING:
        return [Sale(p, s.actor, price)]
    if s.phase not in (BUYING_NOW, BIDDING):
        return []
    rivals = [Sale(q, BANK, price) for q in others if not mind.able_only or s.money[q] >= price]
    if not rivals and (most := max(s.money[q] for q in others)):
        rivals = [Sale(q, BANK, most) for q in others if s.money[q] == most]
    for sale in rivals:
        it.survey(s, p, s.lot, sale.buyer + 1, mind, sale.buyer)
    worst = min(rivals, key=lambda sale: it.value(s, p, mind, sale.buyer, *sale), default=None)
    return [Sale(p, BANK, price), *([worst] if worst else [])]


def _situation(s: State, p: int, it: _Strategy, sale: Sale, weights: Sequence[float]) -> Situation:
    """All terms after a sale."""
    mind = it.mind
    row = sale.buyer if sale.buyer >= 0 else mind.players
    it.survey(s, p, s.lot if sale.buyer >= 0 else 0, sale.buyer + 1, mind, row)
    value = it.value(s, p, mind, row, *sale)
    facts, w = mind.facts[row], mind.weight
    money = [s.money[q] - sale.price * (q == sale.buyer) + sale.price * (q == sale.seller) for q in range(mind.players)]
    left = 1.0 - w[h.ROUNDS_LEFT] * s.round / mind.rounds
    others = [money[q] for q in range(mind.players) if q != p]
    amounts = (
        money[p],
        facts[h.OWN_RENT] * left,
        -sum(others),
        -facts[h.OTHER_RENT] * left,
        -facts[h.DEADLY] / mind.spaces,
        -float(money[p] < w[h.RESERVE]),
        facts[h.LANDED],
        -facts[h.SHORT],
        facts[h.PROGRESS],
        facts[h.OWN_COST] - w[h.OPPONENT_MONEY] * facts[h.OTHER_COST],
        -max(others),
    )
    pounds = tuple(amount * weight + 0.0 for amount, weight in zip(amounts, weights, strict=True))
    return Situation(_named(p, sale), sale.buyer, sale.price, amounts, pounds, value)


def _named(p: int, sale: Sale) -> str:
    """A situation in words."""
    if sale.buyer < 0:
        return "now"
    return f"{'it buys' if sale.buyer == p else named(sale.buyer, 'buys')} for £{sale.price}"


def _only(situation: Situation, used: Sequence[int]) -> Situation:
    """Without terms that never count."""
    amounts, pounds = situation.amounts, situation.pounds
    return situation._replace(amounts=tuple(amounts[i] for i in used), pounds=tuple(pounds[i] for i in used))


def in_a_table(parts: Parts) -> list[str]:
    """A line for each term, a column for each situation."""
    heads = [situation.name for situation in parts.situations]
    wide = max(len(term.name) for term in parts.terms)
    rows = [(term.name, [one.pounds[i] for one in parts.situations]) for i, term in enumerate(parts.terms)]
    rows.append(("value", [one.value for one in parts.situations]))
    lines = [" " * wide + "".join(f"  {head:>8}" for head in heads)]
    for name, pounds in rows:
        cells = zip(heads, pounds, strict=True)
        lines.append(f"{name:<{wide}}" + "".join(f"  {amount:>{max(len(head), 8)},.0f}" for head, amount in cells))
    return lines
