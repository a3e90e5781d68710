"""Games as JSON; what a game adds is in its own folder, `registry` lists it."""
