"""Tuning: better numbers for the options of an agent, found by games against a pool of opponents."""
