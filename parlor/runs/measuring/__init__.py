"""Measuring: large games exactly, as runs; players that come with Parlor, as they are written."""
