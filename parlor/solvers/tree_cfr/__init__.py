"""CFR on an enumerated game: its variants as rows of numbers, one iteration, and the same by several threads or JAX."""
