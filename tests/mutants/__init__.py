"""Small mistakes to plant, and who should notice: `make mutants`."""
