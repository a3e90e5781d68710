"""Agents for Trade Comm."""
