"""Jail: how one gets in, and out.

Three doubles in a row, a card or a space send to jail, and end the turn. Who is in jail may pay a fine or use a card
before rolling, or try to roll doubles, which are then moved and not rolled again; with a single die, a six will do. Who
has missed three times must pay, and moves.
"""

from __future__ import annotations

from parlor.game import Ints, State
from parlor.games.leodopoly.boards import JAIL_SPACE, SPACES
from parlor.games.leodopoly.estate import KIND
from parlor.games.leodopoly.options import CARDS
from parlor.games.leodopoly.state import LEAVE, USE_CARD
from parlor.games.leodopoly.turns.building import receive

FINE = 50
ATTEMPTS = 3
JAIL_AT = max(k if KIND[k] == JAIL_SPACE else 0 for k in range(SPACES))


def send_to_jail(s: State, p: int) -> None:
    """Directly, without passing the first space."""
    s.position[p] = JAIL_AT
    s.jailed[p] = 1
    s.doubles = 0


def can_leave(s: State, p: int) -> bool:
    """Whether a player in jail need not roll doubles."""
    return s.jailed[p] > 0 and (s.money[p] >= FINE or (CARDS and holds_pardon(s, p)))


def list_ways_out(s: State, p: int, out: Ints, count: int) -> int:
    """Add the moves that lead out of jail."""
    if s.jailed[p] == 0:
        return count
    if s.money[p] >= FINE:
        out[count] = LEAVE
        count += 1
    if CARDS and holds_pardon(s, p):
        out[count] = USE_CARD
        count += 1
    return count


def holds_pardon(s: State, p: int) -> bool:
    """Whether a player has a card to get out of jail."""
    return s.pardon[0] == p + 1 or s.pardon[1] == p + 1


def leave_jail(s: State, p: int, a: int) -> None:
    """Pay the fine, or use a card, which goes back to its pile when that is shuffled."""
    s.jailed[p] = 0
    if CARDS and a == USE_CARD:
        s.pardon[0 if s.pardon[0] == p + 1 else 1] = 0
    else:
        receive(s, p, -FINE)
