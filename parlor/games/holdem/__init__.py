"""Heads-up no-limit Texas hold'em: cards, hand strength and equity."""
