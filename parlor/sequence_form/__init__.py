"""A game enumerated once into flat arrays: its tree in sequence form, which solvers and exact measures read."""
