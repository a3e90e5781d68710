"""Leodopoly as a table for terminals, as in the dissertation: the spaces, and below them the players."""

from __future__ import annotations

from parlor.game import View
from parlor.game.words import TextTable, player
from parlor.games.leodopoly.boards import SPACES
from parlor.games.leodopoly.estate import COST, HOTEL, has_set, is_mortgaged, level_of, rent_of, rents, score
from parlor.games.leodopoly.options import BY_MONEY, JAIL, PLAYERS, ROUNDS, WINNER
from parlor.games.leodopoly.turns.endings import is_bankrupt
from parlor.games.leodopoly.views import to_decide
from parlor.games.leodopoly.words import NAMES, pounds

HEADINGS = ("location", "cost", "rent", "owner", "occupants")


def table(view: View) -> TextTable:
    """The board with a star at the rents of full sets, what every player has, and what is to be decided."""
    asked = [f"round {min(view.round + 1, ROUNDS)} of {ROUNDS}", *to_decide(view)]
    return TextTable(
        HEADINGS,
        [_space(view, k) for k in range(SPACES)],
        [_player(view, p) for p in range(PLAYERS)],
        "; ".join(asked),
    )


def _space(view: View, k: int) -> tuple[str, ...]:
    here = ", ".join(player(p) for p in range(PLAYERS) if view.position[p] == k and not is_bankrupt(view, p))
    if not COST[k]:
        return NAMES[k], "", "", "", here
    owner = player(view.owner[k] - 1) if view.owner[k] else ""
    return NAMES[k], str(COST[k]), f"{_rent(view, k)}{'*' if has_set(view, k) else ' '}", owner, here


def _rent(view: View, k: int) -> str:
    """The rent of a property, with its houses, or "mortgaged"."""
    if is_mortgaged(view, k):
        return "mortgaged"
    level = level_of(view, k)
    built = "" if level == 0 else "hotel " if level == HOTEL else f"{level} house{'s' * (level > 1)} "
    return f"{built}{rent_of(view, k)}"


def _player(view: View, p: int) -> str:
    if is_bankrupt(view, p):
        return f"{player(p, 'is')} bankrupt"
    count = sum(view.owner[k] == p + 1 for k in range(SPACES))
    parts = [
        f"{player(p, 'has')} {pounds(view.money[p])}",
        f"{count} propert{'y' if count == 1 else 'ies'}",
        f"rents of {pounds(rents(view, p))}",
    ]
    worth = "" if WINNER == BY_MONEY else f", in all {pounds(score(view, p))}"
    return ", ".join(parts) + worth + (", in jail" if JAIL and view.jailed[p] else "")
