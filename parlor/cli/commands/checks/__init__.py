"""Commands that check games and agents."""
