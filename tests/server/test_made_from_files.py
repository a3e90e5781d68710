"""Agents that are made from a blueprint are offered with every one that fits, and read nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlor import GameError
from parlor.runs.blueprints import save_blueprint
from parlor.server.catalogue import Catalogue, Unknown
from tests.blueprints import tiny_blueprint

TABLE = "holdem(stack=20)"


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    save_blueprint(tiny_blueprint(), tmp_path / "tiny.npz")
    save_blueprint(tiny_blueprint("holdem(stack=20,streets=2)/fcpa"), tmp_path / "other.npz")
    return Catalogue([tmp_path])


def test_they_are_offered_where_their_file_fits(catalogue: Catalogue) -> None:
    names = {info.id: info.name for info in catalogue.agents(TABLE)}
    made = {id: name for id, name in names.items() if id.startswith("cfr-")}
    assert made == {f"cfr-v{i}(blueprint=tiny)": f"cfr-v{i} with tiny" for i in (1, 2)}
    assert not any(info.id.startswith("cfr-") for info in catalogue.agents("holdem"))
    assert catalogue.agent_info("cfr-v1(blueprint=tiny)").games == [TABLE]


def test_they_sit_down_and_play(catalogue: Catalogue) -> None:
    game = catalogue.game(TABLE)
    opponent = catalogue.seat("cfr-v1(blueprint=tiny)", game)
    assert opponent.name == "cfr-v1 with tiny"
    assert catalogue.seat(opponent.id, game).version == opponent.version  # as a server finds it after a restart
    chances = opponent.agent(game.start().after(0, 4, 9, 14))
    assert sum(chances.values()) == pytest.approx(1.0)


def test_no_name_makes_the_server_read_a_file(catalogue: Catalogue, tmp_path: Path) -> None:
    game = catalogue.game(TABLE)
    with pytest.raises(Unknown, match="There is no agent"):
        catalogue.seat(f"cfr-v1(blueprint={tmp_path / 'tiny.npz'})", game)
    with pytest.raises(GameError, match="needs a blueprint"):
        catalogue.seat("cfr-v1", game)
