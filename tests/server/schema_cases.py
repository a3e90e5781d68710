"""Whatever the schema allows is answered, and never with a 5xx: run by `test_schema.py` in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.config import SchemathesisConfig

from parlor.server.explain import expected_value, review
from parlor.server.operations.settings import ServerSettings
from parlor.server.programs import table_program
from parlor.study.api.app import schema as written_schema
from tests.server.people import Person, serving, sit

api = schemathesis.openapi.from_dict(json.loads(written_schema()))
# Whether data are refused is seen before whose they are: what strangers may not send, owners need not send again.
POSITIVE = SchemathesisConfig.from_dict({"generation": {"mode": "positive"}})
own = schemathesis.openapi.from_dict(json.loads(written_schema()), config=POSITIVE)
TIMEOUT = 600.0  # seconds for an answer: a busy machine is no mistake
# Besides all that Schemathesis thinks of by itself: for every bound of the schema, a case on either side.
BOUNDED = settings(max_examples=1, deadline=None, suppress_health_check=list(HealthCheck))
MORE = settings(BOUNDED, max_examples=3)


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody in the middle of a game, whose table is asked about."""
    database = f"sqlite:///{tmp_path_factory.mktemp('schema')}/parlor.db"
    with (
        pytest.MonkeyPatch.context() as patch,
        serving(ServerSettings(database_url=database, rate=0)) as address,
        httpx.Client(base_url=address, timeout=600) as http,
    ):
        patch.setattr(expected_value, "ROLLOUTS", 16)  # what is answered matters, not how good it is
        patch.setattr(review, "BUDGET", 0.5)
        patch.setattr(table_program, "MAX_WAIT", 0.05)
        someone = sit(http, seat=0, mind="always", pace="step")
        someone.play(30)
        yield someone


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    """One connection for all requests; nothing is asked of the environment for each of them."""
    with requests.Session() as one:
        one.trust_env = False
        yield one


def checks(*names: str) -> list[Any]:
    return [schemathesis.checks.CHECKS.get_one(name) for name in names]


# A move at a wrong ply is good data, and refused; only the owner's token is any good.
NOT_FOR_STRANGERS = checks("positive_data_acceptance")
NOT_FOR_OWNERS = checks("positive_data_acceptance", "negative_data_rejection", "ignored_auth")  # the test repairs data


@api.parametrize()  # type: ignore[untyped-decorator]
@BOUNDED
def test_strangers_get_answers(case: Case[Any], person: Person, session: requests.Session) -> None:
    excluded = NOT_FOR_STRANGERS
    if case.path.endswith("/import"):
        excluded = excluded + checks("negative_data_rejection")  # it does not know 413
    address = str(person.http.base_url)
    case.call_and_validate(base_url=address, session=session, excluded_checks=excluded, timeout=TIMEOUT)


@own.include(path_regex=r"\{table\}").parametrize()  # type: ignore[untyped-decorator]
@MORE
def test_owners_get_answers(case: Case[Any], person: Person, session: requests.Session) -> None:
    case.path_parameters["table"] = person.state["id"]
    address = str(person.http.base_url)
    case.call_and_validate(
        base_url=address, session=session, headers=person.headers, excluded_checks=NOT_FOR_OWNERS, timeout=TIMEOUT
    )
