"""The server: games in progress, the agents' minds, training runs, for the page and for whoever speaks HTTP."""
