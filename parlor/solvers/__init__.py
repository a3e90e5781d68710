"""Solvers: a game in, a policy out."""
