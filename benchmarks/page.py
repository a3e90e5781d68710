"""How soon the page is there: kilobytes before a game is chosen, and the first screen on a slower processor.

    python benchmarks/page.py            the built page, a server of its own, Chromium throttled four times

The bars: 200 kB of compressed JavaScript and CSS, and 1.5 s until the games are on the screen.
"""

from __future__ import annotations

import argparse
import gzip
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
GAMES = "input[type=radio]"  # the first screen is there when a game can be chosen


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
        seconds, files = [], set[str]()
        for _ in range(settings.loads):
            page = browser.new_page()
            page.on("response", lambda answer: files.add(answer.url))
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": settings.slower})
            page.goto(address, wait_until="commit")
            page.wait_for_selector(GAMES, state="attached")
            seconds.append(page.evaluate("performance.now()") / 1000)
            page.close()
        code = sorted(url for url in files if url.endswith((".js", ".css")))
        size = sum(len(gzip.compress(httpx.get(url).content, 6)) for url in code)
        browser.close()
        server.should_exit = True
    print(f"{size / 1000:.0f} kB of compressed JavaScript and CSS in {len(code)} files before a game is chosen")
    print(f"first screen on a processor {settings.slower:g} times slower: median {statistics.median(seconds):.2f} s")
    print(f"all loads: {', '.join(f'{one:.2f}' for one in seconds)} s")


if __name__ == "__main__":
    main()
