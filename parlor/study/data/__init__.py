"""The data of a study: rows of the database, tables for analysis, and what is deleted on request."""
