"""The command line: `parlor COMMAND …`."""
