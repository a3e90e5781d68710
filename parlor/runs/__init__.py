"""Time, disk and processes."""
