"""The Python of pages as modules in typed/, for mypy to read with everything else; `python -m tests.docs.pages`."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TYPED = {"README.md": "readme.py", "docs/python.md": "python.py"}
HEAD = '''"""The Python of {page}, written by `python -m tests.docs.pages`; it is never imported, only read by mypy."""

# ruff: noqa
# fmt: off

'''


def program(page: str) -> str:
    """The blocks of a page that use Parlor, one after the other."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    used = [block for block in blocks if "parlor." in block]
    assert used
    return "\n\n".join(used)


def module(page: str) -> tuple[Path, str]:
    """Where the module of a page is, and what should be in it."""
    return Path(__file__).parent / "typed" / TYPED[page], HEAD.format(page=page) + program(page)


if __name__ == "__main__":
    for page in TYPED:
        path, text = module(page)
        path.write_text(text)
