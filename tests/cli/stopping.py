"""Commands in processes of their own that get a signal at a certain moment, however busy the machine is."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

CODE = """
import os, signal, sys
from parlor.cli.main import main

def at(owner, name, times):
    usual, calls = getattr(owner, name), iter(range(1, times + 1))
    def called(*given, **more):
        if next(calls, 0) == times:
            os.killpg(os.getpgrp(), {number})  # all that was started, as a terminal does
        return usual(*given, **more)
    setattr(owner, name, called)

{moment}
sys.exit(main(sys.argv[1:]))
"""


def stopped(number: signal.Signals, moment: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `parlor` with a signal at a moment: code that says `at(owner, name, n)`, when that is called the nth time."""
    code = CODE.format(number=int(number), moment=moment)
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, env={**os.environ, "COLUMNS": "200"},
    ) as process:  # fmt: skip
        out, err = process.communicate(timeout=300)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)
