"""Studies with people: described in a file, run on the server, rehearsed by bots, analysed with mixed models."""
