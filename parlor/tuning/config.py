"""The configuration of a tuning run: everything that its result depends on."""

from __future__ import annotations

from dataclasses import dataclass

from parlor.arena.measures import MEASURES
from parlor.game import GameError
from parlor.game.parameters import Settings, setting
from parlor.tuning.search import METHODS

WEIGHTS = ("uniform", "hard")


@dataclass(frozen=True)
class TuneConfig(Settings):
    """The settings of a tuning run."""

    game: str = setting("", "the game, with its options")
    agent: str = setting("", "the agent; options in its name are not tuned")
    options: tuple[str, ...] = setting(
        (), "the options to tune, perhaps with their ranges: rent jeopardy=0:100 reserve=1:1000:log; if omitted, all"
    )
    against: tuple[str, ...] = setting(
        (), "the pool of opponents to begin with; if omitted, the game's own agents, or random, and the agent as it is"
    )
    measure: str = setting(
        "",
        "what is to be as high as possible: win-share, payoff, or another measure; if omitted, payoff where games are "
        "about points, else win-share",
    )
    method: tuple[str, ...] = setting(
        ("cma-es",), "how to search; with several, one after the other, and one table of both", words=tuple(METHODS)
    )
    games: int = setting(200_000, "games that a search may play; 0 for no such limit", low=0)
    minutes: float = setting(0.0, "minutes that a search may take; 0 for no such limit", low=0.0)
    generations: int = setting(0, "generations of a search; 0 for no such limit", low=0)
    games_each: int = setting(200, "games of each candidate in a generation, at least", low=2)
    final_games: int = setting(10_000, "games of each finalist, and again of each agent in the last table", low=100)
    candidates: int = setting(0, "candidates in a generation; 0 for as many as suit the method", low=0, high=1000)
    spread: float = setting(
        0.25, "how far from the start to look at first, as a part of each range", low=0.01, high=1.0
    )
    grow: bool = setting(True, "let what has improved join the pool")
    weights: str = setting("uniform", "hard: opponents that win more count more", words=WEIGHTS)
    check_every: int = setting(5, "generations between two checks whether the search has improved", low=1)
    patience: int = setting(4, "checks in a row without an improvement before a search starts again or ends", low=1)
    restarts: int = setting(
        1, "how often a search starts again from the best, with twice the candidates half as far from it", low=0
    )
    seed: int = setting(0, "the seed of all random streams of the run", low=0, high=2**63 - 1)

    def __post_init__(self) -> None:
        """Refuse invalid settings."""
        super().__post_init__()
        if self.measure:
            MEASURES.own(self.measure)
        if not self.method:
            raise GameError(f"method must be at least one of {', '.join(METHODS)}.")
        if len(set(self.method)) < len(self.method):
            raise GameError("A method is given twice.")
        if not (self.games or self.minutes or self.generations):
            raise GameError("A search needs an end: games, minutes or generations must be above 0.")
