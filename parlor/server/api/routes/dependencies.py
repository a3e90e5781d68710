"""The dependencies of routes, as named types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request, Response
from fastapi.security import HTTPBearer
from pydantic import BaseModel

from parlor.server.api.limits import address_of
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.schemas.common import MAX_PLIES
from parlor.server.schemas.tables import Seated
from parlor.server.tables.store import Store
from parlor.server.tables.tables import Tables
from parlor.server.thinking.thinking import Thinking


class SeatToken(HTTPBearer):
    """The token of a seat; empty without one."""

    async def __call__(self, request: Request) -> str:  # type: ignore[override]
        """The token that a request brings."""
        given = await super().__call__(request)
        return given.credentials[:200] if given else ""


_seat_token = SeatToken(auto_error=False, description="The token of a seat, given at creation.")


async def _tables(request: Request) -> Tables:
    return request.app.state.tables


async def _maker(request: Request) -> str:
    return await request.app.state.tables.maker(address_of(request.scope))


async def _catalogue(request: Request) -> Catalogue:
    return request.app.state.catalogue


async def _thinking(request: Request) -> Thinking:
    return request.app.state.thinking


async def _store(request: Request) -> Store:
    return request.app.state.store


TheTables = Annotated[Tables, Depends(_tables)]
Maker = Annotated[str, Depends(_maker)]
TheCatalogue = Annotated[Catalogue, Depends(_catalogue)]
TheThinking = Annotated[Thinking, Depends(_thinking)]
TheStore = Annotated[Store, Depends(_store)]
Token = Annotated[str, Depends(_seat_token)]
TableId = Annotated[str, Path(max_length=64, description="The id of a table.")]
Since = Annotated[int, Query(ge=0, le=MAX_PLIES, description="Send the history from this ply on.")]
PlyInPath = Annotated[int, Path(ge=0, le=MAX_PLIES)]
Outside = Annotated[bool, Query(description="What your seat could have expected, even if more may be shown.")]
SeatOf = Annotated[int | None, Query(ge=0, le=15, description="Whose they are: yours, if omitted.")]
Id = Annotated[str, Path(max_length=200)]
OPEN: dict[str, Any] = {"security": [{}]}  # in the schema: the token may be left out, by a spectator
Offset = Annotated[int, Query(ge=0, le=10_000_000)]
Limit = Annotated[int, Query(ge=1, le=200)]


def created(seated: Seated) -> Response:
    """A new table as a response, with its address."""
    where = {"Location": f"/api/tables/{seated.state.id}"}
    return Response(seated.model_dump_json(), 201, where, media_type="application/json")


def sent(shape: BaseModel | Sequence[BaseModel], status: int = 200) -> Response:
    """A checked model as a response, or a list of them, without a second check."""
    if isinstance(shape, BaseModel):
        return Response(shape.model_dump_json(), status, media_type="application/json")
    return Response(f"[{','.join(one.model_dump_json() for one in shape)}]", status, media_type="application/json")
