"""Agents of Deal or No Deal."""
