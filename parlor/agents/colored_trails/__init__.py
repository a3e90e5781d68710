"""Agents for Colored Trails."""
