"""Commands about the trees of games."""
