"""Commands about cards: equities, and the tables that hold them."""
