"""Tables: games in progress, who sits there, what was moved, and the database that keeps it."""
