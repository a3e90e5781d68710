"""Colored Trails: the board, its paths, trades and Pareto frontier; the game itself is in `game`, with its options."""
