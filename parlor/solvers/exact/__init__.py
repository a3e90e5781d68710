"""Exact solutions: equilibria by linear programs, in fractions too, correlated ones, and quantal responses."""
