"""Agents for hold'em: those of Mendes da Luz (*Poker AI*, 2025), and more sensible ones."""
