"""The experiments: a folder each, with the measurements (`experiment`), what is written about them, and the figures."""
