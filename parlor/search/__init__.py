"""Search: a position and a budget in, a distribution out; and belief about hidden information."""
