"""The design of a study: its description, files, checks and what it means for those who take part."""
