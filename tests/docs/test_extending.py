"""What docs/extending.md adds is added: each example, by its row and through the doors that everybody uses."""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import parlor
from parlor.agents.registry import AGENTS, make_agent
from parlor.arena.match import play_match
from parlor.arena.measures import MEASURES
from parlor.cli.main import main
from parlor.game.loading import declared_options
from parlor.page.display import move_info
from parlor.page.seated_agent import SeatedAgent
from parlor.runs.learners.registry import LEARNERS
from parlor.server.catalogue import displays
from parlor.server.explain.mind import inside
from parlor.solvers.solve import ALGORITHMS

pytestmark = pytest.mark.slow

DOC = (Path(__file__).parents[2] / "docs" / "extending.md").read_text()
BLOCKS = {
    block.split("\n", 1)[0].removeprefix("# parlor/"): block for block in re.findall(r"```python\n(.*?)```", DOC, re.S)
}


def example(name: str, folder: Path) -> dict[str, Any]:
    """The module that the page shows, executed from a file: compiled code wants its source."""
    path = folder / Path(name).name
    path.write_text(BLOCKS[name])
    module = ModuleType(f"parlor_example_{path.stem}")
    sys.modules[module.__name__] = module  # dataclasses look there
    exec(compile(path.read_text(), str(path), "exec"), module.__dict__)
    return vars(module)


@pytest.fixture
def coin(tmp_path: Path) -> parlor.Game:
    """The game of the page, under the name that its row would give it."""
    path = tmp_path / "coin.py"
    path.write_text(BLOCKS["games/coin/rules.py"])
    return replace(parlor.load(str(path)), name="coin")


def test_a_game(coin: parlor.Game, tmp_path: Path) -> None:
    assert not parlor.check(coin).broken
    policy, report = parlor.solve(coin, "cfr+", iterations=2000)
    # with p on the left, guessing left brings p - (1 - p), guessing right 2 (1 - p) - p: the same at p = 3/5
    assert report.values == pytest.approx((-0.2, 0.2), abs=2e-3)
    assert policy(coin.start())["hide left"] == pytest.approx(0.6, abs=0.02)
    assert coin.training.against == ("random",)
    assert (coin.training.probes, coin.training.opponent) == (("lefty(share=1)",), "lefty")
    path = str(tmp_path / "coin.py")
    assert declared_options(path)["right"].about["two"].title == "Tempting"
    fair = parlor.load(path, right="one")
    assert parlor.solve(fair, "cfr+", iterations=500)[1].values == pytest.approx((0.0, 0.0), abs=1e-2)
    histories, infosets = re.findall(r'GameSpec\("parlor.games.coin.rules", (\d+), (\d+)\)', DOC)[0]
    tree = parlor.tree(coin)
    assert (tree.histories, tree.infosets) == (int(histories), int(infosets))


def test_an_agent(coin: parlor.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "lefty", example("games/coin/agents/lefty.py", tmp_path)["SPEC"])
    lefty = make_agent("lefty(share=0.9)", coin)
    assert lefty(coin.start()) == pytest.approx({"hide left": 0.9, "hide right": 0.1})
    match = play_match(coin, [lefty, make_agent("random", coin)], 400)
    assert match.games == 400
    assert all(make_agent(name, coin) for name in (coin.training.opponent, *coin.training.probes))
    with pytest.raises(parlor.GameError, match="lefty plays coin, not kuhn"):
        make_agent("lefty", parlor.load("kuhn"))
    with pytest.raises(parlor.GameError, match="share must be between 0 and 1, not 2"):
        make_agent("lefty(share=2)", coin)


def test_a_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ALGORITHMS, "restarted-cfr+", example("solvers/restarted_cfr.py", tmp_path)["ROW"])
    assert (parlor.solve("kuhn", "restarted-cfr+", iterations=200).report.exploitability or 1.0) < 0.01
    out = str(tmp_path / "kuhn.json")
    assert main(["solve", "kuhn", "--algorithm", "restarted-cfr+", "--iterations", "50", "--out", out, "--json"]) == 0


def test_a_learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEARNERS, "cfr", example("runs/learners/cfr.py", tmp_path)["ROW"])
    for module in ("parlor.cli.commands.train", "parlor.cli.commands.train"):
        monkeypatch.setattr(module, importlib.import_module(module))  # as it is after this
        monkeypatch.delitem(sys.modules, module)  # flags are made from the rows when it is loaded
    usual = ["--algorithm", "cfr", "--variant", "dcfr", "--evaluate-every", "20", "--evaluate-games", "10", "--json"]
    whole, parts = str(tmp_path / "whole"), str(tmp_path / "parts")
    assert main(["train", "kuhn", *usual, "--games", "60", "--out", whole]) == 0
    assert main(["train", "kuhn", *usual, "--games", "20", "--out", parts]) == 0
    assert main(["train", "--resume", parts, "--games", "60", "--json"]) == 0
    one, two = (Path(folder) / "checkpoints" / "00000060.json" for folder in (whole, parts))
    assert parlor.load_policy(str(one)) == parlor.load_policy(str(two))
    assert parlor.exploitability("kuhn", parlor.load_policy(str(one))) < 0.05


def test_a_measure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(MEASURES, "minimum", example("arena/measures.py", tmp_path)["MINIMUM"])
    game = parlor.load("goofspiel(returns=total-points)")
    match = play_match(game, [make_agent("random", game), make_agent("random", game)], 100)
    assert match.measure("minimum").value == pytest.approx(match.payoffs.min(axis=1).mean())
    wanted = ["--against", "random", "--game", game.name, "--games", "20", "--measure", "minimum"]
    assert main(["evaluate", "random", *wanted]) == 0
    assert "minimum" in capsys.readouterr().out


def test_json_of_its_own(coin: parlor.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(displays.DISPLAYS, "coin", example("games/coin/page.py", tmp_path)["DISPLAY"])
    display, start = displays.display_of("coin(right=two)"), coin.start()
    assert display.unit == "coins"
    assert display.blocked(start.view(0), display.legal_moves(start, 0)) == []
    hidden = start.after("hide right")
    (hide,) = display.blocked(hidden.view(1), display.legal_moves(hidden, 1))
    assert (hide.verb, hide.reason) == ("hide", "the coin is in the other player's hand")
    agent = SeatedAgent("random", "Random", "1", make_agent("random", coin), True)
    thought = inside(agent, start, 0, move_info(start.moves[1]), False, True)
    assert "the right hand is worth more" in thought.sentence


def test_a_drawing_has_the_fields_of_the_page() -> None:
    written = (Path(__file__).parents[2] / "web" / "src" / "games" / "drawing.ts").read_text()
    fields = set(re.findall(r"^  (\w+)\??: ", written.split("export type Drawing = {")[1].split("\n};")[0], re.M))
    rows = [line.split("|")[1] for line in DOC.split("## A drawing")[1].splitlines() if line.startswith("| `")]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} - {"Drawing"} == fields


def test_every_row_of_the_page_leads_to_a_registry() -> None:
    root = Path(__file__).parents[2]
    rows = re.findall(r"`([A-Z_]+)` in `([^`]+)`", DOC.split("## A game")[0])
    assert len(rows) == 12
    for registry, path in rows:
        assert re.search(rf"^(const )?{registry}\b.* = ", (root / path).read_text(), re.M), (registry, path)
