"""Leduc hold'em: its rules, and what else belongs to it."""
