"""Hand-written agents for Monopoly Deal."""
