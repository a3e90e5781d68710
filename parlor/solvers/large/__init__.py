"""Exact best responses in games too large to enumerate: one player's information sets, each with its histories."""
