"""Exact best responses in games too large to enumerate: one player's information sets, each with its histories."""

MEMORY = 4.0  # GiB, for all threads
