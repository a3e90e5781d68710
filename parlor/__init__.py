"""Parlor: games of imperfect information, written once in plain Python, solved at native speed."""
