"""Agents: what one is, the generic ones, people's own; `registry` lists them by name."""
