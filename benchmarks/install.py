"""From a wheel to a page with opponents, and to a game in the terminal, in an environment of its own.

    python benchmarks/install.py                     builds a wheel of this checkout, installs it, starts it
    python benchmarks/install.py dist/parlor_games-0.1.0-py3-none-any.whl

The new environment sees no Node, no make, no compiler, no checkout and an empty cache. Downloading is timed apart:
packages are installed twice, and the second time is what counts. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAMS = {"sh", "env", "nice"}  # all that the new environment finds on its path, besides Python


def built(folder: Path) -> Path:
    """A wheel of this checkout."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def install(folder: Path, wheel: Path) -> float:
    """Install it into a new environment; returns the seconds."""
    venv.create(folder, with_pip=True, clear=True)
    begun = time.perf_counter()
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--constraint", str(ROOT / "constraints.txt"), f"{wheel}[server]"], check=True)
    return time.perf_counter() - begun


def environment(folder: Path) -> dict[str, str]:
    """An environment with hardly any programs, a home of its own and an empty cache."""
    programs = folder / "programs"
    programs.mkdir()
    for name in PROGRAMS:
        if found := next(Path(place, name) for place in ("/usr/bin", "/bin") if Path(place, name).exists()):
            (programs / name).symlink_to(found)
    return {"PATH": f"{folder / 'installed' / 'bin'}:{programs}", "HOME": str(folder), "LANG": "C.UTF-8"}


def page(folder: Path, variables: dict[str, str]) -> tuple[float, float, list[str]]:
    """Seconds until the page answers, and until each game offers an opponent that is not random; games without."""
    command = [str(folder / "installed" / "bin" / "parlor"), "demo", "--port", "0", "--out", str(folder / "demo")]
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables, cwd=folder) as server:
        try:
            assert server.stdout is not None
            address = ""
            while not address:
                line = server.stdout.readline()
                assert line, "the server has not started"
                found = re.search(r"http://localhost:\d+", line)
                address = found[0] if found else ""
            with urllib.request.urlopen(address) as answer:
                assert b"<title>" in answer.read()
            served = time.perf_counter() - begun
            with urllib.request.urlopen(f"{address}/api/games") as answer:
                games = [game["name"] for game in json.load(answer)]
            without = [game for game in games if not _offers(address, game)]
            return served, time.perf_counter() - begun, without
        finally:
            server.terminate()


def _offers(address: str, game: str) -> bool:
    with urllib.request.urlopen(f"{address}/api/agents?game={game}") as answer:
        return any(agent["recommended"] and agent["id"] != "random" for agent in json.load(answer))


def terminal(folder: Path, variables: dict[str, str]) -> float:
    """Seconds until a game in the terminal asks for the first move, the opponent seated."""
    command = [str(folder / "installed" / "bin" / "parlor"), "play", "monopoly-deal", "--seed", "1"]
    begun = time.perf_counter()
    done = subprocess.run(command, input="", text=True, capture_output=True, env=variables, cwd=folder, check=False)
    assert "random" not in done.stdout.lower(), done.stdout
    return time.perf_counter() - begun


def main() -> None:
    """Install, start, and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", nargs="?", type=Path, help="built from this checkout if omitted")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = given.wheel.resolve() if given.wheel else built(folder)
        first = install(folder / "installed", wheel)
        again = install(folder / "installed", wheel)
        print(f"installed in {again:.1f} s from downloaded packages ({first:.1f} s the first time)")
        variables = environment(folder)
        served, offered, without = page(folder, variables)
        print(f"the page answers after {served:.1f} s; after {offered:.1f} s all games were asked for an opponent")
        print(f"games that offer none: {', '.join(without) or 'none'}")
        played = terminal(folder, variables)
        print(f"a game in the terminal after {played:.1f} s")
    figures = {"install_s": again, "page_s": served, "terminal_s": played, "total_s": again + max(served, played)}
    print(
        json.dumps({key: round(value, 1) for key, value in figures.items()} | {"games_without_opponent": len(without)})
    )


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    main()
