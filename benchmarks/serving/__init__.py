"""Parts of the server's benchmark: moves, thinking, fuzz, kills."""
