"""Dark hex: its rules, and what else belongs to it."""
