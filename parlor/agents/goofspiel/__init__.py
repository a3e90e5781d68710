"""Agents for Goofspiel."""
