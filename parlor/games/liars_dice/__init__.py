"""Liar's dice: its rules, and what else belongs to it."""
