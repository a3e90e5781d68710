"""Print the API's schema, from which the page's TypeScript client is made: python -m parlor.study.api.openapi."""

from __future__ import annotations

import json
import sys

from parlor.server.operations.settings import ServerSettings
from parlor.study.api.app import create_app


def schema() -> str:
    """The schema of the server, in a stable order."""
    return json.dumps(create_app(ServerSettings()).openapi(), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema())
