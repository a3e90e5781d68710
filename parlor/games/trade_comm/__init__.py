"""Trade Comm: its rules, and what else belongs to it."""
