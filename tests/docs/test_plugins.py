"""Everything on the page about one's own algorithms works: its files, its commands, and a package that is installed."""

from __future__ import annotations

import importlib
import re
import shlex
import sys
from pathlib import Path

import pytest

import parlor
from parlor.cli.main import main
from parlor.game.loading.registry import installed

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (DOCS / "plugins.md").read_text(), re.S)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_files_and_commands_of_the_page_work(folder: Path) -> None:
    space: dict[str, object] = {"parlor": parlor}
    commands = 0
    for language, text in BLOCKS:
        if language == "python" and (named := re.match(r"# (my_\w+\.py)\n", text)):
            (folder / named[1]).write_text(text)
        elif language == "python":
            exec(text, space)
        elif language == "console":
            for line in text.splitlines():
                assert main(shlex.split(line.removeprefix("$ parlor "))) == 0, line
                commands += 1
    assert commands == 5
    assert main(["psro", "--resume", "runs/newest", "--iterations", "6"]) == 0
    assert main(["figures", "runs/newest", "runs/newest"]) == 0
    for module in ("my_psro", "my_oracle"):
        sys.modules.pop(module, None)


def test_the_code_on_the_page_about_the_tree_runs() -> None:
    """CFR on the tree finds what Parlor's CFR does."""
    text = (DOCS / "tree.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    exec("\n".join(blocks), {})
    [cfr] = [block for block in blocks if block.startswith("class TreeCfr")]
    assert len([line for line in cfr.splitlines() if line.strip()]) <= 30


PACKAGE = {
    "shop/__init__.py": "",
    "shop/coin.py": '''
"""Coin: one hides a coin in one of some hands, the other guesses."""

from parlor.game import OVER, option, private, public

HANDS = option("hands", 2, 2, 5, "hands to hide it in")
PLAYERS, ACTIONS, OUTCOMES, LENGTH, ZERO_SUM = 2, HANDS, 0, 2, True
STATE = {"hidden": private(PLAYERS), "guess": public(), "moves": public()}


def start(s):
    """Nothing is hidden yet."""


def turn(s):
    """One after the other."""
    return OVER if s.moves == 2 else s.moves


def odds(s, out):
    """There is no chance."""
    return 0


def legal(s, out):
    """Every hand."""
    for hand in range(HANDS):
        out[hand] = hand
    return HANDS


def play(s, a):
    """Hide or guess."""
    if s.moves == 0:
        s.hidden[0] = a + 1
    else:
        s.guess = a + 1
    s.moves += 1


def payoff(s, p):
    """The coin for who was right."""
    won = 1.0 if s.guess == s.hidden[0] else -1.0
    return won if p == 1 else -won


def key(s, p):
    """What a player knows."""
    return s.hidden[p] * 8 + s.moves * 2 + p
''',
    "shop/agents.py": """
class Shy:
    def __init__(self, hand=0):
        self.hand = hand

    def act(self, observation):
        return self.hand
""",
    "shop/psro.py": """
def last(payoffs):
    return [[0] * (n - 1) + [1] for n in payoffs.shape[1:]]
""",
    "shop-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n",
    "shop-1.0.dist-info/entry_points.txt": """
[parlor.games]
shop-coin = shop.coin
[parlor.agents]
shy = shop.agents:Shy
[parlor.meta_solvers]
last = shop.psro:last
""",
}


def test_an_installed_package_offers_games_agents_and_algorithms(folder: Path) -> None:
    for name, text in PACKAGE.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    importlib.invalidate_caches()
    installed.cache_clear()
    game = parlor.load("shop-coin(hands=3)")
    assert (game.name, game.actions) == ("shop-coin(hands=3)", 3)
    assert parlor.solve("shop-coin", iterations=100).report.values == pytest.approx((0.0, 0.0), abs=1e-3)
    assert parlor.load_agent("shy(hand=2)", game)(game.start()) == {name: float(i == 2) for i, name in enumerate("012")}
    assert main(["psro", "shop-coin", "--meta", "last", "--iterations", "2", "--out", "run"]) == 0
    assert main(["psro", "--resume", "run", "--iterations", "3"]) == 0
    assert main(["compare", "shop-coin", "shy", "run", "--games", "10"]) == 0
    with pytest.raises(parlor.GameError, match="There is no game 'shop-card'"):
        parlor.load("shop-card")
    for name in [name for name in sys.modules if name.partition(".")[0] == "shop"]:
        del sys.modules[name]
