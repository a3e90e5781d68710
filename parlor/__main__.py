"""`python -m parlor` is `parlor`."""

import sys

from parlor.cli import main

sys.exit(main())
