"""The HTTP API of a study, and the server that runs it."""
