"""Gambit's files: games in extensive form (.efg) and in normal form (.nfg), read and written; trees drawn."""
