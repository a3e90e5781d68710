"""For whoever runs a server: settings, logs and numbers, a cache."""
