"""Empirical games: saved ones and those of PSRO runs, as matrices, and solved on request."""

from __future__ import annotations

import functools
from typing import Annotated

from fastapi import APIRouter, Query, Response

from parlor.game.parameters import declared
from parlor.policies.mixture import MAX_PLAYERS
from parlor.population.empirical.rankings import RANKINGS
from parlor.population.meta import META_SOLVERS
from parlor.server.api.routes.dependencies import Id, TheCatalogue, sent
from parlor.server.api.routes.runs import setting_info
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.catalogue.empirical_games import Known, matrix, ranking, saved, saved_or_of_run, solution
from parlor.server.operations.threads import in_thread
from parlor.server.schemas.common import PROBLEMS, MoveName, Name
from parlor.server.schemas.empirical_games import (
    EmpiricalGameInfo,
    MetaSolverInfo,
    PayoffMatrix,
    RankingInfo,
    RankingOfGame,
    Solution,
)

router = APIRouter(responses=PROBLEMS, tags=["empirical games"])
Player = Annotated[int, Query(ge=0, lt=MAX_PLAYERS)]


@router.get("/api/meta-solvers", operation_id="listMetaSolvers", response_model=list[MetaSolverInfo])
async def list_meta_solvers() -> Response:
    """The meta-solvers and their settings."""
    return await in_thread(lambda: sent(_meta_solvers(tuple(META_SOLVERS))))


@functools.lru_cache(1)
def _meta_solvers(names: tuple[str, ...]) -> list[MetaSolverInfo]:
    return [
        MetaSolverInfo(
            name=name,
            summary=row.summary,
            paper=row.paper,
            kind="joint" if row.joint else "independent",
            guarantee=row.guarantee,
            players=row.players,
            settings=[setting_info(one) for one in declared(row.settings)],
        )
        for name, row in ((name, META_SOLVERS[name]) for name in names)
    ]


@router.get("/api/empirical-games", operation_id="listEmpiricalGames", response_model=list[EmpiricalGameInfo])
async def list_empirical_games(catalogue: TheCatalogue) -> Response:
    """The empirical games that were saved into the server's folders."""
    return await in_thread(lambda: sent([_info(catalogue, one) for one in saved(catalogue)]))


@router.get("/api/empirical-games/{id}", operation_id="getEmpiricalGame")
async def get_empirical_game(id: Id, catalogue: TheCatalogue) -> EmpiricalGameInfo:
    """A saved empirical game, or that of a PSRO run at its newest checkpoint, by the id of the run."""
    return await in_thread(lambda: _info(catalogue, saved_or_of_run(catalogue, id)))


@router.get("/api/empirical-games/{id}/matrix", operation_id="getPayoffMatrix", response_model=PayoffMatrix)
async def get_payoff_matrix(
    id: Id,
    catalogue: TheCatalogue,
    rows: Annotated[Player, Query(description="The player whose strategies are the rows.")] = 0,
    columns: Annotated[Player, Query(description="The player whose strategies are the columns.")] = 1,
    others: Annotated[
        list[int],
        Query(max_length=MAX_PLAYERS, description="The strategy of each player; -1, or nothing: the mixture."),
    ] = [],  # noqa: B006
) -> Response:
    """The payoffs of two players' strategies against each other."""

    def work() -> PayoffMatrix:
        chosen = [None if one == -1 else one for one in others]
        return matrix(saved_or_of_run(catalogue, id), rows, columns, chosen)

    return sent(await in_thread(work))


@router.get("/api/empirical-games/{id}/solution", operation_id="solveEmpiricalGame")
async def solve_empirical_game(
    id: Id,
    catalogue: TheCatalogue,
    meta: Annotated[MoveName, Query(description="The meta-solver, perhaps with settings: `prd(iterations=1000)`.")],
) -> Solution:
    """The mixture of a meta-solver, and what each strategy gets against it."""
    return await in_thread(lambda: solution(saved_or_of_run(catalogue, id), meta), "solving")


@router.get("/api/rankings", operation_id="listRankings")
async def list_rankings() -> list[RankingInfo]:
    """The rankings; every meta-solver is one as well, by its name: the payoff against its mixture."""
    return [RankingInfo(name=name, summary=row.summary, paper=row.paper) for name, row in RANKINGS.items()]


@router.get("/api/empirical-games/{id}/ranking", operation_id="rankEmpiricalGame")
async def rank_empirical_game(
    id: Id, catalogue: TheCatalogue, by: Annotated[Name, Query(description="The ranking, or a meta-solver.")]
) -> RankingOfGame:
    """The strategies of each player ranked, with how certain that is."""
    return await in_thread(lambda: ranking(saved_or_of_run(catalogue, id), by), "solving")


def _info(catalogue: Catalogue, known: Known) -> EmpiricalGameInfo:
    game = known.empirical
    unit, scale = catalogue.unit(game.game)
    return EmpiricalGameInfo(
        id=known.id,
        name=known.name,
        game=game.game,
        labels=[list(some) for some in known.labels],
        cells=game.counts.size,
        known=int((game.counts > 0).sum()),
        games=game.games,
        unit=unit,
        scale=scale,
    )
