"""Deduction in Clue: facts that a player has seen, the deals that fit them, and counts of these."""
