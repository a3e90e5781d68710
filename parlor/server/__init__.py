"""The server: games in progress, the agents' minds, training runs, for the page and other HTTP clients."""
