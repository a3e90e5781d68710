"""Debt Collector: the other player owes a fixed sum."""

from __future__ import annotations

from parlor.games.monopoly_deal.cards import DEBT


def debt_due() -> int:
    """A fixed sum."""
    return DEBT
