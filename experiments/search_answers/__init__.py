"""See `experiment`."""
