"""Strategies on disk: a format for each kind, and checkpoints that training continues from."""
