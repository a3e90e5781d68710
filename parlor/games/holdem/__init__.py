"""Heads-up no-limit Texas hold'em: two cards each, five on the board, and any bet of whole chips."""
