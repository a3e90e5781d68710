"""The rehearsal of a study: bots that go through all of it by HTTP, and a check of what the server made of it."""
