"""A game and the minds of its agents as JSON for the page; what a game adds is in `page` beside its rules."""
