"""Agents for Battleship."""
