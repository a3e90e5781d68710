"""A study while it runs: participants, tournaments, agents, the clock, and its researcher."""
