"""Search: a position and a budget in, a distribution out; and what may be believed of what is hidden."""
