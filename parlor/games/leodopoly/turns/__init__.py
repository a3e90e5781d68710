"""Turns of Leodopoly: landing, auctions, deals, trades, building, jail, debts, the end."""
