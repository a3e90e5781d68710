"""Loading games: from rules files, and from packages that are executed anew for each set of options."""
