"""Exact measurements of large games as runs."""
