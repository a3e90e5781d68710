"""Hold'em inside PyPokerEngine: our agents there, its players here, and matches by its rules."""
