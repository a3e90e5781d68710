"""The agents of Clue."""
