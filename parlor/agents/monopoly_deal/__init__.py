"""Hand-written players of Monopoly Deal."""
