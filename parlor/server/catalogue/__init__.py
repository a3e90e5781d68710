"""The catalogue of a server: games, agents, folders of runs, standings, empirical games, and what it solves."""
