"""Debt Collector: the other side owes a fixed sum."""

from __future__ import annotations

from parlor.games.monopoly_deal.cards import DEBT


def debt_due() -> int:
    """The same whoever owns what."""
    return DEBT
