"""Players of hold'em: those of Mendes da Luz (*Poker AI*, 2025), and saner ones."""
