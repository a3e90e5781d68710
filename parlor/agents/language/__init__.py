"""Language models at the table: the prompt, the seat, and the words of a relabelled game."""
