"""Populations of strategies: empirical games, and what to make of them."""
