"""Learned beliefs: games that they are learned from, and gradient steps."""
