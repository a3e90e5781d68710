"""What an image is made from fits together: building it needs Docker, reading it does not."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
import tyro

from parlor.cli.commands.poker import cards
from parlor.cli.commands.server import serve
from parlor.cli.main import COMMANDS
from parlor.server.operations.settings import ServerSettings
from parlor.server.tables.store import database_url
from parlor.study.api.app import create_app

ROOT = Path(__file__).parent.parent
STEPS = [
    line.split(maxsplit=1)
    for line in re.sub(r"\\\n", " ", (ROOT / "Dockerfile").read_text()).splitlines()
    if line and not line.startswith("#")
]


def of(kind: str) -> list[str]:
    return [rest for step, rest in STEPS if step == kind]


def parsed(command: list[str]) -> serve.Options:
    assert command[:2] == ["parlor", "serve"]
    return tyro.cli(serve.Options, args=command[2:], config=(tyro.conf.FlagCreatePairsOff,))


def test_what_is_copied_is_there_and_gets_to_the_builder() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    copied = [path for rest in of("COPY") if not rest.startswith("--from") for path in rest.split()[:-1]]
    assert {"parlor", "web", "pyproject.toml"} <= set(copied)
    for path in copied:
        assert (ROOT / path).exists(), path
        ignored = False
        for rule in rules:
            if any(fnmatch(part, rule.lstrip("!")) for part in (path, path.split("/")[0])):
                ignored = not rule.startswith("!")
        assert not ignored, path
    assert "/src/parlor/server/static" in " ".join(of("COPY")), "vite builds the page into the package"


def test_the_image_installs_an_extra_that_exists() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    [installed] = re.findall(r"'\.\[([\w,]+)\]'", " ".join(of("RUN")))
    assert set(installed.split(",")) <= set(extras)


def test_the_image_starts_what_the_command_line_knows() -> None:
    given = dict(word.split("=", 1) for word in " ".join(of("ENV")).split())
    [command] = of("CMD")
    options = parsed(json.loads(command))
    assert (options.host, options.agents) == ("0.0.0.0", ("/agents",))
    assert "/agents" in " ".join(of("RUN"))
    assert database_url(given["DATABASE_URL"]).database == "/data/parlor.db"
    assert of("USER") == ["parlor"]
    assert of("EXPOSE") == [given["PORT"]]


def test_the_image_is_healthy_when_the_api_answers() -> None:
    [check] = of("HEALTHCHECK")
    code = json.loads(check[check.index("[") :])[2]
    compile(code, "HEALTHCHECK", "exec")
    [path] = re.findall(r"\}(/api/\w+)'", code)
    assert path in create_app(ServerSettings()).openapi()["paths"]


def test_compose_gives_the_server_its_database() -> None:
    yaml = pytest.importorskip("yaml")
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    server, database = services["parlor"], services["database"]
    url = database_url(server["environment"]["DATABASE_URL"].replace("${POSTGRES_PASSWORD:-parlor}", "secret"))
    kept = database["environment"]
    assert (url.host, url.username, url.database) == ("database", kept["POSTGRES_USER"], kept["POSTGRES_DB"])
    assert server["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert database["healthcheck"]["test"][1] == "pg_isready"
    assert server["ports"][0].endswith(":" + of("EXPOSE")[0])
    assert "ports" not in database


def test_an_image_with_agents_has_card_tables_where_its_user_may_write_and_no_volume_hides_them() -> None:
    text = (ROOT / "docs" / "deploy.md").read_text()
    [recipe] = re.findall(r"<<'END'\n(.*?)\n    END", text, re.DOTALL)
    steps = dict(line.split(maxsplit=1) for line in recipe.splitlines())
    assert steps["FROM"] == "parlor"
    assert steps["COPY"].split()[1] == "/agents"
    command = shlex.split(steps["RUN"])
    assert command[:2] == ["parlor", "cards"]
    assert tyro.cli(cards.Options, args=command[2:]).agents == ("/agents",)
    name, folder = steps["ENV"].split("=")
    assert name == "PARLOR_CACHE"
    [owned] = re.findall(r"install --directory --owner parlor (.*)", " ".join(of("RUN")))
    assert folder in owned.split()
    assert not any(folder.startswith(volume) for volume in of("VOLUME"))


def test_commands_in_the_recipe_are_ours() -> None:
    text = (ROOT / "docs" / "deploy.md").read_text()
    [command] = re.findall(r"`docker run … parlor (parlor serve [^`]*)`", text)
    assert parsed(shlex.split(command)).requests == 20
    for name in re.findall(r"`parlor (\w+)", text):
        assert name in COMMANDS
