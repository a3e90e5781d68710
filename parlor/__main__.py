"""`python -m parlor` is `parlor`."""

import sys

from parlor.cli.main import main

sys.exit(main())
