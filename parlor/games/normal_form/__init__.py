"""Classic games in normal form: its rules, and what else belongs to it."""
