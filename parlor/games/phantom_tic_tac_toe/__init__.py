"""Phantom tic-tac-toe: its rules, and what else belongs to it."""
