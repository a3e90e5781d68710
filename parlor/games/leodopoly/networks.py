"""Inputs of networks for Leodopoly, and their outputs for amounts of money.

Instead of the view, whose largest fields are hashes of the past: who owns what, where everybody is and what everybody
has, in parts of the money that everybody starts with. Seats are relative to the one who looks: 0 is me, 1 the next
player. Where actions name seats, they name absolute ones, so my own seat is told, too.

An amount's logit is the sum of two outputs, for how many steps of twenty-five it has and for what is left: what is
learned of 205 serves for 206.
"""

from __future__ import annotations

from parlor.game import ActionHead, Floats, OwnFeatures, State
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.decks import LARGEST
from parlor.games.leodopoly.estate import COST, SET, level_of, raisable, rent_of, rents, score
from parlor.games.leodopoly.options import (
    CARDS,
    EXTENDED,
    JAIL,
    MONEY,
    MORTGAGES,
    PLAYERS,
    ROUNDS,
    TRADES,
)
from parlor.games.leodopoly.rules import turn
from parlor.games.leodopoly.state import ACTIONS, BANK, MANAGED, MAX_AMOUNT, RESOLVED, ROWS

# Where the numbers begin: of every space for every player; of every space; of every player; and the rest.
OWNER = 0  # [space, player]
POSITION = OWNER + SPACES * PLAYERS
LOT = POSITION + SPACES * PLAYERS  # [space] whether it is for sale
PUT_UP = LOT + SPACES
RENT = PUT_UP + SPACES
LEVEL = RENT + SPACES
MORTGAGED = LEVEL + SPACES
ESTATE = MORTGAGED + SPACES
GET = ESTATE + SPACES
GIVE = GET + SPACES
OFFER = GIVE + SPACES  # [row, player]
EACH = OFFER + ROWS * PLAYERS  # [player, what]: see `add_player`
ABOUT = 15
PHASE = EACH + PLAYERS * ABOUT
PILES = PHASE + RESOLVED
REST = PILES + (2 * LARGEST if CARDS else 0)
COUNT = REST + 15

STEP = 25  # units of an amount


def features(s: State, p: int, out: Floats) -> None:
    """Fill all numbers."""
    for i in range(COUNT):
        out[i] = 0.0
    add_spaces(s, p, out)
    for q in range(PLAYERS):
        add_player(s, p, (p + q) % PLAYERS, EACH + q * ABOUT, out)
    for row in range(ROWS):
        for q in range(PLAYERS):
            out[OFFER + row * PLAYERS + q] = s.offer[row][(p + q) % PLAYERS] / MONEY
    if s.phase < RESOLVED:
        out[PHASE + s.phase] = 1.0
    out[REST] = s.round / ROUNDS
    out[REST + 1] = s.bid / MONEY
    out[REST + 2] = s.limit[p] / MONEY
    if s.lot:
        out[REST + 3] = COST[s.lot] / MONEY
        out[REST + 4] = rent_of(s, s.lot) / MONEY
    if EXTENDED:
        out[REST + 5] = float(s.doubles)
        out[REST + 6] = s.due / MONEY
        out[REST + 7] = s.managed / MANAGED
        out[REST + 8] = s.dice / 21.0
        out[REST + 9] = float(s.creditors >> BANK & 1)
    if JAIL:
        out[REST + 10] = s.steps / 12.0
    if TRADES:
        out[REST + 11] = s.cash / MONEY
        out[REST + 12] = s.proposals / TRADES
    if CARDS:
        out[REST + 13] = float(s.card)
        for pile in range(2):
            for card in range(LARGEST):
                out[PILES + pile * LARGEST + card] = float(s.pile[pile] >> card & 1)
    out[REST + 14] = 1.0 if s.round == ROUNDS - 1 else 0.0


def add_spaces(s: State, p: int, out: Floats) -> None:
    """Of every space: whose it is, who is there, its rent, and what is going on there."""
    for k in range(SPACES):
        if s.owner[k]:
            out[OWNER + k * PLAYERS + (s.owner[k] - 1 - p + PLAYERS) % PLAYERS] = 1.0
        if COST[k]:
            out[RENT + k] = rent_of(s, k) / MONEY
        out[PUT_UP + k] = float(s.put_up >> k & 1)
        out[LEVEL + k] = level_of(s, k) / 5.0
        if MORTGAGES:
            out[MORTGAGED + k] = float(s.mortgaged >> k & 1)
        if EXTENDED:
            out[ESTATE + k] = float(s.estate >> k & 1)
    for q in range(PLAYERS):
        out[POSITION + s.position[(p + q) % PLAYERS] * PLAYERS + q] = 1.0
    if s.lot:
        out[LOT + s.lot] = 1.0
    if TRADES:
        if s.get:
            out[GET + s.get - 1] = 1.0
        if s.give:
            out[GIVE + s.give - 1] = 1.0


def add_player(s: State, p: int, q: int, at: int, out: Floats) -> None:
    """Of player `q`: what it has, what it is doing, and what the lot would be to it."""
    out[at] = s.money[q] / MONEY
    out[at + 1] = score(s, q) / MONEY
    out[at + 2] = rents(s, q) / MONEY
    out[at + 3] = 1.0 if s.actor == q else 0.0
    out[at + 4] = 1.0 if turn(s) == q else 0.0
    out[at + 5] = float(s.bidding >> q & 1)
    if s.lot:
        missing = 0
        for k in range(SPACES):
            missing += SET[s.lot] >> k & 1 and k != s.lot and s.owner[k] != q + 1
        out[at + 6] = 1.0 if missing == 0 else 0.0  # the lot completes its set
        out[at + 7] = 1.0 / (1 + missing)
    out[at + 8] = float(q) if q == p else 0.0  # my own seat
    if EXTENDED:
        out[at + 9] = raisable(s, q) / MONEY
        out[at + 10] = float(s.gone >> q & 1)
        out[at + 11] = float(s.debtors >> q & 1) + 2.0 * float(s.creditors >> q & 1)
    if JAIL:
        out[at + 12] = s.jailed[q] / 3.0
        if CARDS:
            out[at + 13] = (1.0 if s.pardon[0] == q + 1 else 0.0) + (1.0 if s.pardon[1] == q + 1 else 0.0)
    if TRADES:
        out[at + 14] = 1.0 if s.partner == q + 1 else 0.0


def parts_of(action: int) -> tuple[int, int]:
    """The outputs of an action: an amount's steps and the rest; others have one of their own."""
    steps = MAX_AMOUNT // STEP + 1
    if action <= MAX_AMOUNT:
        return action // STEP, steps + action % STEP
    return steps + STEP + action - MAX_AMOUNT - 1, -1


FEATURES = OwnFeatures(COUNT, features, replaces_view=True)
HEAD = ActionHead(tuple(parts_of(action) for action in range(ACTIONS)))
