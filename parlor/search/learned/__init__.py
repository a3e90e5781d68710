"""Learned beliefs in searches: worlds that they weigh, and how near they come to the exact posterior."""
