"""Blueprints trained by public MCCFR, as runs and as files."""
