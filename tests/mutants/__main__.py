"""Plant each mistake in a copy of the project, run the tests that should notice, say who got away.

    python -m tests.mutants            all of them, as many at a time as there are processors
    python -m tests.mutants token      those whose name or file has this in it

Exit code 1 if less than 95 in a hundred are caught.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.mistake import Mistake
from tests.mutants.mistakes import MISTAKES

ROOT = Path(__file__).parents[2]
ENOUGH = 0.95
TIMEOUT = 600  # seconds for the tests of one mistake
WORKERS = os.cpu_count() or 2


def copy_project(target: Path) -> None:
    """Everything under version control or about to be, and the built page."""
    listed = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
    if (page := ROOT / "parlor" / "server" / "static").is_dir():
        shutil.copytree(page, target / "parlor" / "server" / "static")


def caught(mistake: Mistake, folder: Path) -> tuple[bool, str]:
    """Whether the tests fail with the mistake in place; and the last line they print."""
    place = mistake.place(folder)
    path = folder / place.file
    text = path.read_text()
    path.write_text(mistake.planted(place, text))
    tests = mistake.test_files(folder)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--no-header", *tests]
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
        last = (done.stdout.strip().splitlines() or [done.stderr[-200:]])[-1]
        # 1: tests have failed; 2: they could not even be collected, which nobody overlooks. Anything else is our fault.
        if done.returncode not in (0, 1, 2):
            raise RuntimeError(
                f"{mistake.name}: pytest ended with {done.returncode}: {done.stdout[-500:]}{done.stderr}"
            )
        return done.returncode != 0, last
    except subprocess.TimeoutExpired:
        return True, f"no end after {TIMEOUT} seconds"
    finally:
        path.write_text(text)


def main(words: list[str]) -> int:
    """Plant, run, report."""
    chosen = [m for m in MISTAKES if all(word in f"{m.name} {m.file}" for word in words)]
    if not chosen:
        print(f"No mistake has {' and '.join(words)} in its name or file.")
        return 2
    with tempfile.TemporaryDirectory(prefix="parlor-mutants-") as top:
        free: SimpleQueue[Path] = SimpleQueue()
        for number in range(WORKERS):
            folder = Path(top) / str(number)
            copy_project(folder)
            free.put(folder)

        def judge(mistake: Mistake) -> bool:
            folder, began = free.get(), time.monotonic()
            found, last = caught(mistake, folder)
            free.put(folder)
            seconds = time.monotonic() - began
            print(f"{'caught  ' if found else 'GOT AWAY'} {seconds:5.0f} s  {mistake.file}: {mistake.name}", flush=True)
            if not found:
                print(f"           {' '.join(mistake.tests)}: {last}", flush=True)
            return found

        with ThreadPoolExecutor(WORKERS) as pool:
            results = list(pool.map(judge, chosen))
    missed = [mistake for mistake, found in zip(chosen, results, strict=True) if not found]
    print(f"\n{len(chosen) - len(missed)} of {len(chosen)} planted mistakes were caught.")
    for mistake in missed:
        print(f"  got away: {mistake.file}: {mistake.name}")
    return 0 if len(missed) <= (1 - ENOUGH) * len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
