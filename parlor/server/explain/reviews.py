"""The reviews that are being worked on, one at a time in a thread of its own, and those that were lately."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from parlor.game import Game, GameError
from parlor.page.seated_agent import SeatedAgent
from parlor.runs.files.policy_files import FileError
from parlor.server.catalogue.catalogue import Catalogue
from parlor.server.explain.review import Reviewing, is_reference_agent, nothing
from parlor.server.schemas.review import Review

KEPT = 100  # reviews
RANDOM = "random"
TIMEOUT = 1.0  # seconds that a request waits for a review to be done
NOBODY = "There is no agent here with which this game could be played on, so there is nothing to measure it by."

log = logging.getLogger("parlor.server")


class FinishedGame(NamedTuple):
    """An open game to review: its moves, the reviewed seat, and the agents that sat there."""

    table: str
    game: Game
    moves: tuple[str, ...]
    seat: int
    agents: tuple[SeatedAgent, ...]  # that sat there
    names: tuple[str, ...]  # of the players, as the reader calls them


class Reviews:
    """All reviews."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Reference agents come from the catalogue, if no agent at the table can be one."""
        self.catalogue = catalogue
        self._thread = ThreadPoolExecutor(1, "review")
        self._known: dict[tuple[str, int], tuple[Reviewing, Future[None]]] = {}

    async def of(self, finished: FinishedGame) -> Review:
        """The review of a game, as far as it has come."""
        key = (finished.table, finished.seat)
        if key not in self._known:
            reference_agent = await asyncio.to_thread(self._reference_agent, finished)
            if reference_agent is None:
                return nothing(finished.game, finished.seat, NOBODY)
            if key not in self._known:  # nobody else was faster
                guest = all(reference_agent.id != agent.id for agent in finished.agents)
                work = await asyncio.to_thread(
                    Reviewing, finished.game, finished.moves, finished.seat, reference_agent, finished.names, guest
                )
                self._known[key] = work, self._thread.submit(_worked, work)
                while len(self._known) > KEPT:
                    old, _ = self._known.pop(next(iter(self._known)))
                    old.stopped = True
        work, future = self._known[key]
        await asyncio.wait({asyncio.wrap_future(future)}, timeout=TIMEOUT)
        return work.shown

    def _reference_agent(self, finished: FinishedGame) -> SeatedAgent | None:
        """An agent with which games can be played on: one at the table, or else the one that is recommended.

        Random play is no measure of anything, so it is the last resort, also where it sat at the table.
        """
        seated = {agent.id: agent for agent in finished.agents}
        listed = [info for info in self.catalogue.agents(finished.game.name) if info.newest]
        listed.sort(key=lambda info: (not info.recommended, info.kind == "built-in", -(info.level or 0)))
        for id in sorted(dict.fromkeys([*seated, *(info.id for info in listed)]), key=lambda id: id == RANDOM):
            try:
                agent = seated.get(id) or self.catalogue.seat(id, finished.game)
            except (GameError, FileError, OSError):
                continue
            if is_reference_agent(agent):
                return agent
        return None

    def close(self) -> None:
        """Stop working."""
        for work, _ in self._known.values():
            work.stopped = True
        self._thread.shutdown(wait=False, cancel_futures=True)


def _worked(work: Reviewing) -> None:
    try:
        work.work()
    except Exception:
        log.exception("a review failed")
