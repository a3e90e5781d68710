"""What of a run's folder is the same to the byte, whoever computes it and whatever happens on the way."""

import json
from pathlib import Path


def lasting(path: Path) -> bytes:
    """The content of a file; without the date and the command line of a run's configuration."""
    if path.name != "config.json":
        return path.read_bytes()
    return json.dumps({name: value for name, value in json.loads(path.read_bytes()).items() if name != "made"}).encode()
