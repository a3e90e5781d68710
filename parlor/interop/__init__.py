"""Parlor's games in other libraries: as OpenSpiel games and as PettingZoo environments."""
