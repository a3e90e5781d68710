"""Empirical games: estimate them, play them, keep them, solve, rank and draw them."""
