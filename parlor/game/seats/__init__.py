"""Seats of a game: observations, answers, Python agents, and the one loop that plays."""
