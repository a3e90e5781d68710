"""A new kind of strategy is a class and a row in each of two registries."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import parlor
from parlor.agents import policy_table
from parlor.agents.agent import CompiledAgent
from parlor.agents.registry import SEATS
from parlor.arena.match import play_match
from parlor.cli.main import main
from parlor.game import CHANCE, Game, Position
from parlor.poker.blueprint import Blueprint
from parlor.policies.policy import Policy
from parlor.policies.strategy import Strategy
from parlor.runs.files.container import FileError
from parlor.runs.files.file_kinds import Content, FileKind
from parlor.runs.files.strategy_files import FILES, load_strategy, save
from parlor.runs.saved_agents import load_agent, load_compiled_agent, read_policy
from parlor.runs.training import exploitability
from tests.blueprints import tiny_blueprint

LEDUC = parlor.load("leduc")


@dataclass(frozen=True)
class Mixture:
    """At every information set the mean of two policies."""

    kind: ClassVar[str] = "mixture"
    first: Policy
    second: Policy

    @property
    def game(self) -> str:
        return self.first.game

    @property
    def rules(self) -> str:
        return self.first.rules

    @property
    def about(self) -> Mapping[str, Any]:
        return {"mixture": 2}

    @property
    def table(self) -> Policy:
        counts = np.diff(self.first.starts)
        mean = (self.first.probabilities + self.second.rows(self.first.keys, counts)) / 2
        return Policy(self.game, self.rules, self.first.keys, self.first.starts, mean)

    def __call__(self, position: Position) -> dict[str, float]:
        return self.table(position)

    def __len__(self) -> int:
        return len(self.first)

    def describe(self) -> str:
        return f"mixture for {self.game}"


def pack(mixture: Mixture, head: Mapping[str, Any]) -> Content:
    arrays = {"keys": mixture.first.keys, "starts": mixture.first.starts, "first": mixture.first.probabilities}
    return {"parts": 2}, arrays | {"second": mixture.second.probabilities}


def unpack(head: Mapping[str, Any], arrays: Mapping[str, Any]) -> Mixture:
    parts = (arrays["keys"], arrays["starts"])
    return Mixture(*(Policy(head["game"], head["rules"], *parts, arrays[name]) for name in ("first", "second")))


def seat_mixture(game: Game, name: str, mixture: Mixture) -> CompiledAgent:
    return policy_table.make(game, name, mixture.table)


def first_decision(game: Game) -> Position:
    position = game.start()
    while position.turn == CHANCE:
        position = position.after(position.actions[0])
    return position


@pytest.fixture
def mixture(monkeypatch: pytest.MonkeyPatch) -> Mixture:
    monkeypatch.setitem(SEATS, "mixture", seat_mixture)
    monkeypatch.setitem(FILES, "mixture", FileKind(__name__, ("a mixture 1",)))
    solved = parlor.solve(LEDUC, "cfr+", iterations=50).policy
    uniform = parlor.solve(LEDUC, "cfr", iterations=1).policy
    return Mixture(solved, uniform)


def test_it_is_saved_loaded_seated_and_measured(
    mixture: Mixture, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = save(mixture, tmp_path / "mix.npz")
    again = load_strategy(path)
    assert (again.kind, again.game, len(again)) == ("mixture", "leduc", 936)
    position = first_decision(LEDUC)
    agent = load_agent(str(path), LEDUC)
    assert agent(position) == pytest.approx(again(position))
    assert sum(again(position).values()) == pytest.approx(1.0)
    assert play_match(LEDUC, [agent, agent], 10).games == 10
    worst, found, best = (exploitability(LEDUC, one) for one in (mixture.second, again, mixture.first))
    assert worst is not None
    assert found is not None
    assert best is not None
    assert worst > found > best
    assert main(["evaluate", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability"] == pytest.approx(found)
    assert main(["evaluate", str(path), "--against", "random", "--games", "20", "--json"]) == 0


def test_what_nobody_can_save_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"A mixture cannot be saved; there are files for policy, blueprint, "):
        save(Mixture(Policy.uniform(LEDUC), Policy.uniform(LEDUC)), tmp_path / "mix.npz")


def test_tables_and_blueprints_answer_alike(tmp_path: Path) -> None:
    """What a blueprint says at a position of its abstraction is what its agent plays there."""
    plan: Strategy = tiny_blueprint()
    save(plan, tmp_path / "plan.npz")
    plan = read_policy(tmp_path / "plan.npz")
    assert plan.kind == Blueprint.kind
    assert plan.table is None
    game = parlor.load(plan.game)
    position = first_decision(game)
    said = plan(position)
    assert set(said) == set(position.legal)
    assert sum(said.values()) == pytest.approx(1.0)
    assert game.concrete
    agent = load_compiled_agent(str(tmp_path / "plan.npz"), game.concrete)
    played = agent.action_probabilities(first_decision(game.concrete))
    assert [chance for _, chance in played] == pytest.approx(list(said.values()))
