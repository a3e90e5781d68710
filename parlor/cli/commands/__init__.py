"""The commands of `parlor`, one a module: a frozen dataclass `Options` and a function `run`."""
