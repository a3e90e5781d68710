"""The arena: agents in, numbers with intervals out."""
