"""Tiny Bridge: its rules, and what else belongs to it."""
