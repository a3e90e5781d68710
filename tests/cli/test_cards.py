"""`parlor cards`: what blueprints look up is computed before a server needs it."""

import dataclasses
import io
import logging
from pathlib import Path
from typing import Any, TextIO

import pytest

from parlor.cli.commands.poker import cards
from parlor.cli.main import main
from parlor.compile import NotCached
from parlor.runs.files.strategy_files import save
from tests.blueprints import tiny_blueprint


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two checkpoints of one blueprint, and a file that is none."""
    for name in ("runs/a/checkpoints/00000001.npz", "runs/b.npz"):
        save(tiny_blueprint(), tmp_path / name)
    (tmp_path / "runs" / "c.npz").write_bytes(b"something else")
    return tmp_path / "runs"


@pytest.fixture(autouse=True)
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note, instead of looking at, the tables of equities, which are large."""
    seen: list[str] = []
    monkeypatch.setattr(cards, "exact_equities", lambda: seen.append("equities"))
    return seen


def test_everything_is_looked_up_once(
    folder: Path, looked_up: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(folder.parent)
    assert main(["cards"]) == 0
    shown = capsys.readouterr().out
    assert looked_up == ["equities"]
    assert "the equity of every hand on every board: ready" in shown
    assert shown.count("suitless, 169 + 76,895 buckets, of runs/a/checkpoints/00000001.npz: ready") == 1
    assert "runs/b.npz" not in shown
    (folder / "a").rename(folder.parent / "a")
    assert main(["cards", "runs/b.npz"]) == 0
    assert "of runs/b.npz: ready" in capsys.readouterr().out


def test_what_cannot_be_used_is_told_and_the_rest_is_done(folder: Path, capsys: Any) -> None:
    other = dataclasses.replace(tiny_blueprint(), cards="blurry")
    save(other, folder / "0.npz")
    assert main(["cards", str(folder)]) == 1
    told = capsys.readouterr()
    assert "There is no card abstraction 'blurry'" in told.err
    assert "suitless, 169 + 76,895 buckets" in told.out
    assert main(["cards", str(folder / "c.npz")]) == 1
    assert "c.npz is not a blueprint" in capsys.readouterr().err
    assert main(["cards", str(folder / "nowhere")]) == 1
    assert "There is no file or folder" in capsys.readouterr().err


def serving(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How a server is started that ends as soon as it is ready."""
    monkeypatch.setattr("uvicorn.Server.run", lambda self, sockets: [socket.close() for socket in sockets])
    return ["serve", "--agents", str(folder), "--port", "0", "--database-url", f"sqlite:///{folder.parent}/parlor.db"]


@pytest.mark.parametrize("lost", ["exact_equities", "tables_of"])
def test_a_server_says_what_its_agents_lack(
    folder: Path, lost: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    spaced = folder.rename(folder.parent / "my runs")
    nowhere = serving(spaced, monkeypatch)
    assert main(nowhere) == 0
    assert "Card tables" not in capsys.readouterr().err

    def missing(*_: Any, **__: Any) -> None:
        raise NotCached("Not here.")

    monkeypatch.setattr(cards, lost, missing)
    assert main(nowhere) == 0
    assert f"not on this machine yet: `parlor cards '{spaced}'` computes them" in capsys.readouterr().err


def test_a_server_leaves_the_log_handlers_of_others_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Open(logging.StreamHandler[TextIO]):
        """Closes its stream with itself, as the handler of absl does, which OpenSpiel and Optax bring."""

        def close(self) -> None:
            self.stream.close()

    handler = Open(io.StringIO())
    assert main(serving(folder, monkeypatch)) == 0
    assert not handler.stream.closed


def test_a_server_does_not_take_what_cannot_be_used_for_what_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    save(dataclasses.replace(tiny_blueprint(), cards="blurry"), folder / "0.npz")
    assert main(serving(folder, monkeypatch)) == 0
    told = capsys.readouterr().err
    assert "There is no card abstraction 'blurry'" in told
    assert "not on this machine" not in told
