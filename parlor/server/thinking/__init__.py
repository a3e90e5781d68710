"""Everything that takes long, in processes of its own: decisions of slow agents, minds, reviews, notes, strategies."""
