"""Leodopoly told: what has happened between two views."""

from __future__ import annotations

from parlor.game import View
from parlor.game.words import YOU, player
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.estate import COST, is_mortgaged, level_of
from parlor.games.leodopoly.options import EXTENDED, JAIL, LAST_PLAYER, PLAYERS, ROUNDS, SEALED, TRADES
from parlor.games.leodopoly.state import (
    AGREEING,
    ANSWERING,
    BIDDING,
    DICE,
    DRAWING,
    FINISHED,
    METERING,
    OFFERING,
    PAYING,
    RAISING,
    SELLING,
)
from parlor.games.leodopoly.turns.deals import row_of
from parlor.games.leodopoly.turns.endings import is_bankrupt
from parlor.games.leodopoly.turns.piles import CARD
from parlor.games.leodopoly.views import trade_on_the_table
from parlor.games.leodopoly.words import NAMES, building, faces, pounds


def narrate(before: View, after: View) -> list[str]:
    """Tell in sentences what happened between two views."""
    told = _moved(before, after) + _offered(before, after)
    if TRADES:
        told += _traded(before, after)
    taken = [k for k in range(SPACES) if before.owner[k] != after.owner[k]]
    if before.phase != AGREEING:
        told += [_bought(before, after, k) for k in taken if after.owner[k]]
    if before.phase == BIDDING and after.phase != BIDDING and before.owner == after.owner:
        told.append(f"nobody wants {NAMES[before.lot]}")
    told += _managed(before, after) + _paid(before, after, bool(taken))
    if LAST_PLAYER:
        gone = [p for p in range(PLAYERS) if is_bankrupt(after, p) and not is_bankrupt(before, p)]
        told += [f"{player(p, 'is')} bankrupt" for p in gone]
    if after.phase == FINISHED:
        told += _ended(after)
    return told


def _moved(before: View, after: View) -> list[str]:
    """Dice, cards and tokens."""
    p = before.actor
    goes, stays = ("go", "stay") if player(p) == YOU else ("goes", "stays")
    if not EXTENDED:
        if before.phase != DICE:
            return []
        steps = (after.position[p] - before.position[p]) % SPACES or SPACES
        return [f"{player(p, 'rolls')} {steps} and {goes} to {NAMES[after.position[p]]}"]
    if JAIL and before.phase == SELLING and before.jailed[p] and not after.jailed[p]:
        return [f"{player(p, 'pays')} the fine" if before.bank != after.bank else f"{player(p, 'uses')} a card"]
    if before.phase == DICE or before.phase == METERING:
        told = f"{player(p, 'rolls')} {' and '.join(str(face) for face in faces(after.dice - 1))}"
    elif before.phase == DRAWING:
        told = f"{player(p, 'draws')} “{CARD[after.card - 1].name}”"
    else:
        return []
    if JAIL and after.jailed[p] and not before.jailed[p]:
        return [f"{told} and {goes} to jail"]
    if JAIL and after.jailed[p]:
        return [f"{told} and {stays} in jail"]
    if after.position[p] != before.position[p]:
        return [f"{told} and {goes} to {NAMES[after.position[p]]}"]
    return [told]


def _offered(before: View, after: View) -> list[str]:
    """Tell of sales, offers and refusals, and of the bids of an open auction."""
    lot = NAMES[before.lot]
    if before.phase == SELLING and after.phase == OFFERING:
        return [f"{player(before.actor, 'puts')} up {NAMES[after.lot]} for sale"]
    if before.phase == OFFERING:
        amount = after.offer[row_of(before.lot)][before.asked]
        return [f"{player(before.asked, 'offers')} {pounds(amount) if amount else 'nothing'} for {lot}"]
    if before.phase == ANSWERING and before.owner == after.owner:
        return [f"{player(before.actor, 'keeps')} {lot}"]
    if before.phase == BIDDING and not SEALED:
        if after.bid > before.bid:
            return [f"{player(before.asked, 'bids')} {pounds(after.bid)}"]
        return [player(before.asked, "passes")] if after.phase == BIDDING else []
    return []


def _traded(before: View, after: View) -> list[str]:
    """Proposals and their answers."""
    if before.phase == PAYING and after.phase == AGREEING:
        return [trade_on_the_table(after)]
    if before.phase == AGREEING:
        agreed = before.owner != after.owner
        return [player(before.partner - 1, "accepts" if agreed else "refuses")]
    return []


def _bought(before: View, after: View, k: int) -> str:
    """A property has a new owner."""
    new, old = after.owner[k] - 1, before.owner[k] - 1
    if EXTENDED and old >= 0 and is_bankrupt(after, old):
        return f"{player(new, 'takes')} over {NAMES[k]} from {player(old)}"
    if old < 0:
        return f"{player(new, 'buys')} {NAMES[k]} for {pounds(before.money[new] - after.money[new])}"
    return f"{player(new, 'buys')} {NAMES[k]} from {player(old)} for {pounds(after.money[old] - before.money[old])}"


def _managed(before: View, after: View) -> list[str]:
    """Houses and mortgages."""
    told = []
    for k in range(SPACES):
        p, old, new = before.owner[k] - 1, level_of(before, k), level_of(after, k)
        if new > old:
            told.append(f"{player(p, 'builds')} a {building(new)} on {NAMES[k]}")
        if new < old:
            what = "everything" if old - new > 1 else f"a {building(old)}"
            told.append(f"{player(p, 'sells')} {what} on {NAMES[k]}")
        if is_mortgaged(after, k) and not is_mortgaged(before, k):
            told.append(f"{player(p, 'mortgages')} {NAMES[k]}")
        if is_mortgaged(before, k) and not is_mortgaged(after, k) and after.owner[k] == p + 1:
            told.append(f"{player(p, 'redeems')} {NAMES[k]}")
    return told


def _paid(before: View, after: View, sold: bool) -> list[str]:
    """Rents, taxes, salaries and what cards bring."""
    if before.phase not in (DICE, DRAWING, METERING, RAISING) or (sold and not EXTENDED):
        return []
    p = before.actor
    changes = [after.money[q] - before.money[q] for q in range(PLAYERS)]
    payers = [q for q in range(PLAYERS) if changes[q] < 0]
    winners = [q for q in range(PLAYERS) if changes[q] > 0]
    if len(payers) == 1 and len(winners) == 1 and changes[payers[0]] + changes[winners[0]] == 0:
        payer, payee = payers[0], winners[0]
        rent = " of rent" if payer == p and COST[after.position[p]] and before.phase != RAISING else ""
        return [f"{player(payer, 'pays')} {pounds(-changes[payer])}{rent} to {player(payee)}"]
    told = [f"{player(q, 'pays')} {pounds(-changes[q])}" for q in payers]
    return told + [f"{player(q, 'gets')} {pounds(changes[q])}" for q in winners]


def _ended(view: View) -> list[str]:
    """Why, and who has won."""
    why = [f"{player(view.bankrupt - 1, 'is')} bankrupt"] if view.bankrupt and not LAST_PLAYER else []
    if view.round == ROUNDS:
        why = [f"all {ROUNDS} rounds have been played"]
    winners = [player(p) for p in range(PLAYERS) if view.won >> p & 1]
    if len(winners) > 1:
        return [*why, f"{' and '.join(winners)} tie"]
    return [*why, f"{player(view.won.bit_length() - 1, 'has')} won"]
