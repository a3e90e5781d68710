"""An export is complete or did not happen."""

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from parlor.cli.commands import export
from parlor.cli.main import main
from parlor.server.tables.store import Store


@pytest.fixture
def database(tmp_path: Path) -> str:
    """An empty database."""
    url = f"sqlite:///{tmp_path}/parlor.db"

    async def make() -> None:
        store = Store(url)
        await store.open()
        await store.close()

    asyncio.run(make())
    return url


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A folder with an earlier export and something else."""
    folder = tmp_path / "exported"
    folder.mkdir()
    for name in ("games.csv", "moves.csv", "games.jsonl", "notes.txt"):
        (folder / name).write_text(f"earlier {name}")
    return folder


def test_a_failed_export_leaves_the_one_before(
    tmp_path: Path, earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(earlier)
    (tmp_path / "broken.db").write_text("this is no database at all" * 100)
    arguments = ["export", "games", "--database-url", f"sqlite:///{tmp_path}/broken.db", "--out"]
    assert main([*arguments, str(earlier)]) == 1
    assert "The database cannot be read" in capsys.readouterr().err
    assert contents(earlier) == before
    assert main([*arguments, str(tmp_path / "new")]) == 1
    assert not (tmp_path / "new").exists()


def test_an_interrupted_export_leaves_the_one_before(
    database: str, earlier: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C after the first game is written."""
    before = contents(earlier)

    async def tables(store: Store) -> list[dict[str, str]]:
        return [{"id": "a"}]

    async def moves(store: Store, table: str) -> list[dict[str, str]]:
        return []

    def written(*given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Store, "tables", tables)
    monkeypatch.setattr(Store, "moves", moves)
    monkeypatch.setattr(export, "_game", written)
    assert main(["export", "games", "--database-url", database, "--out", str(earlier)]) == 130
    assert capsys.readouterr().err.strip() == "parlor: interrupted."
    assert contents(earlier) == before


def test_an_export_replaces_the_one_before_and_nothing_else(database: str, earlier: Path) -> None:
    assert main(["export", "games", "--database-url", database, "--out", str(earlier)]) == 0
    after = contents(earlier)
    assert sorted(after) == ["games.csv", "games.jsonl", "moves.csv", "notes.txt"]
    assert after["notes.txt"] == "earlier notes.txt"
    assert after["games.csv"].startswith("id,created")
    assert after["games.jsonl"] == ""


def test_a_file_where_a_folder_should_be_is_named(
    database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["export", "games", "--database-url", database, "--out", str(tmp_path / "file" / "here")]) == 1
    assert f"{tmp_path / 'file'} is a file, not a folder." in capsys.readouterr().err
