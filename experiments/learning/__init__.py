"""Measured by `experiment`; see report.md."""
