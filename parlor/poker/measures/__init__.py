"""Measurements of poker players: local best response, AIVAT, duels of blueprints."""
