"""Training runs and files."""
