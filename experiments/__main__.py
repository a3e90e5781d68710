"""Run an experiment, from the root of the repository: `python -m experiments clue --only a e`; or list them all."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> None:
    """Run the experiment that is named; what follows its name are its options."""
    names = sorted(path.parent.name for path in HERE.glob("*/experiment.py"))
    name, *options = sys.argv[1:] or ["--help"]
    if name in names:
        sys.argv = [f"experiments {name}", *options]
        importlib.import_module(f"experiments.{name}.experiment").main()
    elif name in ("-h", "--help"):
        print("\n".join(f"{name:15} {_title(name)}" for name in names))
    else:
        raise SystemExit(f"There is no experiment {name}; there are {', '.join(names)}.")


def _title(name: str) -> str:
    """The first line that an experiment says of itself."""
    doc = ast.get_docstring(ast.parse((HERE / name / "experiment.py").read_text())) or ""
    return doc.partition("\n")[0]


if __name__ == "__main__":
    main()
