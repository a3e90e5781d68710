"""How soon the page is there: kilobytes before a game is chosen, and the first screen on a slower processor.

    python benchmarks/page.py            the built page, a server of its own, Chromium throttled four times

The bars: 230 kB of compressed JavaScript and CSS, 1.5 s until the first move can be made, and no layout shift above
0.02. The last line is JSON.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import tempfile
import threading

import httpx
import uvicorn
from playwright.sync_api import sync_playwright

from parlor.server.operations.settings import ServerSettings
from parlor.study.api.app import create_app

PROGRAMS = ("chromium-headless-shell", "chromium", "google-chrome")
GAMES = "[data-game]"  # the first screen is there when a game can be chosen
FIRST = "[data-game=monopoly-deal]"  # it is begun by a click
MOVES = "[data-testid=table][data-turn=you] [data-moves] button:not(:disabled)"
#: Add up what moves by itself, as browsers count it.
SHIFTS = """window.shifted = 0; new PerformanceObserver((list) => list.getEntries().forEach((one) => {
    if (!one.hadRecentInput) window.shifted += one.value;
})).observe({ type: "layout-shift", buffered: true });"""
SETTLED = 500  # milliseconds, for what comes late


def serve(folder: str) -> tuple[uvicorn.Server, str]:
    """A server on an empty database, and its address."""
    app = create_app(ServerSettings(database_url=f"sqlite:///{folder}/parlor.db", agents=(), rate=0))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        threading.Event().wait(0.01)
    return server, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


def main() -> None:
    """Load the first page several times, each in a fresh browser."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slower", type=float, default=4, help="how many times slower the processor is made")
    parser.add_argument("--loads", type=int, default=5)
    settings = parser.parse_args()
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server, address = serve(folder)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        seconds, moves, shifts, files, chosen = [], [], [], list[str](), set[str]()
        for _ in range(settings.loads):
            page = browser.new_page()
            page.add_init_script(SHIFTS)
            page.on("response", lambda answer: files.append(answer.url))
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": settings.slower})
            page.goto(address, wait_until="commit")
            page.wait_for_selector(GAMES, state="attached")
            seconds.append(page.evaluate("performance.now()") / 1000)
            chosen.update(files)  # before a game is chosen
            page.click(FIRST)
            page.wait_for_selector(MOVES, state="attached")
            moves.append(page.evaluate("performance.now()") / 1000)
            page.wait_for_timeout(SETTLED)
            shifts.append(page.evaluate("window.shifted"))
            files.clear()
            page.close()
        code = sorted(url for url in chosen if url.endswith((".js", ".css")))
        size = sum(len(gzip.compress(httpx.get(url).content, 6)) for url in code)
        browser.close()
        server.should_exit = True
    first, move = statistics.median(seconds), statistics.median(moves)
    print(f"{size / 1000:.0f} kB of compressed JavaScript and CSS in {len(code)} files before a game is chosen")
    print(f"{settings.slower:g} times slower: the first screen after {first:.2f} s, the first move after {move:.2f} s")
    print(f"all first moves: {', '.join(f'{one:.2f}' for one in moves)} s; layout shift at most {max(shifts):.3f}")
    row = {"page_kb": round(size / 1000), "first_screen_s": round(first, 2), "first_move_s": round(move, 2)}
    print(json.dumps(row | {"layout_shift": round(max(shifts), 4)}))


if __name__ == "__main__":
    main()
