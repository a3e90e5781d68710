"""Agents for Liar's dice."""
